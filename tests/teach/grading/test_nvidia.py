"""NVIDIA's own compiler has its say in a check where it is installed, and nobody waits for it."""

import sys

import pytest

from convladder import cuda
from convladder.cuda.inspect import nvrtc
from convladder.teach import check
from convladder.teach.exercises import load_exercises
from convladder.teach.grading import nvidia
from convladder.teach.grading import stages

GREY = load_exercises()["grey"].solution
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only"
)


def grey(line):
    return GREY.replace("    int at = h", f"    {line}\n    int at = h")


@pytest.fixture
def absent(monkeypatch):
    def require():
        raise cuda.MissingPackages("not here")

    monkeypatch.setattr(nvrtc, "require", require)
    nvidia._said.cache_clear()
    yield
    nvidia._said.cache_clear()


def test_both_refuse():
    verdict = check("grey", grey("float tone = brightness;"))
    assert verdict.stage == stages.DOES_NOT_COMPILE
    assert verdict.message.startswith("Your kernel `grey` does not compile: line 7: 'brightness'")
    assert "NVIDIA's compiler, line 7: `brightness` is not declared" in verdict.detail


def test_only_the_emulator_refuses():
    verdict = check("grey", grey("float tone = __fadd_rz(1, 2);"))
    assert verdict.stage == stages.DOES_NOT_COMPILE
    assert "CUDA has it, the emulator has not" in verdict.message
    assert nvidia.TAKEN in verdict.detail


def test_only_nvidia_refuses():
    """g++ has no objection to a reference that is never used; nothing like it is known of ours."""
    refused = "on no GPU:\nNVIDIA's compiler, line 2: `b` is not"
    with pytest.raises(cuda.CompileError, match=refused):
        nvidia.compiled(
            lambda: "made",
            nvidia.asked('extern "C" __global__ void f(float *a) {\n  a[0] = b;\n}', "f"),
        )


def test_a_right_answer_is_right_with_and_without(absent):
    without = check("grey", GREY)
    assert without.passed
    assert nvidia._said(GREY, "grey") == nvidia.Said(False)
    verdict = check("grey", grey("float tone = brightness;"))
    assert verdict.stage == stages.DOES_NOT_COMPILE and "NVIDIA" not in str(verdict)


def test_a_compiler_that_fails_fails_nobody(monkeypatch):
    def broken(*_):
        raise OSError("no space left")

    monkeypatch.setattr(nvrtc, "compile_cubin", broken)
    nvidia._said.cache_clear()
    assert check("grey", GREY + "// once more\n").passed
    nvidia._said.cache_clear()


def test_the_package_s_own_kernels_are_not_asked_about(monkeypatch):
    monkeypatch.setattr(nvidia, "asked", lambda *_: pytest.fail("asked"))
    from convladder.teach.grading.check import grade

    exercise = load_exercises()["grey"]
    assert grade(exercise, GREY, watch=False).passed


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ('expected a ";"', "a `;` is missing here, or before"),
        ('cannot open source file "vector"', "there is no header `vector`: a source stands alone"),
        ("too few arguments in function call", "too few arguments are given"),
        ("something new", "something new"),
    ],
)
def test_plain_words(said, plain):
    assert nvidia.plain(said) == plain
