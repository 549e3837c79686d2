"""Running notebooks with this environment's interpreter and saving them in their one form."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets import default

from convladder.journal import OFF, VARIABLE

from ..replays import add_posters
from .notebook import NotebookError, normalise, read, write

CELL_TIMEOUT = 120  # seconds; a whole chapter should take less


class _OwnKernelSpec(KernelSpecManager):
    def get_kernel_spec(self, kernel_name):
        return self.kernel_spec_class(resource_dir=RESOURCES, **get_kernel_dict())


class _OwnKernel(AsyncKernelManager):
    """Starts the interpreter that runs us, whichever `python3` kernels the user has installed."""

    @default("kernel_spec_manager")
    def _own_kernel_spec(self):
        return _OwnKernelSpec()


def execute(nb: NotebookNode, path: Path, timeout: int | None = None) -> NotebookNode:
    """Run all cells of `nb`, in place, in the folder of `path`, and return it.

    timeout: seconds for a cell, `CELL_TIMEOUT` if None. Raises NotebookError that names the cell
    (counted from 1, text cells too) which failed.
    """
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    path.parent.mkdir(parents=True, exist_ok=True)
    begun: list[int] = []
    timeout = timeout or CELL_TIMEOUT
    client = NotebookClient(
        nb,
        timeout=timeout,
        kernel_name="python3",
        kernel_manager_class=_OwnKernel,
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
        force_raise_errors=True,
        extra_arguments=["--log-level=ERROR"],  # ipykernel warns of its own transport
        on_cell_execute=lambda cell, cell_index: begun.append(cell_index),
    )
    try:
        client.execute(env={**os.environ, VARIABLE: OFF})  # nobody learns here
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        first_line = nb.cells[begun[-1]].source.strip().split("\n")[0]
        raise NotebookError(
            f"{path.parent.name}/{path.name}, cell {begun[-1] + 1} ({first_line}): "
            f"{_reason(error, timeout)}; the notebook was not saved: mend the cell and run again"
        ) from error
    return nb


def run(paths: Iterable[Path], say: Callable[[str], None] = lambda line: None) -> list[Path]:
    """Execute and normalise notebooks; returns those whose file changed.

    A notebook in which a cell fails is left as it was; the others still run, and then one
    NotebookError lists every failure.
    """
    changed, failures = [], []
    for path in paths:
        name = f"{path.parent.name}/{path.name}"
        try:
            nb = normalise(execute(read(path), path))
            add_posters(nb)
        except (NotebookError, FileNotFoundError) as error:
            failures.append(str(error))
            continue
        if write(nb, path):
            changed.append(path)
        say(f"{name}: {'written' if path in changed else 'unchanged'}")
    if failures:
        raise NotebookError("\n".join(failures))
    return changed


def _reason(error: Exception, timeout: int) -> str:
    if isinstance(error, CellExecutionError):
        return f"{error.ename}: {error.evalue}"
    if isinstance(error, CellTimeoutError):
        return f"took more than {timeout} s"
    return "the kernel died"
