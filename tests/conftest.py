"""What the tests share: shapes, memory that is never right by chance, a journal, a browser."""

import importlib
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numba
import numpy as np
import pytest

from convladder import PAPER, REPORT, ConvProblem
from convladder.journal import VARIABLE as JOURNAL
from convladder.journal import log
from convladder.measure.hardware import HOLDS
from convladder.measure.machine_lock import VARIABLE as LOCK
from convladder.measure.quick import VARIABLE
from convladder.networks import lenet
from convladder.networks.lenet.network import SHAPES, Weights
from convladder.networks.lenet.reference import logits


def problems(text: str) -> list[ConvProblem]:
    """The problems of a text, one in each line."""
    return [ConvProblem.parse(line) for line in text.split()]


# Each stands for a way to go wrong: batch, tails, one row or column, 1×1, unequal stride and
# padding, padding wider than the kernel, stride beyond the kernel, a kernel as large as the image.
ODD_PROBLEMS = problems("""
    5x5x1,3x3x1
    2x7x5x3,3x2x4
    3x9x11x2,5x3x7,s2x3,p1x2
    8x6x5,1x1x3
    2x8x6x5,1x1x3,s2,p1
    1x9x2,1x4x3,s1x2
    9x1x2,4x1x3,s2x1
    4x4x3,4x4x2
    2x5x4x2,2x2x3,s1,p3
    2x10x11x1,2x2x2,s3
    2x6x7x3,3x3x33,s1,p1
    3x3x2,5x5x2,s1,p1
""")


def random_problem(seed: int) -> ConvProblem:
    """A small problem of any stride, padding, batch and kernel that fits its image."""
    rng = np.random.default_rng(seed)
    k_h, k_w = rng.integers(1, 6, 2).tolist()
    p_h, p_w = rng.integers(0, 5, 2).tolist()
    i_h, i_w = (
        max(1, k - 2 * p) + e
        for k, p, e in zip((k_h, k_w), (p_h, p_w), rng.integers(0, 8, 2).tolist())
    )
    i_n, i_c, k_c = rng.integers(1, 5, 3).tolist()
    stride = tuple(rng.integers(1, 4, 2).tolist())
    return ConvProblem(i_n, i_h, i_w, i_c, k_h, k_w, k_c, stride, (p_h, p_w))


RANDOM_PROBLEMS = [random_problem(seed) for seed in range(40)]
# With dilation and groups. Unequal in both directions; stride and dilation with a common factor and
# without; multipliers; gaps as wide as the image; windows that lie in the padding alone; one group
# of many channels.
GENERAL_PROBLEMS = problems("""
    2x9x8x6,3x2x9,s2x1,p1x2,d2x3,g3
    2x9x11x4,3x3x5,s1,p2,d2
    9x8x5,2x3x5,s1,p2,d3x1,g5
    2x10x7x3,3x2x12,s4x2,p3,d2x4,g3
    7x9x1,3x3x4,s3x1,p0,d3x4
    2x5x6x34,1x1x17,g17
    5x4x2,2x2x4,s1,p4,d4,g2
    3x7x5x20,3x2x20,s2,p1,d2x1,g20
""")
BENCHMARK_PROBLEMS = {**PAPER, "report": REPORT}


@pytest.fixture(autouse=True)
def measurements_in_full(monkeypatch) -> None:
    """What CI asks of the notebooks is not asked of the tests: they prove the whole."""
    for name in (VARIABLE, *HOLDS):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def measurements_undisturbed(monkeypatch) -> None:
    """Tests run beside others: what is measured again, and how it is labelled, does not depend on
    them. Those of the share received say what it is.
    """
    monkeypatch.setattr("convladder.measure.timing.LEAST_SHARE", 0.0)
    monkeypatch.delenv(LOCK, raising=False)


@pytest.fixture
def journal(tmp_path, monkeypatch) -> Path:
    """A journal's file, which is not there yet, in a folder that is not there either."""
    path = tmp_path / "home" / "progress.jsonl"
    monkeypatch.setenv(JOURNAL, str(path))
    monkeypatch.setattr(log, "_SHOWN", set())
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator:
    """Chromium or Chrome, driven by Playwright; where there is none, a skip that says so."""
    from tools.replays import BROWSERS

    playwright = pytest.importorskip("playwright.sync_api", reason="no extra `browser` here")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser here: {', '.join(BROWSERS)}")
    quiet = (
        "--no-sandbox --disable-gpu --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync"
    )
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=quiet.split())
        yield found
        found.close()


@pytest.fixture
def emulator(monkeypatch) -> None:
    """For what is the emulator's alone: arrays and kernels are its, where there is a GPU too."""
    module = importlib.import_module("convladder.cuda.backend")
    monkeypatch.setattr(module, "backend", lambda: "emulator")
    monkeypatch.setattr("convladder.cuda.backend", lambda: "emulator")


@pytest.fixture
def watched_first(monkeypatch) -> None:
    """For tests that watch kernels: the form that is launched is compiled only where needed."""
    module = importlib.import_module("convladder.cuda.emulator.launcher")
    monkeypatch.setattr(module, "Emulated", partial(module.Emulated, traced=True))


@pytest.fixture(scope="session")
def numba_loaded() -> None:
    """Numba knows NumPy by its functions as it finds them at its first compilation.

    One that is replaced just then would be unknown to it in every later test of the process.
    """
    numba.njit(lambda n: n + 1)(1)


@pytest.fixture
def poison(numba_loaded, monkeypatch) -> Callable[[Callable[[np.ndarray], None]], None]:
    """Call it with a function that fills an array: from then on ``np.empty`` fills what it gives.

    A value that is never written can then not pass as one that happened to lie there.
    """
    empty = np.empty

    def start(fill: Callable[[np.ndarray], None]) -> None:
        def poisoned(*args, **kwargs):
            array = empty(*args, **kwargs)
            fill(array)
            return array

        monkeypatch.setattr(np, "empty", poisoned)

    return start


@pytest.fixture(scope="session")
def other_weights(noise) -> Weights:
    """Weights by chance, under which labels depend on every layer."""
    rng = np.random.default_rng(1)
    arrays = {
        name: rng.normal(
            0, 0.1 if name.endswith("bias") else np.prod(shape[:-1]) ** -0.5, shape
        ).astype(np.float32)
        for name, shape in SHAPES.items()
    }
    for name, array in arrays.items():  # the last of everything is easily left out: let it count
        if name.startswith("fc") and array.ndim == 2:
            array[:, -1] *= 8
        elif array.ndim == 4:
            array[-1, -1] *= 3
    # Without its mean, no digit is the answer to everything.
    arrays["fc3_bias"] -= logits(noise, Weights(**arrays)).mean(axis=0).astype(np.float32)
    for array in arrays.values():  # as the shipped ones are, for which Numba has compiled
        array.flags.writeable = False
    return Weights(**arrays)


@pytest.fixture(scope="session")
def noise() -> np.ndarray:
    """100 images of which no two pixels are alike, and 55 real ones."""
    random = np.random.default_rng(2).integers(0, 256, (100, 28, 28), np.uint8)
    return np.concatenate([random, lenet.images()[:55]])
