"""The parts that the study adds to the convolutions' record of a GPU."""

import pytest

from convladder import ConvProblem
from convladder.bench import conv_gpu
from convladder.bench import conv_gpu as record
from convladder.bench import records as store
from convladder.bench.conv_tables import gpu_table
from studies.gpu import conv_record as study

RECORDS = store.load_records("conv-gpu")


@pytest.mark.parametrize("found", [r for r in RECORDS if "half" in r], ids=store.file_name)
def test_float16_on_resnets_layers(found):
    """What the docs say of it: as fast as cuDNN on average, one layer well behind."""
    one, many = found["half"]
    for run in (one, many):
        assert set(run["layers"]) == set(study.HALF_LAYERS)
        for name, layer in run["layers"].items():
            assert layer["problem"] == str(study.HALF_LAYERS[name].with_batch(run["batch"]))
            error = layer["entries"][record.HALF]["error"]
            assert error <= conv_gpu.limit(ConvProblem.parse(layer["problem"]), 2**-11)
        assert record.mean_ratio(run, record.HALF, "float16") > 1
        rows = gpu_table(found).splitlines()
        assert sum(row.startswith("| 7×7, 1×1, 2048 to 512 |") for row in rows) == 2
    assert min(record.ratios(one, record.HALF, "float16").values()) > 1
    behind = {
        name for name, ratio in record.ratios(many, record.HALF, "float16").items() if ratio < 0.8
    }
    assert behind == {"7×7, 1×1, 2048 to 512"}
