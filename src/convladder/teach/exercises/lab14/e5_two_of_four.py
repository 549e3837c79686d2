"""Lab 14, exercise 5: two of every four weights stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import two_of_four_wrong as wrong


def _keep(fours: np.ndarray, order: Callable = lambda fours: -np.abs(fours)) -> np.ndarray:
    """Put zeros for all but the first two in `order`, along axis 1."""
    kept = np.argsort(order(fours), axis=1, kind="stable")[:, :2]
    result = np.zeros_like(fours)
    np.put_along_axis(result, kept, np.take_along_axis(fours, kept, 1), 1)
    return result


def two_of_four(w):
    return _keep(w.reshape(-1, 4, w.shape[1])).reshape(w.shape)


def _threshold(w):
    fours = w.reshape(-1, 4, w.shape[1])
    second = np.sort(np.abs(fours), axis=1)[:, 2:3]
    return np.where(np.abs(fours) >= second, fours, 0).astype(w.dtype).reshape(w.shape)


def _last_of_equals(w, order=np.abs):
    """Put zeros for the first two in `order`, of size."""
    fours = w.reshape(-1, 4, w.shape[1]).copy()
    gone = np.argsort(order(fours), axis=1, kind="stable")[:, :2]
    np.put_along_axis(fours, gone, 0, 1)
    return fours.reshape(w.shape)


def _half_of_the_column(w):
    kept = np.argsort(-np.abs(w), axis=0, kind="stable")[: len(w) // 2]
    result = np.zeros_like(w)
    np.put_along_axis(result, kept, np.take_along_axis(w, kept, 0), 0)
    return result


def _along_outputs(w, short=False):
    """Take fours of outputs; short: the last has what is left of a row."""
    if short:
        return np.concatenate(
            [_keep(np.ascontiguousarray(w[:, at : at + 4])) for at in range(0, w.shape[1], 4)],
            axis=1,
        )
    return _keep(np.ascontiguousarray(w.T).reshape(-1, 4, w.shape[0])).reshape(w.T.shape).T.copy()


def _strided(w):
    """Take fours of inputs a quarter of the matrix apart."""
    fours = w.reshape(4, -1, w.shape[1]).transpose(1, 0, 2)
    return np.ascontiguousarray(_keep(fours).transpose(1, 0, 2)).reshape(w.shape)


def _above_the_mean(w, above=np.greater):
    fours = w.reshape(-1, 4, w.shape[1])
    return (
        np.where(above(np.abs(fours), np.abs(fours).mean(axis=1, keepdims=True)), fours, 0)
        .astype(w.dtype)
        .reshape(w.shape)
    )


def _packed_together(w):
    fours = w.reshape(-1, 4, w.shape[1])
    kept = np.sort(np.argsort(-np.abs(fours), axis=1, kind="stable")[:, :2], axis=1)
    return np.take_along_axis(fours, kept, 1).reshape(-1, w.shape[1])


def _every_second(w):
    result = np.zeros_like(w)
    result[::2] = w[::2]
    return result


def _keeps(count):
    def wrong(w):
        fours = w.reshape(-1, 4, w.shape[1])
        kept = np.argsort(-np.abs(fours), axis=1, kind="stable")[:, :count]
        result = np.zeros_like(fours)
        np.put_along_axis(result, kept, np.take_along_axis(fours, kept, 1), 1)
        return result.reshape(w.shape)

    return wrong


def _in_place(w):
    w[...] = two_of_four(w)
    return w.copy()


def _cases(rng: np.random.Generator) -> list[tuple]:
    small = np.array([[1, 5], [-3, 2], [2, -1], [0.5, -4]], np.float32)
    small = np.concatenate([small, -small], axis=1)
    ties = rng.integers(-2, 3, (16, 4)).astype(np.float32)
    tiny = rng.standard_normal((8, 3)).astype(np.float32) * np.float32(1e-9)
    return [
        (small,),
        (rng.standard_normal((16, 8)).astype(np.float32),),
        (ties,),
        (rng.standard_normal((64, 12)).astype(np.float32),),
        (tiny,),
    ]


def _fours(w):
    return w.reshape(-1, 4, w.shape[1])


def _small_is_nothing(w, limit=1e-6):
    kept = two_of_four(w)
    return np.where(np.abs(kept) < limit, 0, kept).astype(w.dtype)


def _rounded_first(w, decimals=4):
    return _keep(_fours(w), lambda f: -np.round(np.abs(f), decimals)).reshape(w.shape)


def _above_the_second(w):
    """Keep what is larger than the second smallest."""
    fours = w.reshape(-1, 4, w.shape[1])
    second = np.sort(np.abs(fours), axis=1)[:, 1:2]
    return np.where(np.abs(fours) > second, fours, 0).astype(w.dtype).reshape(w.shape)


EXERCISE = Exercise(
    name="two_of_four",
    lab=14,
    reference=two_of_four,
    cases=_cases,
    task="Keep the two largest of every four weights along the inputs.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "largest with its sign",
            lambda w, later=False: (
                _last_of_equals(w, lambda f: f)
                if later
                else _keep(w.reshape(-1, 4, w.shape[1]), lambda f: -f).reshape(w.shape)
            ),
            choices={"later": (True,)},
            symptom="Large negative weights are gone, and small positive ones stay.",
            concept="A weight's effect is its size. -4 matters more than 1.",
            line="Where you sort weights, sort their sizes: `np.abs(...)` of them.",
        ),
        Misconception(
            "smallest kept",
            lambda w, later=False: (
                w - two_of_four(w)
                if later
                else _keep(w.reshape(-1, 4, w.shape[1]), np.abs).reshape(w.shape)
            ),
            choices={"later": (True,)},
            symptom="You kept what should go.",
            concept="The larger two stay. `argsort` sorts upwards: its first two are the smallest.",
            line="Keep the first two of `np.argsort(-np.abs(fours), axis=1, kind='stable')`.",
        ),
        Misconception(
            "one of two",
            lambda w: np.where(
                np.arange(2)[:, np.newaxis]
                == np.abs(w.reshape(-1, 2, w.shape[1])).argmax(axis=1, keepdims=True),
                w.reshape(-1, 2, w.shape[1]),
                0,
            ).reshape(w.shape),
            symptom="You keep the larger one of every *two*.",
            concept="In a four the two largest may be neighbours: then both stay.",
            line="Groups of four: `w.reshape(-1, 4, outputs)`.",
        ),
        Misconception(
            "along the outputs",
            _along_outputs,
            choices={"short": (True,)},
            symptom="In each *row* two of four stay.",
            concept="The hardware leaves out products of one sum, and a sum runs down the inputs. "
            "`w` is [inputs, outputs].",
            line="Split the first axis, `w.reshape(-1, 4, outputs)`, and choose two along axis 1.",
        ),
        Misconception(
            "half of the column",
            _half_of_the_column,
            symptom="Half of each column stays, but not two of every four.",
            concept="What makes the pattern quick to skip is that *every* four has two. The rule "
            "is local.",
            line="Choose within each group of four neighbours.",
        ),
        Misconception(
            "equals let through",
            _threshold,
            symptom="Where weights are equal in size, more than two of a group may stay.",
            concept="A threshold cannot choose between equals, and the format has room for two.",
            line="Choose by place: `np.argsort(-np.abs(fours), axis=1, kind='stable')[:, :2]`.",
        ),
        Misconception(
            "the last of equals",
            _last_of_equals,
            symptom="Right, but where weights are equal in size: there the later ones stay.",
            concept="A sort upwards has the first of equals first: take away its first two, or "
            "keep its last two, and the later ones stay. Any choice would do for the "
            "hardware; the exercise asks for one.",
            line="Sort downwards, `-np.abs(...)`, and *keep* the first two.",
        ),
        Misconception(
            "fours not neighbours",
            _strided,
            symptom="Your fours are inputs a quarter of the matrix apart.",
            concept="Rows 0, 1, 2, 3 are one four, rows 4, 5, 6, 7 the next. `reshape(4, -1, ...)` "
            "and a step in a slice take rows that are far apart.",
            line="`w.reshape(-1, 4, outputs)`, and choose along axis 1.",
        ),
        Misconception(
            "above the mean",
            _above_the_mean,
            choices={"above": (np.greater_equal,)},
            symptom="Some fours do not keep two weights: they keep those above their mean size.",
            concept="How many are above a mean depends on the weights. The pattern wants two, "
            "always.",
            line="By place: the first two of `np.argsort(-np.abs(fours), axis=1, kind='stable')`.",
        ),
        Misconception(
            "packed together",
            _packed_together,
            symptom="You return the weights that stay, half as many rows.",
            concept="That is how they are stored, with their places beside them. Here the zeros "
            "are to stay where they are.",
            line="`np.put_along_axis` into an array of zeros of the shape of `w`.",
        ),
        Misconception(
            "every second one",
            _every_second,
            symptom="You keep every second weight, whatever it is.",
            concept="Two of four stay, and which two the weights decide.",
            line="Sort each four by size.",
        ),
        Misconception(
            "one of four",
            _keeps(1),
            symptom="You keep one weight of each four.",
            concept="2:4 means that two of them stay.",
            line="`[:, :2]` behind `argsort`.",
        ),
        Misconception(
            "three of four",
            lambda w, kept=_keeps(3): kept(w),
            choices={"kept": (wrong.smallest_once,)},
            symptom="You keep three weights of each four.",
            concept="2:4 means that two of them go. Once one is zero, it is the smallest: a second "
            "look at the same four finds it again.",
            line="`[:, :2]` of `np.argsort(-np.abs(fours), axis=1, kind='stable')` stay.",
        ),
        Misconception(
            "ones in place of weights",
            lambda w: np.sign(np.abs(two_of_four(w))).astype(w.dtype),
            symptom="You return a mask of ones and zeros.",
            concept="The weights that stay keep their values.",
            line="Multiply `w` by your mask, or write the weights themselves.",
        ),
        Misconception(
            "sizes kept, signs lost",
            lambda w: np.abs(two_of_four(w)),
            symptom="The right weights stay, without their signs.",
            concept="You sort by size, but what is written is the weight as it was.",
            line="`np.abs` only where you sort.",
        ),
        Misconception(
            "written over the argument",
            _in_place,
            symptom="You changed `w` itself.",
            concept="Whoever called you still needs the weights as they were.",
            line="`np.zeros_like(...)` for the result, or a copy first.",
        ),
        Misconception(
            "equals dropped",
            _above_the_second,
            symptom="Right, but where weights are equal in size: there fewer than two of a group "
            "may stay.",
            concept="A threshold cannot choose between equals: it drops both.",
            line="Choose by place: the first two of `np.argsort(-np.abs(fours), axis=1, "
            "kind='stable')`.",
        ),
        Misconception(
            "small is nothing",
            _small_is_nothing,
            choices={"limit": (1e-2, 1e-3, 1e-4, 1e-8)},
            symptom="Small weights are gone, even where they are the largest of their four.",
            concept="How large a weight is does not matter, only how many of its four are larger: "
            "a matrix of small weights keeps half of them, too.",
            line="No limit: two of each four stay, whatever they are.",
        ),
        Misconception(
            "rounded before they are compared",
            _rounded_first,
            choices={"decimals": (2, 3, 6, 8)},
            symptom="Where weights are nearly equal, or all small, you keep the wrong ones.",
            concept="Rounding makes equals of them, and then the place decides.",
            line="Compare `np.abs(w)` as it is.",
        ),
    ],
)
