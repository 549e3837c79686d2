"""A predicted speed-up, as learners reckon it: lab 16, exercise 5."""

from __future__ import annotations

from ...grading.exercise import Misconception


def by_bytes(count=lambda images, workers, image, result: images * (image + result)):
    """Predict the gain with another number of bytes that travel."""

    def gain(images, workers, seconds, image_bytes, result_bytes, latency, bandwidth, count=count):
        total = (
            2 * workers * latency
            + -(-images // workers) * seconds
            + count(images, workers, image_bytes, result_bytes) / bandwidth
        )
        return images * seconds / total

    return gain


MORE = (
    Misconception(
        "bytes of too few images",
        by_bytes(lambda images, workers, image, result: images * image + result),
        choices={
            "count": (
                lambda images, workers, image, result: workers * (image + result),
                lambda images, workers, image, result: image + result,
                lambda images, workers, image, result: image + images * result,
                lambda images, workers, image, result: images * image + workers * result,
            )
        },
        symptom="The bytes of some images, or of some results, are missing in your model.",
        concept="Each image goes there, and for each a result comes back, however they are "
        "packed into messages.",
        line="`images * (image_bytes + result_bytes) / bandwidth`.",
    ),
    Misconception(
        "the larger of both ways",
        by_bytes(lambda images, workers, image, result: images * max(image, result)),
        symptom="Only the larger of image and result travels in your model.",
        concept="There is one link, and one message after the other: both ways add up.",
        line="`image_bytes + result_bytes`.",
    ),
)
