"""What share of a core a section received."""

import os
import sys
import threading
import time

import pytest

from convladder.measure import cpu_share
from convladder.measure.cpu_share import Section

linux = pytest.mark.skipif(sys.platform != "linux", reason="the queue for a core is told by Linux")


def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("threads", [1, 2])
def test_what_was_received_is_no_more_than_there_was_and_a_sleep_is_no_disturbance(threads):
    section = Section(threads)
    spin(0.01)
    got = section.end()
    assert got.wall >= 0.01 and got.busy >= 0.0099
    assert got.share is None or 0 < got.share <= 1
    section = Section(threads)
    time.sleep(0.05)
    assert section.end().busy < 0.02


@linux
def test_the_queue_is_counted_for_one_thread_and_for_all(monkeypatch):
    """Half a second of queueing is put into what the system says."""
    real, waited = os.pread, [0]

    def pread(file, size, offset):
        ran, queued, times = real(file, size, offset).split()
        return b"%d %d %d" % (int(ran), waited[0], int(times))

    monkeypatch.setattr(cpu_share.os, "pread", pread)
    for threads in (1, 2):
        monkeypatch.setattr(cpu_share, "_switches", lambda: (waited[0], 0))  # it slept, too
        section = Section(threads)
        waited[0] += int(5e7)
        time.sleep(0.1)
        got = section.end()
        if threads == 1:
            assert got.share == pytest.approx(1 - 0.05 / got.wall)
        else:
            assert got.share < 0.3


@linux
def test_a_thread_that_has_ended_leaves_no_file_open():
    def some():
        for _ in range(5):
            thread = threading.Thread(target=lambda: (Section(1).end(), Section(2).end()))
            thread.start()
            thread.join()
        return len(os.listdir("/proc/self/fd"))

    assert some() == some()
    if not (child := os.fork()):  # which is to look at itself
        os._exit(int(cpu_share._files.own is not None or bool(cpu_share._files.of)))
    assert os.waitpid(child, 0) == (child, 0)
