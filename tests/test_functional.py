"""`conv2d`: right results, and refusals that say what to do."""

import numpy as np
import pytest

from convladder import ConvProblem, conv2d, conv2d_input_grad, conv2d_weight_grad, get_method
from convladder.core.reference import compare, random_arrays
from convladder.core.registry import choose, predicted_costs

from .python import python

P = ConvProblem(2, 8, 9, 3, 3, 2, 4, stride=(2, 1), padding=(0, 1))
X, W = random_arrays(P)


def test_default_method_with_stride_and_padding():
    y = conv2d(X, W, stride=(2, 1), padding=(0, 1))
    assert compare(y, X, W, P).ok


@pytest.mark.parametrize(
    ("x", "w", "options", "error", "words"),
    [
        (X[0], W, {}, ValueError, ["x has 3 axes", "x[i_n,i_h,i_w,i_c]"]),
        (X.astype(np.float64), W, {}, TypeError, ["x has dtype float64", "float32"]),
        (X.tolist(), W, {}, TypeError, ["x is of type list", "NumPy array"]),
        (np.ma.masked_greater(X, 1), W, {}, TypeError, ["x is a masked array", "x.filled(0)"]),
        (X, W, {"stride": 2**63}, ValueError, [f"stride={2**63} is too large", f"{2**31 - 1} or"]),
        (X[:, ::-1], W, {}, ValueError, ["x", "strides", "-108", "np.ascontiguousarray(x)"]),
        (X, W.transpose(1, 0, 2, 3), {}, ValueError, ["w", "np.ascontiguousarray(w)"]),
        (X, W[:, :, :2].copy(), {}, ValueError, ["i_c=3", "i_c=2"]),
        (X[:, :2].copy(), W, {}, ValueError, ["k_h=3", "padded image", "1 to 2"]),
        (X, W, {"padding": -1}, ValueError, ["padding=-1"]),
        (X, W, {"padding": 10**9}, MemoryError, ["bytes", "(1000000000, 1000000000)"]),
        (X, W, {"padding": 10**6, "method": "microkernel"}, MemoryError, ["bytes", "(1000000, 1"]),
        (X, W, {"method": "no"}, ValueError, ["'no'", "im2col", "mec_rows"]),
        (X, W, {"method": "winograd"}, ValueError, ["'winograd'", "kernel is 3×2", "microkernel"]),
        (X, W, {"workspace_limit": 7}, ValueError, ["'im2col'", "bytes", "workspace_limit=7"]),
        (X, W, {"method": "auto", "workspace_limit": -1}, ValueError, ["limit=-1", "name a"]),
        (X, W, {"device": "tpu"}, ValueError, ["'tpu'", "'cpu' or 'gpu'"]),
        (X, W, {"method": "auto", "device": "tpu"}, ValueError, ["'tpu'", "'cpu' or 'gpu'"]),
    ],
)
def test_bad_input_names_argument_value_and_what_is_valid(x, w, options, error, words):
    with pytest.raises(error) as raised:
        conv2d(x, w, **options)
    assert all(word in str(raised.value) for word in words), raised.value


@pytest.mark.parametrize("method", ["auto", "im2col", "winograd", "gpu_coalesced"])
def test_an_empty_batch_gives_an_empty_result(method):
    w = np.ones((3, 3, 3, 4), np.float32)
    y = conv2d(X[:0], w, stride=1, padding=2, method=method)
    assert y.shape == (0, 10, 11, 4) and y.dtype == np.float32
    assert conv2d_input_grad(y, w, size=(8, 9), padding=2).shape == (0, 8, 9, 3)
    dw = conv2d_weight_grad(X[:0], y, kernel=(3, 3), padding=2)
    assert dw.shape == w.shape and not dw.any()


def test_arrays_go_to_the_device_and_back_for_a_gpu_method():
    y = conv2d(X, W, stride=(2, 1), padding=(0, 1), method="gpu_coalesced")
    assert isinstance(y, np.ndarray) and compare(y, X, W, P).ok


def test_neither_gpu_nor_compiler_is_one_sentence():
    code = (
        "import numpy as np, convladder; x = np.ones((1, 3, 3, 1), np.float32); "
        "convladder.conv2d(x, x.reshape(3, 3, 1, 1), method='gpu_naive')"
    )
    done = python("-c", code, PATH="", CXX="", CUDA_VISIBLE_DEVICES="")
    last = done.stderr.strip().splitlines()[-1]
    assert "NoBackend" in last and "compiler" in last, done.stderr


def test_auto_takes_what_the_models_expect_within_the_workspace():
    p = ConvProblem.parse("30x31x32,3x3x32,p1")
    x, w = random_arrays(p)
    needs = get_method("winograd").workspace_bytes(p)
    assert choose(p).name == "winograd" and needs > 0
    assert choose(p, workspace_limit=needs).name == "winograd"
    assert choose(p, workspace_limit=needs - 1).name == "microkernel"
    assert choose(ConvProblem.parse("56x56x32,21x21x32,p10")).name == "fft"
    assert choose(ConvProblem.parse("56x56x64,3x3x64,s2")).name == "microkernel"
    for limit in (None, 0):
        y = conv2d(x, w, padding=1, method="auto", workspace_limit=limit)
        chosen = choose(p, workspace_limit=limit)
        assert (y == conv2d(x, w, padding=1, method=chosen.name)).all()
        assert compare(y, x, w, p, chosen.error_model(p)).ok


def test_what_is_expected_is_in_order_and_of_what_takes_the_problem():
    costs = predicted_costs(P)
    assert list(costs.values()) == sorted(costs.values()) and min(costs.values()) > 0
    assert "winograd" not in costs and "im2col" not in costs  # refused; without a model
