"""Answers as learners have written them, and what the check has to say of each."""

from functools import partial

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from convladder import ConvProblem, conv2d, memory
from convladder.teach.grading import stages
from convladder.teach.grading.check import check


def pad(x, padding):
    return np.pad(x, ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)))


def windows(x, k_h, k_w, stride, padding):
    P = pad(x, padding)
    o_h, o_w = (P.shape[1] - k_h) // stride[0] + 1, (P.shape[2] - k_w) // stride[1] + 1
    return [
        P[n, stride[0] * h : stride[0] * h + k_h, stride[1] * v : stride[1] * v + k_w]
        for n in range(len(x))
        for h in range(o_h)
        for v in range(o_w)
    ]


def lower(P, p, dtype=np.float32):
    L = np.empty((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), dtype)
    for w in range(p.o_w):
        L[:, w] = P[:, :, p.s_w * w : p.s_w * w + p.k_w]
    return L


def mec_lower(x, problem):
    return lower(pad(x, problem.padding), problem)


def never_padded(x, problem):
    return lower(x, problem)


def padded_by_one_number(x, problem):
    return lower(np.pad(x, problem.p_h), problem)


def padded_in_float64(x, problem):
    return lower(pad(x.astype(float), problem.padding), problem)


def lowered_in_float64(x, problem):
    return lower(pad(x, problem.padding), problem, float).astype(np.float32)


def array_of_strips(x, problem):
    p, P = problem, pad(x, problem.padding)
    strips = [P[:, :, p.s_w * w : p.s_w * w + p.k_w] for w in range(p.o_w)]
    return np.array(strips).swapaxes(0, 1)


def copied_as_it_lies(x, problem):
    view = sliding_window_view(pad(x, problem.padding), problem.k_w, axis=2)[:, :, :: problem.s_w]
    return view.transpose(0, 2, 1, 4, 3).copy(order="K")


def rows(L, h, p):
    begin = p.s_h * h * p.k_w * p.i_c
    return L.reshape(p.i_n, p.o_w, -1)[:, :, begin : begin + p.window]


def collected_in_float64(x, w, problem):
    p, L, y = problem, mec_lower(x, problem), np.zeros(problem.output_shape)
    for h in range(p.o_h):
        y[:, h] = rows(L, h, p) @ w.reshape(p.window, p.k_c)
    return y.astype(np.float32)


def lowered_for_every_row(x, w, problem):
    p, y = problem, np.zeros(problem.output_shape, np.float32)
    for h in range(p.o_h):
        L = mec_lower(x, p)
        y[:, h] = rows(L, h, p) @ w.reshape(p.window, p.k_c)
    return y


def mec_conv(x, w, problem):
    p, L, y = problem, mec_lower(x, problem), np.empty(problem.output_shape, np.float32)
    for h in range(p.o_h):
        np.matmul(rows(L, h, p), w.reshape(p.window, p.k_c), out=y[:, h])
    return y


def einsum_of_all_rows(x, w, problem):
    p, L = problem, mec_lower(x, problem)
    n, v, h, *_ = L.strides
    view = np.lib.stride_tricks.as_strided(L, (p.i_n, p.o_h, p.o_w, p.window), (n, p.s_h * h, v, 4))
    return np.einsum("nhvk,kc->nhvc", view, w.reshape(p.window, p.k_c), optimize=True)


def product_for_each_weight(x, w, problem):
    p, P, y = problem, pad(x, problem.padding), np.zeros(problem.output_shape, np.float32)
    for a in range(p.k_h):
        for b in range(p.k_w):
            y += (
                P[
                    :,
                    a : a + p.s_h * (p.o_h - 1) + 1 : p.s_h,
                    b : b + p.s_w * (p.o_w - 1) + 1 : p.s_w,
                ]
                @ w[a, b]
            )
    return y


def in_two_halves(x, w, problem):
    p, P, y = problem, pad(x, problem.padding), np.empty(problem.output_shape, np.float32)
    for a, b in ((0, p.o_h // 2), (p.o_h // 2, p.o_h)):
        band = P[:, a * p.s_h : (b - 1) * p.s_h + p.k_h]
        if b > a:
            y[:, a:b] = mec_conv(band, w, ConvProblem.from_arrays(band, w, p.stride))
    return y


def equal_ones_as_argsort_has_them(sizes, lives):
    places = {}
    for i in np.argsort(sizes, kind="stable")[::-1]:
        place = 0
        for j in sorted(places, key=places.get):
            if lives[i][0] <= lives[j][1] and lives[j][0] <= lives[i][1]:
                if place + sizes[i] <= places[j]:
                    break
                place = max(place, (places[j] + sizes[j] + 63) // 64 * 64)
        places[i] = place
    return [places[i] for i in range(len(sizes))]


def max_of_all_readers(steps, kept):
    return {
        made: (at, max([j for j, (_, read) in enumerate(steps) if made in read], default=at))
        for at, (made, _) in enumerate(steps)
    }


def kept_until_the_next_reader(steps, kept):
    lives = {}
    for at, (made, read) in enumerate(steps):
        lives[made] = [at, len(steps) - 1 if made in kept else at]
        for name in read:
            if name in lives:
                lives[name][1] = at
    return lives


def strips_convolved_alone(x, w1, w2, p1, p2, rows):
    step, strips = p1.s_h * p2.s_h, []
    for begin in range(0, p2.o_h, rows):
        strip = np.ascontiguousarray(x[:, step * begin : step * (begin + rows)])
        middle = conv2d(strip, w1, stride=p1.stride, padding=p1.padding)
        strips.append(conv2d(middle, w2, stride=p2.stride, padding=p2.padding))
    return np.concatenate(strips, axis=1)


def strips_put_together(x, w1, w2, p1, p2, rows):
    strips = []
    for begin in range(0, p2.o_h, rows):
        end = min(begin + rows, p2.o_h)
        top, bottom = p2.s_h * begin - p2.p_h, p2.s_h * (end - 1) - p2.p_h + p2.k_h
        a, b = max(top, 0), min(bottom, p1.o_h)
        low, high = p1.s_h * a - p1.p_h, p1.s_h * (b - 1) - p1.p_h + p1.k_h
        zeros = ((0, 0), (max(-low, 0), max(high - p1.i_h, 0)), (p1.p_w, p1.p_w), (0, 0))
        strip = np.pad(x[:, max(low, 0) : high], zeros)
        middle = conv2d(strip, w1, stride=p1.stride, method="microkernel")
        middle = np.pad(middle, ((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0)))
        strips.append(conv2d(middle, w2, stride=p2.stride, method="microkernel"))
    return np.concatenate(strips, axis=1)


def rows_of(problem, begin, stop):
    upper = problem.s_h * begin - problem.p_h
    return range(upper, upper + problem.s_h * (stop - begin - 1) + problem.k_h)


def bands_of_array_split(problem, parts):
    bands = []
    for share in np.array_split(range(problem.o_h), parts):
        if share.size:
            rows = rows_of(problem, share[0], share[-1] + 1)
            first, last = max(0, rows.start), min(rows.stop, problem.i_h)
            bands.append([first, last, first - rows.start, rows.stop - last])
    return bands


def everything_to_one(x, w, problem, parts, worker):
    return worker(np.pad(x, ((0, 0), (problem.p_h,) * 2, (0, 0), (0, 0))), w)


def without_a_worker(x, w, problem, parts, worker):
    view = sliding_window_view(pad(x, problem.padding), w.shape[:2], axis=(1, 2))
    return np.einsum("nhwcij,ijck->nhwk", view[:, :: problem.s_h, :: problem.s_w], w)


def done_in_the_recipe(team, network, x):
    shares = np.array_split(x, team.count)
    return np.concatenate(
        team.collect([lambda part=part: network.forward(part) for part in shares])
    )


def greedy_step_by_step(blocks):
    places = {}
    for block in sorted(blocks, key=lambda b: -b.bytes):
        others = [b for b in blocks if b.name in places and b.meets(block)]
        for place in sorted({0, *(places[b.name] + b.bytes for b in others)}):
            if all(
                place >= places[b.name] + b.bytes or places[b.name] >= place + block.bytes
                for b in others
            ):
                break
        places[block.name] = place
    return places


def without_multiply(d, g, multiply):
    return tuple(sum(d[j + t] * g[t] for t in range(3)) for j in range(2))


def by_points(m, r, points, constant_first=True, share=0):
    """`share`: of the divisor, that goes to the signal's side."""
    a, way = m + r - 1, -1 if constant_first else 1
    AT, G, BT = np.zeros((m, a)), np.zeros((a, r)), np.zeros((a, a))
    for i, p in enumerate(points):
        others = [q for q in points if q != p]
        f = np.prod([p - q for q in others])
        AT[:, i] = p ** np.arange(m)
        G[i], BT[i, : a - 1] = p ** np.arange(r) / f ** (1 - share), np.poly(others)[::way]
        BT[i] /= f**share
    AT[-1, -1] = G[-1, -1] = 1
    BT[-1] = np.poly(points)[::way]
    return AT, G, BT


def tiles_by_view(x, m, problem):
    p, a = problem, m + problem.k_h - 1
    P = np.pad(x, ((0, 0), (p.p_h, p.p_h + m), (p.p_w, p.p_w + m), (0, 0)))
    view = sliding_window_view(P, (a, a), axis=(1, 2))[:, ::m, ::m].transpose(0, 1, 2, 4, 5, 3)
    return view[:, : -(-p.o_h // m), : -(-p.o_w // m)]


def products_tile_by_tile(tiles, U, BT, add=True):
    M = np.zeros((*tiles.shape[:3], U.shape[3]), np.float32)
    for t, c in np.ndindex(len(tiles), tiles.shape[3]):
        V = BT @ tiles[t, :, :, c] @ BT.T
        M[t] = V[..., None] * U[:, :, c] + (M[t] if add else 0)
    return M


def direct_with_points(x, w, problem, m, points, dtype=np.float32):
    view = sliding_window_view(pad(x, problem.padding), w.shape[:2], axis=(1, 2))
    return np.einsum("nhwcij,ijck->nhwk", view, w).astype(dtype)


OVER, ORDER, RAISED = stages.OVER_BUDGET, stages.WRONG_ORDER, stages.RAISED


@pytest.mark.parametrize(
    "name, answer, stage, misconception",
    [
        ("mec_lower", mec_lower, stages.PASSED, None),
        ("mec_lower", never_padded, RAISED, "image never padded"),
        ("mec_lower", padded_by_one_number, RAISED, "every axis padded"),
        ("mec_lower", padded_in_float64, OVER, "image padded in float64"),
        ("mec_lower", lowered_in_float64, OVER, "through float64"),
        ("mec_lower", array_of_strips, ORDER, "strips of all images together"),
        ("mec_lower", copied_as_it_lies, ORDER, None),
        ("mec_conv", mec_conv, stages.PASSED, None),
        ("mec_conv", collected_in_float64, OVER, "result collected in float64"),
        ("mec_conv", lowered_for_every_row, OVER, "two L at once"),
        ("mec_conv", einsum_of_all_rows, ORDER, None),
        ("my_mec", mec_conv, OVER, "the whole L"),
        ("my_mec", product_for_each_weight, OVER, "products of all rows at once"),
        ("my_mec", in_two_halves, OVER, None),
        ("array_lives", max_of_all_readers, stages.WRONG_VALUES, "results end with a reader"),
        (
            "array_lives",
            kept_until_the_next_reader,
            stages.WRONG_VALUES,
            "results end with a reader",
        ),
        (
            "plan_arena",
            equal_ones_as_argsort_has_them,
            stages.WRONG_VALUES,
            "equal ones from behind",
        ),
        ("two_in_strips", strips_convolved_alone, stages.WRONG_VALUES, "each strip by itself"),
        ("two_in_strips", strips_put_together, stages.PASSED, None),
        ("my_planner", greedy_step_by_step, OVER, "largest first, lowest gap"),
        ("row_bands", bands_of_array_split, stages.PASSED, None),
        ("conv_shared", everything_to_one, stages.NOT_USED, None),
        ("conv_shared", without_a_worker, stages.NOT_USED, None),
        ("my_cut", done_in_the_recipe, RAISED, "a value in place of a future"),
        ("four_products", without_multiply, stages.NOT_USED, None),
        ("point_matrices", by_points, stages.PASSED, None),
        ("point_matrices", partial(by_points, share=1), stages.PASSED, None),
        (
            "point_matrices",
            partial(by_points, constant_first=False),
            stages.WRONG_VALUES,
            "coefficients from the top",
        ),
        ("input_tiles", tiles_by_view, stages.PASSED, None),
        ("tile_products", products_tile_by_tile, stages.PASSED, None),
        (
            "tile_products",
            partial(products_tile_by_tile, add=False),
            stages.WRONG_VALUES,
            "the last channel only",
        ),
        ("winograd_conv", direct_with_points, stages.PASSED, None),
        ("winograd_conv", partial(direct_with_points, dtype=float), stages.WRONG_SHAPE, None),
        (
            "winograd_conv",
            lambda x, w, problem, m, points: direct_with_points(
                x, w[::-1, ::-1], problem, m, points
            ),
            stages.WRONG_VALUES,
            "kernel flipped",
        ),
        (
            "winograd_conv",
            lambda x, w, problem, m, points: np.full(problem.output_shape, np.nan, np.float32),
            stages.WRONG_VALUES,
            None,
        ),
        ("my_planner", lambda blocks: memory.best(blocks).offsets, stages.NOT_YOURS, None),
    ],
)
def test_what_is_said_of_a_learners_answer(name, answer, stage, misconception):
    verdict = check(name, answer)
    recognised = verdict.misconception or verdict.likely
    assert (verdict.stage, recognised) == (stage, misconception), verdict


def one_dummy_call(blas, a, b):
    one = np.ones(1, np.float32)
    blas.sgemm_strided_batched("N", "N", 1, 1, 1, one, 1, 0, one, 1, 0, one.copy(), 1, 0, 1)
    return a @ b


def strips_by(chunks):
    def lower_in_threads(x, problem, n, pool):
        p, P = problem, pad(x, problem.padding)
        L = np.zeros((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)

        def work(strips):
            for w in strips:
                L[:, w] = P[:, :, p.s_w * w : p.s_w * w + p.k_w]

        for future in [pool.submit(work, strips) for strips in chunks(p.o_w, n)]:
            future.result()
        return L

    return lower_in_threads


def test_the_library_makes_the_multiply_adds():
    verdict = check("row_major", one_dummy_call)
    assert verdict.stage == stages.NOT_USED
    assert "had the library make 1 multiply-adds, and there are 12: all" in verdict.message


@pytest.mark.parametrize(
    "chunks, most, twice",
    [
        (lambda o_w, n: [range(o_w)] * n, 8, 8),
        (lambda o_w, n: [range(o_w)] + [range(0)] * (n - 1), 8, 0),
        (lambda o_w, n: [range(i, min(i + 2, o_w)) for i in range(o_w)], 2, 7),
    ],
)
def test_no_two_tasks_lower_the_same_strip(chunks, most, twice):
    verdict = check("lower_in_threads", strips_by(chunks))
    assert verdict.stage == stages.NOT_USED, verdict
    assert f"a task of yours lowers {most}, and {twice} strips are lowered more" in verdict.message


@pytest.mark.parametrize(
    "chunks",
    [
        lambda o_w, n: np.array_split(range(o_w), min(n, o_w)),
        lambda o_w, n: [[w] for w in range(o_w)],
        lambda o_w, n: [range(i, o_w, n) for i in range(n)],
    ],
)
def test_strips_may_be_shared_in_any_way(chunks):
    assert check("lower_in_threads", strips_by(chunks)).passed


def run_nodes(nodes, constants, x, over_x=False):
    values = {**constants, "x": x}
    for at, (makes, op, reads) in enumerate(nodes):
        a, b = values[reads[0]], values[reads[-1]]
        later = any(reads[0] in node[2] for node in nodes[at + 1 :])
        mine = None if op == "matmul" or later or reads[0] == "x" and not over_x else a
        values[makes] = (
            a @ b
            if op == "matmul"
            else np.maximum(a, 0, out=mine)
            if op == "relu"
            else np.add(a, b, out=mine)
        )
        for name in set(reads):
            if not any(name in node[2] for node in nodes[at + 1 :]):
                del values[name]
        del a, b, mine
    return values[nodes[-1][0]]


def test_an_executor_in_blocks_must_not_lose_a_tail_nor_write_over_its_input():
    def in_blocks(nodes, constants, x):
        pixels = len(x) // max(1, len(x) // 64)
        return np.concatenate(
            [run_nodes(nodes, constants, x[at : at + pixels]) for at in range(0, len(x), pixels)]
        )

    def no_tail(nodes, constants, x):
        blocks = max(1, len(x) // 64)
        return np.concatenate(
            [
                run_nodes(nodes, constants, block)
                for block in x[: len(x) // blocks * blocks].reshape(blocks, -1, x.shape[1])
            ]
        )

    def over_x(nodes, constants, x):
        return run_nodes(nodes, constants, x, over_x=True)

    assert check("run_network", run_nodes).passed
    assert check("run_network", in_blocks).passed
    assert check("run_network", no_tail).stage == stages.WRONG_SHAPE
    assert check("run_network", over_x).stage == stages.TOUCHES_INPUT


def test_a_verdict_on_nodes_says_where_and_shows_what_is_missing():
    def fused_by_another_name(nodes, outputs):
        return (("z", "Conv + Relu", ("x", "w")), ("p", "MaxPool", ("z",)))

    def nothing_fused(nodes, outputs):
        return nodes

    def frees_all(nodes, constants, x):
        return None

    where = check("fuse_relu", fused_by_another_name)
    assert "returned 'Conv + Relu' as item 1 of item 0 of its result" in where.message
    missing = check("fuse_relu", nothing_fused)
    assert "expected = (('z', 'Conv+Relu', ('x', 'w')), ('p', 'MaxPool', ('z',)))" in missing.detail
    assert "constants = {'w': float32 array [3, 3]," in check("run_network", frees_all).detail


def test_bytes_that_are_asked_for_are_bytes():
    def grid(x, least, most, bits, dtype=np.uint8, whole=int):
        least, most = min(least, 0), max(most, 0)
        scale = (most - least) / (2**bits - 1)
        zero = whole(np.rint(-least / scale))
        q = np.clip(np.rint(x / scale) + int(zero), 0, 2**bits - 1)
        return q.astype(dtype), scale, zero

    assert check("quantise", grid).passed
    wide = check("quantise", lambda x, least, most, bits: grid(x, least, most, bits, np.int64))
    assert "dtype int64 as item 0 of its result; the dtype should be uint8" in wide.message
    half = check("quantise", lambda x, least, most, bits: grid(x, least, most, bits, whole=float))
    assert "`np.rint` give floats" in half.message
