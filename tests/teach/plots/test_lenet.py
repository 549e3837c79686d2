"""Chapter 14: whose times are shown."""

import pytest

from convladder import cuda
from convladder.bench import lenet as contest
from convladder.bench.lenet import LenetComparison
from convladder.bench.records.lenet import library_times
from convladder.networks.lenet.rungs import rungs
from convladder.teach.plots import gpu_runs
from convladder.teach.plots.gpu_runs import lenet_runs

NAMES = [rung.name for rung in rungs("gpu")]


@pytest.mark.parametrize("trouble", [None, cuda.CompileError("needs sm_80")])
def test_a_gpu_here_comes_first_if_it_can_run_them_all(trouble, monkeypatch):
    asked = []

    def timed(ladder, with_copies, **more):
        if trouble:
            raise trouble
        names = [rung.name for rung in ladder]
        asked.append((names, with_copies))
        return LenetComparison(
            "some GPU", "gpu", 10_000, dict.fromkeys(names, 1.0), dict.fromkeys(names, 0.5)
        )

    monkeypatch.setattr(cuda, "gpu", lambda: True)
    monkeypatch.setattr(contest, "compare_rungs", timed)
    gpu_runs._rungs_here.cache_clear()
    runs = [lenet_runs(slow=False), lenet_runs(), lenet_runs()]
    gpu_runs._rungs_here.cache_clear()
    assert all(("some GPU" == next(iter(each))) is (trouble is None) for each in runs)
    assert all("recorded" in list(each)[-1] for each in runs)
    if trouble is None:
        # The rungs that take seconds come when they are asked for, and nothing is timed twice.
        assert asked == [(NAMES[1:], True), (NAMES[:1], False)]
        assert list(runs[0]["some GPU"].seconds) == NAMES[1:]
        assert set(runs[1]["some GPU"].seconds) == set(NAMES)
        assert runs[1]["some GPU"].device_seconds["baseline"] == 0.5


def test_a_library_is_of_the_first_run_in_which_it_took_part():
    alone = LenetComparison("here", "gpu", 10_000, {"graph": 1.0})
    there = LenetComparison("there", "gpu", 10_000, {"graph": 1.0}, libraries={"torch": "torch"})
    assert library_times({"here": alone, "there": there}) is there
    assert "torch" in library_times(lenet_runs()).libraries.values()
    with pytest.raises(LookupError, match="no run has torch"):
        library_times({"here": alone})
