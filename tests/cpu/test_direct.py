"""The tile of four pixels by four steps: reached, right, and left where it does not fit."""

from types import ModuleType

import pytest

from convladder import ConvProblem, get_method
from convladder.core.reference import compare, random_arrays
from convladder.cpu.isa import host_isa
from convladder.cpu.simd import winograd


@pytest.mark.parametrize(
    "shape",
    [
        "6x23x4,3x3x5",  # 21 pixels a row: five tiles and one; 12 steps a kernel row: three
        "6x23x5,3x3x5,s2",  # 15 steps: three times four and three
        "2x9x19x2,3x4x17,s1x3,p1",  # tiles between two padded edges
        "5x8x1,2x3x3",  # fewer steps than four
    ],
)
def test_tiles_and_what_is_left_of_them(shape):
    problem = ConvProblem.parse(shape)
    x, w = random_arrays(problem)
    y = get_method("direct_tiled").run(x, w, problem)
    assert not (agreement := compare(y, x, w, problem)).reason, agreement.reason


def test_what_is_kept_has_the_same_name_in_every_process():
    """Numba keeps code by the values of the variables around a function; a compiled function among
    them is another one in each process, and the code would never be found again.
    """
    function = winograd.compiled((4, 3), (4, 3), host_isa().lanes).__wrapped__
    around = [cell.cell_contents for cell in function.__closure__]
    assert around and all(isinstance(value, (int, ModuleType)) for value in around), around
