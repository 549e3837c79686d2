"""Lab 18, exercise 5: a model of the speed-up."""

from ..draws import real, whole
from ..exercise import Exercise, Misconception, edit


def predicted_gain(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth):
    messages = 2 * workers * latency
    travelling = images * (image_bytes + result_bytes) / bandwidth
    computing = -(-images // workers) * seconds
    return images * seconds / (messages + travelling + computing)


EXERCISE = Exercise(
    name="predicted_gain",
    lab=18,
    task="The speed-up of a batch that workers share, with one link for all of them.",
    solution=predicted_gain,
    cases=lambda rng: [
        (8, 2, 0.5, 1e6, 1e5, 0.01, 1e8),
        (10, 4, 0.02, 6e5, 2e5, 0.001, 1e9),
        (whole(rng, 50, 99), 3, real(rng, 0.001, 0.009), 1e4, 4e4, 0.005, 1e8),
        (1, 1, 0.1, 1e6, 1e6, 0.002, 1e7),
        (11, 4, 0.05, 1e6, 1e5, 0.002, 1e8),
        (7, 2, 2.0, 8e6, 40.0, 0.0, 1e9),
        (6, 3, 0.001, 1e6, 1e5, 0.01, 1e8),
    ],
    valid=lambda images, workers, seconds, *_: images > 0 and workers > 0 and seconds > 0,
    mend="`images * seconds / (2 * workers * latency + images * (image_bytes + result_bytes) / "
    "bandwidth + -(-images // workers) * seconds)`",
    misconceptions=[
        Misconception(
            "images not rounded up",
            [
                edit("-(-images // workers)", "images / workers"),
                edit("-(-images // workers)", "(images // workers)"),
            ],
            "Right where the images divide evenly.",
            "The worker with the most images decides: `images / workers`, rounded up.",
        ),
        Misconception(
            "messages miscounted",
            [
                edit("2 * workers * latency", "workers * latency"),
                edit("2 * workers * latency", "2 * latency"),
                edit("2 * workers * latency", "2 * images * latency"),
            ],
            "Where messages have a latency, your gain is off.",
            "Each worker gets one message and sends one back: `2 * workers` of them over one link.",
        ),
        Misconception(
            "bytes that do not travel",
            [
                edit("(image_bytes + result_bytes)", "image_bytes"),
                edit("(image_bytes + result_bytes)", "result_bytes"),
            ],
            "Your model leaves out bytes that travel.",
            "Images go there and results come back, all over the same link.",
        ),
        Misconception(
            "a link for each worker",
            edit("images * (image_bytes", "-(-images // workers) * (image_bytes"),
            "Right for one worker. With more you are too optimistic.",
            "All workers share one link, so the bytes of all images count.",
        ),
        Misconception(
            "overlapped sending and computing",
            edit("(messages + travelling + computing)", "max(messages + travelling, computing)"),
            "You take the longer of sending and computing.",
            "In this model a worker computes once it has its images, so the times add up.",
        ),
    ],
)
