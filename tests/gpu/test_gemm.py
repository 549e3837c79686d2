"""The two ladders of chapter 12: right against float64, and the emulator's counts and faults."""

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.source_file import read_source
from convladder.gpu import hgemm, sgemm
from convladder.gpu.launch import KERNELS

pytestmark = pytest.mark.usefixtures("emulator")
EMULATED = [rung for rung in hgemm.RUNGS if not rung.only]
SIZES = (128, 256, 192)


def launched(rung, sizes=SIZES, edit=("", ""), profile=False):
    """c, what it must be, and the report: on asymmetric signed values."""
    m, n, k = sizes
    rng = np.random.default_rng(12)
    a = (rng.standard_normal((m, k)) + 0.25).astype(np.float16)
    b = rng.standard_normal((n, k)).astype(np.float16)
    x, w, c = cuda.to_device(a), cuda.to_device(b), cuda.empty((m, n), np.float16)
    rows, columns = rung.tile
    arrays = [x, w]
    if rung.mapped:
        arrays = [cuda.TensorMap(x, (rows, 64)), cuda.TensorMap(w, (columns, 64))]
    text = read_source(KERNELS / rung.file)
    assert edit[0] in text
    kernel = cuda.Kernel(text.replace(*edit), rung.kernel)
    launch = (n // columns, m // rows), rung.threads, rung.shared
    arguments = (*arrays, c, *map(np.int32, sizes))
    report = kernel.profile(*launch, *arguments) if profile else kernel[launch](*arguments)
    return c.get(), a.astype(np.float64) @ b.T.astype(np.float64), report


@pytest.mark.parametrize("rung", EMULATED, ids=lambda rung: rung.kernel)
def test_a_rung_multiplies(rung):
    got, right, _ = launched(rung)
    assert abs(got - right).max() <= 2.0**-10 * abs(right).max()


@pytest.mark.parametrize("rung", sgemm.RUNGS, ids=lambda rung: rung.name)
def test_a_rung_on_float32_units_multiplies(rung):
    rng = np.random.default_rng(12)
    a, b = rng.standard_normal((128, 96)) + 0.25, rng.standard_normal((96, 256))
    x, w = (cuda.to_device(each.astype(np.float32)) for each in (a, b))
    c = cuda.empty((128, 256))
    rung.launch(x, w, c)()
    assert abs(c.get() - a @ b).max() < 1e-4
    with pytest.raises(ValueError, match="these are 128, 96 and 96"):
        rung.launch(x, cuda.empty((256, 96)), c)


def test_the_swizzle_ends_all_conflicts():
    before, after = (
        launched(rung, (128, 128, 64), profile=True)[2] for rung in (EMULATED[1], EMULATED[2])
    )
    assert before.ok and after.ok
    assert before.shared_conflicts > 4 * before.shared_requests and after.shared_conflicts == 0


TMA = next(rung for rung in EMULATED if rung.mapped)
WRONG = {
    "empty + stage, slice / STAGES - 1 & 1": (
        "empty + stage, slice / STAGES & 1",
        "with no barrier between",
    ),
    "full + stage, 2 * TILE * 2": ("full + stage, 2 * TILE", "while a copy is still on its way"),
    "full + stage, slice / STAGES & 1);": (
        "full + stage, slice / STAGES & 1 ^ 1);",
        "while a copy is still",
    ),
    "full + stage, 2 * TILE * 2)": ("full + stage, 2 * TILE * 2 + 16)", "bytes that never come"),
    "mbarrier_init(empty + s, THREADS / 32)": ("", "before init told it"),
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_phase_and_wrong_bytes_are_told(line):
    edit, says = WRONG[line]
    try:
        _, _, report = launched(TMA, (128, 128, 320), (line, edit), profile=True)
        faults = report.faults
    except cuda.KernelError as error:
        faults = error.faults
    assert faults and says in " ".join(map(str, faults))


def test_a_swizzle_on_one_side_only_shows_in_the_values():
    got, right, _ = launched(
        EMULATED[2], (128, 128, 64), ("(chunk ^ row % CHUNKS) * 8", "chunk * 8")
    )
    assert abs(got - right).max() <= 2.0**-10 * abs(right).max(), "the same place on both sides"
    got, right, _ = launched(TMA, (128, 128, 64), ("(chunk ^ row % CHUNKS) * 8", "chunk * 8"))
    assert abs(got - right).max() > 1


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
