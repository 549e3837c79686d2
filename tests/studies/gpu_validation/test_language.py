"""NVRTC and the emulator say the same to small programs, unless a reason is given."""

import re
import sys

import pytest

from convladder.cuda.emulator.toolchain import described
from studies.gpu_validation.language import (
    DIFFERENT,
    by_emulator,
    by_nvrtc,
    groups,
    programs,
    recorded,
)

from ...sampling import sampled

PROGRAMS = programs()


def test_the_record_is_of_these_programs():
    assert recorded()["programs"] == groups()


def test_the_two_differ_only_where_a_reason_is_given():
    refused = recorded()["refused"]
    assert {name for name, said in refused.items() if said["nvrtc"]} == {
        each.name for each in PROGRAMS if each.refused
    }
    assert {
        name
        for name, said in refused.items()
        if (said["nvrtc"] is None) != (said["emulator"] is None)
    } == DIFFERENT.keys()


def test_whatever_is_refused_is_told_by_its_line():
    """But for what has none: the sum of all constants, and a kernel that is not there."""
    for name, said in recorded()["refused"].items():
        if said["emulator"]:
            assert re.match(
                r"line \d+: |.*more than 65536 bytes|.*has no kernel", said["emulator"]
            ), name


@pytest.mark.skipif(sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only")
@pytest.mark.parametrize("program", sampled(PROGRAMS, 6))
def test_the_two_judge_a_program_alike(program):
    assert (by_nvrtc(program) is not None) == program.refused
    if program.name in DIFFERENT and described() != recorded()["versions"]["compiler"]:
        return  # another compiler may well take it
    error = by_emulator(program)
    assert (error is not None) == (program.refused != (program.name in DIFFERENT)), error
