"""The GPU records that come with the course, and what is read from them."""

import pytest

from convladder import ConvProblem, methods
from convladder.bench import conv_gpu
from convladder.bench import records as store
from convladder.bench.libraries import ROUNDED
from convladder.bench.records.conv_gpu import cudnn_ratios
from convladder.core.winograd_transforms import growth
from convladder.gpu import winograd
from convladder.gpu.mec import solution
from convladder.gpu.tile_choice import H200

RECORDS = store.load_records("conv-gpu")


@pytest.mark.parametrize("found", RECORDS, ids=store.file_name)
def test_only_right_results_were_timed(found):
    known = {method.name for method in methods("gpu")}
    for run in found["runs"]:
        for layer in run["layers"].values():
            problem = ConvProblem.parse(layer["problem"])
            for name, entry in layer["entries"].items():
                assert name in known or name.startswith("cudnn")
                rounded = next((u for who, u in ROUNDED.items() if name.startswith(who)), 0)
                tile = 6 if problem.k_h == 3 else 4
                tiled = growth(tile, problem.k_h) if name == "gpu_winograd" else 0
                assert entry["error"] <= conv_gpu.limit(problem, rounded, tiled)
                assert len(entry["graph"]) == len(entry["plain"]) >= 5
                assert min(entry["graph"]) > 0


@pytest.mark.parametrize("found", RECORDS, ids=store.file_name)
def test_methods_allocated_what_they_say(found, monkeypatch):
    """The pool rounds up to 512 bytes; float16 results are half of the float32 spoken of."""
    monkeypatch.setattr(winograd, "chip", lambda: H200)  # whose tiles the record's GPU took
    for run in found["runs"]:
        for layer in run["layers"].values():
            problem = ConvProblem.parse(layer["problem"])
            for method in methods("gpu"):
                if method.name in layer["entries"] and method.name not in ROUNDED:
                    made = method.workspace_bytes(problem) + 4 * problem.pixels * problem.k_c
                    # Addresses are let go of before Solution A's second result is there.
                    freed = method.name == "gpu_mec_pointers" and solution(problem) == "A"
                    early = 24 * problem.o_h * freed
                    more = layer["entries"][method.name]["peak"] - made
                    assert -early <= more <= 2048, method.name


def _run(**times: float) -> dict:
    entries = {
        name.replace("_f32_", " float32 "): {"graph": [t] * 5, "plain": [2 * t] * 5}
        for name, t in times.items()
    }
    return {"layers": {"a": {"entries": entries}}}


def test_ratios_are_against_the_faster_layout():
    run = _run(cudnn_f32_NCHW=3.0, cudnn_f32_NHWC=2.0, mine=0.5)
    assert cudnn_ratios(run, "mine") == {"a": 4.0}
    assert cudnn_ratios(run, "absent") == {}
