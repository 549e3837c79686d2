"""L1's banks: what the rule says of lanes that stand apart, and what a GPU's clock says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ... import cuda
from ...bench import l1
from ...cuda.memory_model import SECTORS, sectors, spread
from ...lenet.forecast import bank_ways
from ..table import Table, table


def l1_table(run: Mapping | None = None) -> Table:
    """Return a row for each distance of lanes: a quarter of its sectors, its turns to the fullest
    bank, and the clocks of `run`: by default of this GPU, or of the newest record.
    """
    run = run or (_here() if cuda.gpu() else l1.recorded()[0])
    rows = []
    for floats, clocks in run["clocks"].items():
        request = spread(int(floats))
        rows.append((int(floats), len(sectors(request)) / SECTORS, bank_ways(request), clocks))
    return table(
        rows,
        ["floats from lane to lane", "sectors / 4", "words of the fullest bank", "clocks"],
        f"a request to L1: {run['card']['gpu']}, {run['date']}",
    )


@cache
def _here() -> dict:
    return l1.measure()
