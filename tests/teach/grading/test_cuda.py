"""Answers in CUDA C++: each way to go wrong ends in a verdict of its own, and never in an error."""

import gc

import numpy as np
import pytest

from convladder import cuda
from convladder.cuda.emulator.arrays import DeviceArray
from convladder.teach import check, contest, traffic
from convladder.teach.exercises import load_exercises
from convladder.teach.grading import cuda as kernels
from convladder.teach.grading import misconceptions
from convladder.teach.grading import stages
from convladder.teach.plots.style import Picture

EXERCISES = load_exercises()
GREY = EXERCISES["grey"].solution
HEAD = GREY[: GREY.index("{")]


def mistake(exercise, name):
    return next(m.wrong for m in EXERCISES[exercise].misconceptions if m.name == name)


def grey(line):
    """The right kernel, which first does what `line` says, in each thread that has a pixel."""
    return GREY.replace("    int at = h", f"    {line}\n    int at = h")


WRONG = {
    "no string": (5, stages.WRONG_SHAPE, "the source of a kernel `grey`, a string; it was given 5"),
    "a function": (lambda x: GREY, stages.WRONG_SHAPE, "it was given a function"),
    "empty": ("", stages.DOES_NOT_COMPILE, "no kernel 'grey'"),
    "a name misspelt": (
        GREY.replace("i_h * i_w", "i_h").replace("int at", "int att"),
        stages.DOES_NOT_COMPILE,
        "line 8: ",
    ),
    "a semicolon forgotten": (
        GREY.replace("threadIdx.x;", "threadIdx.x"),
        stages.DOES_NOT_COMPILE,
        "line ",
    ),
    "another name": (GREY.replace("grey", "gray"), stages.DOES_NOT_COMPILE, "it has gray"),
    "a parameter too few": (
        GREY.replace(", int i_w)", ")").replace("i_w", "9"),
        stages.NO_LAUNCH,
        "it takes (const float *x, float *y, int i_h), and",
    ),
    "doubles": (
        GREY.replace("const float", "const double"),
        stages.NO_LAUNCH,
        "it takes (const double *x",
    ),
    "written to its input": (
        GREY.replace("const float *x", "float *x").replace("y[at] =", "x[3 * at] = y[at] ="),
        stages.TOUCHES_INPUT,
        "argument `x` in place",
    ),
    "crash": (grey("*(volatile int *)16 = h;"), stages.FAULT, "thread (0, 0, 0)"),
    "nothing written": (HEAD + "{ }", stages.WRONG_VALUES, "Is every element written"),
}


@pytest.mark.parametrize("source, stage, words", WRONG.values(), ids=WRONG)
def test_each_failure_has_its_verdict(source, stage, words):
    verdict = check("grey", source)
    assert not verdict.passed
    assert verdict.stage == stage, verdict
    assert words in verdict.message
    assert "Traceback" not in repr(verdict)


def test_a_kernel_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr(kernels, "SECONDS", 0.5)
    verdict = check("grey", grey("while (h == 0 && w == 0) y[0] = i_h;"))
    misconceptions.mistakes_of.cache_clear()  # of usual mistakes that took longer than this, if any
    assert verdict.stage == stages.FAULT and verdict.misconception is None
    assert "still running here. It was stopped after 0.5 seconds" in verdict.message


@pytest.mark.weekly
def test_no_device_memory_is_kept_once_a_mistake_is_judged():
    def alive():
        gc.collect()
        return {each.number for each in gc.get_objects() if type(each) is DeviceArray}

    before = alive()
    verdicts = [check("grey", each.wrong) for each in load_exercises()["grey"].misconceptions]
    assert stages.FAULT in [verdict.stage for verdict in verdicts]
    assert not alive() - before


@pytest.mark.weekly
def test_an_endless_loop_is_here_only_where_its_line_is_known(monkeypatch):
    monkeypatch.setattr(kernels, "SECONDS", 0.5)
    source = EXERCISES["linear_rows"].solution.replace("step /= 2", "step /= 1")
    verdict = check("linear_rows", source)
    misconceptions.mistakes_of.cache_clear()
    assert verdict.stage == stages.FAULT
    assert ("fault: line" in verdict.message) == ("running here." in verdict.message), verdict


def test_over_budget_the_lines_are_those_with_most_of_what_is_over():
    source, grid, block = mistake("my_stage", "weights from global memory")(3)
    verdict = check("my_stage", lambda images: (source, -(-images // 2), block))
    assert verdict.stage == stages.OVER_BUDGET
    counts = [line for line in verdict.detail.splitlines() if " requests to " in line]
    assert counts and all("sectors loaded" in line for line in counts)


def test_a_compile_error_shows_the_learners_line_and_no_case():
    verdict = check("grey", GREY.replace("int at", "int att"))
    assert verdict.message.startswith("Your kernel `grey` does not compile: line 8: ")
    assert "y[at] = 0.299f" in verdict.detail and "case" not in verdict.detail


def test_a_fault_names_thread_line_and_index_and_shows_the_line():
    verdict = check("grey", mistake("grey", "no test of the bounds"))
    assert verdict.stage == stages.FAULT
    assert "line 7: thread (0, 0, 0)" not in verdict.message
    assert "reads x[18]" in verdict.message or "writes y[6]" in verdict.message
    assert "0.587f * x[3 * at + 1]" in verdict.detail and "case 1 of 3" in verdict.detail


def test_other_names_and_another_layout_make_the_same_mistake():
    own = r"""
extern "C" __global__ void grey(const float *picture, float *result, int rows, int columns) {
    // threads beyond the picture go on here
    const int row = threadIdx.y + blockDim.y * blockIdx.y, column = threadIdx.x
        + blockDim.x * blockIdx.x;
    const float *rgb = &picture[(row * columns + column) * 3];
    result[row * columns + column] = rgb[0] * .299f + rgb[1] * .587f + rgb[2] * .114f;
}
"""
    assert check("grey", own).misconception == "no test of the bounds"
    assert check(
        "grey",
        own.replace(
            "    const float *rgb", "    if (column >= columns) return;\n    const float *rgb"
        ),
    ).misconception == ("the height is not tested")


def test_own_variables_in_shared_memory_race_alike():
    own = EXERCISES["row_blur"].solution.replace("row[", "line_of_pixels[")
    assert check("row_blur", own).passed
    assert check("row_blur", own.replace("__syncthreads();", "")).misconception == "as it was given"


@pytest.mark.weekly
def test_a_sum_over_blocks_without_atomics_fails_with_its_line():
    """Each block adds one row of the weights, and here, block after block, the sums are right."""
    source, grid, block = EXERCISES["my_direct"].solution(
        EXERCISES["my_direct"].cases(np.random.default_rng(0))[0][2]
    )
    cut = source.replace("for (int a = 0; a < k_h; a++)", "int a = blockIdx.y;")
    cut = cut.replace("    y[(h", "    if (a == 0) y[(h * o_w + v) * k_c + k] = 0;\n    y[(h")
    verdict = check(
        "my_direct",
        lambda p: (cut.replace("+ k] = sum", "+ k] += sum"), (grid[0] * 9, p.k_h), block),
    )
    assert verdict.stage == stages.FAULT
    assert "thread (0, 0, 0) of block (0, 1, 0) reads y[0, 0, 0]" in verdict.message
    assert "of block (0, 0, 0) (line 18) has written with nothing between" in verdict.message
    assert "line 18: y[(h * o_w + v) * k_c + k] += sum;" in str(verdict)


def test_wrong_values_come_before_stores_of_one_value():
    assert check("grey", mistake("grey", "blocks overlap")).stage == stages.WRONG_VALUES
    loop = check("grey", mistake("grey", "a loop over the image"))
    assert loop.stage == stages.FAULT and "write the same value to y[0, 0]" in loop.message


def test_a_kernel_object_is_an_answer_too():
    assert check("grey", cuda.Kernel(GREY, "grey", backend="emulator")).passed


def test_without_a_compiler_nothing_is_judged_and_nothing_raised(monkeypatch):
    def none():
        raise cuda.NoBackend("none")

    monkeypatch.setattr(kernels, "compiler", none)
    plan = EXERCISES["my_direct"].solution
    for verdict in (
        check("grey", GREY),
        check("my_direct", plan),
        traffic("grey", GREY),
        contest("my_direct", plan, {}),
    ):
        assert verdict.stage == stages.NOT_JUDGED and "convladder doctor" in verdict.message
    assert check("grey", ...).stage == stages.NOT_ATTEMPTED


@pytest.mark.weekly
def test_traffic_of_right_wrong_and_missing_kernels():
    assert traffic("grey", GREY).ok
    assert traffic("pool", mistake("pool", "as it was given")).out_of_bounds
    assert traffic("grey", "{").stage == stages.DOES_NOT_COMPILE
    assert traffic("my_direct", lambda problem: ...).stage == stages.NOT_ATTEMPTED
    assert traffic("my_direct", lambda problem: 1 // 0).stage == stages.RAISED


def test_a_contest_shows_an_answer_only_when_it_passes():
    from convladder.gpu.first import coalesced_launch

    rivals = {"gpu_coalesced": coalesced_launch}
    passed = contest("my_direct", EXERCISES["my_direct"].solution, rivals)
    waiting = contest("my_direct", lambda problem: ..., rivals)
    assert isinstance(passed, Picture) and isinstance(waiting, Picture)
    assert "my_direct" in passed.alt and "my_direct" not in waiting.alt
    assert "gpu_coalesced 47,104" in waiting.alt
