"""The float64 network, and the judge that knows which labels it may excuse."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.lenet.reference import CHUNK, judge, logits


def plain_logits(image: np.ndarray) -> np.ndarray:
    """The network for one image as its definition reads, a window at a time."""
    w = lenet.weights()
    x = image[:, :, np.newaxis] / 255
    for kernel, bias in ((w.conv1, w.conv1_bias), (w.conv2, w.conv2_bias)):
        side = len(x) - 4
        y = np.array(
            [
                [np.tensordot(x[h : h + 5, v : v + 5], kernel, 3) + bias for v in range(side)]
                for h in range(side)
            ]
        )
        x = np.array(
            [
                [y[h : h + 2, v : v + 2].max(axis=(0, 1)) for v in range(0, side, 2)]
                for h in range(0, side, 2)
            ]
        ).clip(0)
    x = (w.fc1 @ x.ravel() + w.fc1_bias).clip(0)
    x = (w.fc2 @ x + w.fc2_bias).clip(0)
    return w.fc3 @ x + w.fc3_bias


def test_logits_are_the_networks():
    some = lenet.images()[[0, 1, 8, 5000, 9999]]
    expected = [plain_logits(image) for image in some]
    np.testing.assert_allclose(logits(some, lenet.weights()), expected, rtol=1e-12, atol=1e-12)


@pytest.fixture(scope="module")
def few():
    """Ten parts of the reference and one image, and their logits."""
    some = lenet.images()[: 10 * CHUNK + 1]
    return some, logits(some, lenet.weights())


def test_a_count_that_is_no_multiple_of_the_chunk(few):
    some, found = few
    assert len(found) == len(some)
    np.testing.assert_allclose(found[-1], plain_logits(some[-1]), rtol=1e-12, atol=1e-12)


def test_a_label_may_differ_only_where_the_reference_hesitates(few):
    some, expected = few
    order, highest = np.argsort(expected, axis=1), np.sort(expected, axis=1)
    best, second, lead = order[:, -1], order[:, -2], highest[:, -1] - highest[:, -2]
    closest, clearest = lead.argmin(), lead.argmax()
    precision = 1.01 * lead[closest]
    for at, ok in ((closest, True), (clearest, False)):
        wrong = best.copy()
        wrong[at] = second[at]
        judgement = judge(wrong, precision, some, expected=expected)
        assert judgement.ok is ok
        assert judgement.differ == 1 and judgement.excused == int(ok)
    assert f"image {clearest} got {second[clearest]}" in judgement.reason
    # Only the second best is close: any third label of the same image is wrong.
    wrong = best.copy()
    wrong[closest] = order[closest, 0]
    assert not judge(wrong, precision, some, expected=expected).ok


def test_labels_of_other_images_and_their_truth():
    some = lenet.images()[100:110]
    judgement = judge(lenet.labels()[100:110], 1e-3, some, lenet.labels()[100:110])
    assert judgement.ok and judgement.accuracy == 1
    assert np.isnan(judge(lenet.labels()[100:110], 1e-3, some).accuracy)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (np.zeros(9, np.int64), "shape (9,), not integers of shape (10,)"),
        (np.zeros(10), "are float64"),
        (np.full(10, -1), "from -1 to -1, not from 0 to 9"),
        (np.full(10, 10), "from 10 to 10"),
    ],
)
def test_labels_that_are_none(labels, says):
    assert says in judge(labels, 1.0, lenet.images()[:10]).reason
