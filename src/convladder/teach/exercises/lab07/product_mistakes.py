"""Usual mistakes of a product in tiles: in the sums, and in where they are stored."""

from __future__ import annotations

from ...grading.exercise import Misconception
from ..lab06.sources import edited
from .product import LOAD_A, LOAD_B, STORE, SUM, with_lines

B_BY_COLUMNS = with_lines(
    (
        LOAD_B,
        "b_tile[y][x] = first + x < k && blockIdx.x * 16 + y < n\n"
        "            ? b[(first + x) * n + blockIdx.x * 16 + y] : 0.0f;",
    ),
    (SUM, "sum += a_tile[y][i] * b_tile[x][i];"),
)
ONLY_A = (LOAD_A, LOAD_A.replace("row < m &&", "row < m && column < n &&"))
ONLY_B = (LOAD_B, LOAD_B.replace("column < n ?", "column < n && row < m ?"))

MULTIPLIED_AND_STORED = [
    Misconception(
        "b read by rows",
        with_lines((SUM, "sum += a_tile[y][i] * b_tile[x][i];")),
        symptom="You multiply rows by rows: that is `a` times the transpose of each tile.",
        concept="A product takes a row of `a` and a *column* of `b`: along the column it is "
        "the first index that moves.",
        line="`b_tile[y][x] = b[...]` where it is loaded, `a_tile[y][i] * b_tile[i][x]` where "
        "it is summed.",
    ),
    Misconception(
        "a's tile turned",
        with_lines(("a_tile[y][x] = row", "a_tile[x][y] = row")),
        symptom="You multiply with each tile of `a` turned over its diagonal.",
        concept="Row `y` of the tile is a row of `a`, where it is filled and where it is summed. "
        "Turned in one of the two, it changes rows and columns on the way.",
        line="`a_tile[y][x] = a[row * k + first + x]`, and `a_tile[y][i]` in the sum.",
    ),
    Misconception(
        "sum begun anew",
        with_lines(
            (
                "        __syncthreads();\n        for",
                "        __syncthreads();\n        sum = 0;\n        for",
            )
        ),
        symptom="Up to `k` = 16 all is right; then you keep the last slice's sum only.",
        concept="Each slice adds its part to the same sum, and only all of them are the value.",
        line="`float sum = 0;` stands before the loop over slices, `c[...] = sum` behind it.",
    ),
    Misconception(
        "the first slice only",
        with_lines(("first < k; first", "first < 16; first")),
        symptom="Up to `k` = 16 all is right; of a longer sum only the first slice is there.",
        concept="A sum runs over all of `k`, 16 values at a time.",
        line="Let `first` go on by 16 as far as `k`.",
    ),
    Misconception(
        "width of b in a",
        with_lines(("a[row * k + first", "a[row * n + first")),
        symptom="The first row is right, the others begin at the wrong place.",
        concept="`a` has rows of `k` values. `n` is the width of `b` and of the result.",
        line="`a[row * k + first + x]`.",
    ),
    Misconception(
        "no test before the store",
        with_lines((STORE, "    c[row")),
        symptom="Threads beside the result write too: into the next row, or behind the end.",
        concept="The grid has whole blocks, the result has not.",
        line="`if (row < m && column < n)` before the store.",
    ),
    Misconception(
        "block forgotten",
        with_lines(("blockIdx.x * 16 + x", "x"), ("blockIdx.y * 16 + y", "y")),
        symptom="Only the first 16 × 16 results are written, by all blocks.",
        concept="`threadIdx` counts anew in every block.",
        line="`blockIdx.x * 16 + threadIdx.x`, and the same for y.",
    ),
    Misconception(
        "the last product left out",
        with_lines(("i < 16; i++", "i < 15; i++")),
        symptom="Of each 16 products of a sum the last one is missing.",
        concept="A slice is 16 wide: 0 to 15.",
        line="`i < 16`.",
    ),
    Misconception(
        "only the last product",
        with_lines(("sum += a_tile", "sum = a_tile")),
        symptom="Of each sum the last place of the last slice is left: 0, unless `k` is a "
        "multiple of 16.",
        concept="A value of a product is a sum over `k`.",
        line="`sum +=`.",
    ),
    Misconception(
        "written turned",
        with_lines(("c[row * n + column]", "c[column * m + row]")),
        symptom="The values are right, and the result is turned over its diagonal.",
        concept="`c` has `m` rows of `n` values.",
        line="`c[row * n + column]`.",
    ),
    Misconception(
        "depth for width in b",
        with_lines(("b[(first + y) * n", "b[(first + y) * k")),
        symptom="The first row of `b` is right, the others begin at the wrong place.",
        concept="`b` has `k` rows of `n` values.",
        line="`b[(first + y) * n + column]`.",
    ),
    Misconception(
        "column for row in b",
        with_lines(("b[(first + y) * n + column]", "b[(first + x) * n + column]")),
        symptom="Beside its diagonal each place of `b`'s tile has a value from another row of `b`.",
        concept="Thread (x, y) loads column `first + x` of `a`, but *row* `first + y` of `b`.",
        line="`first + y` in front of `* n`; `column` behind it.",
    ),
    Misconception(
        "rows of the block forgotten",
        with_lines(("row = blockIdx.y * 16 + y", "row = y")),
        symptom="The first 16 rows are written by all blocks, the others by none.",
        concept="`threadIdx.y` counts anew in every block.",
        line="`row = blockIdx.y * 16 + threadIdx.y`.",
    ),
    Misconception(
        "factors exchanged",
        with_lines((SUM, "sum += b_tile[y][i] * a_tile[i][x];")),
        symptom="Within a tile you compute `b @ a`.",
        concept="A value of `c` is a row of `a` by a column of `b`: the thread's row of the "
        "one, its column of the other.",
        line="`sum += a_tile[y][i] * b_tile[i][x];`",
    ),
    Misconception(
        "added, not multiplied",
        with_lines((SUM, "sum += a_tile[y][i] + b_tile[i][x];")),
        symptom="You add the values of `a` and `b` that should be multiplied.",
        concept="A value of a product is a sum of products.",
        line="`sum += a_tile[y][i] * b_tile[i][x];`, with `*`.",
    ),
    Misconception(
        "begun with 1",
        with_lines(("float sum = 0;", "float sum = 1;")),
        symptom="All of your values are too large by 1.",
        concept="An empty sum is 0.",
        line="`float sum = 0;`, once, before the loop over slices.",
    ),
    Misconception(
        "slices one apart",
        with_lines(
            (
                "for (int first = 0; first < k; first += 16)",
                "for (int first = 0; first < (k + 15) / 16; first++)",
            )
        ),
        symptom="Up to `k` = 16 all is right; then your second slice begins one column on.",
        concept="A slice is 16 wide, so slice s begins at column 16·s of `a`.",
        line="`first += 16`, up to `k`; or `16 * s` where the slices are counted.",
    ),
    Misconception(
        "slices as far as the width",
        with_lines(("first < k; first", "first < n; first")),
        symptom="Your slices end with the width of the result: where `k` is larger, the end of "
        "each sum is missing.",
        concept="Each value of `c` sums `k` products, whatever `m` and `n` are.",
        line="`first < k` ends the loop; `n` limits the columns only.",
    ),
    Misconception(
        "slices as far as the height",
        with_lines(("first < k; first", "first < m; first")),
        symptom="Your slices end with the height of the result: where `k` is larger, the end of "
        "each sum is missing.",
        concept="Slices go along the rows of `a` and down the columns of `b`. Both are `k` long.",
        line="`first < k` ends the loop; `m` limits the rows only.",
    ),
    Misconception(
        "b loaded by columns",
        B_BY_COLUMNS,
        symptom="The values are right, but for one factor neighbouring threads load values that "
        "lie one below the other: each such load of a warp touches 16 sectors, not 4.",
        concept="A tile is *read* in any order at little cost; global memory wants neighbours for "
        "neighbouring threads. `threadIdx.x` counts columns, in `a` and in `b`.",
        line="Load `a[row * k + first + x]` and `b[(first + y) * n + column]`, and sum "
        "`a_tile[y][i] * b_tile[i][x]`.",
    ),
    Misconception(
        "b loaded by columns into padded rows",
        edited(B_BY_COLUMNS, ("b_tile[16][16]", "b_tile[16][17]")),
        symptom="The values are right, with hardly a bank conflict, but neighbouring threads load "
        "values of one factor that lie one below the other: 16 sectors a request, not 4.",
        concept="To turn a tile is for shared memory, where padded rows keep the banks apart. In "
        "global memory neighbouring threads should still want neighbours.",
        line="Load `a[row * k + first + x]` and `b[(first + y) * n + column]`. To turn a tile, "
        "store the value to `[x][y]`, and read the tile as before.",
    ),
    *(
        Misconception(
            name,
            with_lines(*changes),
            symptom=f"Threads without a value of `c` load nothing: places of {tiles} that are theirs "
            "hold zeros.",
            concept="A thread loads for the others too. It may stand beside the result, and what it "
            f"loads for {tiles} is there all the same.",
            line=f"Test each load by its own matrix alone: {test}.",
        )
        for name, tiles, test, changes in (
            (
                "no output, no load",
                "both tiles",
                "row and slice for `a`, slice and column for `b`",
                (ONLY_A, ONLY_B),
            ),
            (
                "no output, no load of a",
                "`a`'s tile",
                "`row < m && first + x < k` for `a`",
                (ONLY_A,),
            ),
            (
                "no output, no load of b",
                "`b`'s tile",
                "`first + y < k && column < n` for `b`",
                (ONLY_B,),
            ),
        )
    ),
    *(
        Misconception(
            name,
            with_lines((f"for (int first = {old}", f"for (int first = {new}")),
            symptom=f"You leave out {which} of `k`.",
            concept=f"Slices are 16 wide, and {why}.",
            line=f"`for (int first = 0; first < k; first += 16)`, {mend}.",
        )
        for name, old, new, which, why, mend in (
            (
                "the first slice left out",
                "0",
                "16",
                "the first 16 values",
                "slice 0 begins at column 0 of `a`",
                "from 0 on",
            ),
            (
                "every second slice",
                "0; first < k; first += 16",
                "0; first < k; first += 32",
                "every second 16 values",
                "the next one begins where one ends",
                "on by 16",
            ),
        )
    ),
    *(
        Misconception(
            f"thread's place exchanged for {factor}",
            with_lines((SUM, SUM.replace(old, new))),
            symptom=f"The diagonal of each tile is right; elsewhere you take the {line} of `{factor}` "
            "that belongs to the value on the other side of it.",
            concept=f"`{letter}` is the thread's place in the direction of `{factor}`'s {line}s.",
            line=f"`{old}` in the sum, from a tile that is filled as `[y][x]`.",
        )
        for factor, old, new, line, letter in (
            ("a", "a_tile[y][i]", "a_tile[x][i]", "row", "y"),
            ("b", "b_tile[i][x]", "b_tile[i][y]", "column", "x"),
        )
    ),
    *(
        Misconception(
            f"always the first slice of {factor}",
            with_lines((old, new)),
            symptom=f"Up to `k` = 16 all is right; then each slice of the other factor meets the first "
            f"one of `{factor}`.",
            concept=f"In round `first` the tile of `{factor}` begins at {place} `first`.",
            line=f"`{right}` is what is loaded.",
        )
        for factor, old, new, place, right in (
            ("a", "a[row * k + first + x]", "a[row * k + x]", "column", "a[row * k + first + x]"),
            ("b", "b[(first + y) * n", "b[y * n", "row", "b[(first + y) * n + column]"),
        )
    ),
    Misconception(
        "only a tested",
        with_lines((LOAD_B, "b_tile[y][x] = b[(first + y) * n + column];")),
        symptom="The tiles of `a` are looked after; those of `b` are filled with what lies beside "
        "it.",
        concept="`b` has `k` rows of `n` values, and its tiles stick out below and on the right.",
        line="`first + y < k && column < n ? b[...] : 0.0f`.",
    ),
    Misconception(
        "added to c, slice by slice",
        with_lines(
            ("    float sum = 0;\n", ""),
            ("        for (int i", "        float sum = 0;\n        for (int i"),
            (
                SUM,
                SUM + "\n        if (row < m && column < n)\n"
                "            c[row * n + column] += sum;",
            ),
            (STORE + " * n + column] = sum;\n", ""),
        ),
        symptom="You add to `c`, into which nobody has written.",
        concept="Memory comes as it is. A sum that grows over all slices can do so in a register, "
        "which begins with the 0 that you give it.",
        line="`float sum = 0;` before the loop over slices, and one `c[...] = sum;` behind it.",
    ),
    Misconception(
        "the slice before in the last one",
        with_lines(
            (
                "    float sum = 0;\n",
                "    float sum = 0;\n    a_tile[y][x] = b_tile[y][x] = 0.0f;\n",
            ),
            (LOAD_A, "if (row < m && first + x < k) a_tile[y][x] = a[row * k + first + x];"),
            (
                LOAD_B,
                "if (first + y < k && column < n) b_tile[y][x] = b[(first + y) * n + column];",
            ),
        ),
        symptom="Where `k` is a multiple of 16, or below 16, all is right; else products of the "
        "slice before are summed once more with the last slice.",
        concept="A place that is not filled in a round still holds the value of the round before. "
        "Zeros written before the loop are gone after the first slice.",
        line="In every round a zero where nothing is loaded: "
        "`a_tile[y][x] = row < m && first + x < k ? ... : 0.0f`, and so for `b`.",
    ),
]
