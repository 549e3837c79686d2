"""The record of Winograd on a GPU is whole, and the models choose nearly what it shows as best."""

import pytest

from convladder.bench.records import load_records
from convladder.bench.records.conv_gpu import seconds_of
from convladder.bench.records.winograd_gpu import auto_entry
from convladder.bench.rounds import geometric_mean
from convladder.core.problem import ConvProblem
from convladder.gpu.tile_choice import H200
from convladder.gpu.winograd_choice import choose

RECORDS = load_records("winograd-gpu")


def timed(layer):
    """Seconds of the direct method and of each tile."""
    return {name: seconds_of(layer, name) for name in layer["entries"] if "cudnn" not in name}


@pytest.mark.parametrize("record", [r for r in RECORDS if "H200" in r["card"]["gpu"]])
def test_what_is_chosen_against_everything_timed(record):
    """Within 5 % of the best, and 1 % on average."""
    lost = []
    for run in record["runs"]:
        for layer in run["layers"].values():
            problem, times = ConvProblem.parse(layer["problem"]), timed(layer)
            auto = auto_entry(problem, H200)
            lost.append(times[auto] / min(times.values()))
            assert lost[-1] < 1.05, (layer["problem"], auto, times)
            tiles = {name: time for name, time in times.items() if name.startswith("F")}
            if auto in tiles:
                m = choose(problem, H200.multiprocessors)
                assert auto == f"F({m})" and tiles[auto] < 1.05 * min(tiles.values())
    assert geometric_mean(lost) < 1.01
