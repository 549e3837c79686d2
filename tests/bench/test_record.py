"""`ladder conv --peers`, `--shape paper` and `record`: what they print, write and refuse."""

import json
import re
import sys

import pytest

from convladder import PAPER, ConvProblem
from convladder.bench import conv as bench
from convladder.bench import libraries
from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.conv_tables import cpu_cells, cpu_means, rivals
from convladder.cli.terminal import Bar
from convladder.measure import Comparison, timing

from ..test_cli import SMALL, told


@pytest.fixture
def alone(monkeypatch):
    """Quick comparisons without libraries, which most machines do not have."""
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    monkeypatch.setattr(timing, "SETTLE_SECONDS", 0.0)
    monkeypatch.setattr(timing, "BLOCK_SECONDS", 0.0)


@pytest.mark.weekly
def test_without_the_libraries_it_runs_and_says_what_adds_them(capsys, alone):
    code, out, err = told(capsys, "ladder", "conv", "--peers", "--shape", SMALL)
    assert (code, err) == (0, "")
    assert "im2col takes" in out and "of the peak" in out
    assert re.search(
        r"Not there to compare with: torch, onnxruntime\. Add with: \S+ -m pip "
        r'install --editable "\.\[peers\]"',
        out,
    )


@pytest.mark.weekly
def test_every_layer_and_the_means(capsys, alone, monkeypatch, tmp_path):
    small = {name: ConvProblem.parse(SMALL) for name in ("cv1", "cv2")}
    monkeypatch.setattr(bench, "layers", lambda shape: {**small, "report": small["cv1"]})
    code, out, _ = told(
        capsys,
        "ladder",
        "conv",
        "--shape",
        "paper",
        "--threads",
        "1",
        "--methods",
        "mec_rows,im2col",
        "--json",
        str(tmp_path / "r.json"),
    )
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[:3] in ("cv1", "cv2", "rep")] == [
        "cv1",
        "cv2",
        "report",
    ]
    assert re.search(r"im2col takes [\d.]+ times as long \(geometric mean; least", out)
    assert "mec_rows does" in out and "median layer" in out
    assert "Not there" not in out  # nobody asked
    run = json.loads((tmp_path / "r.json").read_text())["runs"][0]
    assert set(run["layers"]) == {"cv1", "cv2", "report"} and run["threads"] == 1


def test_paper_is_the_papers_layers_and_the_reports():
    assert list(bench.layers("paper")) == [*PAPER, "report"]
    assert list(bench.layers("cv3")) == ["cv3"]


def test_a_picture_of_a_comparison_is_refused(capsys, tmp_path):
    code, _, err = told(
        capsys, "ladder", "conv", "--peers", "--shape", SMALL, "--plot", str(tmp_path / "p.png")
    )
    assert code == 2 and "--plot draws the ladder of one layer" in err


def test_a_method_that_refuses_a_layer(capsys, alone):
    code, _, err = told(capsys, "ladder", "conv", "--peers", "--shape", "cv1", "--methods", "loops")
    assert code == 2 and "no method takes cv1: loops (" in err


def test_the_bar_is_for_terminals(capsys, monkeypatch):
    bar = Bar(2)
    bar.step("one")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar = Bar(2)
    for what in ("one", "two", "one too many"):
        bar.step(what)
    bar.close()
    drawn = capsys.readouterr().err
    assert re.findall(r"\[(#*)\.*\] (\w+)", drawn) == [
        ("", "one"),
        ("#" * 12, "two"),
        ("#" * 24, "one"),
    ]
    assert drawn.endswith("\r\033[K")


def made(**rounds):
    """A comparison whose rounds lasted so many seconds."""
    of = {"torch, NCHW": "torch"} if "torch, NCHW" in rounds else {}
    return ConvComparison.of(
        ConvProblem.parse(SMALL),
        1,
        Comparison.of({name: (time,) for name, time in rounds.items()}, 1),
        of,
        {},
        1e9,
    )


def test_the_summary_names_the_worst_layer_and_the_mean():
    results = {"a": made(ours=1.0, im2col=4.0), "b": made(ours=2.0, im2col=2.0)}
    lines = cpu_means(results, "ours")
    assert lines[0].startswith("im2col takes 2.00 times as long (geometric mean; least 1.00 on b;")


def test_a_rival_that_was_not_on_every_layer_has_no_column():
    results = {
        "a": made(**{"ours": 1.0, "im2col": 2.0, "torch, NCHW": 2.0}),
        "b": made(**{"ours": 1.0, "torch, NCHW": 3.0}),
    }
    assert rivals(results, "ours") == ["torch"]
    rows, columns = cpu_cells(results, "ours")
    assert [row[columns.index("torch takes")] for row in rows] == ["2.00", "3.00"]
