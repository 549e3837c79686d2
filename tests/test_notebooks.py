"""The committed notebooks keep every rule, and each uncompared cell is accounted for.

nbval, which `pytest` runs beside this file, executes them. What it cannot see is in
`convladder.authoring.rules`; how those rules themselves are tested is in tests/authoring/.
"""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from convladder.authoring import check
from convladder.authoring.code import tree_of
from convladder.authoring.notebook import find, read

ROOT = Path(__file__).parents[1]

# How many cells of each notebook are tagged nbval-ignore-output: what they show depends on the
# machine (times, rates, the machine card) or on no comparison nbval can make (a widget's picture).
# A new tag is a claim left unchecked: raise a count only if the cell can show no fact instead.
IGNORED = {
    "course/00_start_here.ipynb": 6,
    "course/01_im2col_gemm.ipynb": 15,
    "course/02_counting_cost.ipynb": 14,
    "course/03_mec.ipynb": 14,
    "course/04_cpu_threads.ipynb": 27,
    "course/05_microkernel.ipynb": 27,
    "course/06_first_kernels.ipynb": 8,
    "course/07_memory_is_the_program.ipynb": 15,
    "course/09_cutlass_tensor_cores.ipynb": 8,
    "course/08_cublas_mec.ipynb": 2,
    "course/10_profiling.ipynb": 14,
    "course/13_quantisation_and_sparsity.ipynb": 18,
    "course/12_compilers.ipynb": 13,
    "course/14_small_memory.ipynb": 6,
    "course/11_lenet_ladder.ipynb": 38,
    "course/15_scale_out.ipynb": 14,
    "solutions/01_im2col_gemm.ipynb": 1,
    "solutions/02_counting_cost.ipynb": 1,
    "solutions/03_mec.ipynb": 2,
    "solutions/04_cpu_threads.ipynb": 3,
    "solutions/05_microkernel.ipynb": 4,
    "solutions/06_first_kernels.ipynb": 0,
    "solutions/07_memory_is_the_program.ipynb": 0,
    "solutions/09_cutlass_tensor_cores.ipynb": 0,
    "solutions/08_cublas_mec.ipynb": 1,
    "solutions/10_profiling.ipynb": 1,
    "solutions/13_quantisation_and_sparsity.ipynb": 3,
    "solutions/12_compilers.ipynb": 2,
    "solutions/14_small_memory.ipynb": 1,
    "solutions/11_lenet_ladder.ipynb": 0,
    "solutions/15_scale_out.ipynb": 1,
    "labs/01_im2col_gemm.ipynb": 1,
    "labs/02_counting_cost.ipynb": 1,
    "labs/03_mec.ipynb": 2,
    "labs/04_cpu_threads.ipynb": 3,
    "labs/05_microkernel.ipynb": 4,
    "labs/06_first_kernels.ipynb": 0,
    "labs/07_memory_is_the_program.ipynb": 0,
    "labs/09_cutlass_tensor_cores.ipynb": 0,
    "labs/08_cublas_mec.ipynb": 1,
    "labs/10_profiling.ipynb": 1,
    "labs/13_quantisation_and_sparsity.ipynb": 3,
    "labs/12_compilers.ipynb": 2,
    "labs/14_small_memory.ipynb": 1,
    "labs/11_lenet_ladder.ipynb": 0,
    "labs/15_scale_out.ipynb": 1,
}


def test_every_notebook_keeps_the_rules():
    findings = check(ROOT).findings
    assert not findings, "\n".join(map(str, findings))


def test_cells_left_out_of_the_comparison_are_those_listed():
    assert check(ROOT).ignored == IGNORED


@pytest.mark.parametrize("folder", ["course", "solutions"])  # labs have the solutions' imports
def test_what_a_notebook_imports_from_the_package_is_there(folder):
    """In a second, where nbval takes minutes to meet a name that has moved."""
    named = {(path.name, node.module, alias.name) for path in find(ROOT, folder)
             for cell in read(path).cells if cell.cell_type == "code"
             for node in ast.walk(tree_of(cell) or ast.Module([], []))
             if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("convladder")
             for alias in node.names}
    assert len(named) > 50
    missing = [(notebook, module, name) for notebook, module, name in sorted(named)
               if not hasattr(import_module(module), name) and not find_spec(f"{module}.{name}")]
    assert not missing
