"""Winograd's convolution, right and as learners make it: lab 17, exercise 5."""

from __future__ import annotations

import numpy as np

from .steps import join, matrices, padded
from .steps import tiles as cut


def products(x, w, p, m, points, kernel=lambda w: w, other=None, kept=np.float32):
    """Return `M[i_n,rows,cols,a,a,k_c]` in float32; `other`: the points of G, if not the same."""
    _, G, BT = matrices(m, p.k_h, points)
    if other:
        G = matrices(m, p.k_h, other)[1]
    U = np.einsum("iu,jv,uvck->ijck", G, G, kernel(w).astype(float)).astype(kept)
    U = U.astype(np.float32)
    BT = BT.astype(np.float32)
    V = np.einsum("iu,nhwuvc,jv->nhwijc", BT, cut(padded(x, p, m), p, m), BT, optimize=True)
    return np.einsum("nhwijc,ijck->nhwijk", V, U, optimize=True)


def made_of(finish=join, back="pi,nhwijk,qj->nhwpqk", last=lambda AT: AT, **how):
    """Make an answer from its parts, each of which may be wrong."""

    def answer(x, w, problem, m, points):
        given = {name: value(m) if name == "other" else value for name, value in how.items()}
        M = products(x, w, problem, m, points, **given)
        AT = last(matrices(m, problem.k_h, points)[0].astype(np.float32))
        return finish(np.einsum(back, AT, M, AT, optimize=True), problem)

    return answer


def no_crop(Y, p):
    n, rows, cols, m, _, k_c = Y.shape
    return Y.transpose(0, 1, 3, 2, 4, 5).reshape(n, rows * m, cols * m, k_c)


def cropped_in_front(Y, p):
    whole = no_crop(Y, p)
    return np.ascontiguousarray(whole[:, whole.shape[1] - p.o_h :, whole.shape[2] - p.o_w :])


def tile_after_tile(Y, p):
    n, rows, cols, m, _, k_c = Y.shape
    return np.ascontiguousarray(Y.reshape(n, rows * m, cols * m, k_c)[:, : p.o_h, : p.o_w])


def edge_tiles_empty(Y, p, left):
    m = Y.shape[3]
    y = join(Y, p)
    y[:, p.o_h // m * m :] = left
    y[:, :, p.o_w // m * m :] = left
    return y


def whole_tiles_only(Y, p):
    m = Y.shape[3]
    return np.ascontiguousarray(join(Y, p)[:, : p.o_h // m * m, : p.o_w // m * m])


def filters_backwards(Y, p):
    return np.ascontiguousarray(join(Y, p)[..., ::-1])


def halved(Y, p):
    return join(Y, p) / np.float32(2)


def columns_for_rows(Y, p):
    return join(
        Y.transpose(0, 2, 1, 4, 3, 5),
        type(p)(p.i_n, p.i_w, p.i_h, p.i_c, p.k_w, p.k_h, p.k_c, padding=p.padding[::-1]),
    )


def as_large_as_the_image(Y, p):
    return np.ascontiguousarray(no_crop(Y, p)[:, : p.i_h, : p.i_w])


def without_infinity(AT):
    AT[-1, -1] = 0
    return AT


def images_last(Y, p):
    n, rows, cols, m, _, k_c = Y.shape
    return join(np.moveaxis(Y.reshape(rows, cols, n, m, m, k_c), 2, 0), p)


def cut_on_its_side(Y, p):
    return np.ascontiguousarray(no_crop(Y, p)[:, : p.o_w, : p.o_h])


def filters_as_they_are(x, w, problem, m, points):
    AT, _, BT = (matrix.astype(np.float32) for matrix in matrices(m, problem.k_h, points))
    more = m - 1
    U = np.pad(w, ((0, more), (0, more), (0, 0), (0, 0)))
    V = np.einsum("iu,nhwuvc,jv->nhwijc", BT, cut(padded(x, problem, m), problem, m), BT)
    M = np.einsum("nhwijc,ijck->nhwijk", V, U, optimize=True)
    return join(np.einsum("pi,nhwijk,qj->nhwpqk", AT, M, AT), problem)


def padding_of_one(x, w, problem, m, points):
    """Pad by 1 whatever the problem says."""
    y = made_of()(x, w, type(problem)(*x.shape, *w.shape[:2], w.shape[3], padding=1), m, points)
    return np.ascontiguousarray(y[:, : problem.o_h, : problem.o_w])


def from_the_corner(x, w, problem, m, points):
    """Let the padding lie behind the image, all of it."""
    p = problem
    whole = type(p)(p.i_n, p.padded_h, p.padded_w, p.i_c, *w.shape[:2], p.k_c)
    behind = np.pad(x, ((0, 0), (0, 2 * p.p_h), (0, 2 * p.p_w), (0, 0)))
    return made_of()(behind, w, whole, m, points)


def in_half_precision(x, w, problem, m, points):
    """Keep the transformed filters in float16."""
    return made_of(kept=np.float16)(x, w, problem, m, points)
