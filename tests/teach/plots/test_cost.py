"""The widget's every state, and what the other pictures say in words."""

from itertools import product

import pytest

from convladder import ConvProblem
from convladder.teach.plots.counting_cost import (
    VGG16,
    accumulation_picture,
    forecast_picture,
    input_reads,
    layer_cost_picture,
    misses,
    reuse_picture,
    shares_picture,
)

from ..artists import drawn

CHOICES = {
    "image": [56, 28, 7, 1],
    "kernel": [1, 3, 5, 7],
    "channels": [64, 256, 1024],
    "stride": [1, 2],
    "batch": [1, 16, 64],
    "depthwise": [False, True],
}


@pytest.mark.parametrize("control", CHOICES)
def test_each_control_changes_the_picture(control):
    start = {name: values[0] for name, values in CHOICES.items()}
    pictures = {drawn(layer_cost_picture(**start | {control: value})) for value in CHOICES[control]}
    assert len(pictures) == len(CHOICES[control])


@pytest.mark.parametrize("image, kernel", [*product(CHOICES["image"], (1, 7))])
def test_the_extremes_can_be_drawn(image, kernel):
    for depthwise in (False, True):
        assert layer_cost_picture(image, kernel, 1024, 2, 64, depthwise).alt


def test_an_intensity_of_four_digits_is_written_out():
    picture = layer_cost_picture(56, 7, 256, 1, 1, False)
    assert "1,045 FLOP/byte" in picture.alt
    assert any("1,045 FLOP/byte" in text.get_text() for text in picture.figure.axes[1].texts)


def test_the_alt_text_has_the_counts():
    alt = layer_cost_picture(1, 1, 1024, 1, 1, False).alt
    assert "1,048,576 MACs" in alt and "memory is its limit" in alt
    assert "arithmetic is its limit" in layer_cost_picture(56, 3, 64, 1, 1, False).alt


def test_pictures_say_what_they_show():
    assert "11%" in shares_picture(VGG16).alt
    p = ConvProblem.parse("6x6x2,3x3x4")
    reads = list(input_reads(p))
    missed = {size: misses(reads, size) for size in (1, p.window, 36, 128)}
    assert f"{p.accesses().input:,}" in reuse_picture(p, missed).alt
    assert "float16" in accumulation_picture([1, 2, 4], {"float16": [0.0, 0.1, 0.2]}).alt
    assert "MACs" in forecast_picture(["a", "b"], [1e-3, 2e-2], {"MACs": [10, 300]}, ["b"]).alt
