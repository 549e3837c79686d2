"""Kernels that do not run, and what is said of them."""

import pytest

from convladder import cuda
from convladder.exercises import load_exercise
from convladder.exercises.exercise import OUT, Exercise, KernelSpec
from convladder.grading import grade, kernel, traffic

SOURCE = """extern "C" __global__ void twice(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}"""
TWICE = Exercise(
    name="twice",
    lab=99,
    task="Twice x.",
    solution=SOURCE,
    reference=lambda x: 2 * x,
    cases=lambda rng: [(3,), (70,)],
    inputs=lambda fill, n: (fill(n),),
    mend="`2 * x[i]`",
    misconceptions=[],
    budget=lambda x: {"global_load_sectors": -(-x.size // 8)},
    kernel=KernelSpec("twice", lambda x: (x, OUT, x.size), lambda x: (-(-x.size // 32), 32)),
)


@pytest.mark.parametrize(
    "old, new, stage",
    [
        ("", "", "passed"),
        ("2 * x[i]", "3 * x[i]", "wrong values"),
        ("if (i < n) ", "", "faulty kernel"),
        ("if (i < n) ", "while (1) ", "faulty kernel"),
        ("y[i] =", "y[i] = z *", "does not compile"),
        ("const float *x, ", "", "does not compile"),
        ("int n", "int n, int m", "cannot be launched"),
        ("2 * x[i]", "x[i] + x[0] + (x[i] - x[0])", "over budget"),
        ("if (i < n) y[i] = 2 * x[i];", "...", "not attempted"),
    ],
)
def test_a_kernels_stage(old, new, stage, monkeypatch):
    monkeypatch.setattr(kernel, "SECONDS", 1.0)
    verdict = grade(TWICE, SOURCE.replace(old, new) if old else SOURCE)
    assert verdict.stage == stage, verdict
    assert "Traceback" not in repr(verdict)


def test_the_smallest_case_of_a_kernel():
    verdict = grade(TWICE, SOURCE.replace("2 * x[i]", "i == 1 ? 0 : 2 * x[i]"))
    assert verdict.small.args[0].size == 2


def test_a_machine_without_a_compiler_judges_nothing(monkeypatch):
    def missing(*_):
        raise cuda.NoBackend("there is no C++ compiler")

    monkeypatch.setattr(kernel, "_compiled_twice", missing)
    verdict = grade(TWICE, SOURCE)
    assert verdict.stage == "could not be judged" and "Your answer may be right" in repr(verdict)


PLAN = Exercise(
    name="planned",
    lab=99,
    task="Twice x, launched as you like.",
    solution=lambda n: (SOURCE, -(-n // 32), 32),
    reference=lambda x, n: 2 * x,
    cases=lambda rng: [(3,), (70,)],
    inputs=lambda fill, n: (fill(n), n),
    mend="`-(-n // 32)` blocks",
    misconceptions=[],
    kernel=KernelSpec("twice", lambda x, n: (x, OUT, n)),
)


@pytest.mark.parametrize(
    "plan, stage",
    [
        (lambda n: (SOURCE, -(-n // 64), 64), "passed"),
        (lambda n: (SOURCE, 1, 32), "wrong values"),
        (lambda n: SOURCE, "cannot be launched"),
        (lambda n: (SOURCE, 1, 5000), "cannot be launched"),
        (lambda n: ..., "not attempted"),
        (lambda n: 1 / 0, "raised an exception"),
        (lambda: 3, "wrong shape or type"),
        (SOURCE, "wrong shape or type"),
    ],
)
def test_a_plans_stage(plan, stage):
    assert grade(PLAN, plan).stage == stage


def test_a_cost_says_what_is_allowed_and_in_which_case():
    exercise = load_exercise("transpose")
    said = repr(grade(exercise, exercise.solution.replace("[32][33]", "[32][32]")))
    assert "bank conflicts, and none is allowed." in said and "The case counted:\n" in said
    said = repr(grade(exercise, exercise.solution))
    assert "sectors stored to global memory, without bank conflicts." in said


def test_a_fault_in_a_given_function_names_the_line_that_calls_it():
    exercise = load_exercise("load_a_fragment")
    lower_left = "fa[1] = pair(a + (g + 8) * k + k0 + 2 * t"
    source = exercise.solution.replace(lower_left, lower_left.replace("2 * t", "t"))
    said = repr(found := grade(exercise, source))
    assert "Line 17 calls it." in said and "line 17: fa[1] = pair(" in said
    assert found.watch and found.replay() is None, "no step shows it"


def test_a_lines_atomic_operations_stand_beside_it():
    said = str(traffic("histogram", load_exercise("histogram").solution))
    assert "1,024  atomicAdd(&bins[" in said and "4,096  atomicAdd(&mine[" in said
