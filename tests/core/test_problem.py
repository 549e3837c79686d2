"""Shapes and counts against the paper's, published and hand-worked numbers."""

import math

import numpy as np
import pytest

from convladder import PAPER, REPORT, ConvProblem
from convladder.core.network_layers import VGG16
from convladder.core.problem import Accesses

MIB = 2**20


def test_shapes_with_unequal_stride_and_padding():
    p = ConvProblem(2, 9, 11, 3, 5, 3, 7, stride=(2, 3), padding=(1, 2))
    assert (p.padded_h, p.padded_w, p.o_h, p.o_w) == (11, 15, 4, 5)
    assert p.input_shape == (2, 9, 11, 3)
    assert p.kernel_shape == (5, 3, 3, 7)
    assert p.output_shape == (2, 4, 5, 7)
    assert p.macs == 2 * 4 * 5 * 7 * 5 * 3 * 3
    assert p.flops == 2 * p.macs
    assert p.params == 5 * 3 * 3 * 7
    sizes = p.input_shape, p.kernel_shape, p.output_shape
    assert p.compulsory_bytes(itemsize=8) == 8 * sum(map(math.prod, sizes))


def test_worked_numbers_of_the_article_on_memory_accesses():
    first = ConvProblem(1, 224, 224, 3, 3, 3, 32, stride=2, padding=1).accesses(bias=True)
    assert first == Accesses(input=10_838_016, output=401_408, weights=896)
    assert first.total == 11_240_320
    deep = ConvProblem(1, 28, 28, 256, 3, 3, 512, padding=1).accesses(bias=True)
    assert deep == Accesses(input=924_844_032, output=401_408, weights=1_180_160)
    assert deep.total == 926_425_600


# MiB of im2col's and MEC's lowered matrices, and their ratio, worked out from the formulas of the
# paper's section 3 by an independent source.
TABLE = {
    "cv1": (4.19, 1.57, 2.67),
    "cv2": (4.34, 1.63, 2.67),
    "cv3": (6.91, 2.02, 3.42),
    "cv4": (142.13, 41.73, 3.41),
    "cv5": (3.66, 0.88, 4.17),
    "cv6": (0.88, 0.35, 2.50),
    "cv7": (5.08, 1.71, 2.97),
    "cv8": (26.59, 9.02, 2.95),
    "cv9": (6.41, 2.21, 2.89),
    "cv10": (2.97, 1.07, 2.79),
    "cv11": (1.27, 0.49, 2.57),
    "cv12": (0.44, 0.21, 2.14),
    "report": (27.14, 3.98, 6.81),
}


@pytest.mark.parametrize("name", TABLE)
def test_lowered_bytes_of_the_papers_layers(name):
    p, (im2col, mec, ratio) = ConvProblem.parse(name), TABLE[name]
    assert (round(p.im2col_bytes() / MIB, 2), round(p.mec_bytes() / MIB, 2)) == (im2col, mec)
    assert round(p.mec_ratio, 2) == ratio
    assert p.mec_ratio == pytest.approx(p.o_h * p.k_h / p.padded_h)


@pytest.mark.parametrize(
    "text", ["5x5x1,3x3x1,s1,p0", "3x9x11x2,5x3x7,s2x3,p1x2", "9x9x4,3x3x4,s2,p1,d2x3,g4"]
)
def test_text_form_reads_back(text):
    assert str(ConvProblem.parse(text)) == text
    assert ConvProblem.parse(str(ConvProblem.parse(text))) == ConvProblem.parse(text)


def test_parse_knows_names_and_defaults():
    assert ConvProblem.parse("CV3") == PAPER["cv3"]
    assert ConvProblem.parse("report") == REPORT
    assert ConvProblem.parse("224x224x3, 7x7x64, p1") == REPORT
    assert ConvProblem.parse("5x5x1,3x3x1").stride == (1, 1)
    assert REPORT.with_batch(8) == ConvProblem.parse("8x224x224x3,7x7x64,p1")


@pytest.mark.parametrize("text", ["", "cv13", "5x5,3x3x1", "5x5x1,3x3x1,p1,s1", "axbxc,3x3x1"])
def test_parse_refuses_and_shows_the_form(text):
    with pytest.raises(ValueError, match="224x224x3,7x7x64,s1,p1"):
        ConvProblem.parse(text)


SHAPE = dict(i_n=1, i_h=8, i_w=9, i_c=3, k_h=3, k_w=3, k_c=4)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"i_c": 0}, ValueError, ["i_c=0", "1 or more"]),
        ({"stride": (1, 0)}, ValueError, ["stride=0", "1 or more"]),
        ({"stride": (1, 2, 3)}, ValueError, ["stride=(1, 2, 3)", "pair"]),
        ({"padding": -1}, ValueError, ["padding=-1", "0 or more"]),
        ({"k_w": 14, "padding": (0, 2)}, ValueError, ["k_w=14", "i_w", "1 to 13"]),
        ({"dilation": 0}, ValueError, ["dilation=0", "1 or more"]),
        ({"dilation": (1, 5)}, ValueError, ["dilation 5, over 11 pixels", "= 9", "1 to 2"]),
        ({"groups": 0}, ValueError, ["groups=0", "1 or more"]),
        ({"groups": 3}, ValueError, ["groups=3", "k_c=4", "divides both"]),
        ({"groups": 4}, ValueError, ["groups=4", "i_c=3", "divides both"]),
        ({"i_h": 8.0}, TypeError, ["i_h=8.0", "whole number"]),
        ({"stride": "2"}, TypeError, ["stride='2'", "whole number"]),
        ({"i_n": True}, TypeError, ["i_n=True", "whole number"]),
    ],
)
def test_bad_shape_names_field_value_and_what_is_valid(change, error, words):
    with pytest.raises(error) as raised:
        ConvProblem(**{**SHAPE, **change})
    assert all(word in str(raised.value) for word in words), raised.value


def test_from_arrays():
    x, w = np.zeros((2, 8, 9, 3)), np.zeros((3, 2, 3, 5))
    p = ConvProblem.from_arrays(x, w, stride=2, padding=(0, 1))
    assert p == ConvProblem(2, 8, 9, 3, 3, 2, 5, stride=2, padding=(0, 1))
    with pytest.raises(ValueError, match="x has 3 axes.*i_n,i_h,i_w,i_c"):
        ConvProblem.from_arrays(x[0], w)
    with pytest.raises(ValueError, match="i_c=3.*i_c=2"):
        ConvProblem.from_arrays(x, w[:, :, :2])
    assert type(ConvProblem(**SHAPE | {"i_h": np.int32(8)}).i_h) is int


def test_vgg16_has_the_published_number_of_parameters():
    weights = [p.params + p.k_c for p in VGG16.values()]
    assert len(weights) == 16
    assert sum(weights) == 138_357_544
