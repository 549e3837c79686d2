"""Where learners share a machine, one measures at a time; alone, nothing is locked."""

import fcntl
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from convladder.measure import available_cores, compare, machine_lock, timed, timing
from convladder.measure.cpu_share import Received
from convladder.measure.machine_lock import PROCESSOR

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a class runs on Linux")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(machine_lock.VARIABLE, str(tmp_path))
    (tmp_path / PROCESSOR).touch(0o444)
    return tmp_path


def is_locked(folder):
    with open(folder / PROCESSOR) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def test_alone_nothing_is_opened(monkeypatch):
    monkeypatch.setattr(machine_lock.os, "open", pytest.fail)
    with machine_lock.machine_lock(PROCESSOR) as late:
        assert not late
    with machine_lock.machine_lock(None) as late:
        assert not late


def test_a_lock_ends_with_its_block(folder):
    for error in (KeyboardInterrupt, ValueError):
        with pytest.raises(error), machine_lock.machine_lock(PROCESSOR) as late:
            assert not late and is_locked(folder)
            raise error
        assert not is_locked(folder)
    with machine_lock.machine_lock(PROCESSOR), machine_lock.machine_lock(PROCESSOR) as late:
        assert not late, "a lock within a lock waits for nobody"
    assert not is_locked(folder)


def test_after_long_it_is_measured_anyway_and_marked(folder, monkeypatch):
    monkeypatch.setattr(machine_lock, "LONGEST_WAIT", 0.0)
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    with open(folder / PROCESSOR) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with machine_lock.machine_lock(PROCESSOR) as late:
            assert late
        if available_cores() > 1:
            found = timed(lambda: time.sleep(1e-3), budget=3e-3, threads=2)
            assert found.disturbed and "ms (disturbed)" in str(found)
            assert compare({"a": lambda: None}, budget=3e-3, threads=2).disturbed


@pytest.mark.parametrize("slept", [False, True], ids=["computes", "waits for others"])
def test_one_thread_locks_only_for_work_that_waits(folder, monkeypatch, slept):
    """Whether it waits is given here, not measured: beside other programs a section of
    microseconds may come out either way."""
    received, locked = Received(1e-3, 1e-3, 1.0, slept), []
    section = SimpleNamespace(end=lambda: received)
    monkeypatch.setattr(timing, "Section", lambda threads: section)

    def work():
        locked.append(is_locked(folder))
        sum(range(1000))

    found = timed(work, budget=1e-3, threads=1)
    assert any(locked) == slept
    assert (found.clock == "thread") == ("by the thread's own clock" in str(found)) == (not slept)


def test_a_forked_child_does_not_keep_the_lock(folder):
    with machine_lock.machine_lock(PROCESSOR):
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
    try:
        assert not is_locked(folder)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, who made the files")
def test_learners_without_any_right_to_write_lock_it(monkeypatch):
    with tempfile.TemporaryDirectory() as outer:  # pytest's own is closed to others
        os.chmod(outer, 0o755)
        Path(outer, PROCESSOR).touch(0o444)
        monkeypatch.setenv(machine_lock.VARIABLE, outer)
        child = os.fork()
        if child == 0:
            try:
                os.setuid(61000)
                with machine_lock.machine_lock(PROCESSOR) as late:
                    os._exit(int(late or not is_locked(machine_lock.shared_folder())))
            finally:
                os._exit(2)
        assert os.waitpid(child, 0) == (child, 0)
