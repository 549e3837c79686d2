"""Who lets go of the interpreter's lock while it works is a fact on every machine."""

import sys
import time

import numpy as np
import pytest

from convladder.measure.gil import lets_go

with_gil = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this Python has no lock to hold"
)


@with_gil
def test_python_code_holds_the_lock():
    assert not lets_go(lambda: sum(i * i for i in range(200_000)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: time.sleep(0.06),
        lambda: np.ones(4_000_000, np.float32).sum(),
        lambda: np.ones((600, 600), np.float32) @ np.ones((600, 600), np.float32),
    ],
    ids=["sleep", "sum", "matmul"],
)
def test_waiting_and_numpy_let_go(call):
    assert lets_go(call)


def test_the_switch_interval_is_put_back_and_errors_pass_through():
    before = sys.getswitchinterval()
    calls = []

    def second_call_fails():
        calls.append(1)
        if len(calls) > 1:
            raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        lets_go(second_call_fails)
    assert sys.getswitchinterval() == before
