"""The two ladders of chapter 12: right against float64, and the emulator's counts and faults."""

import numpy as np
import pytest

from convladder import cuda
from convladder.gpu import hgemm, sgemm

from ..sampling import sampled

pytestmark = pytest.mark.usefixtures("emulator")
EMULATED = [rung for rung in hgemm.RUNGS if not rung.only]
SIZES = (128, 256, 192)


@pytest.mark.parametrize("rung", sampled(EMULATED, 2, lambda rung: rung.kernel))
def test_a_rung_multiplies(rung):
    report, error = hgemm.profile(rung, SIZES)
    assert report.ok and error <= 2.0**-10


@pytest.mark.parametrize("rung", sampled(sgemm.RUNGS, 3))
def test_a_rung_on_float32_units_multiplies(rung):
    rng = np.random.default_rng(12)
    a, b = rng.standard_normal((128, 96)) + 0.25, rng.standard_normal((96, 256))
    x, w = (cuda.to_device(each.astype(np.float32)) for each in (a, b))
    c = cuda.empty((128, 256))
    rung.launch(x, w, c)()
    assert abs(c.get() - a @ b).max() < 1e-4


def test_the_swizzle_ends_all_conflicts_of_as_many_ldmatrix():
    (before, _), (after, error) = (hgemm.profile(rung, (128, 128, 64)) for rung in EMULATED[1:3])
    assert before.ok and after.ok and error <= 2.0**-10
    loads = [line.traffic for line in before.lines if "load_matrix_sync" in line.text]
    # Nsight Compute's counts on an H200, for a slice.
    assert sum(each.shared_load_requests for each in loads) == 192 == after.shared_load_requests
    assert sum(each.shared_load_conflicts for each in loads) == 5376
    assert after.shared_conflicts == 0
    source = hgemm.source(EMULATED[2])
    without = source.replace("(chunk ^ row % CHUNKS) * 8", "chunk * 8")  # where values are put, too
    report, error = hgemm.profile(EMULATED[2], (128, 128, 64), without)
    assert source != without and report.shared_conflicts > 0 and error <= 2.0**-10


TMA = next(rung for rung in EMULATED if rung.mapped)
WRONG = {
    "empty + stage, slice / STAGES - 1 & 1":
        ("empty + stage, slice / STAGES & 1", "with no barrier in between"),
    "full + stage, 2 * TILE * 2": ("full + stage, 2 * TILE", "while a copy is still on its way"),
    "full + stage, slice / STAGES & 1);":
        ("full + stage, slice / STAGES & 1 ^ 1);", "arrivals that never come"),
    "full + stage, 2 * TILE * 2)": ("full + stage, 2 * TILE * 2 + 16)", "bytes that never come"),
    "mbarrier_init(empty + s, THREADS / 32)": ("", "before init told it"),
}  # fmt: skip


@pytest.mark.parametrize("line", sampled(list(WRONG), 1, str))
def test_a_wrong_phase_and_wrong_bytes_are_told(line):
    edit, says = WRONG[line]
    assert line in hgemm.source(TMA)
    try:
        text = hgemm.source(TMA).replace(line, edit)
        faults = hgemm.profile(TMA, (128, 128, 320), text)[0].faults
    except cuda.KernelError as error:
        faults = error.faults
    assert faults and says in " ".join(map(str, faults))


def test_what_no_emulator_runs_and_sizes_that_do_not_fit():
    with pytest.raises(ValueError, match="needs a GPU"):
        hgemm.profile(hgemm.RUNGS[-1])
    with pytest.raises(ValueError, match="these are 100, 128 and 64"):
        hgemm.profile(EMULATED[1], (100, 128, 64))


@pytest.mark.parametrize(
    ("array", "box", "says"),
    [
        (np.zeros((8, 8), np.float32), (8, 8), "this array is float32"),
        (np.zeros((8, 12), np.float16), (8, 8), "multiples of 16 bytes"),
        (np.zeros((8, 64), np.float16), (8, 48), "32 or 64 columns"),
    ],
)
def test_maps_that_cannot_be(array, box, says):
    with pytest.raises(ValueError, match=says):
        cuda.TensorMap(cuda.to_device(array), box)
