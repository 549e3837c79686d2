"""Lab 03, exercise 5: Solution A, one GEMM for an output row of the whole batch."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from .e2_mec_lower import mec_lower
from .e3_partition import partition
from .e4_mec_conv import PADDED, SPARSE, STRIDED, TOY, image_and_kernel, one_lowering

MANY_FILTERS = ConvProblem(2, 5, 4, 1, 2, 3, 30)  # its output doesn't fit into L
BATCH = ConvProblem(4, 40, 36, 8, 5, 5, 32, padding=1)  # its output fits into L, but not beside it


def mec_batch(x, w, problem):
    p = problem
    L = mec_lower(x, p)
    K = p.k_h * p.k_w * p.i_c
    kernel = w.reshape(K, p.k_c)
    y = np.empty(p.output_shape, np.float32)
    by_row = y.reshape(p.o_h, p.i_n * p.o_w, p.k_c)
    for h in range(p.o_h):
        np.matmul(partition(L, h, p).reshape(p.i_n * p.o_w, K), kernel, out=by_row[h])
    spare = L.reshape(-1)[: y.size] if y.size <= L.size else np.empty(y.size, np.float32)
    spare[...] = y.reshape(-1)
    y[...] = spare.reshape(p.o_h, p.i_n, p.o_w, p.k_c).swapaxes(0, 1)
    return y


SPARE = "L.reshape(-1)[: y.size] if y.size <= L.size else np.empty(y.size, np.float32)"
FIX_UP = "spare.reshape(p.o_h, p.i_n, p.o_w, p.k_c).swapaxes(0, 1)"

EXERCISE = Exercise(
    name="mec_batch",
    lab=3,
    task="Convolve a batch by MEC with one GEMM per output row, and put the rows in order.",
    solution=mec_batch,
    cases=lambda rng: [
        (p,) for p in (TOY, STRIDED, PADDED, SPARSE, layer(rng, 12), MANY_FILTERS, BATCH)
    ],
    inputs=image_and_kernel,
    allowed=("convladder.core.problem",),
    contiguous=True,
    budget=one_lowering,
    mend="`spare[...] = y.reshape(-1)` with `spare` in `L`'s memory if it fits; then "
    "`y[...] = spare.reshape(o_h, i_n, o_w, k_c).swapaxes(0, 1)`",
    misconceptions=[
        Misconception(
            "rows left in the GEMMs' order",
            [
                edit(f"y[...] = {FIX_UP}", "pass"),
                edit("(p.o_h, p.i_n, p.o_w", "(p.i_n, p.o_h, p.o_w", ".swapaxes(0, 1)", ""),
            ],
            "One image is right. In a batch the rows of the images are interleaved.",
            "The GEMMs write row 0 of all images first: their memory is `[o_h, i_n, o_w, k_c]`. "
            "A reshape doesn't move any value.",
        ),
        Misconception(
            "axes exchanged, memory not",
            edit(
                f"y[...] = {FIX_UP}",
                "pass",
                "return y",
                "return y.reshape(p.o_h, p.i_n, p.o_w, p.k_c).swapaxes(0, 1)",
            ),
            "The values are right, but only the strides were exchanged.",
            "The reordering copy is the price of Solution A. A view leaves it to whoever reads "
            "your result next.",
        ),
        Misconception(
            "rows overwritten before they are read",
            edit(
                f"spare = {SPARE}",
                "spare = y.reshape(-1)",
                f"y[...] = {FIX_UP}",
                "rows = spare.reshape(p.o_h, p.i_n, p.o_w, p.k_c)\n"
                "    for n in range(p.i_n):\n"
                "        for h in range(p.o_h):\n"
                "            y[n, h] = rows[h, n]",
            ),
            "One image is right. In a batch some rows were overwritten while still needed.",
            "Both orders share one piece of memory here. Copy the rows elsewhere first.",
        ),
        Misconception(
            "no room in L for the output",
            edit(SPARE, "L.reshape(-1)[: y.size]"),
            "An output that fits into `L` is right. A larger one raises an exception.",
            "`L` grows with the kernel, the output with the number of filters. With many filters "
            "the output is the larger one and needs memory of its own.",
        ),
        Misconception(
            "a second result beside L",
            edit(SPARE, "np.empty(y.size, np.float32)"),
            "The values are right, but `L` and two results exist together.",
            "Once the GEMMs are done nobody needs `L`. Its memory can take the unordered result.",
        ),
    ],
)
