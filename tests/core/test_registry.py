"""The ladder's order, its face, and names that there are once."""

import pickle

import pytest

from convladder import ConvProblem, Ladder, get_method, methods

from ..python import python


@pytest.mark.parametrize(
    "names",
    [
        "loops loops_numba im2col_loops im2col mec_rows mec_batch im2col_threads mec_threads "
        "direct_tiled microkernel",
        "gpu_naive gpu_coalesced gpu_shared gpu_register_tile gpu_vectorised",
    ],
    ids=["cpu", "gpu"],
)
def test_ladder_order(names):
    """As the chapters climb it, whatever else stands between."""
    climbed = names.split()
    assert [m.name for m in methods() if m.name in climbed] == climbed


def test_no_two_rungs_share_a_place_and_each_can_be_sent_to_another_process():
    places = [(m.chapter, m.rung) for m in methods()]
    assert len(set(places)) == len(places)
    assert all(pickle.loads(pickle.dumps(method)) is method for method in methods())


def test_unknown_names_list_what_there_is():
    with pytest.raises(ValueError, match="'karatsuba'.*loops, loops_numba, im2col_loops, im2col"):
        get_method("karatsuba")
    with pytest.raises(ValueError, match="'tpu'.*cpu, gpu"):
        methods("tpu")


def test_ladder_skips_with_a_reason():
    ladder = Ladder(ConvProblem.parse("cv9"))
    assert "loops" not in [m.name for m in ladder.rungs]
    assert "plain Python" in ladder.skipped["loops"]
    two = Ladder(ladder.problem, ["mec_rows", "gpu_naive", "im2col"])
    assert [m.name for m in two.rungs] == ["mec_rows", "im2col"]
    assert "device 'gpu'" in two.skipped["gpu_naive"]
    assert {m.device for m in Ladder(ladder.problem, device="gpu").rungs} == {"gpu"}


NEW_FILE = """
import numpy as np
from convladder.core.registry import method
from convladder.core.reference import conv2d_float64

@method(name="im2col", chapter=2, rung=1, workspace_bytes=lambda problem: 0)
def run(x, w, problem):
    return conv2d_float64(x, w, problem).astype(np.float32)
"""


def test_a_file_whose_methods_name_is_taken_is_told(tmp_path):
    """A file with a name of its own is in test_one_file.py."""
    (tmp_path / "new.py").write_text(NEW_FILE)
    code = (
        "import convladder.cpu, convladder; "
        f"convladder.cpu.__path__.append({str(tmp_path)!r}); "
        "print([m.name for m in convladder.methods()])"
    )
    assert "two methods are named 'im2col'" in python("-c", code).stderr
