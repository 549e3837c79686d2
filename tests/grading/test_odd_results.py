"""Results that nobody means to hand in. Each gets a verdict in a sentence, and none is fatal."""

import numpy as np
import pytest

from convladder.grading.check import check


class Wordless(Exception):
    """An error, and a value, that fail when they are printed."""

    def __str__(self):
        raise RuntimeError("no words")

    __repr__ = __str__


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def within_itself():
    value = []
    value.append(value)
    return value


def raising(image, kernel, stride, padding):
    raise Wordless


@pytest.mark.parametrize(
    "value",
    [
        *(nested(5000), within_itself(), (within_itself(), 1), [[[1]]], 10**5000),
        *((10**5000, 1), Wordless(), [Wordless()] * 2, {"a": nested(40)}, (True, 2), "ab"),
        *(np.zeros((2**12, 2**10), np.float32), np.ma.masked_array([1, 2], [1, 1])),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_result_that_is_hard_to_print_is_a_verdict(value):
    verdict = check("output_shape", lambda image, kernel, stride, padding: value)
    assert not verdict.passed
    assert repr(verdict).startswith(f"output_shape: {verdict.stage}\n") and verdict._repr_html_()


def test_an_error_that_is_hard_to_print_is_named():
    assert "Wordless" in repr(check("output_shape", raising))
    assert "Wordless" in repr(check("output_shape", Wordless()))
