"""Lab 05: count chains, choose a tile, pack weights, and write loops judged by their code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...cpu.im2col import pad
from ...problem import ConvProblem
from ...registry import get_method
from ..exercise import Exercise, Fault, Misconception

CHAINS = 8  # asked for in `dot`: four cycles of latency by two multiply-adds a cycle


# --- chains -----------------------------------------------------------------------------------


def share_of_peak(chains, latency, per_cycle):
    return min(1.0, chains / (latency * per_cycle))


Exercise(
    name="share_of_peak", lab=5, reference=share_of_peak,
    task="Say which share of the peak a number of independent chains can reach.",
    cases=lambda rng: [(1, 4, 2), (3, 4, 2), (8, 4, 2), (4, 4, 1), (24, 5, 2), (5, 3, 4)],
    misconceptions=[
        Misconception(
            "no upper end", lambda chains, latency, per_cycle: chains / (latency * per_cycle),
            symptom="With few chains you are right; with many you promise more than the peak.",
            concept="Above the knee all pipelines are busy, and more chains wait for a place.",
            line="Take the smaller of your quotient and 1."),
        Misconception(
            "throughput forgotten", lambda chains, latency, per_cycle: min(1.0, chains / latency),
            symptom="Right for cores that start one multiply-add a cycle, too large for others.",
            concept="A core that starts two a cycle has twice as many places to fill.",
            line="Divide by `latency * per_cycle`."),
        Misconception(
            "multiplied by the throughput",
            lambda chains, latency, per_cycle: min(1.0, chains * per_cycle / latency),
            symptom="The more multiply-adds a core starts, the larger your share: it must be the "
                    "other way round.",
            concept="The share is of a peak that grows with `per_cycle`. The chains stay as slow "
                    "as before: each makes one step per latency.",
            line="`per_cycle` belongs below the line: `chains / (latency * per_cycle)`."),
        Misconception(
            "all or nothing",
            lambda chains, latency, per_cycle: float(chains >= latency * per_cycle),
            symptom="Below the knee you say 0.",
            concept="Too few chains are slower in proportion: one of eight reaches an eighth.",
            line="Return the quotient, not the comparison."),
    ],
)


# --- the tile ---------------------------------------------------------------------------------


def _best(registers: int, most_vectors: int, needed: Callable, key: Callable) -> tuple[int, int]:
    fitting = [(p, v) for v in range(1, most_vectors + 1) for p in range(1, registers + 1)
               if needed(p, v) <= registers]
    return min(fitting, key=lambda tile: key(*tile))


def _needed(p, v):
    return p * v + v + 1


def _loads(p, v):
    return (p + v) / (p * v), -p


def best_tile(registers, most_vectors):
    return _best(registers, most_vectors, _needed, _loads)


Exercise(
    name="best_tile", lab=5, reference=best_tile,
    task="Choose the tile of fewest loads a multiply-add that the registers hold.",
    cases=lambda rng: [(16, 2), (32, 2), (16, 4), (32, 4), (32, 8), (24, 4), (16, 1)],
    misconceptions=[
        Misconception(
            "sums only", lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v, _loads),
            symptom="Your tiles are too large: compiled, they would spill.",
            concept="A step needs its operands in registers too: `v` vectors of weights and an "
                    "input value.",
            line="Where you ask whether a tile fits, add `v + 1` to `p * v`."),
        Misconception(
            "no room for the input", lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v + v, _loads),
            symptom="Some of your tiles want one register more than there is.",
            concept="The input value, copied into all lanes, is a vector as well.",
            line="Add 1 to what a tile needs."),
        Misconception(
            "most multiply-adds", lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (-p * v, -p)),
            symptom="You took the tile with the most sums. It does not always load least.",
            concept="A tile of 30 × 1 has many sums and more loads than multiply-adds. What "
                    "counts is `(p + v) / (p * v)`.",
            line="Compare tiles by loads a multiply-add."),
        Misconception(
            "fewest loads a step", lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (p + v, -p)),
            symptom="You took the smallest tile.",
            concept="One pixel by one vector needs two loads only, but for a single multiply-add.",
            line="Divide the loads `p + v` by the multiply-adds `p * v`."),
        Misconception(
            "vectors first", lambda registers, most_vectors: best_tile(
                registers, most_vectors)[::-1],
            symptom="Your two numbers are right and stand in the wrong order.",
            concept="A tile is named pixels by vectors.",
            line="Exchange the two values that you return."),
        Misconception(
            "ties to the vectors", lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (_loads(p, v)[0], p)),
            symptom="Right but where two tiles load equally much: there you took fewer pixels.",
            concept="Of two such tiles, the one with more pixels fetches all weights fewer times.",
            line="Where loads are equal, prefer the larger `p`."),
    ],
)


# --- packing ----------------------------------------------------------------------------------


def pack_weights(w, lanes):
    steps, k_c = w[..., 0].size, w.shape[3]
    blocks = -(-k_c // lanes)
    filled = np.zeros((steps, blocks * lanes), np.float32)
    filled[:, :k_c] = w.reshape(steps, k_c)
    return filled.reshape(steps, blocks, lanes).transpose(1, 0, 2).copy()


def _dropped(w, lanes):
    return pack_weights(w[..., : max(1, w.shape[3] // lanes) * lanes], lanes)


def _reshaped(w, lanes):
    packed = pack_weights(w, lanes)
    return packed.transpose(1, 0, 2).reshape(packed.shape).copy()


def _striped(w, lanes):
    blocks, steps, _ = (packed := pack_weights(w, lanes)).shape
    flat = packed.transpose(1, 0, 2).reshape(steps, lanes, blocks)
    return flat.transpose(2, 0, 1).copy()


def _shifted(w, lanes):
    packed = pack_weights(w, lanes)
    packed[-1] = w.reshape(-1, w.shape[3])[:, -lanes:]
    return packed


Exercise(
    name="pack_weights", lab=5, reference=pack_weights, contiguous=True,
    task="Lay the weights out in the order in which tiles of one vector read them.",
    cases=lambda rng: [
        (np.arange(1, 13, dtype=np.float32).reshape(1, 2, 1, 6), 4),
        (rng.standard_normal((3, 2, 4, 8), dtype=np.float32), 4),
        (rng.standard_normal((2, 3, 3, 21), dtype=np.float32), 8),
    ],
    misconceptions=[
        Misconception(
            "rest of the channels dropped", _dropped,
            symptom="The last block is missing where channels do not fill it.",
            concept="6 channels by blocks of 4 are two blocks; the second has two zeros.",
            line="Round the number of blocks up: `-(-k_c // lanes)`."),
        Misconception(
            "reshaped only", _reshaped,
            symptom="The shape is right, but the values have not moved.",
            concept="`reshape` names the values anew and leaves them where they are. A block must "
                    "hold `lanes` channels of *every* step.",
            line="Reshape to `[steps, blocks, lanes]` first, then `transpose(1, 0, 2)`."),
        Misconception(
            "channels dealt out", _striped,
            symptom="Each block has every second or third channel.",
            concept="A tile stores one vector of neighbouring channels: a block is `lanes` "
                    "channels in a row.",
            line="The channel axis splits into `[blocks, lanes]`, not `[lanes, blocks]`."),
        Misconception(
            "last block moved back", _shifted,
            symptom="The last block begins too early, so that it holds channels of the one before.",
            concept="Block `b` begins at channel `b * lanes`, whether it is full or not.",
            line="Fill up with zeros behind the last channel; do not shift the block."),
        Misconception(
            "kernel transposed",
            lambda w, lanes: pack_weights(w.transpose(1, 0, 2, 3), lanes),
            symptom="The steps come column by column.",
            concept="A pixel's run in memory is a kernel *row*: the steps are in the order row, "
                    "column, channel, as they are in `w`.",
            line="Leave the first three axes of `w` in their order."),
    ],
)


# --- a dot product, judged by its code --------------------------------------------------------


def dot(a, b):
    return float(_eight()(a, b))


def _dot_code(function: Callable) -> Fault | None:
    from ..assembly import compiled_loop

    if function is dot:
        function = _eight()
    function = getattr(function, "compiled", function)
    if not hasattr(function, "inspect_asm"):
        return Fault("not compiled", "it is no compiled function: decorate it with "
                                     "`@numba.njit(...)`, and write its loop yourself.")
    loop = compiled_loop(function)
    if "cvtps2pd" in str(loop) or "fcvtl" in str(loop):
        return Fault("double precision", "its loop turns every value into float64 first: half as "
                                         "many fit into a vector.")
    if not loop.multiply_adds:
        return Fault("no vectors", "its innermost loop multiplies single values, not vectors.")
    if loop.shuffles:
        return Fault("rearranged", f"its loop has {loop.shuffles} instructions that sort values "
                                   f"into vectors, for {len(loop.multiply_adds)} multiply-adds.")
    if loop.accumulators < CHAINS:
        return Fault("too few chains", f"its loop adds to {loop.accumulators} registers in turn; "
                                       f"{CHAINS} chains are asked for.")
    return None


def _numba(build: Callable) -> Callable:
    """A wrong answer that is compiled when it is first called, not when this file is loaded."""
    made = cache(build)

    def wrong(a, b):
        wrong.compiled = made()
        return wrong.compiled(a, b)

    return wrong


@cache
def _eight():
    import numba

    @numba.njit(fastmath=True)
    def eight(a, b):
        part = len(a) // 4
        s0 = s1 = s2 = s3 = np.float32(0)
        for i in range(part):
            s0 += a[i] * b[i]
            s1 += a[part + i] * b[part + i]
            s2 += a[2 * part + i] * b[2 * part + i]
            s3 += a[3 * part + i] * b[3 * part + i]
        for i in range(4 * part, len(a)):
            s0 += a[i] * b[i]
        return (s0 + s1) + (s2 + s3)

    return eight


def _one_sum(fastmath: bool, start: type) -> Callable:
    def build():
        import numba

        @numba.njit(fastmath=fastmath)
        def one_sum(a, b):
            total = start(0)
            for i in range(len(a)):
                total += a[i] * b[i]
            return total

        return one_sum

    return _numba(build)


def _neighbours() -> Callable:
    import numba

    @numba.njit(fastmath=True)
    def neighbours(a, b):
        s0 = s1 = s2 = s3 = np.float32(0)
        whole = len(a) // 4 * 4
        for i in range(0, whole, 4):
            s0 += a[i] * b[i]
            s1 += a[i + 1] * b[i + 1]
            s2 += a[i + 2] * b[i + 2]
            s3 += a[i + 3] * b[i + 3]
        for i in range(whole, len(a)):
            s0 += a[i] * b[i]
        return (s0 + s1) + (s2 + s3)

    return neighbours


def _integers(rng: np.random.Generator, n: int) -> np.ndarray:
    """Small whole numbers: their sums are exact in float32, in any order."""
    return rng.integers(-8, 9, n).astype(np.float32)


Exercise(
    name="dot", lab=5, reference=dot, code=_dot_code,
    task="Write a dot product whose machine code has eight independent chains of vectors.",
    cases=lambda rng: [(_integers(rng, n), _integers(rng, n)) for n in (7, 3, 64, 1027)],
    misconceptions=[
        Misconception(
            "rest forgotten", lambda a, b: float(np.dot(a[: len(a) // 4 * 4],
                                                        b[: len(b) // 4 * 4])),
            symptom="Lengths that are a multiple of 4 are right; others are not.",
            concept="`len(a) // 4` leaves up to three values over.",
            line="After the main loop, add the products from `4 * part` to the end."),
        Misconception(
            "chains not added up", lambda a, b: float(
                np.dot(a[: len(a) // 4], b[: len(a) // 4])
                + np.dot(a[len(a) // 4 * 4 :], b[len(a) // 4 * 4 :])),
            symptom="Your result holds a quarter of the products.",
            concept="Each chain has its own sum; the dot product is the sum of them all.",
            line="Look at `return`: all of the sums must be in it."),
        Misconception(
            "not compiled", lambda a, b: float(a @ b),
            symptom="The values are right, but no loop of yours was compiled: it is interpreted, "
                    "or NumPy's.",
            concept="The exercise is to write a loop, and to see in the machine code what the "
                    "compiler made of it.",
            line="Write `for i in range(...)`, and put `@numba.njit(fastmath=True)` above `def`."),
        Misconception(
            "order kept", _one_sum(False, np.float32),
            symptom="The compiler used no vectors at all.",
            concept="Vectors add in another order, and rounding depends on it. The compiler may "
                    "only do so if you allow it.",
            line="`@numba.njit(fastmath=True)`"),
        Misconception(
            "float64 sum", _one_sum(True, float),
            symptom="Every value is converted before it is added.",
            concept="`0.0` is a float64 to Numba, and a float64 sum makes all that is added to it "
                    "float64.",
            line="Begin with `np.float32(0)`."),
        Misconception(
            "one sum", _one_sum(True, np.float32),
            symptom="You wrote one sum. The compiler made a few chains of it, but not enough.",
            concept="LLVM splits a sum into four or so. You can give it more to split: a loop "
                    "that grows several sums.",
            line="Cut both vectors into four parts, and grow one sum in each: "
                 "`s1 += a[part + i] * b[part + i]`."),
        Misconception(
            "neighbours to different chains", _numba(_neighbours),
            symptom="There are vectors and chains, and yet many more instructions move values.",
            concept="A vector loads *neighbouring* values. If neighbours belong to different "
                    "sums, they must be sorted out after every load.",
            line="Let each sum run through a part of its own: `a[part + i]`, not `a[i + 1]`."),
    ],
)


# --- a convolution of one's own ---------------------------------------------------------------


def direct_conv(x, w, problem):
    return get_method("loops_numba").run(x, w, problem)


def _lowered(x, w, p):
    padded = pad(x, p)
    windows = sliding_window_view(padded, (p.k_h, p.k_w), axis=(1, 2))[:, :: p.s_h, :: p.s_w]
    matrix = windows.transpose(0, 1, 2, 4, 5, 3).reshape(p.pixels, p.window)
    return (matrix @ w.reshape(p.window, p.k_c)).reshape(p.output_shape)


def _padded_copy(x, w, p):
    """Right, with a padded image and nothing more."""
    whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return get_method("loops_numba").run(np.ascontiguousarray(pad(x, p)), w, whole)


def _around(x, w, p):
    """What indices below zero do in Python: they count from the end."""
    rows = np.arange(-p.p_h, p.i_h + p.p_h)
    cols = np.arange(-p.p_w, p.i_w + p.p_w)
    image = np.where((rows < p.i_h)[:, None, None] & (cols < p.i_w)[:, None],
                     x[:, rows % p.i_h][:, :, cols % p.i_w], np.float32(0))
    whole = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return _lowered(image, w, whole)


def _with_stride(s_h: Callable, s_w: Callable) -> Callable:
    def wrong(x, w, problem):
        p = problem
        padded = np.pad(pad(x, p), ((0, 0), (0, 99), (0, 99), (0, 0)))
        y = np.empty(p.output_shape, np.float32)
        for h in range(p.o_h):
            for v in range(p.o_w):
                window = padded[:, s_h(p) * h :, s_w(p) * v :][:, : p.k_h, : p.k_w]
                y[:, h, v] = window.reshape(p.i_n, -1) @ w.reshape(p.window, p.k_c)
        return y

    return wrong


def _first_image(x, w, problem):
    y = np.zeros(problem.output_shape, np.float32)
    y[0] = _lowered(x, w, problem)[0]
    return y


LAYERS = (ConvProblem(1, 4, 3, 1, 2, 2, 1), ConvProblem(2, 7, 9, 3, 3, 2, 5, stride=(2, 3)),
          ConvProblem(2, 6, 5, 2, 3, 4, 7, stride=(1, 2), padding=(2, 1)),
          ConvProblem(1, 48, 40, 16, 3, 3, 16, padding=1))


def _layers(rng: np.random.Generator) -> list[tuple]:
    return [(rng.standard_normal(p.input_shape, dtype=np.float32),
             rng.standard_normal(p.kernel_shape, dtype=np.float32), p) for p in LAYERS]


Exercise(
    name="direct_conv", lab=5, reference=direct_conv, calls_allowed=("convladder.problem",),
    task="Convolve without any workspace.", cases=_layers, workspace=lambda x, w, problem: 0,
    misconceptions=[
        Misconception(
            "lowered", lambda x, w, problem: _lowered(x, w, problem),
            symptom="The values are right, and the bytes are im2col's.",
            concept="A kernel row of a pixel lies in the image as one run. Nothing need be copied "
                    "to multiply it.",
            line="Read `x[n, row, column, c]` in the innermost loops instead of a matrix."),
        Misconception(
            "padded copy", lambda x, w, problem: _padded_copy(x, w, problem),
            symptom="The values are right, but a padded copy of the image was made.",
            concept="A zero need not be stored to be added: a position outside of the image adds "
                    "nothing.",
            line="Leave out kernel rows and columns that lie outside: `if 0 <= row < i_h`."),
        Misconception(
            "around the edge", lambda x, w, problem: _around(x, w, problem),
            symptom="Layers without padding are right. With padding, the top and left are wrong.",
            concept="An index of -1 is the *last* row in Python, and in Numba as well.",
            line="Test `row >= 0` and `column >= 0`, not only the far side."),
        Misconception(
            "stride ignored", _with_stride(lambda p: 1, lambda p: 1),
            symptom="Layers of stride 1 are right; others show the image's top left corner.",
            concept="Output row `h` begins at image row `s_h * h - p_h`.",
            line="Multiply `h` by `s_h` and `v` by `s_w`."),
        Misconception(
            "strides exchanged", _with_stride(lambda p: p.s_w, lambda p: p.s_h),
            symptom="Wrong only where the strides down and across differ.",
            concept="`s_h` is the step from one output *row* to the next.",
            line="`s_h * h` for rows, `s_w * v` for columns."),
        Misconception(
            "one image only", _first_image,
            symptom="The first image of a batch is right, the others are not.",
            concept="`x` and `y` have a batch axis in front.",
            line="Loop over `n` in `range(problem.i_n)`."),
    ],
)
