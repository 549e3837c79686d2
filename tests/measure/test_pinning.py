import pytest
import threadpoolctl

from convladder.core import processor
from convladder.core.processor import available_cores, cpu_quota
from convladder.measure import threads


def blas_threads():
    """Return the threads of each loaded BLAS; other pools, as of OpenMP, may load meanwhile."""
    return {
        lib["filepath"]: lib["num_threads"]
        for lib in threadpoolctl.threadpool_info()
        if lib["user_api"] == "blas"
    }


def test_blas_is_held_and_let_go():
    before = blas_threads()
    if not before:
        pytest.skip("this NumPy's BLAS cannot be held (Accelerate)")
    with threadpoolctl.threadpool_limits(limits=2):  # differs from 1 on any machine
        with threads(1) as n:
            assert n == 1
            assert set(blas_threads().values()) == {1}
        assert set(blas_threads().values()) == {2}
    after = blas_threads()
    assert {path: after[path] for path in before} == before


def test_numba_is_held_and_let_go_even_after_an_error():
    import numba

    before = numba.get_num_threads()
    with pytest.raises(KeyError), threads(1):
        assert numba.get_num_threads() == 1
        raise KeyError
    assert numba.get_num_threads() == before


@pytest.mark.parametrize("n", [0, available_cores() + 1])
def test_out_of_range(n):
    message = rf"threads={n} .* 1 to {available_cores()} "
    with pytest.raises(ValueError, match=message), threads(n):
        pass
    with pytest.raises(TypeError, match="threads=1.5 "), threads(1.5):
        pass


V1 = {"quota": 150000, "period": 100000}


@pytest.mark.parametrize(
    "group, files, cores",
    [
        ("0::/a/b", {"sys/fs/cgroup/a/cpu.max": "50000 100000"}, 1),
        ("0::/a/b", {"sys/fs/cgroup/a/b/cpu.max": "max 100000"}, None),
        ("0::/of/the/host", {"sys/fs/cgroup/cpu.max": "100000 100000"}, 1),
        (
            "4:memory:/x\n3:cpu,cpuacct:/x",
            {f"sys/fs/cgroup/cpu/x/cpu.cfs_{n}_us": str(t) for n, t in V1.items()},
            2,
        ),
    ],
)
def test_a_quota_is_found_in_the_control_groups(tmp_path, group, files, cores):
    for name, text in {"proc/self/cgroup": group, **files}.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
    assert cpu_quota(tmp_path) == cores


def test_a_quota_and_numba_hold_the_cores(monkeypatch):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    monkeypatch.setattr(processor, "cpu_quota", lambda: None)
    monkeypatch.setattr(processor.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert available_cores() == 8
    monkeypatch.setattr(processor, "cpu_quota", lambda: 3)
    assert available_cores() == 3
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert available_cores() == 1
