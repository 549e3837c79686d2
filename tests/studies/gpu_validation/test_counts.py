"""The emulator's counts beside those that Nsight Compute read on a GPU (`counts/*.json`)."""

import re
from pathlib import Path

import nbformat
import pytest

from studies.gpu_validation.case import KERNELS
from studies.gpu_validation.counts import recorded
from studies.gpu_validation.listing import cases

from ...sampling import sampled

pytestmark = pytest.mark.usefixtures("watched_first")
ROOT = Path(__file__).parents[3]
CASES = cases()
COUNTS = (
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_load_conflicts",
    "shared_store_conflicts",
)
SHARED = ("shared_load_requests", "shared_store_requests")

# The GPU counts instructions of shared memory, we the requests that come of them. They differ:
IDLE_WARPS = dict.fromkeys(
    ("halved sums", "spread sums"),
    "nvcc makes no branch of `if (x < half)`: warps without such a lane issue the loads and "
    "stores all the same, for nobody",
)


@pytest.mark.parametrize("case", sampled(CASES, 6))
def test_the_emulator_counts_what_the_gpu_counted(case):
    report, wrong = case.profile()
    assert wrong is None
    assert report.ok, report.faults
    gpu = recorded()["cases"][case.name]
    assert {name: getattr(report, name) for name in COUNTS} == {name: gpu[name] for name in COUNTS}
    for name in SHARED:
        assert (getattr(report, name) < gpu[name]) == (case.name in IDLE_WARPS)
        assert getattr(report, name) <= gpu[name]


def test_the_record_is_of_these_cases():
    """A case that is new, gone or launched otherwise needs `python -m studies counts` again."""
    launches = {
        name: (counts["kernel"], tuple(counts["grid"]), tuple(counts["block"]))
        for name, counts in recorded()["cases"].items()
    }
    assert launches == {case.name: (case.kernel, case.grid, case.block) for case in CASES}


def test_the_kernels_in_cells_are_those_of_the_chapter():
    """`chapter07.cu` repeats what stands in the notebook, which is no part of the package."""
    notebook = nbformat.read(ROOT / "course" / "07_first_kernels.ipynb", as_version=4)
    cells = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    in_cells = re.findall(r'extern "C" __global__.*?\n}\n', cells, re.S)
    repeated = re.findall(
        r'extern "C" __global__.*?\n}\n', (KERNELS / "chapter07.cu").read_text(), re.S
    )
    assert len(repeated) == 3
    assert set(repeated) <= set(in_cells)
