"""The committed notebooks keep every rule, and each uncompared cell is accounted for.

nbval, which `pytest` runs beside this file, executes them. What it cannot see is in
`tools.notebooks.rules`, whose own tests are in tests/tools/notebooks/.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from convladder.journal.course_index import Page
from tools.notebooks.notebook import find, read
from tools.notebooks.rules import check

ROOT = Path(__file__).parents[1]

# How many cells of each notebook are tagged nbval-ignore-output: what they show depends on the
# machine (times, rates, the machine card) or on no comparison nbval can make (a widget's picture).
# A new tag is a claim left unchecked: raise a count only if the cell can show no fact instead.
IGNORED = {
    "course/00_start_here.ipynb": 8,
    "course/01_im2col_gemm.ipynb": 15,
    "course/deeper/01_the_im2col_note.ipynb": 9,
    "course/02_counting_cost.ipynb": 12,
    "course/deeper/02_article_claims.ipynb": 13,
    "course/03_mec.ipynb": 11,
    "course/deeper/03_two_repositories.ipynb": 11,
    "course/04_cpu_threads.ipynb": 15,
    "course/deeper/04_measuring_threads.ipynb": 14,
    "course/05_microkernel.ipynb": 20,
    "course/deeper/05_gemm_in_five_loops.ipynb": 9,
    "course/deeper/05_layouts.ipynb": 9,
    "course/deeper/05_rest_of_the_peak.ipynb": 9,
    "course/07_first_kernels.ipynb": 10,
    "course/deeper/07_one_sum_by_many_threads.ipynb": 3,
    "course/08_gpu_memory.ipynb": 12,
    "course/deeper/08_copies_and_constants.ipynb": 3,
    "course/deeper/08_under_way.ipynb": 7,
    "course/10_implicit_gemm.ipynb": 6,
    "course/deeper/10_stream_k.ipynb": 1,
    "course/11_tensor_cores.ipynb": 8,
    "course/deeper/11_tensor_core_kernel.ipynb": 1,
    "course/12_tensor_core_gemm.ipynb": 11,
    "course/deeper/11_other_languages.ipynb": 1,
    "course/09_cublas_mec.ipynb": 4,
    "course/13_profiling.ipynb": 13,
    "course/16_quantisation.ipynb": 17,
    "course/deeper/16_fewer_weights.ipynb": 3,
    "course/deeper/16_sums_in_few_bits.ipynb": 1,
    "course/15_compilers.ipynb": 9,
    "course/17_small_memory.ipynb": 5,
    "course/deeper/17_light_layers.ipynb": 1,
    "course/deeper/17_recompute_and_exit.ipynb": 1,
    "course/deeper/17_the_way_back.ipynb": 2,
    "course/deeper/15_pass_by_pass.ipynb": 4,
    "course/14_lenet_ladder.ipynb": 25,
    "course/deeper/14_banks_in_l1.ipynb": 3,
    "course/deeper/14_wire_and_rivals.ipynb": 7,
    "course/18_scale_out.ipynb": 9,
    "course/deeper/18_workers.ipynb": 6,
    "course/06_fewer_multiplications.ipynb": 13,
    "course/deeper/06_formats_points_models.ipynb": 5,
    "course/99_the_top.ipynb": 5,
    "solutions/01_im2col_gemm.ipynb": 2,
    "solutions/02_counting_cost.ipynb": 1,
    "solutions/03_mec.ipynb": 3,
    "solutions/04_cpu_threads.ipynb": 4,
    "solutions/05_microkernel.ipynb": 5,
    "solutions/09_cublas_mec.ipynb": 1,
    "solutions/13_profiling.ipynb": 1,
    "solutions/16_quantisation.ipynb": 4,
    "solutions/15_compilers.ipynb": 3,
    "solutions/17_small_memory.ipynb": 1,
    "solutions/18_scale_out.ipynb": 4,
    "solutions/06_fewer_multiplications.ipynb": 1,
}


@cache
def checked():
    return check(ROOT)


def test_every_notebook_keeps_the_rules():
    findings = checked().findings
    assert not findings, "\n".join(map(str, findings))


def test_cells_left_out_of_the_comparison_are_those_listed():
    found = {name: count for name, count in checked().ignored.items() if count}
    labs = {name: found.pop(name) for name in list(found) if name.startswith("labs/")}
    assert found == IGNORED
    solutions = {name for name in found if name.startswith("solutions/")}
    assert {name.replace("labs/", "solutions/"): count for name, count in labs.items()} == {
        name: found[name] for name in solutions
    }, "a lab has its solution's tags"


def test_no_html_fixes_the_colour_of_its_text():
    """No one colour has a contrast of 4.5 on white and on black; text takes the page's."""
    shown = [
        output.data["text/html"]
        for folder in ("course", "course/deeper", "solutions", "labs")
        for path in find(ROOT, folder)
        for cell in read(path).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    fixed = {
        match
        for html in shown
        for match in re.findall(r"(?<![\w-])color: ?(?!var\(|inherit)[#\w]+", html)
    }
    assert len(shown) > 400 and fixed == set()


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_solution_is_stored_as_passed(path):
    """What runs and is stored may still be refused: a check raises nothing."""
    said = [
        line
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if "check(" in "".join(cell["source"])
        for output in cell.get("outputs", ())
        for line in [*output.get("text", ()), *output.get("data", {}).get("text/plain", ())]
    ]
    names = Page(path).exercises
    verdicts = [line.strip() for line in said if line.partition(": ")[0] in names]
    assert {*verdicts} >= {f"{name}: passed" for name in names}
    assert all(verdict.endswith(": passed") for verdict in verdicts)
