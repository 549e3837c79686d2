"""Lab 07, exercise 7: the product in tiles, the next slice on its way while one is summed."""

from __future__ import annotations

from ...grading.exercise import Exercise, KernelTask, Misconception
from ..lab06.sources import edited
from .e6_tiled_matmul import SIDE, arguments, cases, launch, least_sectors
from .e6_tiled_matmul import tiled_matmul as double_buffered
from .pipeline import ASKED, IF_NEXT, ONE_BARRIER, SOURCE, WAIT
from .pipeline_mistakes import STORED_AND_CLEARED
from .product import SOURCE as TILED


def _edited(*exchanges):
    return edited(SOURCE, *exchanges)


def _first_slice(a, b):
    """Return the bytes that no sum can hide: a tile of each factor in each block."""
    (across, down), _ = launch(a, b)
    return across * down * 2 * SIDE * SIDE * 4


EXERCISE = Exercise(
    name="double_buffered",
    lab=7,
    reference=double_buffered,
    task="The product in tiles, with the next slice on its way while one is summed.",
    cases=cases,
    kernel=KernelTask(
        name="matmul",
        solution=SOURCE,
        arguments=arguments,
        launch=launch,
        budget=lambda a, b: {
            "global_load_sectors": least_sectors(a, b),
            "exposed_bytes": _first_slice(a, b),
        },
    ),
    misconceptions=[
        Misconception(
            "the kernel of the exercise before",
            TILED,
            symptom="The values are right, but all of them come into the tiles by ordinary stores, "
            "and none by a copy that is on its way while you sum.",
            concept="An ordinary store waits for its value. `__pipeline_memcpy_async` goes past "
            "the registers, and the thread goes on. (A value that waits in a register "
            "until the sums are done was loaded early, and counts as stored late.)",
            line="`#include <cuda_pipeline.h>` on top, two places for each tile, and before the "
            "sums of a slice `__pipeline_memcpy_async(&a_tile[to][y][x], &a[...], 4);` for "
            "the next one, `__pipeline_commit();`, `__pipeline_wait_prior(1);` and the "
            "barrier.",
        ),
        Misconception(
            "waited for at once",
            _edited(
                (IF_NEXT, "        __pipeline_wait_prior(0);\n" + IF_NEXT),
                (WAIT, "        __pipeline_wait_prior(0);\n"),
            ),
            symptom="The copies are asynchronous in name only: nothing is summed between asking "
            "for them and waiting for them.",
            concept="`wait_prior(n)` leaves the last n groups on their way, empty ones counted. "
            "With 0 nothing is on its way when you begin to sum.",
            line="Ask for slice s + 1, with one commit, then `__pipeline_wait_prior(1)`: slice s "
            "is there, s + 1 may take its time.",
        ),
        Misconception(
            "no wait",
            _edited((WAIT, "")),
            symptom="You sum what has not arrived: nobody waits for the copies, or what is waited "
            "for is not these.",
            concept="A barrier waits for threads, not for their copies. And "
            "`__pipeline_wait_prior` waits for *groups*: copies that were never committed "
            "belong to none.",
            line="In each round first the next slice's copies, then `__pipeline_commit();`, also "
            "of an empty group, then `__pipeline_wait_prior(1);` and the barrier.",
        ),
        Misconception(
            "the last group left out",
            _edited(
                (
                    "        }\n        __pipeline_commit();\n",
                    "            __pipeline_commit();\n        }\n",
                )
            ),
            symptom="All slices are right but the last, which is summed before it is there.",
            concept="`wait_prior(1)` lets the newest group be under way. If there is no group for "
            "a slice behind the last, the newest *is* the last slice.",
            line="Commit in every round, an empty group too; or `__pipeline_wait_prior(0)` in the "
            "last one.",
        ),
        Misconception(
            "no barrier before the sums",
            _edited((WAIT + "        __syncthreads();\n", WAIT)),
            symptom="Your own copies are there. Those of the other threads may not be.",
            concept="A thread waits for its own copies only. That all have waited, a barrier says.",
            line="`__syncthreads();` right behind `__pipeline_wait_prior`.",
        ),
        Misconception(
            "no barrier after the sums",
            _edited(("b_tile[s % 2][i][x];\n        __syncthreads();\n", "b_tile[s % 2][i][x];\n")),
            symptom="The copies for the slice after next go into tiles that others still read.",
            concept="There are two places. Slice s + 2 goes where slice s is.",
            line="A barrier between the sums and the next round's copies.",
        ),
        Misconception(
            "one place",
            _edited(
                ("int next = 16 * (s + 1), to = (s + 1) % 2;", "int next = 16 * (s + 1), to = 0;"),
                ("a_tile[s % 2]", "a_tile[0]"),
                ("b_tile[s % 2]", "b_tile[0]"),
            ),
            symptom="The next slice is copied over the one that is summed.",
            concept="Something that is on its way needs a place where nobody reads: that is what "
            "the second tile is for.",
            line="Two places for each tile: copy into `[(s + 1) % 2]`, sum from `[s % 2]`.",
        ),
        Misconception(
            "summed from one place",
            _edited(("a_tile[s % 2]", "a_tile[0]"), ("b_tile[s % 2]", "b_tile[0]")),
            symptom="Slices go into two places in turn, but you always sum the first.",
            concept="Slice s is where its copies put it.",
            line="`a_tile[s % 2]` and `b_tile[s % 2]`.",
        ),
        Misconception(
            "summed from the other place",
            _edited(
                ("a_tile[s % 2]", "a_tile[(s + 1) % 2]"), ("b_tile[s % 2]", "b_tile[(s + 1) % 2]")
            ),
            symptom="You sum from the place of the next slice, not from that of this one.",
            concept="Slice s lies in place s % 2, and s + 1 goes into the other.",
            line="Sum from `[s % 2]`.",
        ),
        Misconception(
            "slices rounded down",
            _edited(("(k + 15) / 16", "k / 16")),
            symptom="Where `k` is a multiple of 16 all is right; else the rest of the sum is "
            "missing.",
            concept="17 values are two slices.",
            line="`slices = (k + 15) / 16`.",
        ),
        Misconception(
            "the size in floats",
            _edited((ASKED, "__pipeline_memcpy_async(to, from, 1);")),
            symptom="You ask for copies of a size that there is not.",
            concept="The size is in bytes, and 4, 8 and 16 are the sizes that there are.",
            line="`__pipeline_memcpy_async(to, from, 4);`",
        ),
        Misconception(
            "four values by each thread",
            _edited((ASKED, "__pipeline_memcpy_async(to, from, 16);")),
            symptom="Each thread copies more than its 4 bytes, from a place 4 bytes after its "
            "neighbour's.",
            concept="A copy of 16 bytes begins at a multiple of 16, on both sides, and carries "
            "four values: then only every fourth thread has one to make.",
            line="4 bytes for each thread.",
        ),
        Misconception(
            "no test while loading",
            _edited(("    if (inside)\n", "    if (true)\n")),
            symptom="Tiles that stick out of the matrices copy what lies beside them.",
            concept="The last tiles of rows, columns and slices are only partly there.",
            line="Copy where row, column and slice are inside; elsewhere write `0.0f`.",
        ),
        Misconception(
            "the rest not cleared",
            _edited(("    else\n        *to = 0.0f;\n", "")),
            symptom="Places outside the matrices keep what was there, and are summed with the "
            "rest.",
            concept="A sum over 16 is right only if what is not there counts as zero.",
            line="Where there is nothing to copy, write `0.0f` into the tile.",
        ),
        Misconception(
            "a slice beyond the last",
            _edited(
                (IF_NEXT, "        {\n"),
                ("row < m && next + x < k", "row < m"),
                ("next + y < k && column < n", "column < n"),
            ),
            symptom="In the last round you copy a slice that the matrices do not have.",
            concept="There is a next slice only while `s + 1 < slices`.",
            line="`if (s + 1 < slices)` around the copies, of `a` where `row < m && next + x < "
            "k`, of `b` where `next + y < k && column < n`.",
        ),
        Misconception(
            "the first slice forgotten",
            _edited(
                (
                    "    fetch(&a_tile[0][y][x], &a[row * k + x], row < m && x < k);\n"
                    "    fetch(&b_tile[0][y][x], &b[y * n + column], y < k && column < n);\n",
                    "",
                )
            ),
            symptom="Round 0 sums from a tile that nobody has filled.",
            concept="In round s slice s + 1 is asked for. So somebody has to ask for slice 0 "
            "before the loop.",
            line="Two copies of slice 0 into place 0, and a commit, before the loop.",
        ),
        Misconception(
            "the same slice again",
            _edited(("int next = 16 * (s + 1)", "int next = 16 * s")),
            symptom="Up to `k` = 16 all is right; then you sum the first slice twice.",
            concept="While slice s is summed, slice s + 1 is on its way. It begins at column "
            "16·(s + 1) of `a`.",
            line="`next = 16 * (s + 1)`.",
        ),
        Misconception(
            "one left under way, and no other asked for",
            edited(ONE_BARRIER, ("__pipeline_wait_prior(0)", "__pipeline_wait_prior(1)")),
            symptom="You leave the newest group on its way, and the newest *is* the slice that "
            "you sum.",
            concept="How many may be left depends on where you ask: before the wait there is a "
            "next slice under way, after the wait there is none yet.",
            line="Ask first, then `__pipeline_wait_prior(1)`; or `__pipeline_wait_prior(0)` "
            "first, then ask.",
        ),
        Misconception(
            "no barrier at all",
            edited(ONE_BARRIER, ("        __syncthreads();\n", "")),
            symptom="Nobody waits for anybody: neither for the others' copies, nor until they "
            "have read.",
            concept="One barrier a slice can do both, if it stands between the wait and the next "
            "copies. None cannot.",
            line="`__syncthreads();` behind `__pipeline_wait_prior`.",
        ),
        Misconception(
            "only a tested",
            _edited(
                ("next + y < k && column < n);", "true);"), ("y < k && column < n);", "true);")
            ),
            symptom="The tiles of `a` are looked after; those of `b` copy what lies beside it.",
            concept="`b` has `k` rows of `n` values, and its tiles stick out below and on the "
            "right.",
            line="For the copies of `b` `y < k && column < n` before the loop, and in it `next + "
            "y < k && column < n`.",
        ),
        Misconception(
            "a commit for each factor",
            _edited(
                (
                    "row < m && next + x < k);\n",
                    "row < m && next + x < k);\n            __pipeline_commit();\n",
                )
            ),
            symptom="The values are right, but before you sum you wait for about half of the next "
            "slice as well.",
            concept="`wait_prior(1)` leaves one *group* on its way, and a group is what lies "
            "between two commits: a commit for each factor makes two of a slice.",
            line="Both factors' copies of the next slice, then one `__pipeline_commit();`, then "
            "`__pipeline_wait_prior(1);`.",
        ),
        Misconception(
            "no barrier after the sums, and a slice beyond",
            _edited(
                (IF_NEXT, "        {\n"),
                ("b_tile[s % 2][i][x];\n        __syncthreads();\n", "b_tile[s % 2][i][x];\n"),
            ),
            symptom="What the next round writes goes into tiles that others still sum: zeros, "
            "where no slice is left.",
            concept="A place may be filled again only when all threads have read it, with copies "
            "or with zeros.",
            line="`__syncthreads();` as the last line of the loop, and `if (s + 1 < slices)` "
            "around copies and zeros.",
        ),
        Misconception(
            "one factor loaded as before",
            _edited(
                ("fetch(&b_tile[0][y][x], &", "b_tile[0][y][x] = load(&"),
                ("fetch(&b_tile[to][y][x], &", "b_tile[to][y][x] = load(&"),
                (
                    "extern",
                    "__device__ float load(const float *from, bool inside)\n"
                    "{\n    return inside ? *from : 0.0f;\n}\n\nextern",
                ),
            ),
            symptom="The values are right, and about half of what you load is on its way while you "
            "sum: as if one factor were, and the other not.",
            concept="`tile[...] = value` waits for the load before it stores, wherever it stands. "
            "Only `__pipeline_memcpy_async` goes past the registers, and only what is not "
            "waited for stays on its way.",
            line="`__pipeline_memcpy_async` for both factors, and one commit behind the two.",
        ),
        *STORED_AND_CLEARED,
    ],
)
