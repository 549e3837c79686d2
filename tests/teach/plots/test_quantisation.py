"""Chapter 16: grids, patterns of zeros, techniques, and the records of bytes."""

import numpy as np
import pytest

from convladder.bench.conv_analysis import runs_of
from convladder.bench.int8 import FLOAT32, INT8, LAYERS
from convladder.bench.records import load_records
from convladder.networks.compress.scores import Score
from convladder.teach.plots.quantisation import (
    ROUNDINGS,
    block_picture,
    formats_picture,
    int8_picture,
    rounding_picture,
    scores_picture,
    shrunk_picture,
    top1_error_picture,
)
from convladder.teach.reports import format_rates, format_records

VALUES = np.random.default_rng(0).standard_normal(2000).astype(np.float32)


def decibels(**how):
    words = rounding_picture(VALUES, **how).alt.partition("SQNR ")[2]
    return float(words.partition(" dB")[0])


def test_a_grid_tells_its_noise():
    assert decibels(bits=8) - decibels(bits=6) == pytest.approx(12, abs=1)
    nearest, down, zero = (decibels(bits=6, rounding=how) for how in ROUNDINGS)
    assert nearest - down == pytest.approx(6, abs=1) and nearest - zero > 4
    assert decibels(bits=2, kept=95) > decibels(bits=2), "cutting off pays with few bits"
    with pytest.raises(KeyError):
        rounding_picture(VALUES, 4, rounding="up")


def test_values_of_one_sign_are_cut_off_at_the_top_only():
    relu = np.maximum(VALUES, 0)
    assert "over 99 % of the values" in rounding_picture(relu, 8, kept=99, symmetric=False).alt
    assert decibels(bits=8, symmetric=False) > decibels(bits=8) - 1


def test_lines_say_what_they_show():
    found = top1_error_picture({"PTQ": {8: 0.9927, 2: 0.1}}, "bits", 0.9929).alt
    assert "PTQ: 73 at 8, 9,000 at 2" in found


def test_a_block_whose_largest_is_7_is_clipped_by_a_power_of_two_only():
    assert block_picture(7).alt.endswith("int4 7, MXFP4 6, NVFP4 6.75.")
    assert block_picture(8).alt.endswith("int4 8, MXFP4 12, NVFP4 8.25.")


def test_techniques_by_bytes_and_wrong_labels():
    scores = [Score("float32", 177_704, 1, 0.9929), Score("qat3", 18_460, 1, 0.9914, "int3")]
    alt = scores_picture(scores, {"float32": 1.0}).alt
    assert "float32 177,704 bytes, 71 wrong; qat3 18,460 bytes, 86 wrong" in alt
    points = {"qat3": (18_460, 0.9914), "yours": (13_000, 0.99)}
    assert "yours 13,000 bytes, 100 wrong" in shrunk_picture(points, "yours").alt


@pytest.mark.parametrize(
    "record", load_records("int8"), ids=lambda record: record["machine"]["cpu"]
)
def test_records_of_bytes_have_every_layer_and_rival(record):
    runs = runs_of(record)
    assert [run["cv1"].threads for run in runs] == [1, record["machine"]["cores"]]
    for run in runs:
        assert list(run) == list(LAYERS)
        for each in run.values():
            assert each.ratio("onnxruntime int8", INT8) > 0 < each.ratio(FLOAT32, INT8)
    for networks in record["networks"].values():
        assert len(networks) == 4
    assert "lenet conv1" in int8_picture(runs, "here").alt


def test_there_is_a_record():
    assert load_records("int8") and format_records()


@pytest.mark.parametrize("record", format_records(), ids=lambda record: record["card"]["gpu"])
def test_records_of_formats(record):
    found = format_rates(record)
    assert found["int8"] > found["float16"] > found["TF32"] > found["float32"]
    assert record["formats"]["int8"]["error"] == 0
    assert "float16" in formats_picture(found, "here").alt
