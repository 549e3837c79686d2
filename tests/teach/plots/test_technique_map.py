"""The map: complete, and its counted figures are what the package counts."""

import numpy as np

from convladder import ConvProblem
from convladder.bench.lenet import lenet_records
from convladder.bench.records import load_records
from convladder.core.winograd_transforms import matrices
from convladder.networks.compress import store
from convladder.networks.scale import photo_network, stages
from convladder.networks.scale.partition import halo_rows
from convladder.teach.plots import scale_out as techniques


def test_each_says_what_it_saves_and_where_its_figure_is_from():
    for way in techniques.MAP:
        assert way.saves and set(way.saves) <= set(techniques.SAVES) and way.reach
        assert way.kind in techniques.KINDS
        assert bool(way.source) == (way.kind in ("cited", "recorded")), way.name
        assert way.chapter is not None or way.kind == "cited", way.name


def test_counted_figures_are_right():
    made = store.shipped()
    assert (made["qat2"]["test_accuracy"], made["qat3"]["test_accuracy"]) == (0.96, 0.9914)
    assert made["pruned_tenth"]["test_accuracy"] == 0.9738
    assert round(made["pruned_two_of_four"]["test_accuracy"], 3) == 0.993
    plain = ConvProblem.parse("56x56x128,3x3x128,s1,p1")
    light = (
        128 * ConvProblem.parse("56x56x1,3x3x1,s1,p1").macs
        + ConvProblem.parse("56x56x128,1x1x128").macs
    )
    assert round(plain.macs / light, 1) == 8.4
    assert (len(matrices(4, 3).BT) ** 2, (4 * 3) ** 2) == (36, 144)
    network = photo_network()
    halves = [
        sum(w.size for w in network.weights[run.start : run.stop])
        for run in stages([p.macs for p in network.problems], 2)
    ]
    assert max(halves) < sum(halves)
    assert halo_rows(network.problems[0], 2) == 2


def test_recorded_figures_are_those_of_the_newest_records():
    for kind, source in (
        ("lenet", techniques.LENET),
        ("scale", techniques.SCALE),
        ("steps", techniques.STEPS),
    ):
        day = next(
            record["date"]
            for record in load_records(kind)
            if "NVIDIA H200" in str(record.get("card", record.get("machine")))
        )
        assert source == f"NVIDIA H200, {day}"
    figures = {way.name: way.figure for way in techniques.MAP}
    best = min(times.seconds["tensor_core"] for times in lenet_records())
    assert figures["GPU"].endswith(f"in {1e3 * best:.2f} ms")
    ladder = load_records("steps")[0]["ladder"]
    gain = ladder["gpu_naive"]["seconds"] / ladder["gpu_vectorised"]["seconds"]
    assert f"1/{gain:.0f} of the time" in figures["cache optimisation"]


def test_the_pictures_have_all_of_them():
    shown = [int(each.alt.split()[0]) for each in techniques.technique_map_pictures()]
    assert len(shown) == 2 and sum(shown) == len(techniques.MAP)
    assert len(techniques.technique_map_table().cells) == len(techniques.MAP)
    assert np.all([len(row) == 4 for row in techniques.technique_map_table().cells])
