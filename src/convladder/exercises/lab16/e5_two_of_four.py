"""Lab 16, exercise 5: two of every four weights."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def two_of_four(w):
    fours = w.reshape(-1, 4, w.shape[1])
    kept = np.argsort(-np.abs(fours), axis=1, kind="stable")[:, :2]
    result = np.zeros_like(fours)
    np.put_along_axis(result, kept, np.take_along_axis(fours, kept, 1), 1)
    return result.reshape(w.shape)


def weights(fill, columns, scale):
    """A matrix by its columns, each a list of numbers."""
    return (np.array(columns, np.float32).T.copy() * np.float32(scale),)


def drawn(rng, inputs, outputs):
    return rng.standard_normal((outputs, inputs)).round(5).tolist()


ORDER = '-np.abs(fours), axis=1, kind="stable")[:, :2]'

EXERCISE = Exercise(
    name="two_of_four",
    lab=16,
    task="Keep the two largest of every four weights along the inputs.",
    solution=two_of_four,
    cases=lambda rng: [
        ([[1.0, -3.0, 2.0, 0.5], [5.0, 2.0, -1.0, -4.0], [-1.0, 3.0, -2.0, -0.5]], 1),
        (drawn(rng, 16, 8), 1),
        (rng.integers(-2, 3, (4, 16)).astype(float).tolist(), 1),
        (drawn(rng, 64, 12), 1),
        (drawn(rng, 8, 3), 1e-9),
    ],
    inputs=weights,
    valid=lambda columns, scale: (
        len(columns) > 0
        and all(len(each) == len(columns[0]) > 0 and len(each) % 4 == 0 for each in columns)
    ),
    mend='`kept = np.argsort(-np.abs(fours), axis=1, kind="stable")[:, :2]` of '
    "`fours = w.reshape(-1, 4, w.shape[1])`",
    misconceptions=[
        Misconception(
            "weights sorted with their signs",
            edit("-np.abs(fours)", "-fours"),
            "Large negative weights are gone, and small positive ones stay.",
            "A weight matters by its magnitude.",
        ),
        Misconception(
            "fours along the outputs",
            edit(
                "fours = w.reshape(-1, 4, w.shape[1])",
                "m = w.T if w.shape[1] % 4 == 0 else w\n    fours = m.reshape(-1, 4, m.shape[1])",
                "result.reshape(w.shape)",
                "result.reshape(m.shape).T.copy() if m is not w else result.reshape(w.shape)",
            ),
            "In each row two of four stay, where that is possible.",
            "The hardware skips factors of one sum, and a sum runs over the inputs: down a column.",
        ),
        Misconception(
            "fours that are not neighbours",
            edit(
                "w.reshape(-1, 4, w.shape[1])",
                "w.reshape(4, -1, w.shape[1]).swapaxes(0, 1)",
                "return result.reshape(w.shape)",
                "return result.swapaxes(0, 1).reshape(w.shape)",
            ),
            "Your groups are inputs a quarter of the matrix apart.",
            "Four neighbours along the inputs are a group: `reshape(-1, 4, outputs)`.",
        ),
        Misconception(
            "a limit in place of an order",
            edit(
                "result = np.zeros_like(fours)",
                "limit = np.sort(np.abs(fours), 1)[:, 2:3]\n"
                "    result = np.where(np.abs(fours) >= limit, fours, 0)",
                "np.put_along_axis(result, kept, np.take_along_axis(fours, kept, 1), 1)",
                "pass",
            ),
            "Where weights are equal in size, more than two of a group stay.",
            "A limit can't tell equal weights apart. Choose by position instead.",
        ),
        Misconception(
            "the later ones of equals",
            edit(ORDER, 'np.abs(fours), axis=1, kind="stable")[:, 2:]'),
            "Right except where weights are equal in size: the later ones stay.",
            "A stable sort keeps equals in order. Upwards, the first of them counts as smaller.",
        ),
    ],
)
