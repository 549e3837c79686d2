"""Where the memory of an answer over its budget is said to be."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

from convladder.teach.grading import stages
from convladder.teach.grading.check import grade
from convladder.teach.grading.exercise import Exercise

MIB = 2**20
DOUBLED = Exercise(
    "doubled",
    1,
    "a task",
    lambda x: 2 * x,
    lambda rng: [(np.ones(MIB // 8),)],
    [],
    workspace=lambda x: 0,
)


def over(answer):
    verdict = grade(DOUBLED, answer)
    assert verdict.stage == stages.OVER_BUDGET
    return verdict.message


def test_the_line_and_the_variables_with_most_memory_are_named():
    def with_copies(x):
        wide = x.astype(np.complex128)
        half = x.astype(np.float32)
        both = wide + half
        del wide, half
        return both.real.copy()

    message = over(with_copies)
    assert (
        "in line 4, `both = wide + half`. After it your variables hold `both`, "
        "2.00 MiB of complex128; `wide`, 2.00 MiB of complex128; `half`, 0.50 MiB of float32."
        in message.replace("line %d" % (with_copies.__code__.co_firstlineno + 3), "line 4")
    )


def test_the_result_does_not_count_and_what_has_no_name_is_told():
    def over_itself(x):
        wide = x + 0j
        y = np.empty_like(x)
        y[...] = wide.real + x
        return y

    message = over(over_itself)
    assert "of float64, your result, which does not count" in message
    assert "`wide`, " in message and "more are in none of these arrays" in message


def test_what_threads_hold_is_theirs_and_not_the_line_that_waits_for_them():
    def in_threads(x):
        together = Barrier(2)

        def work(i):
            wide = x + 1j * i
            together.wait()
            part = wide.real.copy()
            together.wait()
            return part

        with ThreadPoolExecutor(2) as pool:
            parts = list(pool.map(work, range(2)))
        return parts[0] + parts[1]

    message = over(in_threads)
    assert "`part = wide.real.copy()`" in message and "`wide`, 4.00 MiB of 2 arrays" in message


def test_views_and_arguments_are_not_counted_and_lists_are():
    def in_parts(x):
        parts = [x[i::4] * 2 for i in range(4)]
        view, same = parts[0][1:], x
        y = np.empty_like(same)
        for i, part in enumerate(parts):
            y[i::4] = part
        return y if view.size else x

    message = over(in_parts)
    assert "`parts`, 1.00 MiB of 4 arrays" in message and "`view`" not in message
    assert "`same`" not in message and "`x`" not in message


def test_what_a_dict_holds_is_named_and_little_beside_much_is_not():
    def in_a_dict(x):
        maps = {i: x + i for i in range(4)}
        few = [x[:9000] * 2]
        return maps[0] + x + 0 * few[0][0]

    message = over(in_a_dict)
    assert "`maps`, 4.00 MiB of 4 arrays" in message and "`few`" not in message

    def in_a_set_of_calls(x):
        several = [(lambda y=x + i: y) for i in range(4)]
        few = x[:9000] * 2
        return several[0]() + x + 0 * few[0]

    assert "your variables hold" not in over(in_a_set_of_calls)


def test_nothing_is_said_of_memory_in_no_line_of_its_own():
    source = "def copies(x, np=__import__('numpy')): return np.array(x) + np.array(x)"
    names = {"__name__": "another"}
    exec(compile(source, "<nowhere>", "exec"), names)  # Python 3.13 knows what "<string>" is
    assert "Most is in use" not in over(names["copies"])
