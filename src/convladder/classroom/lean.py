"""What a learner's server goes without: modules that it would import and never use.

Thirty servers have thirty copies of them. One that is needed after all raises where it is used.
"""

from __future__ import annotations

import sys
from types import ModuleType

# Optional for jsonschema: formats that no notebook has. The first builds a grammar of 16 MiB, which
# takes a second and more of every process.
WITHOUT = ("rfc3987_syntax", "isoduration")
# JupyterHub's own way to a new version of its database, 10 MiB: a server has none.
EMPTY = ("alembic", "alembic.command", "alembic.config", "alembic.script")


def spare_formats() -> None:
    """Keep jsonschema, once it is imported, from those of `WITHOUT` in this process."""
    for name in WITHOUT:
        sys.modules.setdefault(name, None)


def spare() -> None:
    """Keep all these modules from being imported in this process; call it before Jupyter's own."""
    spare_formats()
    for name in EMPTY:
        sys.modules[name] = ModuleType(name, "Left out: a learner's server has no database.")
    sys.modules["alembic.script"].ScriptDirectory = None
