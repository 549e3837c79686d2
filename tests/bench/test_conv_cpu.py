"""Comparisons: checked first, in paired rounds, a library by its faster way; and their records."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from convladder import ConvProblem, get_method
from convladder.bench import conv_cpu as bench
from convladder.bench import records as record
from convladder.bench.conv_cpu import ConvComparison, compare_methods
from convladder.bench.libraries import LIBRARIES, Library, missing
from convladder.bench.libraries.conv import peers
from convladder.bench.records import conv_cpu as records
from convladder.bench.records import load_records
from convladder.bench.records.conv_cpu import runs_as_dict, runs_of
from convladder.core.reference import compare, random_arrays
from convladder.measure import Comparison, timing

from .test_ladder import right

PROBLEM = ConvProblem.parse("2x7x6x3,3x2x5,s2x1,p1")


def lasting(threads=1, **rounds):
    """A comparison with given seconds; names beginning with lib are a library's."""
    libraries = {name: "lib" for name in rounds if name.startswith("lib")}
    return ConvComparison.of(
        PROBLEM, threads, Comparison.of(rounds, threads), libraries, {"ours": 1.0}, 1e9
    )


def test_a_ratio_is_paired_and_takes_the_faster_way_of_a_library():
    result = lasting(ours=(1.0, 10.0, 2.0), lib_a=(6.0, 20.0, 3.0), lib_b=(9.0, 9.0, 9.0))
    assert result.best_of("lib") == "lib_a"
    # The median of 6, 2 and 1.5; the medians' ratio would be 3.
    assert result.ratio("lib", "ours") == 2.0
    assert result.ratio("lib_b", "ours") == 4.5
    assert result.best_of("torch") is None
    # Ours takes 2 s and would take 3 with its weights prepared in every call.
    assert result.ratio_unprepared("lib", "ours") == pytest.approx(4 / 3)
    assert result.share("ours") == pytest.approx(PROBLEM.flops / 2.0 / 1e9)


def test_methods_and_peers_take_turns(monkeypatch):
    order = []

    def peer(name):
        def result():
            return right(*random_arrays(PROBLEM), PROBLEM)

        return Library(name, "lib", lambda: order.append(name), result)

    monkeypatch.setattr(bench, "peers", lambda *args: [peer("lib a"), peer("lib b")])
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    monkeypatch.setattr(timing, "SETTLE_SECONDS", 0.0)
    monkeypatch.setattr(timing, "BLOCK_SECONDS", 0.0)
    told = []
    result = compare_methods(
        PROBLEM, [get_method("im2col")], threads=1, rounds=2, progress=told.append
    )
    assert order == ["lib a", "lib b", "lib b", "lib a"]
    assert set(result.comparison.timings) == {"im2col", "lib a", "lib b"}
    assert all(len(times) == 2 for times in result.comparison.rounds.values())
    assert told == ["im2col", "lib a", "lib b", "round 1 of 2", "round 2 of 2"]


def test_a_wrong_result_is_not_timed(monkeypatch):
    wrong = Library("lib", "lib", pytest.fail, lambda: np.zeros(PROBLEM.output_shape, np.float32))
    monkeypatch.setattr(bench, "peers", lambda *args: [wrong])
    with pytest.raises(RuntimeError, match=r"lib is wrong on 2x7x6x3.*nothing was timed"):
        compare_methods(PROBLEM, [], threads=1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_does_the_same_convolution(library):
    if library in missing():
        pytest.skip(f"{library} is not installed")
    x, w = random_arrays(PROBLEM)
    found = [peer for peer in peers(x, w, PROBLEM, 1) if peer.package == library]
    assert len(found) == (2 if library == "torch" else 1)
    for peer in found:
        peer.run()
        assert not (agreement := compare(peer.result(), x, w, PROBLEM)).reason, agreement.reason


def test_a_record_goes_into_json_and_back(tmp_path, monkeypatch):
    asked = []

    def limits(threads):
        asked.append(threads)
        return SimpleNamespace(threads=threads, flops_per_s=1e9 * threads, bytes_per_s=1e8)

    monkeypatch.setattr(records, "roofline", limits)
    runs = [{"a": lasting(threads, ours=(1.0, 2.0), lib=(3.0, 4.0))} for threads in (1, 2)]
    written = runs_as_dict(runs)
    (tmp_path / record.file_name(written)).write_text(json.dumps(written))
    (read,) = load_records(tmp_path)
    assert runs_of(read) == runs
    assert set(read) == {"date", "machine", "versions", "runs"} and "torch" in read["versions"]
    assert asked == [1, 2]
    assert [run["limits"]["flops_per_s"] for run in read["runs"]] == [1e9, 2e9]
