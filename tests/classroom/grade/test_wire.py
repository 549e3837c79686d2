import json
import pickle
import struct
from io import BytesIO

import numpy as np
import pytest

from convladder.classroom.grade.wire import (
    MOST_DEPTH,
    Unexpected,
    Whole,
    WireError,
    is_plain,
    packed,
    unpacked,
)
from convladder.teach.grading.compare import same

PLAIN = [
    None,
    True,
    3,
    -(10**40),
    0.1,
    "ü\n",
    ...,
    (1, [2.5, {"a": (3,)}]),
    {1: "x"},
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.float64(2.5),
    np.uint8(7),
    np.zeros((0, 3), np.int64),
    np.array(3.0),
    np.array([True, False]),
]


def through(value, trusted=False, trusting=False):
    return unpacked(BytesIO(packed(value, trusted)).read, trusting)


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_plain_data_arrives_as_it_was(value):
    got = through(value)
    assert type(got) is type(value) and same(got, value) and is_plain(value)
    if isinstance(value, np.ndarray):
        assert got.strides == value.strides


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a.T,
        lambda a: a[:, ::2],
        lambda a: a[::-1],
        lambda a: np.broadcast_to(a[:1], a.shape),
        lambda a: np.asfortranarray(a),
    ],
    ids=["transposed", "with gaps", "reversed", "repeated", "by columns"],
)
def test_an_array_lies_in_memory_as_it_did(view):
    value = view(np.arange(24, dtype=np.float32).reshape(4, 6))
    got = through(value)
    assert np.array_equal(got, value) and got.strides == value.strides
    assert got.flags.c_contiguous == value.flags.c_contiguous


def test_infinities_and_nan_arrive():
    got = through([float("inf"), float("-inf"), float("nan")])
    assert got[:2] == [float("inf"), float("-inf")] and got[2] != got[2]


class Evil:
    def __reduce__(self):
        return print, ("unpickled",)


@pytest.mark.parametrize(
    "value",
    [
        Evil(),
        [Evil()],
        np.array([Evil()]),
        Whole(3),
        {1, 2},
        b"x",
        np.array(["text"]),
        type,
        print,
        3j,
    ],
)
def test_what_is_no_plain_data_is_only_named(value, capsys):
    got = through(value)
    got = got[0] if isinstance(got, list) else got
    assert isinstance(got, Unexpected) and capsys.readouterr().out == ""


def message(told, body=b""):
    text = json.dumps(told).encode()
    return struct.pack("<II", len(text), len(body)) + text + body


@pytest.mark.parametrize(
    "data",
    [
        message(["pickle", len(pickle.dumps(Evil()))], pickle.dumps(Evil())),
        message(["array", "|O", [1], [8], 8], b"x" * 8),
        message(["array", "<f4", [2**40], [4], 4], b"x" * 4),
        message(["array", "<f4", [1], [4], 99]),
        message(["array", "<f4", [-1], [4], 4], b"x" * 4),
        message(["_taken", 3]),
        message([]),
        message(["array", "<f4", [1], ["4"], 4], b"x" * 4),
        message(["value", 1]),
        message({"a": 1}),
        message(["dict", [["list"], 1]]),
        struct.pack("<II", 2**31, 0),
        struct.pack("<II", 2, 2**31),
        struct.pack("<II", 3, 0) + b"{{{",
        message(["float", "1" * 99999]),
        message(["scalar", "|S8", 8], b"x" * 8),
    ],
    ids=range(16),
)
def test_what_is_no_message_is_refused_and_never_opened(data, capsys):
    with pytest.raises(WireError):
        unpacked(BytesIO(data).read)
    assert capsys.readouterr().out == ""


def test_strides_that_lie_reach_no_memory_of_ours():
    for stride in (2**40, -(2**40), 3, -8):
        got = unpacked(BytesIO(message(["array", "<f4", [2], [stride], 8], b"\1" * 8)).read)
        assert got.tobytes() == b"\1" * 8


def test_depth_and_number_of_items_are_bounded():
    deep = ["list"]
    for _ in range(MOST_DEPTH + 5):
        deep = ["list", deep]
    for told in (deep, ["list", *[None] * 300_000]):
        with pytest.raises(WireError):
            unpacked(BytesIO(message(told)).read)
    assert isinstance(through(10**5000), Unexpected)


def test_the_grader_may_send_what_refers_to_itself():
    shared = [1]
    got = through(Whole((shared, {"same": shared})), trusted=True, trusting=True)
    assert got[0] is got[1]["same"]
