"""Occupancy against NVIDIA's own calculator, and against figures that others have published."""

import random
import shutil
import subprocess

import pytest

from convladder.cuda.chips import CHIPS, chip_of
from convladder.cuda.errors import LaunchError
from convladder.cuda.occupancy import occupancy

# CUDA C++ Best Practices Guide, "Calculating Occupancy" (its chip has the SM of these two): 37
# registers give 12 blocks of 128 threads, 75 %, and 4 of 320 threads, 63 %.
# S. Boehm, "How to Optimize a CUDA Matmul Kernel": 37 registers and 8 KB of shared memory on an
# RTX A6000 give one block of 1024 threads, 66 %.
PUBLISHED = [
    ("sm_80", 128, 37, 0, 12, 0.75, ("registers",)),
    ("sm_90", 320, 37, 0, 4, 0.625, ("registers",)),
    ("sm_86", (32, 32), 37, 8192, 1, 2 / 3, ("warps", "registers")),
]


@pytest.mark.parametrize("arch, block, registers, shared, blocks, share, limited_by", PUBLISHED)
def test_published_examples(arch, block, registers, shared, blocks, share, limited_by):
    found = occupancy(CHIPS[arch], block, registers, shared)
    assert (found.blocks, found.limited_by) == (blocks, limited_by)
    assert found.share == pytest.approx(share)


def test_names_of_chips_and_a_block_that_none_takes():
    for block in ((32, 33), 2048):
        with pytest.raises(LaunchError, match="1056 threads|its x is 2048"):
            occupancy(CHIPS["sm_90"], block, 32)
    assert chip_of("sm_90a") is CHIPS["sm_90"]
    with pytest.raises(ValueError, match="'sm_70' is not known here: give one of sm_75, sm_80"):
        chip_of("sm_70")


# What NVIDIA's header needs to know is read from standard input, a case a line.
CALCULATOR = r"""
#include <cstdio>
#include "cuda_occupancy.h"
int main() {
    cudaOccDeviceProp chip;
    cudaOccFuncAttributes kernel;
    cudaOccDeviceState state;
    int reserved, shared, block;
    chip.maxThreadsPerBlock = 1024;
    chip.warpSize = 32;
    chip.numSms = 1;
    chip.regsPerBlock = chip.regsPerMultiprocessor = 65536;
    chip.sharedMemPerBlock = 48 * 1024;
    kernel.maxThreadsPerBlock = 1024;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    while (scanf("%d %d %d %zu %zu %d %d %d %d", &chip.computeMajor, &chip.computeMinor,
                 &chip.maxThreadsPerMultiprocessor, &chip.sharedMemPerMultiprocessor,
                 &chip.sharedMemPerBlockOptin, &reserved, &block, &kernel.numRegs, &shared) == 9) {
        cudaOccResult found;
        chip.reservedSharedMemPerBlock = reserved;
        kernel.maxDynamicSharedSizeBytes = shared;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &chip, &kernel, &state, block, shared))
            return 1;
        printf("%d\n", found.activeBlocksPerMultiprocessor);
    }
}
"""


@pytest.fixture(scope="module")
def nvidias(tmp_path_factory):
    """NVIDIA's calculator: from (chip, threads, registers, shared bytes) to blocks."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    pathfinder = pytest.importorskip("cuda.pathfinder", reason="the extra inspect is absent")
    header = pathfinder.find_nvidia_header_directory("cudart")
    if compiler is None or header is None:
        pytest.skip("needs a C++ compiler, and NVIDIA's header from the extra inspect")
    folder = tmp_path_factory.mktemp("calculator")
    (folder / "main.cpp").write_text(CALCULATOR)
    subprocess.run(
        [compiler, "-w", f"-I{header}", "main.cpp", "-o", "main"], cwd=folder, check=True
    )

    def ask(cases):
        text = ""
        for chip, *case in cases:
            sizes = chip.threads_per_sm, chip.shared_per_sm, chip.shared_per_block
            line = *divmod(int(chip.arch[3:]), 10), *sizes, chip.shared_reserved, *case
            text += " ".join(map(str, line)) + "\n"
        told = subprocess.run([folder / "main"], input=text.encode(), stdout=-1, check=True).stdout
        return [int(line) for line in told.split()]

    return ask


def test_the_same_as_nvidias_calculator(nvidias):
    draw = random.Random(0)
    cases = []
    for chip in CHIPS.values():
        for _ in range(1500):
            shared = 0, draw.randint(1, 4096), draw.randint(1, chip.shared_per_block + 600)
            cases += [(chip, draw.randint(1, 1024), draw.randint(1, 255), draw.choice(shared))]
    expected = nvidias(cases)
    assert len(expected) == len(cases) and len(set(expected)) > 20
    wrong = [
        (chip.arch, *case, blocks)
        for (chip, *case), blocks in zip(cases, expected)
        if occupancy(chip, *case).blocks != blocks
    ]
    assert not wrong, f"{len(wrong)} of {len(cases)}, NVIDIA's answer last: {wrong[:5]}"
