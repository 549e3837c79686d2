"""NVRTC and the emulator say the same to small programs, valid and not, unless a reason is given.

At a push ten programs are judged, which their texts choose; weekly all of them.
"""

import random
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

PROGRAMS = programs()
SAMPLE = random.Random("".join(p.text for p in PROGRAMS)).sample(PROGRAMS, 10)
linux = pytest.mark.skipif(
    sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only"
)


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


def judged_again(program):
    if program.name in DIFFERENT and described() != recorded()["versions"]["compiler"]:
        return  # another compiler may well take it
    error = by_emulator(program)
    assert (error is not None) == (program.refused != (program.name in DIFFERENT)), error


@linux
@pytest.mark.parametrize("program", SAMPLE, ids=lambda each: each.name)
def test_a_sample(program):
    assert (by_nvrtc(program) is not None) == program.refused
    judged_again(program)


@linux
@pytest.mark.weekly
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_every_program(program):
    assert (by_nvrtc(program) is not None) == program.refused
    judged_again(program)
