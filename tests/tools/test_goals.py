"""What a record says of the project's goals: counted on the right layers, missed where it is so."""

import json

import pytest

from convladder import PAPER
from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.records import conv_cpu as records
from convladder.bench.records.conv_cpu import MORE, runs_as_dict, runs_by_auto, runs_of
from convladder.core.network_layers import RESNET
from convladder.measure import Comparison
from tools.goals import fastest, goals, goals_table, loss
from tools.tables import auto_table

LIBRARIES = {"NCHW": "torch", "NHWC": "torch", "ort": "onnxruntime"}


def layer(problem, threads=1, chosen="F(4)", **seconds):
    """One of which the microkernel takes 2 s, F(4) 1 s, PyTorch 5 and 3, ONNX Runtime 4."""
    times = {"microkernel": 2.0, "F(4)": 1.0, "NCHW": 5.0, "NHWC": 3.0, "ort": 4.0} | seconds
    rounds = {name: (time, time) for name, time in times.items()}
    return ConvComparison.of(
        problem, threads, Comparison.of(rounds, threads), LIBRARIES, {}, 1e9, chosen
    )


def run(threads=1, **others):
    return {
        name: others.get(name) or layer(problem, threads)
        for name, problem in (PAPER | RESNET).items()
    }


def missed(layers):
    return [goal.what for goal in goals(layers) if not goal.met]


def test_all_are_met():
    assert len(goals(run())) == 7 + 1 + 4 + 1 and not missed(run())


@pytest.mark.parametrize(
    ("name", "seconds", "words"),
    [
        ("cv8", dict(NHWC=2.1), "vs torch on cv8"),
        # Slower on a layer of which nothing more was asked, and on one with a stride.
        ("224×224×64", dict(NHWC=1.0), "each 3×3 layer of stride 1 (least on 224×224×64)"),
        ("cv1", dict(NHWC=0.9), "vs torch on each of cv1 to cv12 (least on cv1)"),
        ("cv12", dict(chosen="microkernel", NHWC=9.0), "auto's time over the fastest"),
    ],
)
def test_a_goal_that_is_missed_is_named(name, seconds, words):
    (found,) = missed(run(**{name: layer((PAPER | RESNET)[name], **seconds)}))
    assert words in found


def test_several_threads_may_be_a_tenth_less_ahead():
    for threads, count in ((1, 1), (2, 0)):
        layers = run(threads, cv9=layer(PAPER["cv9"], threads, NHWC=2.0))
        assert len(missed(layers)) == count


def test_means_need_every_layer():
    layers = run()
    del layers["cv3"]
    assert not [goal for goal in goals(layers) if "cv12 (" in goal.what]


def test_the_fastest_is_a_method_s():
    each = layer(PAPER["cv9"], chosen="microkernel", NCHW=0.1)
    assert (fastest(each), loss(each)) == ("F(4)", 2.0)


def test_a_record_keeps_what_was_chosen_and_the_other_layers(monkeypatch):
    monkeypatch.setattr(
        records,
        "_run_as_dict",
        lambda layers: {"threads": 1, "layers": records._layers_as_dict(layers)},
    )
    paper = {name: layer(problem) for name, problem in PAPER.items()}
    others = {name: layer(problem) for name, problem in RESNET.items()}
    read = json.loads(json.dumps(runs_as_dict([paper], [others])))
    assert runs_of(read) == [paper] and runs_of(read, MORE) == [others]
    assert runs_by_auto(read) == [paper | others]
    assert "| vs torch on cv8 | at least 2.2 | 3.00 | met |" in goals_table(read)
    rows, columns = auto_table(paper, ["torch", "onnxruntime"])
    assert rows[0] == ["cv1", "F(4)", "1.00 s", "2.00×", "3.00×", "4.00×", "F(4), 1.00"]
    assert len(rows[0]) == len(columns)
