"""Lab 15, exercise 5: the speed-up of a data-parallel run, predicted."""

from __future__ import annotations

from ...exercise import Exercise, Misconception


def _predicted(share=lambda images, workers: -(-images // workers), messages=2, sent=None,
               back=True, bits=1, alone=None, time=False):
    """The model with its parts to be exchanged."""
    sent = sent or (lambda images, workers: images)

    def predict(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth):
        travelling = sent(images, workers) * (image_bytes + back * result_bytes)
        total = (messages * workers * latency + bits * travelling / bandwidth
                 + share(images, workers) * seconds)
        first = images * seconds
        if alone:
            first += 2 * latency + images * (image_bytes + result_bytes) / bandwidth
        return total if time else first / total
    return predict


def predicted(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth):
    return _predicted()(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth)


def _latency_once(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth):
    total = (latency + images * (image_bytes + result_bytes) / bandwidth
             + -(-images // workers) * seconds)
    return images * seconds / total


Exercise(
    name="predicted", lab=15, reference=predicted,
    task="Times as fast as one process alone: a batch shared by workers over one link.",
    cases=lambda rng: [
        (8, 2, 0.5, 1e6, 1e5, 0.01, 1e8), (10, 4, 0.02, 6e5, 2e5, 0.001, 1e9),
        (64, 3, 0.001, 4e4, 1e4, 0.005, 1e8), (1, 1, 0.1, 1e6, 1e6, 0.002, 1e7),
        (7, 2, 2.0, 8e6, 40.0, 0.0, 1e9)],
    misconceptions=[
        Misconception(
            "images over workers", _predicted(share=lambda images, workers: images / workers),
            symptom="Right where the images divide evenly.",
            concept="The largest share computes longest: with 10 images on 4 workers it has 3, not "
                    "2.5.",
            line="Round up: `-(-images // workers)`."),
        Misconception(
            "latency once", _latency_once,
            symptom="Too optimistic, and the more so the more workers there are.",
            concept="Each worker gets a message and answers with one: `2 * workers` messages, one "
                    "after the other over your link.",
            line="`2 * workers * latency`."),
        Misconception(
            "answers for nothing", _predicted(messages=1, back=False),
            symptom="Nothing comes back in your model.",
            concept="Results are messages as well, with latency and bytes.",
            line="Add `workers * latency + images * result_bytes / bandwidth`."),
        Misconception(
            "a link for each worker",
            _predicted(sent=lambda images, workers: -(-images // workers)),
            symptom="Only the largest share's bytes travel in your model.",
            concept="All shares leave over the one link of whoever has the images: that part does "
                    "not get shorter with more workers.",
            line="All `images` count for the bytes."),
        Misconception(
            "bits", _predicted(bits=8),
            symptom="Your bytes take eight times too long.",
            concept="The bandwidth here is in bytes a second. (Network cards are sold in bits.)",
            line="No factor of 8."),
        Misconception(
            "time, not speed-up", _predicted(time=True),
            symptom="You return seconds.",
            concept="A speed-up is the time alone over the time shared.",
            line="`images * seconds / total`."),
        Misconception(
            "alone pays as well", _predicted(alone=True),
            symptom="Too good: your process alone sends messages to itself.",
            concept="The images are where that process is. It only computes: `images * seconds`.",
            line="No messages in the time that you divide."),
        Misconception(
            "the number of workers", lambda images, workers, seconds, image_bytes, result_bytes,
            latency, bandwidth: float(workers),
            symptom="That would be so if messages and remainders were free.",
            concept="Add what is sent, what the largest share takes, and what comes back.",
            line="Begin with `total = ...` in seconds."),
    ],
)
