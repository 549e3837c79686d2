"""Lab 02, exercise 3: the least time, from the roofline."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole
from . import times_wrong as wrong
from .layers import problem_of


def machines(rng):
    """Return FLOP/s and bytes/s of one core, and of many, whose rates are the seed's."""
    return (100e9, 20e9), (whole(rng, 1500, 2500) * 1e9, whole(rng, 40, 60) * 1e9)


TIMED = [
    ((2, 2, 1), (1, 1, 1), (1, 1), (0, 0)),
    ((12, 18, 3), (3, 5, 4), (2, 3), (1, 2)),  # does not come out even, and rounds up
    ((56, 48, 24), (11, 9, 20), (1, 1), (5, 4)),  # arithmetic decides, also if it is counted short
    # Arithmetic decides on one core, traffic on many; with MACs for FLOPs, traffic on both.
    ((28, 24, 4), (3, 3, 3), (1, 1), (1, 1)),
    ((1, 1, 4096), (1, 1, 1000), (1, 1), (0, 0)),
    ((30, 26, 8), (1, 1, 5), (2, 3), (0, 0)),  # most pixels are in no window
]


def least_seconds(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return max(p.flops / flops_per_s, p.compulsory_bytes() / bytes_per_s)


EXERCISE = Exercise(
    name="least_seconds",
    lab=2,
    task="Predict the least time of a layer from a machine's two limits.",
    reference=least_seconds,
    cases=lambda rng: [(*layer, *machine) for machine in machines(rng) for layer in TIMED],
    misconceptions=[
        Misconception(
            "the smaller of two times",
            wrong.quickest,
            symptom="Your time is too short: it belongs to the limit that does *not* bind.",
            concept="The layer is done when its arithmetic *and* its traffic are done, so the "
            "longer of the two decides. (Of *rates*, the roofline takes the smaller. Of times, "
            "the larger.)",
            line="`max(flops / flops_per_s, moved / bytes_per_s)`: the longer time, which belongs "
            "to the lower rate.",
        ),
        Misconception(
            "pixels between the windows left out",
            wrong.windows_only,
            symptom="Your traffic lacks pixels that are in no window.",
            concept="With a stride larger than the kernel some pixels are never used. The exercise "
            "counts them all the same, as a program that reads the image once from end to end.",
            line="All `i_h * i_w * i_c` values of the image.",
        ),
        Misconception(
            "one after the other",
            wrong.in_turn,
            symptom="Your time is the sum of two: that of the arithmetic and that of the traffic.",
            concept="A processor computes while it loads. The least time is that of the slower "
            "one alone.",
            line="`max(a, b)` of the two times, and nothing added to it.",
        ),
        Misconception(
            "values as bytes",
            wrong.values_as_bytes,
            symptom="Your traffic is four times too small.",
            concept="A float32 is four bytes, and the machine's limit is in bytes a second.",
            line="Multiply the number of values by 4.",
        ),
        Misconception(
            "MACs as FLOPs",
            wrong.macs_as_flops,
            symptom="Your arithmetic takes half the time it should.",
            concept="The peak is in FLOP/s, and a MAC is two FLOPs.",
            line="`2 * macs / flops_per_s`",
        ),
        Misconception(
            "the limit chosen by MACs",
            wrong.chosen_by_macs,
            symptom="Right for most layers. Where arithmetic takes longer, but less than twice as "
            "long as traffic, your time is that of the traffic.",
            concept="FLOPs for each byte say which limit binds, and a MAC is two FLOPs. Counted "
            "in MACs, a layer seems to have half of its intensity.",
            line="`2 * macs / moved` against `flops_per_s / bytes_per_s`; or the larger of the two "
            "times, with no such comparison.",
        ),
        Misconception(
            "the limit chosen by values",
            wrong.chosen_by_values,
            symptom="Where traffic takes longer, but less than four times as long as arithmetic, "
            "your time is that of the arithmetic.",
            concept="FLOPs for each *byte* say which limit binds. A value is four bytes: counted "
            "in values, a layer seems to have four times its intensity.",
            line="`flops / moved` with `moved` in bytes; or the larger of the two times, with no "
            "such comparison.",
        ),
        Misconception(
            "each window once",
            wrong.changed(moved=lambda p: 4 * (p.pixels * p.window + p.params + p.pixels * p.k_c)),
            symptom="Your traffic has the values of every window, once for all filters.",
            concept="Windows overlap, and a value that is there already need not be read again. "
            "The traffic that cannot be avoided has each value of the image once.",
            line="`i_h * i_w * i_c` values of the image.",
        ),
        Misconception(
            "one addition less",
            wrong.changed(lambda p: p.flops - p.pixels * p.k_c),
            symptom="Your time is a little too short where the arithmetic decides: by one FLOP for "
            "each output value.",
            concept="A sum of K products has K - 1 additions, counted strictly. A MAC counts as "
            "two FLOPs all the same, the first one too.",
            line="`2 * macs` FLOPs, with no `- 1`.",
        ),
        Misconception(
            "biases in the arithmetic",
            wrong.changed(lambda p: p.flops + p.pixels * p.k_c),
            symptom="Your time is a little too long where the arithmetic decides: by one FLOP for "
            "each output value.",
            concept="Adding a bias would be such a FLOP. The task leaves the bias out, of the "
            "traffic and of the arithmetic.",
            line="`2 * macs` FLOPs, with nothing added.",
        ),
        Misconception(
            "a part of the traffic by itself",
            wrong.part_in_turn(lambda p: p.params),
            symptom="Some traffic is added to the arithmetic and does not overlap with it. Right "
            "where the rest of it takes longer than the arithmetic, else too long.",
            concept="In the roofline *all* traffic overlaps with the arithmetic: nothing is loaded "
            "before and nothing stored behind.",
            line="`max(flops / flops_per_s, moved / bytes_per_s)`, with all bytes in `moved`, and "
            "nothing added.",
            choices={
                "part": (
                    lambda p: p.pixels * p.k_c,
                    lambda p: p.i_h * p.i_w * p.i_c,
                    lambda p: p.params + p.i_h * p.i_w * p.i_c,
                    lambda p: p.params + p.pixels * p.k_c,
                )
            },
        ),
        Misconception(
            "naive accesses as traffic",
            wrong.naive_bytes,
            symptom="Your traffic moves each window anew.",
            concept="The roofline asks for the traffic that cannot be avoided: each input value "
            "and each weight once in, each output value once out.",
            line="Bytes: 4 times the sum of the three arrays' sizes.",
        ),
        Misconception(
            "padding moved",
            wrong.padding_moved,
            symptom="Your traffic is too large wherever there is padding.",
            concept="The zeros around the image are not stored anywhere: nobody reads them from "
            "memory.",
            line="The image has `i_h * i_w * i_c` values, without the padding.",
        ),
        Misconception(
            "weights left out",
            wrong.weights_unmoved,
            symptom="Your time is too short where the traffic decides: the weights are missing "
            "from it.",
            concept="The weights lie in memory as well and must be read once. In a fully "
            "connected layer they are nearly all of the traffic.",
            line="Add `k_h * k_w * i_c * k_c` values to the traffic.",
        ),
        Misconception(
            "arithmetic only",
            wrong.arithmetic_only,
            symptom="Your time is right where arithmetic is the limit, else too short.",
            concept="A layer with little work for each byte waits for memory.",
            line="Take the longer of it and `moved / bytes_per_s`, with `moved` in bytes, and by "
            "`/`: `//` makes 0 of it.",
        ),
        Misconception(
            "traffic only",
            wrong.traffic_only,
            symptom="Your time is right where memory is the limit, else too short.",
            concept="A layer with much work for each byte waits for its arithmetic.",
            line="Take the longer of it and `2 * macs / flops_per_s`, with the MACs of all output "
            "pixels, and by `/`: `//` makes 0 of it.",
        ),
        Misconception(
            "output not moved",
            wrong.changed(moved=lambda p: p.compulsory_bytes() - 4 * p.pixels * p.k_c),
            symptom="Your time is too short where the traffic decides, as if the output's bytes "
            "did not count.",
            concept="What was computed has to get to memory, each value once. It goes over the "
            "same path as what is read.",
            line="Add `o_h * o_w * k_c` values to those that are read.",
        ),
        Misconception(
            "output moved twice",
            wrong.changed(moved=lambda p: p.compulsory_bytes() + 4 * p.pixels * p.k_c),
            symptom="Your time is too long where the traffic decides: you have the bytes of the "
            "output twice.",
            concept="A sum grows in a register and is written once, when it is done. Nothing of "
            "the output has to be read before.",
            line="`o_h * o_w * k_c` values once, without a factor of 2.",
        ),
        Misconception(
            "image not moved",
            wrong.changed(moved=lambda p: 4 * (p.params + p.pixels * p.k_c)),
            symptom="Your time is too short where the traffic decides: the image is there for "
            "nothing.",
            concept="Each value of the image has to come from memory, once.",
            line="Add `i_h * i_w * i_c` values to the traffic.",
        ),
        Misconception(
            "output with the input's channels",
            wrong.changed(moved=lambda p: p.compulsory_bytes() + 4 * p.pixels * (p.i_c - p.k_c)),
            symptom="You are right where a layer has as many filters as input channels, or where "
            "arithmetic decides.",
            concept="What is written are the sums of the filters: `k_c` values for each pixel.",
            line="`o_h * o_w * k_c` values out.",
        ),
        Misconception(
            "bias in the traffic",
            wrong.changed(moved=lambda p: p.compulsory_bytes() + 4 * p.k_c),
            symptom="Your time is a little too long where the traffic decides.",
            concept="You move `k_c` values more than the task asks for: it leaves the bias out.",
            line="Three terms: image, weights, output.",
        ),
        Misconception(
            "two bytes a value",
            wrong.changed(moved=lambda p: p.compulsory_bytes(2)),
            symptom="Your traffic takes half the time that it should.",
            concept="A float32 has four bytes; two are a float16. And what is read and what is "
            "written go over the same path, one after the other.",
            line="Four bytes for each value, read or written, over `bytes_per_s`.",
        ),
        Misconception(
            "bits",
            wrong.changed(moved=lambda p: p.compulsory_bytes(32)),
            symptom="Your traffic takes 8 times as long as it should.",
            concept="A float32 has 32 bits, and the machine's limit is in bytes: 4 of them.",
            line="The number of values times 4, over `bytes_per_s`, and no factor of 8.",
        ),
        Misconception(
            "eight bytes a value",
            wrong.changed(moved=lambda p: p.compulsory_bytes(8)),
            symptom="Your traffic takes twice as long as it should.",
            concept="A float32 has four bytes; eight are a float64. Each value moves once, in or "
            "out. (FLOPs for each byte come out half as many, too, if MACs stand for FLOPs.)",
            line="Four bytes a value, each value once; and `2 * macs` wherever FLOPs are meant.",
        ),
        Misconception(
            "microseconds",
            wrong.changed(unit=1e6),
            symptom="Your time is a million times too long.",
            concept="Limits are given per second, so their quotients are seconds.",
            line="Return the seconds as they are.",
        ),
        Misconception(
            "output as large as the image",
            wrong.changed(
                lambda p: 2 * p.i_h * p.i_w * p.params,
                lambda p: 4 * (p.i_h * p.i_w * (p.i_c + p.k_c) + p.params),
            ),
            symptom="You are right where the output is as large as the image.",
            concept="Stride, kernel and padding decide how many output pixels there are.",
            line="Compute `o_h` and `o_w`, and use them for the FLOPs and for the output.",
        ),
        Misconception(
            "a rate, not a time",
            lambda image, kernel, stride, padding, flops_per_s, bytes_per_s: min(
                flops_per_s,
                (p := problem_of(image, kernel, stride, padding)).flops
                / p.compulsory_bytes()
                * bytes_per_s,
            ),
            symptom="You return the FLOP/s that the roofline allows, not seconds.",
            concept="The roofline's height is a rate. The time is the work over that rate.",
            line="Divide the FLOPs by that rate; or take the larger of two times from the start.",
        ),
        Misconception(
            "the intensity",
            lambda image, kernel, stride, padding, flops_per_s, bytes_per_s: (
                (p := problem_of(image, kernel, stride, padding)).flops / p.compulsory_bytes()
                + 0 * flops_per_s
            ),
            symptom="You return FLOPs for each byte: the same on every machine.",
            concept="The arithmetic intensity says which limit binds. The time still has to be "
            "computed from that limit.",
            line="The larger of `flops / flops_per_s` and `moved / bytes_per_s`.",
        ),
        Misconception(
            "upside down",
            lambda image, kernel, stride, padding, flops_per_s, bytes_per_s: (
                1 / least_seconds(image, kernel, stride, padding, flops_per_s, bytes_per_s)
            ),
            symptom="You return runs a second.",
            concept="Work over rate is a time; rate over work is how often it could be done.",
            line="`max(flops / flops_per_s, moved / bytes_per_s)`.",
        ),
        Misconception(
            "milliseconds",
            wrong.changed(unit=1e3),
            symptom="Your time is a thousand times too long.",
            concept="The answer is in seconds, however small they are.",
            line="No factor of 1000.",
        ),
        Misconception(
            "nanoseconds",
            wrong.changed(unit=1e9),
            symptom="Your time is a thousand million times too long.",
            concept="The answer is in seconds. Nanoseconds are for reading it.",
            line="No factor of 1e9.",
        ),
    ],
)
