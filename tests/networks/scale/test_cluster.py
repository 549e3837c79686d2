"""Teams: every cut gives what one process gives, whatever dies; nothing is left open or printed."""

import os
import signal
import threading
import time

import numpy as np
import psutil
import pytest

from convladder.networks.scale import (
    CUTS,
    all_reduce_bytes,
    by_images,
    by_rows,
    data_parallel,
    gradients,
    photo_network,
    received_bytes,
    team,
)
from convladder.networks.scale.network import Network

NETWORK = photo_network(20)
RNG = np.random.default_rng(2)
X = RNG.standard_normal((5, 20, 20, 3), dtype=np.float32)


class Slow(Network):
    """Long enough to die in."""

    def forward(self, x):
        time.sleep(0.6)
        return super().forward(x)


def fail(x):
    raise ZeroDivisionError("of the work itself")


@pytest.fixture(scope="module")
def mates():
    with team(2) as found:
        yield found
        workers = set(found.pids())
    left = {process.pid for process in psutil.Process().children(recursive=True)}
    assert not left & workers


@pytest.mark.parametrize(
    "way",
    [*(cut.run for cut in CUTS.values()), lambda *all: by_rows(*all, exchange=True)],
    ids=[*CUTS, "rows exchanged"],
)
def test_every_way_gives_the_same(mates, way):
    for x in (X, X[:1]):  # also fewer images than workers
        assert np.allclose(way(mates, NETWORK, x), NETWORK.forward(x), rtol=1e-5, atol=2e-5)


def test_gradients_of_shares_add_up_and_move_the_bytes_predicted(mates):
    whole, before = gradients(NETWORK, X), received_bytes(mates)
    found = data_parallel(mates, NETWORK, X)
    taken = np.subtract(received_bytes(mates), before)
    assert np.allclose(found, whole, rtol=1e-4, atol=1e-5 * np.abs(whole).max())
    predicted = all_reduce_bytes(whole.nbytes, 2)
    assert (taken >= predicted).all() and (taken < 1.01 * predicted).all()


def test_the_workers_have_one_thread_each(mates):
    import numba

    assert set(mates.client.run(numba.get_num_threads).values()) == {1}


def test_errors_of_the_work_pass_through(mates):
    with pytest.raises(ZeroDivisionError, match="of the work itself"):
        mates.collect([lambda: mates.call(fail, 1, worker=0)])


def test_an_interrupt_of_the_notebook_leaves_the_workers_alive(mates):
    """Jupyter sends it to all processes that a kernel has started."""
    before = mates.pids()
    for pid in before:
        os.kill(pid, signal.SIGINT)
    assert np.array_equal(by_images(mates, NETWORK, X), NETWORK.forward(X))
    assert mates.pids() == before


@pytest.mark.weekly  # a notebook of chapter 18 does as much at every push
def test_a_worker_that_dies_in_the_middle_is_replaced(mates, capfd):
    slow = Slow(NETWORK.problems, NETWORK.weights)
    before = mates.pids()
    killer = threading.Timer(0.3, os.kill, (before[0], 9))
    killer.start()
    start = time.perf_counter()
    y = by_images(mates, slow, X)
    assert time.perf_counter() - start > 0.8, "nothing was computed again"
    killer.join()
    assert np.array_equal(y, NETWORK.forward(X))
    assert before[0] not in mates.pids()
    assert capfd.readouterr() == ("", "")


@pytest.mark.weekly
def test_all_of_them_may_die(mates, capfd):
    for pid in mates.pids():
        os.kill(pid, 9)
    assert np.array_equal(by_images(mates, NETWORK, X), NETWORK.forward(X))
    assert capfd.readouterr() == ("", "")


def test_a_scheduler_by_its_address(mates, capfd):
    mine = set(mates.pids())
    with team(1, address=mates.client.scheduler.address) as there:
        assert np.array_equal(by_images(there, NETWORK, X), NETWORK.forward(X))
    assert mine <= {process.pid for process in psutil.Process().children(recursive=True)}
    assert capfd.readouterr() == ("", "")


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr("convladder.networks.scale.cluster.SHORT", 0.1)
    address = "tcp://127.0.0.1:9"
    with (
        pytest.raises(ConnectionError, match=f"no scheduler answers at {address}"),
        team(1, address=address),
    ):
        pass


def test_too_few():
    with pytest.raises(ValueError, match="workers=0"), team(0):
        pass
