"""A kernel that crashes or never ends: told where, and the notebook goes on."""

import os
import platform
import resource
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.emulator import worker_client

from ..sampling import sampled
from . import kernel_of

pytestmark = pytest.mark.usefixtures("emulator")
ARM = platform.machine() in ("aarch64", "arm64")


@pytest.fixture
def x():
    return cuda.to_device(np.arange(64, dtype=np.float32))


@pytest.fixture
def limit():
    before = cuda.time_limit()
    yield cuda.time_limit
    cuda.time_limit(before)


def still_works(x):
    kernel_of("    x[threadIdx.x] += 1;")[1, 64](x)
    return x.get()


@pytest.mark.weekly
def test_a_watched_endless_loop_does_not_fill_the_memory(x):
    """Every access is kept until the thread waits or ends."""
    with pytest.raises(cuda.KernelError, match="line 4: .* here after 16 million steps") as caught:
        kernel_of("    while (x[0] < 1e30f) x[0] = x[1];").profile(1, 2, 0, x)
    assert caught.value.faults[0].kind == "too long"


def test_an_endless_loop_is_interrupted(x):
    """As by a notebook's stop button."""
    endless = kernel_of("    while (x[threadIdx.x] < 1e30f) x[threadIdx.x] *= 0.5f;")
    endless[4, 64](cuda.to_device(np.full(64, 1e31, np.float32)))  # compiled and loaded
    worker_client.process().ready()  # an interrupt that comes before is no launch's
    here = threading.main_thread().ident
    threading.Timer(0.5, signal.pthread_kill, [here, signal.SIGINT]).start()
    with pytest.raises(cuda.KernelError, match=r"line 4: .* still running here.* It was interrupt"):
        endless[4, 64](x)
    assert len(still_works(x)) == 64


SPIN = """template <int step> int spin(int n) {
    int i = 0;
    while (n > -1) i += step;
    return i;
}"""
ENDLESS = {
    "a loop": ("    while (x[1] < 1e30f) x[1] *= 0.5f;", "", "line 4: .* stopped after 0.4 s"),
    "behind a barrier": (
        "    __syncthreads();\n    while (x[1] < 1e30f) x[1] *= 0.5f;", "", "line 5: "),
    "in a template": ("    x[0] = spin<3>((int)x[1]);", SPIN, "line 3: "),
    "without a statement": ("    for (;;) {\n    }", "", r"kernel f \(from line 2 on\): "),
    "a lane that waits for another": (
        "    if (threadIdx.x) atomicAdd(x, 1);\n    else while (atomicAdd(x, 0) == 0) ;", "",
        "line 5: "),
    "printing": ('    while (x[0] < 1e30f) printf("again\\n");', "", "line 4: "),
}  # fmt: skip


@pytest.mark.parametrize("case", sampled(list(ENDLESS), 1, str))
def test_whatever_never_ends_is_told_by_its_line(x, limit, case, capsys):
    body, head, says = ENDLESS[case]
    limit(0.4)
    endless = kernel_of(body, head=head)
    with pytest.raises(cuda.KernelError, match=says) as caught:
        endless[4, 2](x)
    assert caught.value.faults[0].kind in ("endless", "stack")
    if case == "a loop":  # watched, it is mostly in the runtime, which counts its steps too
        with pytest.raises(cuda.KernelError, match="line 4: .* (stopped|still running)"):
            endless.profile(1, 2, 0, x)
    assert len(capsys.readouterr().out) < 10_000
    limit(60)
    assert len(still_works(x)) == 64


@pytest.mark.weekly
def test_a_kernels_time_begins_when_the_worker_is_there(x, limit, monkeypatch, tmp_path):
    late = tmp_path / "python"
    late.write_text(f'#!/bin/sh\nsleep 1\nexec "{sys.executable}" "$@"\n')
    late.chmod(0o755)
    endless = kernel_of("    while (x[1] < 1e30f) x[1] *= 0.5f;")
    worker_client.process().end()
    monkeypatch.setattr(sys, "executable", str(late))
    limit(0.4)
    with pytest.raises(cuda.KernelError, match="line 4: .* stopped after 0.4 s"):
        endless[1, 1](x)


DOWN = """__device__ float down(float *x, int n) {
    float t[8];
    for (int i = 0; i < 8; i++) t[i] = x[(n + i) % 64];
    return t[n % 8] + down(x, n + 1);
}"""
CRASHES = {  # a body, what stands before, whether it is profiled too, and what is told
    "recursion": ("    x[threadIdx.x] = down(x, threadIdx.x);", DOWN, True,
                  r"line \d+: thread .*has used up its stack: a function calls"),
    "a large frame": (
        "    float t[200000];\n    for (int i = 0; i < 200000; i++) t[i] = x[i % 64];\n"
        "    __syncthreads();\n    x[threadIdx.x] = t[(int)x[3]];", "", True,
        r"line \d+: thread .*its stack.* local arrays"),
    "a function at null": (
        "    void (*go)(int) = nullptr;\n    if (x[0] > 90) go = [](int) {};\n    go(1);", "",
        False, "line 6: thread .* a pointer that leads nowhere"),
    "an atomic far away": ("    atomicAdd(x + (1 << 28), 1.0f);", "", False,
                           "line 4: thread .* crashed"),
    "in a template": ("    put<7>(x);", "template <int k> void put(float *to) {\n"
                      "    to[k << 22] = 1;\n}", False, "line 2: thread .* crashed"),
    "a constant zero": ("    x[0] = (int)x[1] / 0;", "", False, "line 4: .* divides .* by zero"),
    "a local array overrun": (
        "    float own[4];\n    for (int i = 0; i < 12; i++) own[i] = i;\n"
        "    x[0] = own[(int)x[1]];", "", False,
        "Line 5, says the compiler: |line [56]: .* crashed"),
    "no dynamic memory": (
        "    extern __shared__ float s[];\n    s[threadIdx.x] = 1;", "", False,
        r"line 5: .* this launch asks for none: kernel\[grid, block, shared"),
    "far before": ("    if (threadIdx.x == 7) x[-100000] = 1;", "", False,
                   r"line 4: thread \(7, 0, 0\) of block \(0, 0, 0\) crashed while it touched "
                   r"x\[-100000\]"),
    "just behind": ("    x[threadIdx.x + 1] = 1;", "", False,
                    r"thread \(63, 0, 0\).* crashed while it touched x\[64\]"),
    "an assertion": ("    assert(threadIdx.x < 9);", "", False,
                     r"line 4: thread \(9, 0, 0\).* stopped the kernel"),
    "a trap": ("    __syncthreads(); if (threadIdx.x == 3) __trap();", "", False,
               r"thread \(3, 0, 0\).* stopped"),
}  # fmt: skip


@pytest.mark.parametrize("case", sampled(list(CRASHES), 2, str))
def test_whatever_crashes_is_told_by_its_line(x, limit, case):
    if case == "a constant zero" and ARM:
        pytest.skip("an Arm processor divides by zero without a signal")
    body, head, watched, says = CRASHES[case]
    limit(60)  # beside other programs the way down a stack takes long
    bad = kernel_of(body, head=head)
    with pytest.raises(cuda.KernelError, match=says):
        bad[1, 64](x)
    if watched:
        with pytest.raises(cuda.KernelError, match=says):
            bad.profile(1, 2, 0, x)
    assert len(still_works(x)) == 64


@pytest.mark.parametrize("watched", [False, True])
def test_a_flood_of_lines_is_cut(x, capsys, watched):
    loud = kernel_of('    for (int i = 0; i < 400; i++)\n        printf("%d %g\\n", i, x[0]);')
    loud.profile(4, 64, 0, x) if watched else loud[4, 64](x)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 1001 and printed[0] == "0 0"
    assert printed[-1].startswith(
        "kernel.cu, line 5: printf was called 102,400 times; the first 1,000 are shown."
    )


def test_a_shared_array_that_no_block_can_have():
    with pytest.raises(cuda.CompileError, match="line 4: more shared memory than a block can have"):
        kernel_of("    __shared__ float t[60000]; t[0] = 1; x[0] = t[0];")
    large = kernel_of("    __shared__ float t[12289]; t[threadIdx.x] = 1; x[0] = t[threadIdx.x];")
    with pytest.raises(cuda.KernelError, match="line 4: with t .* 49156 bytes of shared memory"):
        large[1, 32](cuda.empty(32))


def test_a_store_just_behind_an_array():
    """Too near for the processor to notice, in the last bytes of a page."""
    x = cuda.to_device(np.zeros(10, np.float32))
    with pytest.raises(cuda.KernelError, match=r"outside its arrays \(x\[12\], of 10 elements\)"):
        kernel_of("    x[3] = 5; x[12] = 1;")[1, 1](x)
    assert x.get()[3] == 5, "what was written before is kept"
    with pytest.raises(cuda.KernelError, match=r"\(x\[-1\], of 10 elements\)"):
        kernel_of("    x[-1] = 1;")[1, 1](x)


def test_the_worker_may_die_between_launches(x):
    still_works(x)
    os.kill(worker_client.process()._child.pid, signal.SIGKILL)
    worker_client.process()._child.wait()
    assert still_works(x)[0] == 2


@pytest.mark.skipif(sys.platform != "linux", reason="asks for another process's limit")
def test_a_recursion_finds_an_end_where_stacks_have_none(x):
    worker_client.process().end()
    before = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, before[1:] * 2)
    try:
        still_works(x)
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, before)
    pid = worker_client.process()._child.pid
    assert resource.prlimit(pid, resource.RLIMIT_STACK)[0] == 8 << 20


@pytest.mark.weekly
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_arrays_that_are_gone_leave_the_worker(x):
    def mapped():
        maps = Path(f"/proc/{worker_client.process()._child.pid}/maps").read_text()
        return maps.count("memfd:convladder")

    still_works(x)
    before = mapped()
    for _ in range(5):
        still_works(cuda.to_device(np.zeros(64, np.float32)))
    still_works(x)  # tells the worker of the last one
    assert mapped() == before


MODULE = """
__device__ int table[4];
__device__ int hits = 5;
__constant__ int more;
extern "C" __global__ void init() { table[threadIdx.x] = 7; }
extern "C" __global__ void f(int *y) { y[threadIdx.x] = table[threadIdx.x]; }
extern "C" __global__ void count(int *y) {
    int own[2] = {1, 0};
    hits += own[y[0]];
    y[1] = hits + more;
}
"""


@pytest.mark.weekly
def test_variables_belong_to_the_source(x):
    """Kernels of it, launches and profiles see what was stored before, once."""

    def named(name):
        return cuda.Kernel(MODULE, name)

    y, use = cuda.to_device(np.zeros(4, np.int32)), named("f")
    use[1, 4](y)
    named("init")[1, 4]()
    for run in (lambda: use[1, 4](y), lambda: use.profile(1, 4, 0, y)):
        y.set(np.zeros(4, np.int32))
        run()
        assert y.get().tolist() == [7] * 4
    count = named("count")
    y.set(np.zeros(4, np.int32))
    count.set_constant("more", np.array([100], np.int32))
    count[1, 1](y)
    assert count.profile(1, 1, 0, y).ok  # of two builds, whose second run counts no more
    assert named("count").get_constant("hits", np.int32).tolist() == [7]
    count[1, 1](y)
    assert y.get()[1] == 108 and use.get_constant("table", np.int32).tolist() == [7] * 4
    worker_client.process().end()
    count[1, 1](y)  # as in a process that has just begun, but for what was set
    assert y.get()[1] == 106
    with pytest.raises(cuda.LaunchError, match="no __constant__ or __device__ variable 'hit'"):
        count.get_constant("hit")
