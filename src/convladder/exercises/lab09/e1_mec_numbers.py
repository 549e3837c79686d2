"""Lab 09, exercise 1: the numbers that describe MEC's GEMMs to a library."""

from ...core.problem import PAPER, REPORT, ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 9, 10, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(3, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1))
REST = ConvProblem(2, 10, 9, 3, 3, 3, 4, stride=(2, 2))  # rows are left over below
THIN = PAPER["cv12"].with_batch(32)


def mec_numbers(problem, which):
    p = problem
    row = p.k_w * p.i_c  # an image row of a strip
    lda = p.padded_h * row
    return {
        "rows": p.i_n * p.o_w if which == "A" else p.o_w,
        "inner": p.k_h * row,
        "lda": lda,
        "stride": p.s_h * row,
        "count": p.o_h,
        "begins": [0] if which == "A" else [n * p.o_w * lda for n in range(p.i_n)],
    }


BEGINS = '[0] if which == "A" else [n * p.o_w * lda for n in range(p.i_n)]'

EXERCISE = Exercise(
    name="mec_numbers",
    lab=9,
    task="The numbers by which a strided batch of GEMMs reads MEC's partitions.",
    solution=mec_numbers,
    cases=lambda rng: [
        (TOY, "B"),
        (STRIDED, "B"),
        (STRIDED, "A"),
        (layer(rng, 14), "A"),
        (PADDED, "B"),
        (REPORT, "B"),
        (THIN, "A"),
        (REST, "B"),
    ],
    valid=lambda problem, which: which in ("A", "B"),
    allowed=("convladder.core.problem",),
    mend='`lda = padded_h * k_w * i_c`, `stride = s_h * k_w * i_c`, `count = o_h`; for "B" '
    "image `n` begins at `n * o_w * lda`",
    misconceptions=[
        Misconception(
            "strips without padding",
            edit("p.padded_h", "p.i_h"),
            "Layers without vertical padding are right. With it `lda` is too small.",
            "A strip of `L` is as high as the padded image, since partitions find the zeros in it.",
        ),
        Misconception(
            "the window as the leading dimension",
            edit("lda = p.padded_h * row", "lda = p.k_h * row"),
            "Your `lda` equals `inner`, as if the rows of a partition were contiguous.",
            "A partition is a slice of columns of `L`. Its next row lies a whole strip further on.",
        ),
        Misconception(
            "partitions that do not overlap",
            edit("p.s_h * row", "p.k_h * row"),
            "Your `stride` equals `inner`, so that partitions don't overlap.",
            "The next partition begins `s_h` image rows further, not `k_h`. BLAS accepts "
            "overlapping matrices that it only reads.",
        ),
        Misconception(
            "Solution A with the numbers of B",
            edit('p.i_n * p.o_w if which == "A" else p.o_w', "p.o_w", BEGINS, BEGINS[25:]),
            '"B" is right. For "A" you give the numbers of "B".',
            "The strips of image 1 follow those of image 0 at the same distance, so Solution A "
            "takes the strips of all images as the rows of one matrix.",
            mend='For "A": `rows` is `i_n * o_w`, and `begins` is `[0]`',
        ),
        Misconception(
            "Solution B in a single call",
            edit(BEGINS, "[0]", "p.o_h,", 'p.o_h * (1 if which == "A" else p.i_n),'),
            'For "B" you put all images into one batch.',
            "A batch has one stride, but the last partition of an image and the first one of the "
            "next image are another distance apart.",
        ),
    ],
)
