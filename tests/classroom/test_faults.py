"""Faults on purpose, at a real hub: what is killed, filled or eaten costs no learner their work.

About three minutes. The workflow's job `room` runs them at each push.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from convladder.journal import course_root
from convladder.classroom.load import needs

if needs():
    pytest.skip("the extra classroom is not installed", allow_module_level=True)

from convladder.classroom.load import Learner, Plan, RehearsalHub
from convladder.classroom.load.audience import kept_events, told_events
from convladder.classroom.load.browser import FOLDER, Browser
from convladder.classroom.load.hub import BOARD, HUB, PROXY
from convladder.classroom.load.kernel import LiveKernel
from convladder.classroom.load.lesson import PASSWORD
from convladder.classroom.refusals import proxy
from convladder.classroom.settings import HubError

pytestmark = pytest.mark.weekly
LAB = f"{FOLDER}/labs/01_im2col_gemm.ipynb"
RIGHT = """
from convladder.teach import check
def output_shape(image, kernel, stride, padding):
    return tuple((i + 2 * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))
"""
HAND_IN = 'verdict = check("output_shape", output_shape)'


def started(hub: RehearsalHub) -> None:
    try:
        proxy(Path(sys.prefix) / "proxy")
    except HubError as error:
        pytest.skip(str(error))
    hub.start()


@pytest.fixture(scope="module")
def hub():
    with RehearsalHub(8280, together=True) as made:
        started(made)
        yield made


@pytest.fixture(scope="module")
def learner(hub) -> Iterator[Learner]:
    """One in mid-lesson: a kernel runs, an answer is written."""
    found = arrived(hub, "ana")
    yield found
    leaves(found)


def arrived(hub: RehearsalHub, user: str) -> Learner:
    found = Learner(hub.url, user, course_root(), Plan(), 1)
    found.arrive(hub.code, hub.repository)
    found.kernel = LiveKernel(found.browser, LAB)
    assert found.kernel.run(RIGHT).error == ""
    return found


def leaves(learner: Learner) -> None:
    learner.kernel.close()
    learner.browser.http.close()


def hands_in(learner: Learner, times: int = 1) -> None:
    for _ in range(times):
        ran = learner.kernel.run(HAND_IN, stage="verdict.stage", me="__import__('os').getpid()")
        assert (ran.error, ran.values["stage"]) == ("", "passed")
        learner.pid = ran.values["me"]


def comes_back(learner: Learner) -> None:
    """Connect again, and find the very same kernel with all that it had."""
    before = learner.pid
    learner.kernel.close()
    learner.kernel.connect()
    hands_in(learner)
    assert learner.pid == before


def all_arrive_once(hub: RehearsalHub, more: int, seconds: float = 60) -> None:
    """Wait until the board has each event, of which there are so many since the last time."""
    until = time.monotonic() + seconds
    told = set(told_events(hub.journals()))
    before, hub.arrived = getattr(hub, "arrived", 0), len(told)
    assert len(told) >= before + more
    while set(kept_events(hub.place.run)) != told and time.monotonic() < until:
        time.sleep(0.5)
    kept = kept_events(hub.place.run)
    assert sorted(kept) == sorted(told), f"{len(told - set(kept))} lost"


def answers(hub: RehearsalHub, learner: Learner, seconds: float = 60) -> None:
    """Wait until the learner's server is reached through the proxy."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if learner.browser.http.get(learner.browser.at("api/status"), timeout=5).ok:
                return
        except OSError:
            pass
        time.sleep(0.5)
    raise AssertionError("the server is not reached")


def test_the_board_killed_loses_and_doubles_nothing(hub, learner):
    hands_in(learner, 5)
    assert hub.kill(BOARD) == 1
    hands_in(learner, 5)  # meanwhile, without waiting
    time.sleep(2)
    hands_in(learner, 5)
    all_arrive_once(hub, 15)


def test_the_proxy_killed_comes_back_by_itself(hub, learner):
    hands_in(learner)
    assert hub.kill(PROXY) == 1
    answers(hub, learner)
    comes_back(learner)
    all_arrive_once(hub, 2)


def test_the_hub_killed_and_started_again_finds_its_learners(hub, learner):
    hands_in(learner)
    assert hub.kill(HUB) >= 1
    hands_in(learner, 3)  # servers and the proxy need no hub
    hub.start()
    answers(hub, learner)
    comes_back(learner)
    all_arrive_once(hub, 5)


def test_a_kernel_that_eats_its_memory_is_told_so_and_lives(hub, learner):
    ran = learner.kernel.run("eaten = bytearray(hub_memory := 4 << 30)")
    assert ran.error.startswith("MemoryError")
    hands_in(learner)
    hungry = learner.kernel.run("import numpy as np\nlots = [np.ones(1 << 27) for _ in range(8)]")
    assert "MemoryError" in ran.error and "emory" in hungry.error
    learner.kernel.run("lots = None")
    hands_in(learner)


def test_two_browsers_of_one_learner_share_the_kernel(hub, learner):
    other = Browser(hub.url, "ana")
    other.log_in(PASSWORD)
    other.open_server()
    second = LiveKernel(other, LAB)
    assert second.id == learner.kernel.id
    assert second.run("seen = 7", me="__import__('os').getpid()").values["me"] == learner.pid
    assert learner.kernel.run("", it="seen").values["it"] == "7"
    second.close()
    other.http.close()
    hands_in(learner)
    all_arrive_once(hub, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_spoils_no_check_and_what_fits_later_arrives_once(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", small], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        with RehearsalHub(8284, together=True, folder=small) as hub:
            started(hub)
            learner = arrived(hub, "bo")
            hands_in(learner, 3)
            all_arrive_once(hub, 3)
            filled = fill(small)
            for _ in range(60):  # the journal's last block may have room for some
                ran = learner.kernel.run(HAND_IN + "; print(verdict.stage)")
                assert ran.error == "" and "passed" in ran.text
                if "progress is not being kept" in ran.text:
                    break
            else:
                raise AssertionError("nobody is told that the journal is full")
            hands_in(learner, 3)
            filled.unlink()
            hands_in(learner, 3)
            comes_back(learner)
            all_arrive_once(hub, 4)
            leaves(learner)
    finally:
        subprocess.run(["umount", "-l", small], check=False)


def fill(folder: Path) -> Path:
    """Leave no byte on the disk of `folder`; return the file that takes them."""
    path = folder / "filled"
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return path
