"""The methods of chapters 09 and 10 that run without a GPU, on the emulator."""

from itertools import product

import numpy as np
import pytest

from convladder import ConvProblem, get_method
from convladder.core.reference import compare, random_arrays
from convladder.gpu import mec, mec_pointers
from convladder.gpu.gemm import Batch

from ..conftest import ODD_PROBLEMS, RANDOM_PROBLEMS
from ..sampling import sampled

cuda = pytest.importorskip("convladder.cuda")
NAMES = "gpu_im2col gpu_mec gpu_mec_aligned gpu_mec_disjoint gpu_mec_pointers gpu_implicit_gemm"
NAMES = NAMES.split()
PROBLEMS = [*ODD_PROBLEMS, *RANDOM_PROBLEMS[:8]]


@pytest.mark.parametrize("name, problem", sampled([*product(NAMES, PROBLEMS)], 36, str))
def test_agrees_with_the_oracle_in_the_workspace_that_it_says(name, problem, monkeypatch):
    method = get_method(name)
    if method.unsupported(problem):
        pytest.skip(method.unsupported(problem))
    x, w = random_arrays(problem, seed=problem.pixels)
    weights = cuda.to_device(w)
    weights, made = method.prepare(weights, problem) if method.prepare else weights, []
    empty = cuda.empty
    monkeypatch.setattr(cuda, "empty", lambda *a: made.append(empty(*a)) or made[-1])
    y = method.run(cuda.to_device(x), weights, problem)
    agreement = compare(y.get(), x, w, problem, method.error_model(problem))
    assert agreement.ok, agreement.reason
    assert sum(a.nbytes for a in made) - y.nbytes == method.workspace_bytes(problem)


@pytest.mark.parametrize("which", ["A", "B"])
@pytest.mark.parametrize("text", ["3x6x7x2,3x2x5,s1x2,p1", "2x5x4x3,2x2x3,p3", "4x4x3,4x4x2"])
def test_both_solutions_of_mec(which, text):
    p = ConvProblem.parse(text)
    x, w = random_arrays(p)
    y = mec.convolve(cuda.to_device(x), cuda.to_device(w), p, which=which).get()
    assert not (agreement := compare(y, x, w, p)).reason, agreement.reason


@pytest.mark.parametrize(
    "text", ["2x9x6x3,3x2x4,s1x2,p1", "9x8x2,5x3x4,s2,p2", "9x8x2,2x3x4,s2", "6x5x1,6x2x3"]
)
def test_disjoint_batches_are_the_same_gemms_and_share_nothing(text):
    p = ConvProblem.parse(text)
    for which in "AB" if p.i_n > 1 else "B":
        for batch in mec.batches(p, p.i_c, which):
            found = {}
            for part in batch.disjoint():
                assert part.count == 1 or part.stride >= part.inner
                assert (part.rows, part.inner, part.lda) == (batch.rows, batch.inner, batch.lda)
                for i in range(part.count):
                    begin = part.begin + i * part.stride
                    assert begin not in found
                    found[begin] = part.begin_c + i * part.step_c
            assert found == {
                batch.begin + i * batch.stride: batch.begin_c + i * batch.step_c
                for i in range(batch.count)
            }
            assert len(batch.disjoint()) == min(batch.count, -(-p.k_h // p.s_h))


@pytest.mark.parametrize("text", ["3x9x6x3,3x2x4,s1x2,p1", "9x8x2,5x3x4,s2,p2", "2x7x120x1,3x2x4"])
def test_addresses_are_where_the_batches_begin(text):
    """The emulator multiplies without them: only this test sees them where there is no GPU."""
    p = ConvProblem.parse(text)
    found = mec.batches(p, p.i_c, mec.solution(p))
    where = cuda.empty((3, mec_pointers.count(p)), np.uint64)
    mec_pointers.pointers_launch(found, 2**40, 2**41, 2**42)(where)
    begins = [
        (b.begin + i * b.stride, b.begin_c + i * b.step_c) for b in found for i in range(b.count)
    ]
    assert where.get().tolist() == [
        [2**40 + 4 * a for a, _ in begins],
        [2**41] * len(begins),
        [2**42 + 4 * c for _, c in begins],
    ]


def test_aligned_partitions_begin_on_16_bytes():
    p = ConvProblem.parse("20x20x3,7x7x8,p1")
    aligned = mec.batches(p, mec.padded_depth(p), "B")[0]
    assert (4 * aligned.stride) % 16 == (4 * aligned.lda) % 16 == 0
    assert (4 * mec.batches(p, p.i_c, "B")[0].stride) % 16 == 84 % 16
    fours = ConvProblem.parse("9x9x4,3x3x8")
    assert "use gpu_mec" in get_method("gpu_mec_aligned").unsupported(fours)
    with pytest.raises(ValueError, match="lda=21 is less than inner=147.*BLAS forbids"):
        Batch(rows=220, inner=147, columns=64, lda=21, stride=0, count=1)


@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU")
def test_what_needs_a_gpu_says_so():
    for name in ("gpu_mec_lt", "gpu_tensor_core", "gpu_wgmma", "gpu_cutlass"):
        refused = get_method(name).unsupported(ConvProblem.parse("9x9x8,3x3x8"))
        assert "an NVIDIA GPU alone" in refused
