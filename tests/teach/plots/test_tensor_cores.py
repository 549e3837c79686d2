"""Chapters 10 and 11: cells, blocks, waves, lanes, banks, and the fastest method."""

import numpy as np
import pytest

from convladder import ConvProblem, cuda
from convladder.bench.records.conv_gpu import OWN, best
from convladder.core.problem import PAPER
from convladder.core.reference import compare, random_arrays
from convladder.gpu.block_waves import Waves, waves
from convladder.gpu.epilogue import bias_relu_launch
from convladder.gpu.implicit_gemm import Counted
from convladder.gpu.tile_choice import H200, choose
from convladder.teach.plots import implicit_gemm, tensor_cores


@pytest.mark.parametrize("row, column, padding", [(0, 0, 0), (4, 7, 0), (5, 17, 0), (7, 9, 1)])
def test_the_marked_place_is_the_matrixs(row, column, padding):
    from convladder.cpu.im2col import lower

    p = ConvProblem(
        1, implicit_gemm.I_H, implicit_gemm.I_W, implicit_gemm.I_C, 3, 3, 1, padding=padding
    )
    x = np.arange(1, 41, dtype=np.float32).reshape(p.input_shape)
    value = int(lower(x, p)[row, column]) - 1
    alt = implicit_gemm.implicit_index_picture(row, column, padding).alt
    assert f"offset {value} in x" in alt if value >= 0 else "stored nowhere" in alt


@pytest.mark.parametrize("first, row, column", [(4, 0, 0), (14, 0, 0), (19, 2, 2), (9, 1, 1)])
def test_a_box_has_the_rows_of_the_implicit_matrix(figures, first, row, column):
    from convladder.cpu.im2col import lower

    p = tensor_cores.LAYER
    x = np.ones(p.input_shape, np.float32)
    k = (row * 3 + column) * p.i_c
    there = lower(x, p)[first : first + tensor_cores.BOX, k] != 0
    assert (
        f"{there.sum()} rows from the image" in tensor_cores.tma_box_picture(first, row, column).alt
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


COUNTED = ConvProblem(1, 6, 7, 4, 3, 3, 12)


def on_device(problem):
    x, w = random_arrays(problem)
    return x, w, [cuda.to_device(x), cuda.to_device(w), cuda.empty(problem.output_shape)]


def test_a_counted_launch_is_right_with_its_epilogue():
    x, w, arrays = on_device(COUNTED)
    plain = Counted(COUNTED).profile(*arrays)
    assert compare(arrays[2].get(), x, w, COUNTED).ok
    y, bias = arrays[2].get(), np.linspace(-3, 3, COUNTED.k_c, dtype=np.float32)
    fused = Counted(COUNTED).profile(*arrays, cuda.to_device(bias))
    assert np.allclose(arrays[2].get(), np.maximum(y + bias, 0), atol=1e-5)
    assert fused.global_store_sectors == plain.global_store_sectors
    again = cuda.to_device(y)
    apart = bias_relu_launch(COUNTED).profile(again, cuda.to_device(bias))
    assert (again.get() == np.maximum(y + bias, 0)).all()
    assert apart.global_store_sectors == y.size * 4 // 32 and apart.ok
    with pytest.raises(ValueError, match="k_c=10 does not divide by 4"):
        bias_relu_launch(ConvProblem(1, 3, 3, 1, 1, 1, 10))


def test_waves_count_places():
    assert Waves(264, 132, 2).number == 1 and Waves(265, 132, 2).number == 2
    assert Waves(200, 132, 2).share == 200 / 264 and Waves(200, 132, 2).idle == 0
    assert Waves(8, 132, 4).idle == 124 and Waves(265, 132, 2).idle == 131
    p = PAPER["cv12"]
    assert waves(p, choose(p)).blocks == 64 and waves(p, choose(p), H200).idle == 68
