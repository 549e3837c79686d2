"""Lab 16, exercise 5: the speed-up of a data-parallel run, predicted."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import real, whole
from . import predicted_gain_wrong as wrong


def _predicted(
    share=lambda images, workers: -(-images // workers),
    messages=2,
    sent=None,
    there=True,
    back=True,
    bits=1,
    alone=None,
    per=lambda images, workers: workers,
    time=False,
):
    """Make the model, with its parts to be exchanged."""
    sent = sent or (lambda images, workers: images)

    def predict(
        images,
        workers,
        seconds,
        image_bytes,
        result_bytes,
        latency,
        bandwidth,
        alone=alone,
        sent=sent,
        share=share,
    ):
        travelling = sent(images, workers) * (there * image_bytes + back * result_bytes)
        total = (
            messages * per(images, workers) * latency
            + bits * travelling / bandwidth
            + share(images, workers) * seconds
        )
        first = images * seconds
        if alone:
            first += alone * latency + images * (image_bytes + result_bytes) / bandwidth
        return total if time else first / total

    return predict


def predicted_gain(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth):
    return _predicted()(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth)


def _latency_once(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth):
    total = (
        latency
        + images * (image_bytes + result_bytes) / bandwidth
        + -(-images // workers) * seconds
    )
    return images * seconds / total


def _alone_is_1(images, workers, *rest, gain=1.0):
    return gain if workers == 1 else predicted_gain(images, workers, *rest)


def _one_share_at_home(
    images,
    workers,
    seconds,
    image_bytes,
    result_bytes,
    latency,
    bandwidth,
    bytes_of=lambda images, workers: images * (workers - 1) / workers,
):
    travelling = bytes_of(images, workers) * (image_bytes + result_bytes)
    return (
        images
        * seconds
        / (2 * (workers - 1) * latency + travelling / bandwidth + -(-images // workers) * seconds)
    )


EXERCISE = Exercise(
    name="predicted_gain",
    lab=16,
    reference=predicted_gain,
    task="Times as fast as one process alone: a batch shared by workers over one link.",
    cases=lambda rng: [
        (8, 2, 0.5, 1e6, 1e5, 0.01, 1e8),
        (10, 4, 0.02, 6e5, 2e5, 0.001, 1e9),
        (whole(rng, 50, 99), 3, real(rng, 0.001, 0.009), 1e4, 4e4, 0.005, 1e8),
        (1, 1, 0.1, 1e6, 1e6, 0.002, 1e7),
        (11, 4, 0.05, 1e6, 1e5, 0.002, 1e8),
        (7, 2, 2.0, 8e6, 40.0, 0.0, 1e9),
        (6, 3, 0.001, 1e6, 1e5, 0.01, 1e8),
    ],
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "images over workers",
            _predicted(share=lambda images, workers: images / workers),
            symptom="Right where the images divide evenly; else too good.",
            concept="The largest share computes longest: with 10 images on 4 workers it has 3, not "
            "2.5.",
            line="Round up: `-(-images // workers)`.",
        ),
        Misconception(
            "rounded down",
            _predicted(share=lambda images, workers: images // workers),
            symptom="Right where the images divide evenly; else too good, as if some were "
            "computed by nobody.",
            concept="What is left over makes some shares larger, and the largest one counts.",
            line="`-(-images // workers)` rounds up.",
        ),
        Misconception(
            "not shared",
            _predicted(share=lambda images, workers: images),
            symptom="With you more workers are never faster.",
            concept="They compute side by side: the largest share takes longest, not the sum.",
            line="`share * seconds` with `share = -(-images // workers)`.",
        ),
        Misconception(
            "a message for each image",
            _predicted(per=lambda images, workers: images),
            symptom="Where messages cost something you are too slow, the more so the more images "
            "a worker has.",
            concept="A share travels as one message, however many images it has.",
            line="`2 * workers * latency`, with no `images` in it.",
        ),
        Misconception(
            "no latency",
            _predicted(messages=0),
            symptom="Right where a message costs no latency; elsewhere too good.",
            concept="A message takes `latency + bytes / bandwidth`. The first term is what many "
            "small messages die of.",
            line="Add `2 * workers * latency`.",
        ),
        Misconception(
            "no bytes",
            _predicted(there=False, back=False),
            symptom="Your bytes take no time, or next to none.",
            concept="A message takes `latency + bytes / bandwidth`.",
            line="Add `images * (image_bytes + result_bytes) / bandwidth`.",
        ),
        Misconception(
            "one way",
            _predicted(messages=1),
            symptom="You count half of the messages.",
            concept="A share goes out and results come back: two messages a worker.",
            line="`2 * workers * latency`: twice, for there and back.",
            choices={"share": (lambda images, workers: images / workers,)},
        ),
        Misconception(
            "upside down",
            lambda *given: 1 / predicted_gain(*given),
            symptom="You divide the shared time by the time alone.",
            concept="A speed-up above 1 means faster: the old time over the new one.",
            line="The time alone stands above: `images * seconds / total`.",
        ),
        Misconception(
            "latency once",
            _latency_once,
            symptom="Too optimistic where a message has a latency, and the more so the more "
            "workers there are.",
            concept="Each worker gets a message and answers with one: `2 * workers` messages, one "
            "after the other over your link.",
            line="`2 * workers * latency`.",
        ),
        Misconception(
            "answers for nothing",
            _predicted(messages=1, back=False),
            symptom="Nothing comes back in your model.",
            concept="Results are messages as well, with latency and bytes.",
            line="Add `workers * latency + images * result_bytes / bandwidth`.",
        ),
        Misconception(
            "a link for each worker",
            _predicted(sent=lambda images, workers: -(-images // workers)),
            symptom="Only the largest share's bytes travel in your model.",
            concept="All shares leave over the one link of whoever has the images: that part does "
            "not get shorter with more workers.",
            line="All `images` count for the bytes.",
        ),
        Misconception(
            "bits",
            _predicted(bits=8),
            symptom="Your bytes take eight times too long.",
            concept="The bandwidth here is in bytes a second. (Network cards are sold in bits.)",
            line="`/ bandwidth`, with no 8 above or below the line.",
        ),
        Misconception(
            "the time saved",
            lambda *given, of=1: of * (1 - 1 / predicted_gain(*given)),
            choices={"of": (100,)},
            symptom="You return which part of the time alone is saved.",
            concept="Who saves half of the time is twice as fast: asked for is the 2.",
            line="`images * seconds / total`, with nothing taken off the time alone.",
        ),
        Misconception(
            "time, not speed-up",
            _predicted(time=True),
            symptom="You return seconds.",
            concept="A speed-up is the time alone over the time shared.",
            line="`images * seconds / total`.",
        ),
        Misconception(
            "alone pays as well",
            _predicted(alone=2),
            symptom="Too good: in your model it costs the process alone something, too, that "
            "images or messages travel.",
            concept="The images are where that process is. It only computes: `images * seconds`.",
            line="`images * seconds` is the time that you divide, and nothing else.",
            choices={"alone": (1e-9, 1)},
        ),
        Misconception(
            "the number of workers",
            lambda images, workers, seconds, image_bytes, result_bytes, latency, bandwidth: float(
                workers
            ),
            symptom="That would be so if messages and remainders were free.",
            concept="Add what is sent, what the largest share takes, and what comes back.",
            line="`images * seconds / total`, and in `total` the seconds of all three.",
        ),
        Misconception(
            "bytes times the bandwidth",
            lambda images, workers, seconds, image_bytes, result_bytes, latency, bandwidth: (
                images
                * seconds
                / (
                    2 * workers * latency
                    + images * (image_bytes + result_bytes) * bandwidth
                    + -(-images // workers) * seconds
                )
            ),
            symptom="Your gain is next to nothing: the bytes take forever.",
            concept="Bytes over bytes a second are seconds.",
            line="`/ bandwidth`",
        ),
        Misconception(
            "pictures there, nothing back",
            _predicted(back=False),
            symptom="Only the images travel in your model, though you count the answers' messages.",
            concept="A result has bytes as well.",
            line="`image_bytes + result_bytes`",
        ),
        Misconception(
            "results only",
            _predicted(there=False),
            symptom="Only the results travel in your model.",
            concept="The images have to get there first.",
            line="Add `image_bytes` to what travels.",
        ),
        Misconception(
            "messages side by side",
            _predicted(per=lambda images, workers: 1),
            symptom="Right for one worker; with more you are too hopeful.",
            concept="There is one link, and messages go over it one after the other.",
            line="`2 * workers` times the latency, and the bytes of *all* images.",
            choices={
                "sent": (
                    lambda images, workers: -(-images // workers),
                    lambda images, workers: images / workers,
                )
            },
        ),
        Misconception(
            "sending behind computing",
            lambda images, workers, seconds, image_bytes, result_bytes, latency, bandwidth: (
                images
                * seconds
                / max(
                    -(-images // workers) * seconds,
                    2 * workers * latency + images * (image_bytes + result_bytes) / bandwidth,
                )
            ),
            symptom="You take the longer of sending and computing.",
            concept="In this model a share is sent, then computed, then its results come back: "
            "one after the other.",
            line="Add the three terms up.",
        ),
        Misconception(
            "the process helps",
            _predicted(share=lambda images, workers: -(-images // (workers + 1))),
            symptom="Too good: you share the images among one more than there are workers.",
            concept="The process that has the images sends and collects; the workers compute.",
            line="`-(-images // workers)` images in the largest share, and all `images` travel.",
            choices={
                "sent": (
                    lambda images, workers: images * workers / (workers + 1),
                    lambda images, workers: images - images // (workers + 1),
                    lambda images, workers: images + -images // (workers + 1),
                )
            },
        ),
        Misconception(
            "all bytes in every message",
            lambda images, workers, seconds, image_bytes, result_bytes, latency, bandwidth: (
                images
                * seconds
                / (
                    2 * workers * (latency + images * (image_bytes + result_bytes) / bandwidth)
                    + -(-images // workers) * seconds
                )
            ),
            symptom="Too slow: your bytes travel `2 * workers` times.",
            concept="Each worker gets its own images, and sends its own results. Together that is"
            " every image once.",
            line="`2 * workers * latency + images * (image_bytes + result_bytes) / bandwidth`.",
        ),
        Misconception(
            "every share as large as the largest",
            _predicted(sent=lambda images, workers: workers * -(-images // workers)),
            symptom="Right where the images divide evenly; else more bytes travel than there are "
            "images.",
            concept="The largest share says how long computing takes. What travels are the images"
            " that there are.",
            line="`images * (image_bytes + result_bytes)`.",
        ),
        Misconception(
            "a share of what is possible",
            lambda images, workers, *rest: predicted_gain(images, workers, *rest) / workers,
            symptom="You return how much of the workers' number is reached.",
            concept="A speed-up is the time alone over the time shared. Over the workers it is an"
            " efficiency.",
            line="Do not divide by `workers`.",
        ),
        Misconception(
            "one worker is nobody else",
            _alone_is_1,
            symptom="Right but for one worker: there you return 1.",
            concept="A single worker is not the process that has the images: they go to it over "
            "the link, and its results come back. So the gain is below 1.",
            line="The same three terms for one worker as for more.",
        ),
        Misconception(
            "never below 1",
            lambda *given: max(predicted_gain(*given), 1.0),
            symptom="Where sharing is slower than one process alone, you return 1.",
            concept="A model that cannot say that it does not pay would always tell you to share.",
            line="`images * seconds / total` as it is, below 1 as well.",
        ),
        Misconception(
            "a share that stays at home",
            _one_share_at_home,
            choices={
                "bytes_of": (
                    lambda images, workers: images - -(-images // workers),
                    lambda images, workers: images,
                )
            },
            symptom="You count the messages of one worker less than there are, as if the process "
            "itself were one of them.",
            concept="The process that has the images is none of the workers: each of them gets a "
            "message, and sends one.",
            line="`2 * workers * latency`, and the bytes of all `images`.",
        ),
        Misconception(
            "a share of one more",
            _predicted(share=lambda images, workers: images // workers + 1),
            symptom="Right where the images do not divide evenly; else your largest share is one "
            "too large.",
            concept="`images // workers + 1` rounds up only where there is something to round.",
            line="`-(-images // workers)`: 8 images on 2 workers are 4 each.",
        ),
    ],
)
