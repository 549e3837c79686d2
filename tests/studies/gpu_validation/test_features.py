"""What the emulator has beyond the plain language: the same bits as a GPU's, and the rest refused.

`counts.features` has the kernels, `bench.features` a GPU's values. Some 40 s of CPU time, most of
it compiling; a part of it at a push, another each week.
"""

import re

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.emulator.features import GPU_ONLY, SUPPORTED
from studies.gpu_validation import features
from studies.gpu_validation.case import KERNELS
from studies.gpu_validation.features import recorded

from ...sampling import sampled

pytestmark = pytest.mark.usefixtures("emulator")

CASES = features.cases()
SMALL = [case for case in CASES if case.source.stem in ("halves", "bfloat16")]


@pytest.mark.parametrize("case", sampled(CASES, 3))
def test_the_emulator_gives_the_gpu_s_bits(case):
    assert features.values(case, "emulator") == recorded()["values"][case.name]


@pytest.mark.parametrize("case", sampled([c for c in CASES if c not in SMALL], 1))
def test_watched_it_is_not_accused(case):
    report, _ = case.profile()
    assert report.ok, [str(fault) for fault in report.faults]


def test_every_float_was_rounded_as_on_the_gpu():
    """Of the present text of the conversions: whoever changes it has them compared again."""
    record = recorded()
    assert record["floats"] == 2**32
    assert record["rounding"] == features.told(
        np.frombuffer(features.rounding().encode(), np.uint8)
    )
    assert len(record["differing"]) == 8 and set(record["differing"].values()) == {0}


def test_each_name_that_is_listed_stands_in_a_kernel_that_ran():
    stems = "language groups orders copies halves bfloat16 small_floats tensor".split()
    text = "\n".join(path.read_text() for path in KERNELS.iterdir() if path.stem in stems)
    # What small_floats.cuh builds from a prefix and a suffix, as both types have it.
    for kind, pair in (("half", "half2"), ("bfloat16", "bfloat162")):
        for macro, word in (("NAMED", kind), ("PAIRED", pair), ("TWICE", f"{kind}2{pair}")):
            text += "\n" + "\n".join(
                a + word + b for a, b in re.findall(rf"{macro}\((\w*), (\w*)\)", text)
            )
    absent = {
        name
        for each in SUPPORTED
        for name in each.names
        if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    }
    assert not absent
    for each in SUPPORTED:
        assert not each.header or f"#include <{each.header}>" in text
        assert each.name in str(cuda.features())


REFUSED = {
    '  asm volatile("nop;");': "PTX (asm)",
    "  x[0] = tex2D<float>(x, 1, 2);": "a texture or surface (tex2D)",
    "  x[0] = tex1Dfetch<float>(0, 1);": "a texture or surface (tex1Dfetch)",
    "  auto c = cooperative_groups::this_cluster();": "a cluster of blocks",
    "  cuda::device::memcpy_async_tx(x, x, 16);": "a bulk copy or tensor map, TMA",
    "  f<<<1, 1>>>(x);": "a launch inside the source, <<< (launch it from Python),",
    "  cudaDeviceSynchronize();": "a launch or stream inside a kernel, dynamic parallelism "
    "(cudaDeviceSynchronize)",
    "  cooperative_groups::this_grid().sync();": "a barrier of the whole grid (grid.sync)",
    "  auto t = cooperative_groups::tiled_partition<64>("
    "cooperative_groups::this_thread_block());": "a tile of more lanes than 32",
    "  __shared__ cuda::barrier<cuda::thread_scope_device> b;": "a cuda::barrier of another scope "
    "than thread_scope_block",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_only_a_gpu_has_is_refused_by_name(line):
    source = (
        "#include <cooperative_groups.h>\n#include <cuda/barrier>\n"
        f"__global__ void f(float *x) {{\n{line}\n}}"
    )
    with pytest.raises(cuda.CompileError) as caught:
        cuda.Kernel(source, "f")
    assert caught.value.lines[0][0] == 4
    assert str(caught.value).startswith(f"kernel.cu, line 4: {REFUSED[line]}")
    assert "needs a GPU: the gpu tier runs it, the emulator does not" in str(caught.value)


def test_every_refusal_has_its_example():
    told = "\n".join([*REFUSED, "#include <cuda/ptx> <cub/x> __mbarrier_init this_multi_grid"])
    assert [pattern for pattern in GPU_ONLY if not re.search(pattern, told)] == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "__pipeline_memcpy_async(&s[4 * t], &x[t], 12);",
            "copies 12 bytes asynchronously; 4, 8 and",
        ),
        ("__pipeline_memcpy_async(&s[t], &x[t], 8);", "at an address that is not a multiple of 8"),
        ("__pipeline_memcpy_async(&x[t], &x[32 + t], 4);", "outside of all shared memory"),
        ("__pipeline_memcpy_async(&s[t], &x[t], 4);", "and nothing waits for it"),
    ],
)
def test_copies_that_cannot_be(body, says):
    """Told by a plain launch too."""
    kernel = cuda.Kernel(
        "#include <cuda_pipeline.h>\n__global__ void f(float *x) {\n"
        "  __shared__ float s[128];\n  int t = threadIdx.x;\n"
        f"  {body}\n}}",
        "f",
    )
    with pytest.raises(cuda.KernelError, match=rf"line 5: .*{says}"):
        kernel[1, 32](cuda.to_device(np.zeros(64, np.float32)))
