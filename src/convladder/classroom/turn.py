"""The folder at whose files learners take turns to measure: made once by whoever runs the room."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..measure.machine_lock import GPU, PROCESSOR, VARIABLE


def prepare(folder: Path | str, gpus: Iterable[str] = ()) -> dict[str, str]:
    """Make the folder, and return the environment variable that learners' notebooks need.

    It has a file for the processor, one for each of `gpus` (PCI addresses, as `nvidia-smi
    --query-gpu=pci.bus_id --format=csv,noheader` prints them), and one for a GPU that is not among
    them. Learners only read them; made by root, nobody else can replace or remove them. The folder
    must lie on a disk of this machine: locks do not reach over a network. A second call changes
    nothing. Raises `OSError` where it cannot be written.
    """
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    for name in (PROCESSOR, GPU, *(f"{GPU}-{_address(gpu)}" for gpu in gpus)):
        file = folder / name
        file.touch()
        file.chmod(0o444)
    return {VARIABLE: str(folder)}


def _address(gpu: str) -> str:
    """Return `00000000:01:00.0`, as nvidia-smi has it, as CUDA does: `0000:01:00.0`."""
    domain, _, rest = gpu.strip().lower().partition(":")
    return f"{domain[-4:]}:{rest}"
