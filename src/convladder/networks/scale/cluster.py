"""Workers of a Dask cluster: a local one by default, any scheduler's by its address."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from threading import Thread
from time import perf_counter, sleep
from typing import Any

from ...core.install import install_text
from . import worker_tasks

TRIES = 3  # of a recipe whose data were lost with a worker
SETTLE = 0.2  # seconds until the scheduler has noticed a death
LOOPBACK = "127.0.0.1"
WAIT = 60  # seconds for workers to come up, or for a scheduler to answer
SHORT = 5  # seconds for a connection: Dask's own 30 are what a word to a dead worker would take
# BLAS is held to one thread by Dask already.
ENVIRONMENT = {
    "NUMBA_NUM_THREADS": "1",
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{SHORT}s",
}
# Dask tells the workers' allocator to hand memory back at once. A layer's map would then come in
# fresh pages each time, to be zeroed first: a worker took a quarter longer (glibc, mallopt(3)).
ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": 2**28, "MALLOC_MMAP_THRESHOLD_": 2**25}
# Python would take half a second to take a worker's modules apart.
END_AT_ONCE = "import atexit, os; atexit.register(os._exit, 0)"
# What takes back how each team silenced the engine. The latest goes first, whichever team ends.
_BEFORE: list[ExitStack] = []


class NoWorkers(ImportError):
    """The package that starts workers, `distributed`, is not installed."""


class Team:
    """Workers with one client. `seconds`: how long they took to come up; `workers`: addresses.

    Values go to workers by `put` and `share`, work by `call`; all give Dask's futures, which hold
    the value where it is. `collect` brings results here, whatever dies meanwhile.
    """

    def __init__(self, client: Any, count: int, seconds: float):
        self.client, self.count, self.seconds = client, count, seconds
        self._shared: dict[tuple, tuple[Any, Any]] = {}
        self.workers = self._living()

    def put(self, value: Any, worker: int) -> Any:
        """Put `value` into the memory of one worker, straight from here: a future."""
        return self.client.scatter(
            value, workers=[self._at(worker)], direct=True, hash=False, timeout=SHORT
        )

    def share(self, value: Any, worker: int) -> Any:
        """Put what stays there, such as weights: sent once, however often it is asked for."""
        key = id(value), self._at(worker)
        kept = self._shared.get(key)
        if kept is None or kept[1].status != "finished":
            # The value is kept too: so its id stays its own.
            kept = self._shared[key] = value, self.put(value, worker)
        return kept[1]

    def call(self, function: Callable, *arguments: Any, worker: int) -> Any:
        """Run `function(*arguments)` on one worker, or on another if that one dies: a future.

        Futures among the arguments are replaced by their values, which Dask moves there.
        """
        return self.client.submit(
            function, *arguments, workers=[self._at(worker)], allow_other_workers=True, pure=False
        )

    def collect(self, recipes: Sequence[Callable[[], Any]]) -> list:
        """Return the results of each recipe's future or futures. All are begun before any
        is waited for.

        Dask runs a task again if its worker dies, as long as it has the arguments. Values that
        were `put` exist once: if they die with a worker, the recipe is used again. Raises
        `RuntimeError` if that happens `TRIES` times. Errors in the work itself pass through, except
        for an `OSError`, which is how a broken connection shows.
        """
        self.workers = self._living()
        begun = [[self._survive(recipe)] for recipe in recipes]

        def finish(recipe: Callable[[], Any], futures: list) -> Any:
            if not futures:  # they were lost, and this is another try
                futures.append(recipe())
            return self.client.gather(futures.pop(), direct=True)

        return [self._survive(partial(finish, *pair)) for pair in zip(recipes, begun)]

    def _survive(self, step: Callable[[], Any]) -> Any:
        """`step()`, again if a worker dies in it."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        for _ in range(TRIES):
            try:
                return step()
            except (FutureCancelledError, KilledWorker, OSError) as error:
                lost = error
                sleep(SETTLE)
                self.workers = self._living()
        raise RuntimeError(
            f"workers died in {TRIES} tries at the same part of the work; look at "
            "their memory, or at their logs"
        ) from lost

    def pids(self) -> list[int]:
        """Return the process numbers of the workers, on their machines."""
        living = self._living()  # of which one may be gone when it is asked
        found = self.client.run(os.getpid, workers=living, on_error="ignore")
        return [found[address] for address in living if address in found]

    def kill(self, worker: int) -> None:
        """End a worker's process at once, as a machine that fails would: for local teams."""
        os.kill(self.pids()[worker], signal.SIGKILL)

    def _living(self) -> list[str]:
        """Addresses of the workers there are now, in the order of their names.

        A local worker that died is replaced within a second or so.
        """
        end = perf_counter() + WAIT
        while not (found := self.client.scheduler_info(n_workers=-1)["workers"]):
            if perf_counter() > end:
                raise RuntimeError(f"all workers died, and none came back within {WAIT} s")
            sleep(SETTLE)
        return sorted(found, key=lambda address: str(found[address]["name"]))[: self.count]

    def _at(self, worker: int) -> str:
        return self.workers[worker % len(self.workers)]  # fewer, while a dead one is replaced


@contextmanager
def team(workers: int = 2, address: str | None = None) -> Iterator[Team]:
    """Start workers to cut work for, in `with team(2) as mates:`; all is closed on the way out.

    Without an address, `workers` processes of this machine with a thread each, which talk to one
    another over its loopback. With one, such as "tcp://10.0.0.7:8786", as many of that scheduler's
    workers; they need this package, in this version. Raises `ValueError` for less than one worker,
    `ConnectionError` if nobody answers or too few workers are there, `RuntimeError` if theirs is
    another version, `NoWorkers` where Dask is not installed.
    """
    from ... import __version__

    if workers < 1:
        raise ValueError(f"workers={workers} is too few; use 1 or more")
    start = perf_counter()
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        target = address if address else stack.enter_context(_local(workers))
        mates = Team(stack.enter_context(_client(target, workers)), workers, 0.0)
        versions = set(mates.client.run(worker_tasks.version).values())
        if versions != {__version__}:
            raise RuntimeError(
                f"workers have convladder {', '.join(sorted(versions))}, and this "
                f"is {__version__}: install the same version everywhere"
            )
        mates.seconds = perf_counter() - start
        try:
            yield mates
        except GeneratorExit:  # nobody closed it: a cell that starts a team was run again
            with suppress(RuntimeError):  # at the end of a process
                Thread(target=stack.pop_all().close).start()


@contextmanager
def _local(workers: int) -> Iterator[str]:
    """The address of a scheduler in a thread of this process, with its workers' processes.

    (Dask's own LocalCluster is told of deaths twice, and may fail when two come at once.)
    """
    started, stopping = Future(), Future()
    thread = Thread(target=asyncio.run, args=(_serve(workers, started, stopping),), daemon=True)
    thread.start()
    try:
        yield started.result()
    finally:
        stopping.set_result(None)
        thread.join()


async def _serve(workers: int, started: Future, stopping: Future) -> None:
    """Scheduler and workers, from the answer to `started`, their address, until `stopping`."""
    import dask
    from distributed import Nanny, Scheduler

    # A notebook's interrupt goes to all processes that it has started. They begin with the mask of
    # the thread that starts them: so the workers live on, and only the caller stops.
    resource_tracker.ensure_running()  # later it would take the mask off
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(
                dask.config.set(
                    {
                        f"distributed.nanny.pre-spawn-environ.{name}": value
                        for name, value in ALLOCATOR.items()
                    }
                )
            )
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            scheduler = await stack.enter_async_context(
                Scheduler(host=LOOPBACK, port=0, dashboard=False, dashboard_address=f"{LOOPBACK}:0")
            )
            nannies = [
                Nanny(
                    scheduler.address,
                    name=number,
                    nthreads=1,
                    host=LOOPBACK,
                    dashboard=False,
                    memory_limit=0,
                    local_directory=folder,
                    env=ENVIRONMENT,
                    preload=[END_AT_ONCE],
                    silence_logs=logging.CRITICAL + 1,
                )
                for number in range(workers)
            ]
            await asyncio.gather(*map(stack.enter_async_context, nannies))
            started.set_result(scheduler.address)
            await asyncio.wrap_future(stopping)
            await asyncio.gather(*(nanny.close() for nanny in nannies))  # else one after the other
    except BaseException as error:
        if started.done():
            raise
        started.set_exception(error)


@contextmanager
def _client(target: str, workers: int) -> Iterator[object]:
    from distributed import Client

    try:
        client = Client(target, direct_to_workers=True, set_as_default=False, timeout=SHORT)
    except (OSError, TimeoutError) as error:
        raise ConnectionError(
            f"no scheduler answers at {target}: start one with `dask scheduler`, "
            "or leave the address out"
        ) from error
    with client:
        try:
            client.wait_for_workers(workers, timeout=WAIT)
        except TimeoutError as error:
            there = len(client.scheduler_info(n_workers=-1)["workers"])
            raise ConnectionError(
                f"{there} of {workers} workers came within {WAIT} s; start more "
                "with `dask worker`, or ask for fewer"
            ) from error
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the engine's own log lines: of a worker that dies, the caller is to speak."""
    try:
        import dask
        import distributed  # sets its loggers up; only after that they can be silenced
    except ModuleNotFoundError as error:
        raise NoWorkers(
            "distributed is not installed, and starts the workers: " + install_text("scale")
        ) from error

    with ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.comm.timeouts.connect": f"{SHORT}s"}))
        for name in logging.root.manager.loggerDict:
            if name.split(".")[0] == distributed.__name__:
                for handler in logging.getLogger(name).handlers:
                    stack.callback(handler.setLevel, handler.level)
                    handler.setLevel(logging.CRITICAL + 1)
        _BEFORE.append(stack.pop_all())
    try:
        yield
    finally:
        _BEFORE.pop().close()
