"""What ships: real images, their labels, and weights that label them as well as stated."""

import hashlib
import re
from dataclasses import replace

import numpy as np
import pytest

from convladder.core.machine_error import MachineError
from convladder.networks import lenet
from convladder.networks.compress import store
from convladder.networks.lenet import digits
from convladder.networks.lenet.digits import DATA, read_arrays, read_idx
from convladder.networks.lenet.network import SHAPES
from convladder.networks.lenet.reference import logits
from convladder.networks.memory import early_exit


def idx(array: np.ndarray) -> bytes:
    header = bytes((0, 0, 8, array.ndim)) + np.array(array.shape, ">i4").tobytes()
    return header + array.tobytes()


def test_the_files_are_the_originals_byte_for_byte():
    stated = dict(
        reversed(line)
        for line in re.findall(
            r"^ +([0-9a-f]{64})  (\S+)$", (DATA / "README.md").read_text(), re.MULTILINE
        )
    )
    for name, array in {"images-idx3": lenet.images(), "labels-idx1": lenet.labels()}.items():
        assert hashlib.sha256(idx(array)).hexdigest() == stated[f"t10k-{name}-ubyte"]


def test_what_all_share_is_read_only():
    shared = [lenet.images(), lenet.labels(), *lenet.weights(), early_exit.head().w]
    shared += [store.float_network("student_few")[0].w, store.quantised_network("qat8")[0].q]
    assert not any(array.flags.writeable for array in shared)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x1f\x8b\x08\x00", "begins with 1f 8b 08 00.*unpack"),
        (b"\0\0\x08\x03\0\0\0\x02", "ends within its header, of 3 axes"),
        (idx(np.zeros((2, 3), np.uint8))[:-1], r"\(2, 3\) values holds 5"),
    ],
)
def test_a_file_that_is_not_idx_is_refused(content, message):
    with pytest.raises(ValueError, match=message):
        read_idx(content)


@pytest.mark.parametrize(
    ("images", "error", "message"),
    [
        ([[0]], TypeError, "list, not a plain NumPy array"),
        (np.zeros((3, 28, 29), np.uint8), ValueError, r"\(3, 28, 29\).*\[count, 28, 28\]"),
        (np.zeros((0, 28, 28), np.uint8), ValueError, "no image"),
        (np.full((1, 28, 28), 256, np.int64), TypeError, "int64, from 256 to 256; pass the bytes"),
        (np.zeros((4, 28, 28), np.uint8)[::2], ValueError, "ascontiguousarray"),
    ],
)
def test_images_that_cannot_be_labelled_are_refused(images, error, message):
    with pytest.raises(error, match=message):
        logits(images, lenet.weights())


@pytest.mark.parametrize(
    ("array", "error", "message"),
    [
        (np.zeros((120, 400), np.float32), ValueError, r"fc1 have shape \(120, 400\), not \(120, "),
        (np.zeros(SHAPES["fc1"]), TypeError, "fc1 are float64"),
        (np.full(SHAPES["fc1"], np.nan, np.float32), ValueError, "fc1 hold NaN"),
    ],
)
def test_weights_that_do_not_match_are_refused(array, error, message):
    with pytest.raises(error, match=message):
        replace(lenet.weights(), fc1=array)


def halved(data: bytes) -> bytes:
    return data[: len(data) // 2]


def changed(data: bytes) -> bytes:
    return halved(data) + bytes([data[len(data) // 2] ^ 255]) + data[len(data) // 2 + 1 :]


@pytest.mark.parametrize("damaged", [halved, changed, lambda data: b""])
def test_a_damaged_file_is_named(tmp_path, monkeypatch, damaged):
    for name in ("t10k-images-idx3-ubyte.xz", "weights.npz"):
        (tmp_path / name).write_bytes(damaged((DATA / name).read_bytes()))
    monkeypatch.setattr(digits, "DATA", tmp_path)
    with pytest.raises(MachineError, match="t10k-images-idx3-ubyte.xz"):
        digits.images.__wrapped__()
    with pytest.raises(MachineError, match="weights.npz"):
        read_arrays(tmp_path / "weights.npz")
