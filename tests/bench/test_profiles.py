"""Profiles of rungs: refused in a sentence where there is nothing to profile with, and printed."""

from convladder.bench import profiles as module
from convladder.bench.profiles import profiles
from convladder.measure.cuda import cupti
from convladder.networks.lenet import labels
from convladder.networks.lenet.rungs import get_rung


def test_rungs_are_judged_and_timed_before_they_are_profiled(monkeypatch, emulator):
    told = []
    monkeypatch.setattr(cupti, "cupti_session", lambda: told.append("profiler"))
    monkeypatch.setattr(cupti, "profiled", lambda run, wall, budget, most: (run(), wall, most))
    rungs = [get_rung("one_kernel"), get_rung("bytes")]
    found = profiles(rungs, count=3, most=2, wall=1e-3, begun=told.append, progress=told.append)
    assert found.images == 3 and all(each.ok for each in found.judgements.values())
    assert told == ["one_kernel", "bytes", "profiler"]
    labelled, wall, most = found.seen["bytes"]
    assert labelled.tolist() == labels()[:3].tolist() and wall[0] <= wall[2] and most == 2
    assert told[3:] == ["bytes, profiled"]


def test_a_program_is_profiled_when_it_is_first_asked_for(monkeypatch):
    made = []
    monkeypatch.setattr(cupti, "cupti_session", lambda: None)
    monkeypatch.setattr(cupti, "profiled", lambda run, wall, budget, most: (run(), wall, most))

    def way(name):
        made.append(name)
        return lambda: name

    watch = module.LazyProfiles(
        {name: lambda name=name: way(name) for name in "ab"},
        {"a": (1, 2, 3), "b": (4, 5, 6)},
        0.1,
        5,
        made.append,
    )
    assert list(watch) == ["a", "b"] and "a" in watch and "c" not in watch and not made
    assert watch["b"] == watch["b"] == ("b", (4, 5, 6), 5)
    assert made == ["b", "b, profiled"]
