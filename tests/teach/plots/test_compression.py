"""Pictures of techniques, contests and formats, and the records that they draw."""

import pytest

from convladder.bench.conv_analysis import runs_of
from convladder.bench.int8 import FLOAT32, INT8, LAYERS
from convladder.bench.records import load_records
from convladder.networks.compress.scores import Score
from convladder.teach.plots.quantisation import (
    formats_picture,
    int8_picture,
    scores_picture,
    shrunk_picture,
)
from convladder.teach.reports import format_rates, format_records


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
