"""Chapters 05, 06 and 11: what a tile saves, in registers, in products and in instructions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.winograd_transforms import matrices
from ...gpu.fragments import LANES, A, B, C, K, M, N
from ...replay import Replay, Scene

DIGITS = (3, 1, 4, 1, 5, 9, 2, 6)  # a row of the image, with one channel
WEIGHTS = (  # a row for each step, a column for each channel
    (1, 0, 2, -1, 1, 3, 0, 2),
    (0, 2, -1, 1, 2, 0, 1, -2),
    (2, 1, 0, 1, -1, 1, 2, 0),
    (-1, 1, 1, 2, 0, -2, 1, 1),
    (1, -2, 1, 0, 1, 1, -1, 3),
    (0, 1, 3, -1, 2, 1, 0, 1),
)
STEPS, PIXELS, CHANNELS, VECTOR = 6, 3, 8, 4


class _Sums:
    """Three pixels times eight channels: the arrays, and what was loaded, stored and added."""

    def __init__(self, title: str, where: str) -> None:
        self.x = [list(DIGITS[p : p + STEPS]) for p in range(PIXELS)]
        self.scene = Scene(title)
        flat = [value for row in self.x for value in row]
        self.pixels = self.scene.array("x: a row per pixel", PIXELS, STEPS, values=flat)
        self.weights = self.scene.array(
            "w: a row per step", STEPS, CHANNELS, values=[*np.ravel(WEIGHTS).tolist()], group=VECTOR
        )
        self.place = self.scene.array(f"sums, in {where}", PIXELS, CHANNELS, group=VECTOR,
                                      values=[0] * PIXELS * CHANNELS)  # fmt: skip
        self.sums = np.zeros((PIXELS, CHANNELS), int)
        self.moved = self.products = 0

    def vector(self, row: int, v: int) -> range:
        """Return the cells of a vector in an array of eight columns."""
        return range(row * CHANNELS + v * VECTOR, row * CHANNELS + (v + 1) * VECTOR)

    def multiply(self, p: int, s: int, v: int) -> tuple:
        """Add to a vector of sums, and return what is written."""
        some = slice(v * VECTOR, (v + 1) * VECTOR)
        self.sums[p, some] += self.x[p][s] * np.array(WEIGHTS[s][some])
        self.products += 1
        return (self.place, self.vector(p, v), None, self.sums[p, some].tolist())

    def turn(self, say: str, **touches: list) -> None:
        """Write a turn: a load or a store."""
        self.moved += 1
        tally = {"loads and stores": self.moved, "vector multiply-adds": self.products}
        self.scene.step(say, tally, **touches)


def _in_registers() -> Scene:
    tile = _Sums("a register tile: the sums stay in registers", "registers")
    for s in range(STEPS):
        row = [(tile.weights, tile.vector(s, v)) for v in (0, 1)]
        for v in (0, 1):
            before = [(tile.weights, tile.vector(s - 1, v))] if s else []
            tile.turn(f"Load weights for step {s}.", read=[row[v]], fetch=[row[v]], drop=before)
        for p in range(PIXELS):
            write = [tile.multiply(p, s, v) for v in (0, 1)]
            say = f"Load one x. It meets both vectors of weights: {tile.x[p][s]} times each."
            tile.turn(say, read=[(tile.pixels, p * STEPS + s), *row], write=write)
    for p in range(PIXELS):
        for v in (0, 1):
            tile.turn("Store the sums, once.", write=[(tile.place, tile.vector(p, v))])
    return tile.scene


def _in_memory() -> Scene:
    loop = _Sums("a plain loop: the sums travel to memory and back", "memory")
    for p in range(PIXELS):
        for s in range(STEPS):
            loop.turn("Load one x.", read=[(loop.pixels, p * STEPS + s)])
            for v in (0, 1):
                some = loop.vector(p, v)
                loop.turn("Load weights.", read=[(loop.weights, loop.vector(s, v))])
                loop.turn("Load the sums again.", read=[(loop.place, some)])
                loop.turn("Store the sums again.", write=[loop.multiply(p, s, v)])
    return loop.scene


def register_tile_replay() -> Replay:
    """Play 36 multiply-adds of vectors: with the sums in registers, and in memory."""
    tile, loop = _in_registers(), _in_memory()
    return Replay(
        tile,
        loop,
        alt="Three pixels times two vectors of four channels, in six steps; a turn is a load or a "
        f"store. A register tile uses each loaded value several times, and needs {tile.turns} "
        f"turns. A plain loop loads and stores the sums for each multiply-add: {loop.turns} turns.",
        opens_at=tile.turns,
        pace=220,
    )


PATCH = ((3, 1, 4, 1), (5, 9, 2, 6), (5, 3, 5, 8), (9, 7, 9, 3))
FILTER = ((-4, 0, -4), (4, 0, -4), (4, -4, 4))  # its transform has no fractions


def _direct() -> Scene:
    scene, d, g = Scene("direct: nine products for each output"), np.array(PATCH), np.array(FILTER)
    pixels = scene.array("tile of the image", 4, 4, values=d.ravel().tolist())
    weights = scene.array("filter", 3, 3, values=g.ravel().tolist())
    output = scene.array("outputs", 2, 2, values=[""] * 4)
    for done in range(36):
        (h, v), (a, b) = divmod(done // 9, 2), divmod(done % 9, 3)
        if done % 9 == 0:
            total = 0
        total += int(d[h + a, v + b] * g[a, b])
        window = [(h + i) * 4 + v + j for i in range(3) for j in range(3)]
        scene.step(
            f"Output {done // 9} adds {d[h + a, v + b]} · {g[a, b]}.".replace("-", "−"),
            {"multiplications": done + 1}, read=[(pixels, (h + a) * 4 + v + b),
            (weights, a * 3 + b)], write=[(output, h * 2 + v, None, [total])],
            marks=[(pixels, window, "")],
        )  # fmt: skip
    return scene


def _winograd() -> Scene:
    AT, G, BT = (np.array(matrix, float) for matrix in matrices(2, 3))
    scene, d = Scene("Winograd: one product for each position in the tile"), np.array(PATCH)
    given, seen = BT @ d @ BT.T, G @ np.array(FILTER) @ G.T
    products = given * seen
    pixels = scene.array("tile of the image", 4, 4, values=d.ravel().tolist())
    turned = scene.array("tile, transformed", 4, 4, values=[""] * 16)
    weights = scene.array("filter, transformed", 4, 4, values=_whole(seen))
    product = scene.array("products", 4, 4, values=[""] * 16)
    output = scene.array("outputs", 2, 2, values=[""] * 4)
    scene.step(
        "Transform the tile: additions only, and once for all filters.",
        {"multiplications": 0}, read=[(pixels, range(16))],
        write=[(turned, range(16), None, _whole(given))],
    )  # fmt: skip
    for n in range(16):
        say = f"{_whole(given)[n]} · {_whole(seen)[n]} = {_whole(products)[n]}".replace("-", "−")
        scene.step(say, {"multiplications": n + 1}, read=[(turned, n), (weights, n)],
                   write=[(product, n, None, [_whole(products)[n]])])  # fmt: skip
    scene.step(
        "Transform back: additions only, and once for all input channels.",
        read=[(product, range(16))],
        write=[(output, range(4), None, _whole(AT @ products @ AT.T))],
    )
    return scene


def _whole(values: np.ndarray) -> list[int]:
    return [round(value) for value in values.ravel().tolist()]


def winograd_replay() -> Replay:
    """Play a tile of F(2×2, 3×3) beside direct convolution; a turn is a multiplication."""
    fast, slow = _winograd(), _direct()
    return Replay(
        fast,
        slow,
        alt="Four outputs of a 3×3 filter. Winograd's way transforms a tile of 4×4 pixels, makes "
        "16 products and transforms them back. Direct convolution makes 36 products, nine for "
        "each output. The outputs are the same.",
        opens_at=fast.turns,
        pace=400,
    )


def _by_tensor_core() -> Scene:
    scene = Scene("a tensor core: one instruction for the whole warp", lanes=LANES)
    a, b, c = _fragments(scene)
    for array, cells, count, name in ((a, _a, 4, "a"), (b, _b, 2, "b")):
        for register in range(count):
            pairs = [(cells(lane, 2 * register + n), lane) for lane in range(LANES) for n in (0, 1)]
            scene.step(
                f"Each lane holds two values of {name} in a register.",
                {"multiply-adds": 0}, read=[(array, *map(list, zip(*pairs)))],
                active=range(LANES),
            )  # fmt: skip
    scene.step("mma: all 2,048 multiply-adds in one instruction.", {"multiply-adds": M * N * K},
               read=[(a, range(M * K)), (b, range(K * N))], active=range(LANES),
               write=[(c, range(M * N))])  # fmt: skip
    return scene


def _by_cuda_cores() -> Scene:
    scene = Scene("CUDA cores: one multiply-add per lane and turn", lanes=LANES)
    a, b, c = _fragments(scene)
    done = 0
    for value in range(4):
        for k in range(K):
            sums = [_c(lane, value) for lane in range(LANES)]
            done += LANES
            scene.step(
                f"Each lane adds product {k + 1} of {K} to sum {value + 1} of its 4.",
                {"multiply-adds": done}, active=range(LANES),
                read=[(a, [each // N * K + k for each in sums]), (b, [each % N * K + k for each in
                                                                     sums])],
                write=[(c, sums)],
            )  # fmt: skip
    return scene


def _fragments(scene: Scene) -> tuple[int, int, int]:
    """Add the three matrices, with the lane that holds each value."""

    def add(name: str, rows: int, cols: int, cells: Callable[[int, int], int], **more: bool) -> int:
        holder = [0] * rows * cols
        for lane in range(LANES):
            for value in range(rows * cols // LANES):
                holder[cells(lane, value)] = lane
        return scene.array(name, rows, cols, values=holder, **more)

    return (
        add("a, and which lane holds it", M, K, _a),
        add("b, a row per column", N, K, _b, under=True),
        add("c = a · b", M, N, _c),
    )


def _a(lane: int, value: int) -> int:
    k, m = divmod(A(lane, value), M)
    return m * K + k


def _b(lane: int, value: int) -> int:
    k, n = divmod(B(lane, value), N)
    return n * K + k


def _c(lane: int, value: int) -> int:
    n, m = divmod(C(lane, value), M)
    return m * N + n


def fragment_replay() -> Replay:
    """Play mma.m16n8k16 by a tensor core, beside its 2,048 multiply-adds by CUDA cores."""
    fast, slow = _by_tensor_core(), _by_cuda_cores()
    return Replay(
        fast,
        slow,
        alt="A warp's 32 lanes hold the values of a and b in six registers each; then one "
        "instruction of a tensor core makes all 2,048 multiply-adds. CUDA cores make one per lane "
        "and instruction, and need 64 instructions.",
        opens_at=fast.turns - 1,
        pace=500,
    )
