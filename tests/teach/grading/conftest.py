"""At a push, kernels under check are not compiled for all that the emulator can look at."""

import pytest

from convladder.cuda.emulator import launcher


@pytest.fixture(autouse=True)
def indices_compared_weekly(request, monkeypatch):
    """Do without the build that compares indices with a thread's own arrays: a third of a second
    for each of hundreds of sources. tests/cuda/test_local_arrays.py has it at each push."""
    if "not weekly" in request.config.option.markexpr:
        monkeypatch.setattr(launcher, "has_sized_arrays", lambda *_: False)
