"""What several GPUs do, rehearsed by processes on the CPU; where torch is installed."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.networks.scale.gpus import rows
from convladder.networks.scale.gpus.group import run
from convladder.networks.scale.partition import bands
from convladder.teach.plots import scale_out as report
from studies.gpu import several_gpus as record

SMALL = record.Sizes(
    digits=(100, 301),
    rung="lanes",
    photos=ConvProblem.parse("5x9x8x3,3x3x4"),
    image=ConvProblem.parse("20x12x3,3x3x3,s1,p1"),
    layers=3,
    methods=(("im2col", "float32"),),
)


def spoiled(group):
    """The error near the cuts of a right band, and of one with a wrong row."""
    import torch

    problem = SMALL.image
    cut = bands(problem, group.count)[group.rank]
    x = record.pixels(cut.begin, cut.stop, problem.i_w, problem.i_c, group.device, torch.float32)
    y = rows.forward(group, x, problem, 3, "im2col")
    right = rows.worst(group, y, problem, 3)
    y[:, -1] += 0.01
    return right, rows.worst(group, y, problem, 3)


def failing(group):
    if group.rank == 1:
        raise ZeroDivisionError("in the second")


def test_all_that_is_recorded_is_right():
    pytest.importorskip("torch")
    found = record.measure((1, 2), SMALL, backend="gloo")
    assert {run["what"] for run in found["runs"]} == {
        "digits, 100",
        "digits, 301",
        "photos, im2col, float32",
        "image, im2col, float32",
    }
    assert all(0 <= error < 1 for errors in found["errors"].values() for error in errors.values())
    assert len(report.rows(found)) == 8


def test_a_wrong_row_is_found():
    pytest.importorskip("torch")
    for right, wrong in run(spoiled, 2, backend="gloo"):
        assert right < 1 < wrong


def test_a_process_that_fails_says_what():
    pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match="process 1 of 2 failed(.|\n)*in the second"):
        run(failing, 2, backend="gloo")


def test_predictions_from_one_gpu_and_a_link():
    alone = {
        "runs": {
            "digits, 100": [1.0],
            "digits, 301": [2.005],
            "photos, im2col, float32": [5.0],
            "image, im2col, float32": [3.0],
        }
    }
    link = record.cost.Link(0.0, 1e3)
    predict = record._predict
    assert predict("digits, 100", SMALL, 1, alone, link).seconds == pytest.approx(1.0)
    assert predict("digits, 100", SMALL, 2, alone, link).compute == pytest.approx(0.75)
    photos = predict("photos, im2col, float32", SMALL, 2, alone, link)
    assert photos.compute == 3.0
    assert photos.send == pytest.approx(2 * 9 * 8 * 3 * 4 / 1e3)
    image = predict("image, im2col, float32", SMALL, 2, alone, link)
    assert image.compute == pytest.approx(1.5)
    assert image.exchange == pytest.approx(3 * 12 * 3 * 4 / 1e3)
    assert np.isfinite(image.seconds)
