"""Lab 01, exercise 5: how strong the edges of a photograph are."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from .gemm import COLUMNS, convolve


def edge_strength(photo):
    """Return how strong the edges of `photo[i_h,i_w,i_c]` are: float32 `[i_h,i_w]` in [0, 1]."""
    across, down = _differences(photo)
    return _scaled(np.sqrt(across**2 + down**2))


def _differences(photo, padding=(1, 1)):
    grey = photo.mean(axis=2, dtype=np.float32)[None, :, :, None]
    w = np.stack([COLUMNS, COLUMNS.T], axis=-1)[:, :, None, :]
    y = convolve(grey, w, (1, 1), padding)[0]
    return y[..., 0], y[..., 1]


def _scaled(strength):
    largest = strength.max()
    return strength / largest if largest > 0 else strength


def divides_by_nothing(photo):
    across, down = _differences(photo)
    strength = np.sqrt(across**2 + down**2)
    return strength / strength.max()


def not_scaled(photo):
    across, down = _differences(photo)
    return np.sqrt(across**2 + down**2)


def one_direction(photo):
    return _scaled(np.abs(_differences(photo)[0]))


def plain_sum(photo):
    across, down = _differences(photo)
    return _scaled(np.abs(across + down))


def sum_of_sizes(photo):
    across, down = _differences(photo)
    return _scaled(np.abs(across) + np.abs(down))


def no_root(photo):
    across, down = _differences(photo)
    return _scaled(across**2 + down**2)


def border_lost(photo):
    across, down = _differences(photo, padding=(0, 0))
    return _scaled(np.sqrt(across**2 + down**2))


def framed(photo):
    """Convolve without padding, and put zeros around the result."""
    return np.pad(border_lost(photo), 1)


def red_only(photo):
    return edge_strength(photo[:, :, :1])


def strongest_colour(photo):
    across, down = zip(*(_differences(photo[:, :, c : c + 1]) for c in range(photo.shape[2])))
    return _scaled(np.sqrt(np.max(np.square(across), 0) + np.max(np.square(down), 0)))


def mean_of_strengths(photo):
    maps = [np.sqrt(sum(each**2 for each in _differences(photo[:, :, c : c + 1])))
            for c in range(photo.shape[2])]
    return _scaled(np.mean(maps, axis=0, dtype=np.float32))


def stretched(photo):
    strength = not_scaled(photo)
    low, high = strength.min(), strength.max()
    return (strength - low) / (high - low) if high > low else strength


def cut_at_one(photo):
    return np.minimum(not_scaled(photo), 1)


def each_by_its_own(photo):
    across, down = (np.abs(each) / max(np.abs(each).max(), 1e-30) for each in _differences(photo))
    return _scaled(np.sqrt(across**2 + down**2).astype(np.float32))


def larger_of_both(photo):
    across, down = _differences(photo)
    return _scaled(np.maximum(np.abs(across), np.abs(down)))


def edge_repeated(photo):
    padded = np.pad(photo, ((1, 1), (1, 1), (0, 0)), mode="edge")
    across, down = _differences(padded, padding=(0, 0))
    return _scaled(np.sqrt(across**2 + down**2))


def photo_cases(rng):
    corner = np.zeros((4, 5, 1), np.float32)
    corner[1:, 2:] = 1
    return [
        (corner,),
        (np.zeros((5, 4, 3), np.float32),),
        (rng.random((8, 11, 3), dtype=np.float32),),
        (rng.random((12, 7, 1), dtype=np.float32),),
    ]


EXERCISE = Exercise(
    name="edge_strength",
    lab=1,
    task="How strong the edges of a photograph are, from two filters in one convolution.",
    reference=edge_strength,
    cases=photo_cases,
    calls_allowed=("convladder.convolve.conv2d",),
    misconceptions=[
        Misconception(
            "0 divided by 0", divides_by_nothing,
            symptom="A black image gives NaN in every pixel.",
            concept="An image without an edge has a largest strength of 0, and 0/0 is NaN. NaN "
            "spreads to all that is computed from it.",
            line="Divide only where the largest strength is above 0.",
        ),
        Misconception(
            "not scaled", not_scaled,
            symptom="Your strengths are right but for one factor.",
            concept="The strongest edge of a photograph shall have the strength 1, so that "
            "photographs can be compared.",
            line="Divide by the largest strength, if there is any.",
        ),
        Misconception(
            "one direction only", one_direction,
            symptom="Edges that run across are missing.",
            concept="The note's kernel compares left with right. An edge between above and below "
            "needs the same kernel turned.",
            line="Use two filters, `kernel` and `kernel.T`, and both of their outputs.",
        ),
        Misconception(
            "differences added with their signs", plain_sum,
            symptom="Some edges that slope vanish: their two differences cancel.",
            concept="Brighter to the left and brighter below have opposite signs. Squares have "
            "none.",
            line="Add the squares and take the root: `np.sqrt(across**2 + down**2)`.",
        ),
        Misconception(
            "sizes added", sum_of_sizes,
            symptom="Sloping edges come out too strong.",
            concept="The two differences are the sides of a right-angled triangle; the edge is its "
            "hypotenuse.",
            line="Use `np.sqrt(across**2 + down**2)` in place of a sum of `np.abs`.",
        ),
        Misconception(
            "root forgotten", no_root,
            symptom="Weak edges come out too weak.",
            concept="Squares exaggerate: an edge half as strong has a quarter of the square. The "
            "root takes that back.",
            line="Take `np.sqrt` of the sum of squares.",
        ),
        Misconception(
            "no padding", border_lost,
            symptom="Your result is two rows and two columns too small.",
            concept="A 3×3 kernel keeps the size if the image has one row or column of zeros on "
            "each side.",
            line="Convolve with `padding=(1, 1)`.",
        ),
        Misconception(
            "a frame of zeros", framed,
            symptom="Your border is zero; what lies inside is right, up to a factor.",
            concept="Zeros around the *result* give its size back, not the edges on its border. "
                    "The image is padded, before it is convolved.",
            line="`padding=(1, 1)` in the convolution, and no `np.pad` behind it."),
        Misconception(
            "first channel only", red_only,
            symptom="You are right for images of one channel, and wrong in colour.",
            concept="An edge may show in one colour and not in another. The mean sees all three.",
            line="Give each filter the weight 1/i_c in every channel, or take the mean first.",
        ),
        Misconception(
            "strongest colour", strongest_colour,
            symptom="You are right for one channel; in colour your edges are too strong.",
            concept="An edge of each colour by itself is another question. Here the colours "
                    "become one grey image first.",
            line="Begin with `photo.mean(axis=2)`."),
        Misconception(
            "mean after the edges", mean_of_strengths,
            symptom="You are right for one channel; in colour, edges that cancel in grey are "
                    "still there.",
            concept="The mean of the strengths is not the strength of the mean: a square and a "
                    "root stand between.",
            line="First the mean over the channels, then the two filters, once."),
        Misconception(
            "stretched to 0 and 1", stretched,
            symptom="You are right where some pixel has no edge at all; elsewhere weak edges "
                    "come out too weak.",
            concept="What is asked for is a share of the strongest edge. Taking the weakest "
                    "away changes all shares.",
            line="Divide by `strength.max()`, and subtract nothing."),
        Misconception(
            "cut off at 1", cut_at_one,
            symptom="All strong edges have the strength 1 with you.",
            concept="Cutting off makes edges alike that are not. Dividing by the largest keeps "
                    "their order.",
            line="`strength / largest` in place of `np.minimum(strength, 1)` or `np.clip`."),
        Misconception(
            "each direction scaled by itself", each_by_its_own,
            symptom="One direction comes out too strong, wherever the strongest edges run one "
                    "way.",
            concept="Both differences are in the same unit, brightness. They are scaled "
                    "together, at the end.",
            line="Divide the strength by its largest value, not `across` and `down` by "
                    "theirs."),
        Misconception(
            "larger of the two", larger_of_both,
            symptom="Sloping edges come out too weak.",
            concept="Of the sides of a right-angled triangle, the longer one is shorter than "
                    "the hypotenuse.",
            line="`np.sqrt(across**2 + down**2)` in place of `np.maximum`."),
        Misconception(
            "edge repeated", edge_repeated,
            symptom="Pixels inside the image are right, the border of a bright image is not.",
            concept="The padding of this task is black, so that the border counts as an edge.",
            line='`padding=(1, 1)` pads with zeros; leave out `mode="edge"`.'),
        Misconception(
            "brightest channel",
            lambda photo: edge_strength(photo.max(axis=2, keepdims=True)),
            symptom="You are right for one channel; in colour you look for the edges of the "
                    "brightest one.",
            concept="The mean of the channels is asked for, in which each has its share.",
            line="`photo.mean(axis=2)`, not `photo.max(axis=2)`."),
        Misconception(
            "float64", lambda photo: edge_strength(photo).astype(np.float64),
            symptom="Your strengths are right, in float64.",
            concept="A kernel or an array without a dtype makes float64 of all that it meets.",
            line="`np.float32` for the kernel, and for what you make with `np.zeros`."),
    ],
)
