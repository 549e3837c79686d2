"""check() against the answers that learners hand in."""

import linecache
import subprocess
import sys
import types
import warnings
import weakref

import numpy as np
import pytest

from convladder.teach import exercises
from convladder.teach.grading import stages
from convladder.teach.grading.check import check, grade
from convladder.teach.grading.exercise import SEED, Exercise, Flaw, Misconception

MIB = 2**20


def im2col(image, k_h, k_w):
    windows = np.lib.stride_tricks.sliding_window_view(image, (k_h, k_w))
    return windows.transpose(2, 3, 0, 1).reshape(k_h * k_w, -1).copy()


def transposed(image, k_h, k_w):
    return np.ascontiguousarray(im2col(image, k_h, k_w).T)


def flipped(image, k_h, k_w):
    return im2col(image, k_h, k_w)[::-1].copy()


def off_the_edge(image, k_h, k_w):
    return image[image.shape[0]]


def mistake(wrong):
    name = wrong.__name__
    return Misconception(name, wrong, f"{name} shows `so`", f"{name} idea", f"{name} line")


@pytest.fixture
def new_exercise(monkeypatch):
    """Makes exercises that `check` knows by name, and that are forgotten after the test."""
    made = {}

    def make(name="im2col", reference=im2col, cases=None, misconceptions=(), **rest):
        made[name] = Exercise(
            name, 1, "a task", reference, cases, list(map(mistake, misconceptions)), **rest
        )
        return made[name]

    file = sys.modules[check.__module__]
    monkeypatch.setattr(file, "exercise_names", lambda: [*exercises.exercise_names(), *made])
    monkeypatch.setattr(
        file, "load_exercise", lambda name: made.get(name) or exercises.load_exercise(name)
    )
    return make


def images(rng):
    return [
        (np.arange(16, dtype=np.float32).reshape(4, 4), 2, 2),
        (rng.standard_normal((9, 7), dtype=np.float32), 3, 2),
    ]


@pytest.fixture
def exercise(new_exercise):
    return new_exercise(
        "lowering", cases=images, misconceptions=(transposed, flipped, off_the_edge)
    )


@pytest.fixture
def doubling(new_exercise):
    return new_exercise("doubling", lambda x: 2 * x, lambda rng: [(np.ones((2, 3), np.float32),)])


def cell(source):
    """Runs `source` as a notebook cell would be and returns its names."""
    module = types.ModuleType("__main__")
    file = "<test cell>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), module.__dict__)
    return module


# What passes, and what is said of it


def test_right_answer_passes_and_names_the_object(exercise):
    mine = cell("def mine(image, k_h, k_w):\n    return right(image, k_h, k_w)")
    mine.right = im2col
    verdict = check("lowering", mine.mine)
    assert verdict.passed and verdict.stage == stages.PASSED
    assert "`mine(image, k_h, k_w)`, defined in this notebook" in verdict.message
    assert "all 2 cases" in verdict.message


def test_rounding_is_forgiven_and_a_small_mistake_is_not(exercise):
    near = lambda image, k_h, k_w: im2col(image, k_h, k_w) * np.float32(1 + 1e-6)  # noqa: E731
    far = lambda image, k_h, k_w: im2col(image, k_h, k_w) * np.float32(1 + 1e-2)  # noqa: E731
    assert grade(exercise, near).passed
    assert grade(exercise, far).stage == stages.WRONG_VALUES


def test_unknown_name_lists_the_names(exercise):
    verdict = check("im2cool", im2col)
    assert not verdict.passed and verdict.stage == stages.UNKNOWN
    assert "im2cool" in verdict.message and "lowering" in verdict.message


# Not attempted


@pytest.mark.parametrize(
    "stub", [..., lambda image, k_h, k_w: ..., lambda image, k_h, k_w: (..., 1), (..., ...)]
)
def test_ellipsis_is_not_attempted(exercise, stub):
    verdict = grade(exercise, stub)
    assert verdict.stage == stages.NOT_ATTEMPTED and not verdict.passed


# Each kind of wrong answer has a sentence of its own


@pytest.mark.parametrize(
    "answer, stage, words",
    [
        (None, stages.WRONG_SHAPE, "asks for a function `lowering(image, k_h, k_w)`"),
        (3, stages.WRONG_SHAPE, "given 3"),
        (np.ones((4, 4)), stages.WRONG_SHAPE, "given a float64 array of shape [4, 4]"),
        (np.ones(4, int), stages.WRONG_SHAPE, "given an int64 array"),
        (np.array([None]), stages.WRONG_SHAPE, "given an object array"),
        (np.ones(4, np.uint8), stages.WRONG_SHAPE, "given a uint8 array"),
        (lambda image: image, stages.RAISED, "must take 3 arguments"),
        (lambda image, k_h, k_w: None, stages.WRONG_SHAPE, "still None?"),
        (lambda *case: im2col(*case).tolist(), stages.WRONG_SHAPE, "convert the list"),
        (lambda *case: im2col(*case).astype(float), stages.WRONG_SHAPE, "should be float32"),
        (lambda *case: im2col(*case)[:, :3], stages.WRONG_SHAPE, "should be [4, 9]"),
        (lambda *case: 5, stages.WRONG_SHAPE, "returned a whole number"),
        ("void f()\n{\n}", stages.WRONG_SHAPE, "given a string. "),
        (
            lambda *case: im2col(*case) * np.nan,
            stages.WRONG_VALUES,
            "returned NaN, in 36 of 36 values. Is every element written?",
        ),
        (
            lambda *case: im2col(*case) / 0,
            stages.WRONG_VALUES,
            "returned NaN and infinity, in 36 of 36 values. Is something divided by zero, or too large "
            "for its type (float16 ends at 65,504",
        ),
        (lambda *case: sys.exit(3), stages.RAISED, "SystemExit: 3"),
        (lambda *case: grade(exercise, 1), stages.RAISED, "AttributeError"),
    ],
)
def test_each_wrong_answer_has_its_sentence(exercise, answer, stage, words):
    verdict = grade(exercise, answer, watch=False)
    assert verdict.stage == stage
    assert words in verdict.message
    assert verdict.misconception is None and verdict.hints == ()


def test_nan_never_passes_even_where_one_nan_is_expected(new_exercise):
    half = np.array([np.nan, 1], np.float32)
    exercise = new_exercise("half", lambda n: half, lambda rng: [(1,)])
    assert grade(exercise, lambda n: half.copy()).passed
    assert not grade(exercise, lambda n: half * np.nan).passed


def test_changed_input_is_noticed_and_poisons_nothing(doubling):
    def in_place(x):
        x *= 2
        return x.copy()

    verdict = grade(doubling, in_place)
    assert verdict.stage == stages.TOUCHES_INPUT and "argument `x` in place" in verdict.message
    assert grade(doubling, lambda x: 2 * x).passed


def test_view_is_refused_unless_the_exercise_allows_it(new_exercise):
    cases = lambda rng: [(np.arange(4, dtype=np.float32),)]  # noqa: E731
    strict = new_exercise("tail", lambda x: x[1:].copy(), cases)
    free = new_exercise("tail_view", lambda x: x[1:], cases, may_view=True)
    assert grade(strict, lambda x: x[1:]).stage == stages.TOUCHES_INPUT
    assert grade(strict, lambda x: x[1:].copy()).passed
    assert grade(free, lambda x: x[1:]).passed


@pytest.mark.parametrize("key", [np.shape, lambda x: None])
def test_memory_that_a_function_keeps_from_call_to_call_is_noticed(new_exercise, key):
    """Of arrays of one shape, or of one that is long enough for all."""
    kept = {}

    def doubled(x):
        y = kept.setdefault(key(x), np.empty(x.shape if key is np.shape else 9))[: len(x)]
        y[:] = 2 * x
        return y

    doubling = new_exercise(
        "doubling", lambda x: 2 * x, lambda rng: [(np.arange(1.0, n),) for n in (5, 7)]
    )
    verdict = grade(doubling, doubled)
    assert verdict.stage == stages.KEEPS_RESULT and "memory that it keeps" in verdict.message
    assert not verdict.hints and not verdict.symptom
    assert grade(doubling, lambda x: 2 * x).passed
    assert grade(doubling, cache_of(lambda x: 2 * x)).passed


def cache_of(function):
    """Return a function that keeps its results, and changes none."""
    kept = {}
    return lambda x: kept.setdefault(x.tobytes(), function(x))


def test_right_values_in_the_wrong_order_of_memory(new_exercise):
    cases = lambda rng: [(np.arange(6, dtype=np.float32).reshape(2, 3),)]  # noqa: E731
    solution = lambda x: x.T.copy()  # noqa: E731
    exercise = new_exercise("turned", solution, cases, contiguous=True)
    verdict = grade(exercise, lambda x: x.copy().T)
    assert verdict.stage == stages.WRONG_ORDER and "strides are [4, 12] bytes" in verdict.message
    assert grade(exercise, lambda x: x.T.copy()).passed
    assert grade(new_exercise("any_order", solution, cases), lambda x: x.copy().T).passed


def test_exception_names_the_learners_own_line(exercise):
    notebook = cell(
        "import numpy as np\n"
        "def helper(image):\n"
        "    return np.reshape(image, (5, 5))\n"
        "def lowering(image, k_h, k_w):\n"
        "    return helper(image)\n"
    )
    verdict = grade(exercise, notebook.lowering)
    assert verdict.stage == stages.RAISED
    assert "line 3, `return np.reshape(image, (5, 5))`" in verdict.message
    assert "ValueError: cannot reshape" in verdict.message
    assert "case 1 of 2" in verdict.detail
    assert "Traceback" not in repr(verdict) and ".py" not in repr(verdict)


def test_keyboard_interrupt_passes_through(exercise):
    def stopped(image, k_h, k_w):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(exercise, stopped)


def test_prints_and_warnings_are_held_back(exercise, capfd, recwarn):
    def loud(image, k_h, k_w):
        for _ in range(500):
            print("here")
        np.float32(1) / np.float32(0)
        warnings.warn("beware")
        return im2col(image, k_h, k_w)

    verdict = grade(exercise, loud)
    assert verdict.passed and "printed 1,000 lines" in verdict.message
    assert capfd.readouterr() == ("", "") and not recwarn.list
    assert len(repr(verdict)) < 400


def test_nobody_waits_for_a_learner_to_type(exercise, monkeypatch):
    asked = []

    def kernels_own(prompt=""):  # in a notebook this waits until somebody types
        asked.append(prompt)
        return "2"

    monkeypatch.setattr("builtins.input", kernels_own)
    notebook = cell("def lowering(image, k_h, k_w):\n    k_h = int(input('k_h? '))\n")
    verdict = grade(exercise, notebook.lowering)
    assert verdict.stage == stages.RAISED and not asked
    assert "asked for input at line 2, `k_h = int(input('k_h? '))`: a function" in verdict.message
    assert input is kernels_own, "the kernel's own is back"


@pytest.mark.parametrize("name", ["exit", "quit"])
def test_exit_neither_ends_the_kernel_nor_closes_anything(exercise, monkeypatch, name):
    ended = []
    shell = types.SimpleNamespace(exiter=lambda: ended.append(name))  # IPython's: raises nothing
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    notebook = cell(f"def lowering(image, k_h, k_w):\n    {name}()\n")
    for kept_in_the_notebook in (False, True):
        if kept_in_the_notebook:
            setattr(notebook, name, shell.exiter)
        verdict = grade(exercise, notebook.lowering)
        assert verdict.stage == stages.RAISED and not ended
        assert f"called `exit()` at line 2, `{name}()`" in verdict.message
    assert getattr(notebook, name) is shell.exiter, "the notebook's own is back"


# Memory that was never written


@pytest.mark.parametrize(
    "line, call",
    [
        ("import numpy", "numpy.empty"),
        ("from numpy import empty as e", "e"),
        ("from numpy import empty_like as e", "e"),
        ("import numpy as np", "np.empty_like"),
    ],
)
def test_what_was_never_written_is_no_answer(new_exercise, line, call):
    ones = lambda rng: [(np.ones(5, np.float32),), (np.ones((40, 50), np.float32),)]  # noqa: E731
    exercise = new_exercise("ones", lambda x: x.copy(), ones)
    what = "x" if call.endswith("like") or "like" in line else "x.shape, x.dtype"
    notebook = cell(
        f"{line}\nfill = True\ndef mine(x):\n    y = {call}({what})\n"
        "    if fill:\n        y[...] = x\n    return y\n"
    )
    assert grade(exercise, notebook.mine).passed
    notebook.fill = False  # and its memory is that of the right answer before
    verdict = grade(exercise, notebook.mine)
    assert verdict.stage == stages.WRONG_VALUES and "in 5 of 5" in verdict.message
    assert all(
        value is vars(np).get(name, np)
        for name, value in vars(notebook).items()
        if name in ("np", "numpy")
    ), "NumPy's own is back"


def test_integers_never_written_are_no_answer(new_exercise):
    exercise = new_exercise("zeros", lambda n: np.zeros(n, int), lambda rng: [(4,)])
    verdict = grade(exercise, lambda n: np.empty(n, int))
    assert verdict.stage == stages.WRONG_VALUES
    assert str(np.iinfo(int).max) in verdict.detail


NUMBA = """
import numpy as np
from convladder.teach.grading.run import run_once
def compiled(n):
    import numba
    return numba.njit(inner)(n)
def inner(n):
    y = np.empty_like(np.empty(n))
    y[:] = 1
    return y
first = run_once(compiled, (4,), None)  # Numba is loaded, and compiles, during an attempt
assert first.value.tolist() == [1, 1, 1, 1], first
assert compiled(5).tolist() == [1] * 5  # and compiles afterwards
assert run_once(compiled, (6,), None).value.tolist() == [1] * 6
"""


def test_numba_compiles_during_a_check_and_after():
    subprocess.run([sys.executable, "-c", NUMBA], check=True)


# Numbers, tuples, dicts and values


def test_counts_are_exact_and_floats_are_not(new_exercise):
    count = new_exercise("count", lambda n: 3 * n, lambda rng: [(7,), (10**9,)])
    assert grade(count, lambda n: np.int64(3 * n)).passed
    assert grade(count, lambda n: 3 * n + (n > 7)).stage == stages.WRONG_VALUES
    verdict = grade(count, lambda n: 3.0 * n)
    assert verdict.stage == stages.WRONG_SHAPE and "`//`" in verdict.message
    ratio = new_exercise("ratio", lambda n: n / 3, lambda rng: [(7,)])
    assert grade(ratio, lambda n: n / 3 * (1 + 1e-9)).passed
    assert grade(ratio, lambda n: n / 3.01).stage == stages.WRONG_VALUES
    assert "nan, which is not a number" in grade(ratio, lambda n: float("nan")).message


def test_each_item_of_a_tuple_or_dict_is_judged(new_exercise):
    both = new_exercise("both", lambda n: {"a": (n, 1.5), "b": np.arange(n)}, lambda rng: [(3,)])
    assert grade(both, lambda n: {"a": (n, 1.5), "b": np.arange(n, dtype=np.int32)}).passed
    verdict = grade(both, lambda n: {"a": (n, 2.5), "b": np.arange(n)})
    assert verdict.stage == stages.WRONG_VALUES
    assert "returned 2.5 as item 1 of item 'a' of its result" in verdict.message
    assert grade(both, lambda n: {"a": (n, 1.5)}).stage == stages.WRONG_SHAPE
    assert grade(both, lambda n: {"a": (n,), "b": np.arange(n)}).stage == stages.WRONG_SHAPE
    places = new_exercise("places", lambda n: [0, n], lambda rng: [(3,)])
    assert grade(places, lambda n: (0, n)).passed
    assert grade(places, lambda n: (n, 0)).stage == stages.WRONG_VALUES


def test_items_of_a_list_are_judged_and_shown_together(new_exercise):
    places = new_exercise("places", lambda n: [n, 2 * n], lambda rng: [(3,)])
    assert grade(places, lambda n: (n, np.int64(2 * n))).passed
    verdict = grade(places, lambda n: [n, 2.0 * n])
    assert verdict.stage == stages.WRONG_SHAPE and "the float 6.0 as item 1" in verdict.message
    for wrong in ([3, 5], [3]):
        verdict = grade(places, lambda n, wrong=wrong: wrong)
        assert verdict.stage == stages.WRONG_VALUES
        assert verdict.detail.endswith(f"expected = [3, 6]\ngot      = {wrong}")
    assert grade(places, lambda n: {n, 2 * n}).stage == stages.WRONG_SHAPE


def test_value_exercise_judges_a_value_and_keeps_its_answer_secret(new_exercise):
    def forty():
        return 40

    new_exercise("macs", lambda: 11240320, None, [forty])
    assert check("macs", 11240320).passed
    wrong = check("macs", 41)
    assert wrong.stage == stages.WRONG_VALUES and "41" in wrong.message
    assert "11240320" not in repr(wrong) + wrong._repr_html_()
    assert check("macs", 40).misconception == "forty"
    assert check("macs", None).stage == stages.WRONG_SHAPE
    assert check("macs", ...).stage == stages.NOT_ATTEMPTED
    assert "asks for a value" in check("macs", im2col).message


# Misconceptions


@pytest.mark.parametrize("wrong", [transposed, flipped, off_the_edge])
def test_a_learner_who_makes_the_mistake_gets_its_hints(exercise, wrong):
    def learner(image, k_h, k_w):
        return wrong(image, k_h, k_w)

    verdict = grade(exercise, learner)
    assert not verdict.passed and verdict.misconception == wrong.__name__
    assert verdict.hints == tuple(f"{wrong.__name__} {x}" for x in ("shows `so`", "idea", "line"))
    assert verdict.hint(2) == f"The idea that usually helps: {wrong.__name__} idea"
    assert verdict.hint(3) == f"What usually mends it: {wrong.__name__} line"
    assert "1 to 3" in verdict.hint(4)


def test_mistakes_that_return_the_same_are_told_apart_by_what_they_change(new_exercise):
    def spoils_a(a, b):
        a += b
        return a.copy()

    def spoils_b(a, b):
        b += a
        return b.copy()

    cases = lambda rng: [(np.ones(3), np.full(3, 2.0))]  # noqa: E731
    exercise = new_exercise("add", lambda a, b: a + b, cases, (spoils_a, spoils_b))
    assert grade(exercise, lambda a, b: spoils_b(a, b)).misconception == "spoils_b"


def test_a_wrong_result_is_the_mistakes_whether_it_is_a_copy_or_a_view(new_exercise):
    def untouched(a):
        return a

    cases = lambda rng: [(np.arange(9.0),)]  # noqa: E731
    exercise = new_exercise("double", lambda a: 2 * a, cases, (untouched,))
    assert grade(exercise, lambda a: a.copy()).misconception == "untouched"


def test_errors_of_one_type_are_told_apart_by_what_they_say(exercise):
    assert grade(exercise, lambda image, *_: image[image.shape[0]]).misconception == "off_the_edge"
    assert grade(exercise, lambda image, *_: image[99]).misconception is None


def test_orders_in_memory_are_told_apart(new_exercise):
    def turned(x):
        return np.ascontiguousarray(x.T).T

    cases = lambda rng: [(np.arange(24.0).reshape(1, 4, 6),)]  # noqa: E731
    exercise = new_exercise("kept", lambda x: x.copy(), cases, (turned,), contiguous=True)
    assert grade(exercise, lambda x: x.copy("F")).misconception == "turned"
    verdict = grade(exercise, lambda x: np.repeat(x, 2, axis=2)[:, :, ::2])
    assert verdict.stage == stages.WRONG_ORDER and verdict.misconception is None


def test_a_mistake_of_their_own_gets_the_first_differing_case(exercise):
    def learner(image, k_h, k_w):  # flipped on the first case only
        return (flipped if image.shape == (4, 4) else transposed)(image, k_h, k_w)

    verdict = grade(exercise, learner)
    assert verdict.misconception is None and verdict.likely is None
    assert "case 1 of 2" in verdict.detail
    assert "expected = [[ 0.  1.  2." in verdict.detail
    assert "got      = [[ 5.  6.  7." in verdict.detail


def test_small_arrays_that_read_alike_show_the_first_difference(new_exercise):
    rest = new_exercise("rest", lambda x: x / 3, lambda rng: [(np.float32([3e-4, 4e-4]),)])
    verdict = grade(rest, lambda x: x / np.float32([3, 3.01]))
    assert "first at [1]:\nexpected = 0.000133333\ngot      = 0.00013289" in verdict.detail


def test_small_arrays_of_another_shape_are_shown(new_exercise):
    dark = new_exercise("dark", lambda x: np.flatnonzero(x < 1), lambda rng: [(np.arange(3.0),)])
    verdict = grade(dark, lambda x: np.flatnonzero(x < 2))
    assert verdict.detail.endswith("expected = [0]\ngot      = [0 1]")
    assert "expected" not in grade(dark, lambda x: np.arange(50)).detail


def test_large_case_shows_shape_and_first_difference(new_exercise):
    x = np.arange(600, dtype=np.float32).reshape(20, 30)
    exercise = new_exercise("same", lambda x: x.copy(), lambda rng: [(x,)])

    def learner(x):
        y = x.copy()
        y[3, 4] = -1
        y[5, 5] = -1
        return y

    verdict = grade(exercise, learner)
    assert "x = float32 array [20, 30]" in verdict.detail
    assert "first at [3, 4]:\nexpected = 94\ngot      = -1" in verdict.detail
    assert "2 of 600 differ" in verdict.message


def test_a_mistake_is_run_on_a_case_once_however_often_somebody_is_checked(new_exercise):
    runs = []

    def counted(name):
        def wrong(x):
            runs.append((name, len(x)))
            return x + (name == "far")

        wrong.__name__ = name
        return wrong

    cases = lambda rng: [(np.arange(9.0),), (np.arange(11.0),)]  # noqa: E731
    exercise = new_exercise("doubled", lambda x: 2 * x, cases, [counted("far"), counted("same")])
    for times in range(3):
        assert grade(exercise, lambda x: x.copy()).misconception == "same"
        assert grade(exercise, lambda x: 3 * x).misconception is None
        if not times:
            once = runs[:]
    assert runs == once == [("far", 9), ("same", 9), ("same", 11)]


@pytest.mark.parametrize("cases, sure", [(2, False), (8, True)])
def test_a_mistake_that_few_results_tell_is_only_likely(new_exercise, cases, sure):
    def always_even(n):
        return "even"

    exercise = new_exercise(
        "parity",
        lambda n: ("even", "odd")[n % 2],
        lambda rng: [(2 * n + 1,) for n in range(cases)],
        [always_even],
    )
    verdict = grade(exercise, lambda n: "even" if n < 100 else "odd")
    assert (verdict.misconception or verdict.likely) == "always_even"
    assert bool(verdict.misconception) == sure
    assert verdict.hint(1).startswith("Where you are wrong") != sure


def test_large_results_of_mistakes_are_let_go_and_told_apart_all_the_same(new_exercise):
    alive = []

    def last_wrong(x, by=1):
        y = 2 * x
        y[-1] += by
        alive.append(weakref.ref(y))
        return y

    def small_view(x):
        y = last_wrong(x, by=7)
        return y[-3:]

    def with_large_error(x):
        error = ValueError("large")
        error.held = last_wrong(x)
        raise error

    cases = lambda rng: [(np.arange(9.0),), (np.arange(MIB),)]  # noqa: E731
    exercise = new_exercise(
        "doubled", lambda x: 2 * x, cases, [lambda x: last_wrong(x, 3), last_wrong]
    )
    ends = new_exercise("ends", lambda x: 2 * x[-3:], cases, [small_view, with_large_error])
    for _ in range(2):
        assert grade(exercise, lambda x: last_wrong(x)).misconception == "last_wrong"
        assert grade(exercise, lambda x: last_wrong(x, 4)).misconception is None
        assert grade(ends, lambda x: small_view(x)).misconception == "small_view"
        assert grade(ends, lambda x: with_large_error(x)).misconception == "with_large_error"
    assert sum(y().nbytes for y in alive if y() is not None) < 1000


def test_a_family_of_mistakes_is_one_misconception(new_exercise):
    def last_rows_left(x, rows=2):
        y = 2 * x
        y[-rows:] = 0
        return y

    cases = lambda rng: [(np.arange(1.0, 5),), (np.arange(1.0, 30),)]  # noqa: E731
    exercise = new_exercise("doubled", lambda x: 2 * x, cases)
    for choices, name in (({"rows": (1, 3)}, "rows left"), ({}, None)):
        family = Exercise(
            "doubled",
            1,
            "a task",
            exercise.reference,
            cases,
            [Misconception("rows left", last_rows_left, "symptom", "concept", "line", choices)],
        )
        assert grade(family, lambda x: last_rows_left(x)).misconception == "rows left"
        assert grade(family, lambda x: last_rows_left(x, 3)).misconception == name


def likeness_of(new_exercise, wrong, answer, cases):
    exercise = new_exercise("doubled", lambda x: 2 * x, cases, wrong)
    verdict = grade(exercise, answer)
    assert not verdict.passed and verdict.misconception is None
    return verdict


def unwritten(x):
    y = 2 * x
    y[-2:] = np.nan
    return y


def test_a_mistake_that_is_made_wherever_an_answer_is_wrong_is_told_as_that(new_exercise):
    def zeros_left(x):
        y = 2 * x
        y[-2:] = 0
        return y

    def only_if_long(x):
        return unwritten(x) if len(x) > 12 else 2 * x

    def largest_twice(x):
        y = 2 * x
        y[-1] *= 2
        return y

    cases = lambda rng: [(np.arange(1.0, 13),), (np.arange(1.0, 30),)]  # noqa: E731
    for answer in (zeros_left, only_if_long):
        verdict = likeness_of(new_exercise, [unwritten, largest_twice], answer, cases)
        assert verdict.likely == "unwritten"
        assert verdict.hints[0] == (
            "Where you are wrong, your results are those of the usual mistake “unwritten”."
        )
        assert "the last 2 places" in verdict.symptom


def test_what_other_arguments_tell_apart_is_no_likeness(new_exercise):
    """An answer that is wrong in the same places, or the same on these cases by accident."""

    def other_places(x):
        y = unwritten(x)
        y[-2:] = 7
        return y

    def scaled(x, scale):
        return np.r_[2 * x[:-2], x[-2:] * scale]

    cases = lambda rng: [(np.arange(1.0, 13),), (np.arange(1.0, 30),)]  # noqa: E731
    assert likeness_of(new_exercise, [unwritten], other_places, cases).likely is None
    both = lambda rng: [
        (np.arange(1.0, 13), 4),
        (np.arange(1.0, 30), 4),  # noqa: E731
        (np.arange(1.0, 3), 2),
    ]
    exercise = new_exercise("scaled", scaled, both, [lambda x, scale: scaled(x, scale**2)])
    only_long = lambda x, scale: scaled(x, scale**2 if len(x) > 3 else scale)  # noqa: E731
    by_accident = lambda x, scale: scaled(x, 16 if scale > 2 else 2)  # noqa: E731
    verdict = grade(exercise, only_long)
    assert verdict.likely == "<lambda>" and "`scale`" not in verdict.symptom  # no second cause
    assert grade(exercise, by_accident).likely is None


def test_two_mistakes_that_are_as_likely_give_no_hint(new_exercise):
    def first(x):
        return x + (len(x) > 4)

    def second(x):
        return x - (len(x) > 4)

    cases = lambda rng: [(np.arange(1.0, 5),), (np.arange(1.0, 30),)]  # noqa: E731
    verdict = likeness_of(
        new_exercise, [first, second], lambda x: x * (1 + 8 * (len(x) > 4)), cases
    )
    assert verdict.likely is None and verdict.hints == ()


def test_a_number_that_agrees_by_chance_once_is_no_likeness(new_exercise):
    cases = lambda rng: [(2,), (5,), (9,), (11,)]  # noqa: E731
    exercise = new_exercise("cubed", lambda n: n**3, cases, [lambda n: n**2])
    assert grade(exercise, lambda n: n + 2).likely is None
    assert grade(exercise, lambda n: n**2 + (n > 10)).likely is None, "nor if one does not"


# Memory


def budget_exercise(new_exercise):
    def once(x):
        y = np.empty(x.shape, x.dtype)
        np.multiply(x, 2, out=y)
        return y

    def twice(x):
        return once(x.copy())

    def four_times(x):
        return once(np.concatenate([x] * 3)[: x.size])

    cases = lambda rng: [(np.ones(3),), (np.ones(MIB // 8),)]  # noqa: E731

    def wrong(x):
        return once(x) + 1

    exercise = new_exercise("lean", once, cases, (wrong, twice, four_times), workspace=lambda x: 0)
    return exercise, once, twice, four_times


def test_right_values_over_budget_say_both_numbers_and_the_nearest_mistake(new_exercise):
    exercise, once, twice, four_times = budget_exercise(new_exercise)
    assert grade(exercise, lambda x: once(x)).passed
    verdict = grade(exercise, lambda x: twice(x))
    assert verdict.stage == stages.OVER_BUDGET and verdict.misconception == "twice"
    assert "needs 1.00 MiB of workspace, and 0 bytes is enough" in verdict.message
    assert grade(exercise, lambda x: four_times(x)).misconception == "four_times"


def test_workspace_unlike_any_mistakes_gets_no_hint(new_exercise):
    exercise, once, *_ = budget_exercise(new_exercise)
    verdict = grade(exercise, lambda x: once(np.concatenate([x] * 9)[: x.size]))
    assert verdict.stage == stages.OVER_BUDGET and "needs 9.00 MiB" in verdict.message
    assert verdict.misconception is None and verdict.hints == ()
    slightly_more = grade(
        exercise, lambda x: once(np.concatenate([x, x[: x.size // 20]])[: x.size])
    )
    assert slightly_more.misconception == "twice"


def test_workspace_is_measured_on_each_large_case(new_exercise):
    def lean(x):
        return x + 1

    def wasteful(x):
        return lean(x) if x[0] else lean(x.copy())

    cases = lambda rng: [(np.zeros(2),), (np.zeros(MIB // 8),), (np.ones(MIB // 8),)]  # noqa: E731
    exercise = new_exercise("plus", lean, cases, (wasteful,), workspace=lambda x: 0)
    verdict = grade(exercise, lambda x: wasteful(x))
    assert verdict.stage == stages.OVER_BUDGET and verdict.misconception == "wasteful"
    assert "case 2 of 3" in verdict.detail
    assert grade(exercise, lambda x: lean(x.copy())).misconception is None


def test_copy_is_over_budget_where_a_view_will_do(new_exercise):
    cases = lambda rng: [(np.arange(MIB // 8, dtype=np.float64),)]  # noqa: E731
    exercise = new_exercise(
        "tail",
        lambda x: x[8:],
        cases,
        (lambda x: x[8:].copy(),),
        may_view=True,
        workspace=lambda x: 0,
    )
    assert grade(exercise, lambda x: x[8:]).passed
    assert grade(exercise, lambda x: x[8:].copy()).stage == stages.OVER_BUDGET


def test_a_result_that_a_recursive_function_still_refers_to_is_no_workspace(new_exercise):
    cases = lambda rng: [(np.ones(MIB // 4),)]  # noqa: E731
    exercise = new_exercise("doubled", lambda x: 2 * x, cases, workspace=lambda x: x.nbytes // 8)

    def in_halves(x):
        y = np.empty_like(x)

        def double(begin, end):
            if end - begin > x.size // 8:
                double(begin, (begin + end) // 2)
                double((begin + end) // 2, end)
            else:
                y[begin:end] = x[begin:end] * 2

        double(0, x.size)
        return y

    assert grade(exercise, in_halves).passed
    assert grade(exercise, lambda x: [x.copy(), 2 * x][1]).stage == stages.OVER_BUDGET


def test_wrong_values_are_told_before_memory(new_exercise):
    exercise, once, twice, _ = budget_exercise(new_exercise)
    assert grade(exercise, lambda x: twice(x) + 1).stage == stages.WRONG_VALUES


# Not yours


def package_function():
    """A function that looks as if it were written in the package."""
    from convladder.teach.grading import run

    source = (
        "def answer(image, k_h, k_w):\n    return inner(image, k_h, k_w)\n"
        "def inner(image, k_h, k_w):\n    return im2col(image, k_h, k_w)\n"
    )
    names = {"__name__": "convladder.cpu.made_up", "im2col": im2col}
    exec(compile(source, run.PACKAGE + "cpu/made_up.py", "exec"), names)
    return names["answer"]


def test_calling_the_package_is_not_yours_unless_allowed(exercise, new_exercise):
    answer = package_function()

    def learner(image, k_h, k_w):
        return answer(image, k_h, k_w)

    verdict = grade(exercise, learner)
    assert verdict.stage == stages.NOT_YOURS
    assert "`convladder.cpu.made_up.answer`" in verdict.message
    for allowed in ("convladder.cpu.made_up", "convladder.cpu.made_up.answer"):
        open_exercise = new_exercise(allowed, cases=images, calls_allowed=(allowed,))
        assert grade(open_exercise, learner).passed
    other = new_exercise("other", cases=images, calls_allowed=("convladder.cpu.made_up.ans",))
    assert grade(other, learner).stage == stages.NOT_YOURS


def test_an_allowed_function_may_make_a_dataclass(new_exercise):
    from convladder import conv2d

    def convolved(x):
        return conv2d(x, x)  # makes a ConvProblem, whose `__init__` dataclasses wrote

    one = np.ones((1, 1, 1, 1), np.float32)
    exercise = new_exercise(
        "convolved",
        convolved,
        cases=lambda rng: [(one,)],
        calls_allowed=("convladder.convolve.conv2d",),
    )
    verdict = grade(exercise, lambda x: conv2d(x, x))
    assert verdict.passed, verdict


def test_a_class_of_the_package_is_named_and_a_method_is_named_first(exercise):
    from convladder import ConvProblem
    from convladder.cpu import mec

    def shapes_only(image, k_h, k_w):
        return ConvProblem(1, 4, 4, 1, k_h, k_w, 1).o_h

    def lowers(image, k_h, k_w):
        return mec.lower(image[None, :, :, None], ConvProblem(1, 4, 4, 1, k_h, k_w, 1))

    for learner, named in (
        (shapes_only, "convladder.problem.conv.ConvProblem"),
        (lowers, "convladder.cpu.mec.lower"),
    ):
        message = grade(exercise, learner).message
        assert f"calls `{named}`, which is the course's own code." in message


def test_handing_in_the_package_or_the_reference_is_not_yours(exercise):
    verdict = grade(exercise, package_function())
    assert verdict.stage == stages.NOT_YOURS
    assert "`convladder.cpu.made_up.answer` is the course's own function" in verdict.message
    assert grade(exercise, im2col).stage == stages.NOT_YOURS


def test_former_profiler_is_restored(exercise):
    former = sys.getprofile()
    calls = lambda *event: None  # noqa: E731
    sys.setprofile(calls)
    try:
        grade(exercise, lambda image, k_h, k_w: 1 / 0)
        assert sys.getprofile() is calls
    finally:
        sys.setprofile(former)


# How a verdict reads


def test_verdict_reads_the_same_every_time(exercise):
    learner = lambda *case: flipped(*case)  # noqa: E731
    first, second = grade(exercise, learner), grade(exercise, learner)
    assert repr(first) == repr(second) and first._repr_html_() == second._repr_html_()
    assert SEED == 20260101, "stored verdicts in the notebooks show these cases"


def test_plain_text_shows_the_symptom_and_how_to_go_on(exercise):
    text = repr(grade(exercise, lambda *case: flipped(*case)))
    assert "Hint: flipped shows `so`" in text and "flipped idea" not in text
    assert ".hint(2)" in text


def test_html_shows_the_symptom_and_folds_the_rest(exercise):
    html = grade(exercise, lambda *case: flipped(*case))._repr_html_()
    open_part = html.split("<details")[0]
    assert "flipped shows <code>so</code>" in open_part and "flipped idea" not in open_part
    assert html.count("<details") == html.count("</details>") == 3
    assert html.count("<div") == html.count("</div>")


def test_html_is_escaped(exercise):
    def learner(image, k_h, k_w):
        raise ValueError("<script>x</script>")

    html = grade(exercise, learner)._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html


# Exercises

FILE = """
from convladder.teach.grading.exercise import Exercise
EXERCISE = Exercise({name!r}, {lab}, "Twice a number.", lambda n: 2 * n, lambda rng: [(3,)], [])
"""


@pytest.fixture
def new_file(tmp_path, monkeypatch):
    """Writes an exercise as a contributor does: one more file, and nothing else."""
    monkeypatch.setattr(exercises, "__path__", [*exercises.__path__, str(tmp_path)])

    def write(path, lab):
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(FILE.format(name=file.stem.split("_", 1)[1], lab=lab))

    before = set(sys.modules)
    yield write
    for name in set(sys.modules) - before:
        if name.startswith("convladder.teach.exercises.lab99"):
            del sys.modules[name]


def test_an_exercise_is_added_by_its_file_and_comes_in_the_order_of_labs(new_file):
    new_file("lab99/e10_last_of_all.py", 99)
    new_file("lab99/e9_twice.py", 99)
    assert exercises.exercise_names()[-2:] == ["twice", "last_of_all"]
    assert check("twice", lambda n: 2 * n).passed
    assert not [name for name in sys.modules if name.endswith("last_of_all")], "not asked for"
    assert "twice, last_of_all" in check("thrice", lambda n: 3 * n).message
    assert list(exercises.load_exercises())[-2:] == ["twice", "last_of_all"]


def test_exercise_names_are_unique(new_file, new_exercise):
    new_file("lab99/e1_lowering.py", 99)
    new_file("lab98/e1_lowering.py", 98)
    with pytest.raises(ValueError, match="lowering"):
        exercises.load_exercises()
    with pytest.raises(ValueError, match="twice"):
        new_exercise("twice", cases=images, misconceptions=(flipped, flipped))
    with pytest.raises(ValueError, match="tuple"):
        new_exercise("text", cases=images, calls_allowed="convladder.problem")


def test_machine_code_is_judged_once_values_are_right():
    def code(function):
        return Flaw("slow", "it is slow.") if function(1) == function.wanted else None

    def judged(wanted, result):
        def answer(n):
            return result

        answer.wanted = wanted
        return answer

    mistake = Misconception("slow loop", judged(2, 2), "symptom", "concept", "line")
    exercise = Exercise(
        "coded", 9, "task", judged(None, 2), lambda rng: [(1,)], [mistake], code=code
    )
    slow = grade(exercise, judged(2, 2), watch=False)
    assert (slow.stage, slow.misconception) == (stages.OTHER_CODE, "slow loop")
    assert slow.message.endswith("is right, but it is slow.")
    assert grade(exercise, judged(None, 2), watch=False).passed
    assert grade(exercise, judged(3, 3), watch=False).stage == stages.WRONG_VALUES
