"""Lab 01, exercise 5: how strong the edges of a photograph are."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import edges_wrong as wrong
from .edges import differences, edge_strength, scaled


def photo_cases(rng):
    corner = np.zeros((4, 5, 1), np.float32)
    corner[1:, 2:] = 1
    return [
        (corner,),
        (np.zeros((5, 4, 3), np.float32),),
        (rng.random((8, 11, 3), dtype=np.float32),),
        (rng.random((12, 7, 1), dtype=np.float32) * np.float32(0.01),),  # no strong edge
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
            "0 divided by 0",
            wrong.divides_by_nothing,
            symptom="A black image gives NaN in every pixel.",
            concept="An image without an edge has a largest strength of 0, and 0/0 is NaN. NaN "
            "spreads to all that is computed from it.",
            line="Divide only where the largest strength is above 0.",
        ),
        Misconception(
            "a black image without zeros",
            lambda photo, value=1: (
                edge_strength(photo) if photo.any() else np.full(photo.shape[:2], value, "f4")
            ),
            choices={"value": (0.5, 1e-3)},
            symptom="You are right but for a black image: your strengths there are not 0.",
            concept="Where there is no edge at all, the strength is 0 in every pixel.",
            line="Where the largest strength is 0, return the strengths as they are.",
        ),
        Misconception(
            "a small number added to the divisor",
            wrong.nearly_scaled,
            choices={"by": (1e-6, 1e-5, 1e-4, 0.01)},
            symptom="Your strengths are too small, most where all edges are weak: the strongest "
            "edge stays below 1.",
            concept="A number that is added to the divisor, against 0/0, makes every quotient "
            "smaller, and most where all edges are weak.",
            line="Divide by the largest strength itself, and only where it is above 0.",
        ),
        Misconception(
            "not scaled",
            wrong.not_scaled,
            choices={"by": (3, 4, 8, 255, 18**0.5, 32**0.5, np.mean, np.sum, np.linalg.norm)},
            symptom="Your strengths are right but for a factor: the strongest edge is not 1.",
            concept="The strongest edge of a photograph shall have the strength 1, so that "
            "photographs can be compared.",
            line="Divide by the largest strength, if there is any.",
        ),
        Misconception(
            "one direction only",
            wrong.one_direction,
            choices={"which": (1,)},
            symptom="Edges of one direction are missing.",
            concept="The note's kernel compares left with right, its transpose above with below. "
            "An edge of each kind needs its own.",
            line="Use two filters, `kernel` and `kernel.T`, and both of their outputs.",
        ),
        Misconception(
            "filters named anew by reshape",
            wrong.filters_reshaped,
            symptom="Your values come from two filters whose weights are mixed up with each other.",
            concept="That is what comes of stacking the filters in front, `[2, 3, 3]`, and "
            "calling `reshape`: it gives places other names and moves no value. In `w` the "
            "filters are the *last* axis.",
            line="`np.stack([kernel, kernel.T], axis=-1)[:, :, None, :]`: stacked behind, with an "
            "axis of one channel before that.",
        ),
        Misconception(
            "differences taken apart by reshape",
            wrong.differences_reshaped,
            symptom="At each pixel you put together differences of two other pixels.",
            concept="The convolution's two outputs are its *last* axis, side by side at each "
            "pixel. `reshape(2, ...)` cuts the result into an upper and a lower half.",
            line="`across, down = y[0, ..., 0], y[0, ..., 1]`, where `y` is `[1, i_h, i_w, 2]`.",
        ),
        Misconception(
            "differences added with their signs",
            wrong.plain_sum,
            choices={"size": (False,)},
            symptom="Some edges that slope vanish: their two differences cancel.",
            concept="Brighter to the left and brighter below have opposite signs. Squares have "
            "none.",
            line="Add the squares and take the root: `np.sqrt(across**2 + down**2)`.",
        ),
        Misconception(
            "sizes added",
            wrong.sum_of_sizes,
            symptom="Compared with straight edges, sloping ones come out too strong.",
            concept="The two differences are the sides of a right-angled triangle; the edge is its "
            "hypotenuse.",
            line="`np.sqrt(across**2 + down**2)`: the squares are added up, and the root is taken "
            "of their sum.",
        ),
        Misconception(
            "root forgotten",
            wrong.no_root,
            symptom="Weak edges come out too weak.",
            concept="Squares exaggerate: an edge half as strong has a quarter of the square. The "
            "root takes that back.",
            line="Take `np.sqrt` of the sum of squares.",
        ),
        Misconception(
            "no padding",
            wrong.border_lost,
            symptom="Your result is two rows and two columns too small.",
            concept="A 3×3 kernel keeps the size if the image has one row or column of zeros on "
            "each side.",
            line="Convolve with `padding=(1, 1)`, and keep all of the result.",
        ),
        Misconception(
            "a frame of zeros",
            wrong.framed,
            symptom="Your border is zero; what lies inside is right, up to a factor.",
            concept="Zeros around the *result* give its size back, not the edges on its border. "
            "The image is padded, before it is convolved.",
            line="`padding=(1, 1)` in the convolution, and its result as it comes out: nothing is "
            "put around it.",
        ),
        Misconception(
            "first channel only",
            wrong.red_only,
            symptom="You are right for images of one channel, and wrong in colour.",
            concept="An edge may show in one colour and not in another. The mean sees all three.",
            line="Give each filter the weight 1/i_c in every channel, or take the mean first.",
        ),
        Misconception(
            "strongest colour",
            wrong.strongest_colour,
            choices={"of": ("strengths",)},
            symptom="You are right for one channel; in colour, the strongest of the channels "
            "counts, and not their mean.",
            concept="That is what comes of edges of each colour by itself, which is another "
            "question. Here the colours become one grey image first.",
            line="Begin with `photo.mean(axis=2)`.",
        ),
        Misconception(
            "mean after the edges",
            wrong.mean_of_strengths,
            choices={"how": ("squares",)},
            symptom="You are right for one channel; in colour, edges that cancel in grey are "
            "still there.",
            concept="Edges of each colour, put together afterwards, are not the edges of the "
            "mean: a square and a root stand between.",
            line="First the mean over the channels, then the two filters, once.",
        ),
        Misconception(
            "stretched to 0 and 1",
            wrong.stretched,
            symptom="You are right where some pixel has no edge at all; elsewhere weak edges "
            "come out too weak.",
            concept="What is asked for is a share of the strongest edge. Taking the weakest "
            "away changes all shares.",
            line="`strength / strength.max()`, where that is above 0, and nothing subtracted.",
        ),
        Misconception(
            "cut off at 1",
            wrong.cut_at_one,
            symptom="Your strengths are not scaled: they are cut off at 1, and weak ones are as "
            "they were.",
            concept="Cutting off makes edges alike that are not. Dividing by the largest keeps "
            "their order.",
            line="`strength / largest`, where that is above 0, with nothing cut off at 1.",
        ),
        Misconception(
            "each direction scaled by itself",
            wrong.each_by_its_own,
            symptom="Where the largest differences down and across are not alike, one direction "
            "comes out too strong.",
            concept="Both differences are in the same unit, brightness. They are scaled "
            "together, at the end.",
            line="Divide the strength by its largest value, not `across` and `down` by theirs.",
        ),
        Misconception(
            "each direction scaled, not the strength",
            wrong.each_and_no_more,
            symptom="Your strongest edge can be above 1: the differences across and down are each "
            "scaled to 1, and what they make together is not.",
            concept="Two differences of 1 at one pixel make a strength of 1.41. And two scales "
            "change how the two directions compare, so that no factor mends it later.",
            line="Take the root of the unscaled squares, and divide that by its largest value "
            "where this is above 0.",
        ),
        Misconception(
            "one sign only",
            lambda photo: scaled(
                np.sqrt(sum(np.maximum(each, 0) ** 2 for each in differences(photo)))
            ),
            symptom="Edges that grow brighter, to the right or downwards, are missing.",
            concept="A difference below 0 is as much of an edge as one above. Its square says so.",
            line="Square `across` and `down` with both signs: nothing below 0 is cut off.",
        ),
        Misconception(
            "Sobel's kernel",
            wrong.by_sobel,
            symptom="Your differences count the middle row, or column, twice.",
            concept="Weights of 1, 2, 1 are Sobel's. The note's kernel has a 1 in each row.",
            line="`kernel = np.array([[1, 0, -1]] * 3, np.float32)`.",
        ),
        Misconception(
            "two pixels compared",
            wrong.by_middle_row,
            symptom="Your differences are those of two pixels, left and right, or above and below.",
            concept="The note's kernel compares two columns of three pixels, its transpose two "
            "rows.",
            line="`kernel = np.array([[1, 0, -1]] * 3, np.float32)`, three rows of it.",
        ),
        Misconception(
            "axes of length 1",
            wrong.an_axis_more,
            choices={"at": (0, (0, 3))},
            symptom="Your strengths are right, in an array with more axes than two.",
            concept="The result is a map, `[i_h, i_w]`: batch and channel have no axis in it.",
            line="`y[0, :, :, 0]` of a convolution's result, or `[..., 0]`: an index takes an axis "
            "away.",
        ),
        Misconception(
            "larger of the two",
            wrong.larger_of_both,
            symptom="Compared with straight edges, sloping ones come out too weak.",
            concept="Of the sides of a right-angled triangle, the longer one is shorter than "
            "the hypotenuse.",
            line="`np.sqrt(across**2 + down**2)`, in which both differences count.",
        ),
        Misconception(
            "padded with other than zeros",
            wrong.edge_repeated,
            choices={"mode": ("reflect", "symmetric")},
            symptom="The border counts as no edge against black with you; what lies inside is "
            "right, up to a factor.",
            concept="The padding of this task is black, so that the border counts as an edge.",
            line="Zeros around the image: what `padding=(1, 1)` gives, or `np.pad` with no `mode`.",
        ),
        Misconception(
            "brightest channel",
            lambda photo: edge_strength(photo.max(axis=2, keepdims=True)),
            symptom="You are right for one channel; in colour you look for the edges of the "
            "brightest channel.",
            concept="The mean of the channels is asked for, in which each has its share.",
            line="`photo.mean(axis=2)`, before the convolution.",
        ),
        Misconception(
            "weights of a grey image",
            wrong.by_luminance,
            symptom="You are right for one channel; in colour your three channels do not count "
            "alike.",
            concept="0.299, 0.587 and 0.114 make a grey that looks right to the eye. This "
            "exercise asks for the mean of the channels.",
            line="`photo.mean(axis=2)`.",
        ),
        Misconception(
            "float64",
            lambda photo: edge_strength(photo).astype(np.float64),
            symptom="Your strengths are right, in float64.",
            concept="A kernel or an array without a dtype makes float64 of all that it meets.",
            line="`np.float32` for the kernel, and for every array that you make or convert.",
        ),
    ],
)
