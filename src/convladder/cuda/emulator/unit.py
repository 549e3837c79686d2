"""The text that a C++ compiler gets for one kernel: headers, the source, how it is called."""

from __future__ import annotations

from pathlib import Path

from ..signature import launch_bounds, taken, times_declared
from .nvrtc_rules import permitted
from .preprocess import Prepared, included, others_inline

INCLUDE = Path(__file__).parent / "include"


def unit(prepared: Prepared, text: str, file: str, name: str) -> str:
    """Return the C++ text to compile for kernel `name` of the source `text`.

    `file`: what the compiler's messages call the source.
    """
    # Before the source, so that no macro of its own reaches them; there they are then empty.
    headers = "".join(
        f"#include <{header}>\n" for header in included(text) if (INCLUDE / header).is_file()
    )
    # What depends on a template's own arguments is known to its compiler alone.
    bounds = "<" not in name and launch_bounds(text, name) or 0
    constant_bytes = "+".join(["0", *(f"sizeof({each})" for each in prepared.constants)])
    # Declared once more, so that one that is left out by an #if is no error.
    declared = "".join(f"{each}; " for each in prepared.structures if " " in each)
    structures = "".join(f"CL_STRUCTURE({each}), " for each in prepared.structures)
    return (
        f'#include "cl_device.h"\n{headers}#include "cl_source.h"\n'
        f'#line 1 "{file}"\n{others_inline(prepared.text, name)}\n#line 1 "launcher"\n'
        f"#define CL_KERNEL {name}\n#define CL_TAKEN {', '.join(taken(text, name))}\n"
        f"#define CL_VARIABLES {''.join(f'CL_VARIABLE({v}), ' for v in prepared.variables)}\n"
        f"#define CL_STRUCTURES {structures}\n{declared}\n"
        f"#define CL_BOUNDS {bounds}\n#define CL_CONSTANT_BYTES {constant_bytes}\n"
        f"#define CL_FIBERS {int(prepared.fibers)}\n"
        '#include "cl_module.h"\n'
    )


def remedy(told: str, text: str, file: str, name: str) -> str | None:
    """Return the option with which what has failed, in the words `told`, may compile after all."""
    if "inlining failed" in told or "never be inlined" in told:
        return "-DCL_RECURSIVE"
    # The only kernel of its name, which is that of a function of CUDA's too.
    if "overloaded function type" in told and times_declared(text, name) == 1:
        return "-DCL_OVERLOADED"
    return "-fpermissive" if permitted(told, file) else None
