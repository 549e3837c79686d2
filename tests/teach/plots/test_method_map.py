"""The fastest of each cell, and who takes part in it."""

import pytest

from convladder.teach.plots.tensor_cores import (
    CUDNN,
    LIBRARY,
    LOWERED,
    OWN,
    best,
    family,
    gpu_provenance,
    gpu_record,
    layer_of,
    method_label,
    method_map,
    speeds,
)


def entry(seconds, peak=0):
    return {"graph": [seconds] * 3, "plain": [seconds] * 3, "peak": peak, "growth": 0, "error": 0.0}


LAYER = {
    "problem": "4x4x1,1x1x2",
    "flops": 64,
    "entries": {
        "gpu_implicit_gemm": entry(3.0, 4 * 32),
        "gpu_vectorised": entry(4.0),
        "gpu_im2col": entry(5.0),
        "gpu_cutlass_3xtf32": entry(6.0),
        "gpu_cutlass_tf32": entry(2.0, 4 * 32 + 512),
        "cudnn float32 NCHW": entry(4.5),
        "cudnn tf32 NHWC": entry(2.5),
        "gpu_wgmma": entry(1.5),
        "cudnn float16 NHWC": entry(1.0, 2 * 32 + 64),
    },
}


def test_the_fastest_and_the_best_of_other_families():
    exact = best(LAYER, "float32")
    assert (exact.name, exact.rival, exact.lead) == ("gpu_implicit_gemm", "cudnn float32 NCHW", 1.5)
    assert exact.family == OWN and exact.workspace == 0
    less = best(LAYER, "TF32")
    assert (less.name, less.rival, less.workspace) == ("gpu_cutlass_tf32", "cudnn tf32 NHWC", 512)
    half = best(LAYER, "float16")
    assert (half.name, half.lead, half.workspace) == ("cudnn float16 NHWC", 1.5, 64)


def test_families_and_labels():
    assert [
        family(name) for name in ("cudnn tf32 NHWC", "gpu_cutlass", "gpu_mec_lt", "gpu_wgmma")
    ] == [CUDNN, LIBRARY, LOWERED, OWN]
    assert method_label("cudnn tf32 NHWC") == "cuDNN TF32" and method_label("gpu_naive") == "naive"


def test_every_layer_of_the_record_has_its_place():
    record = gpu_record()
    found = method_map(record)
    assert len(found) == 13 * 2 * 3 and all(each.lead >= 1 for each in found.values())
    assert "recorded 20" in gpu_provenance(record)
    assert speeds(record, "cv8", 32)["gpu_implicit_gemm"] > 1e13
    with pytest.raises(ValueError, match="no cv99 with a batch of 1"):
        layer_of(record, "cv99", 1)
