"""Imports run one way: between packages by the list below, and never in a circle of files.

Read from the source, so that imports within functions count too. A name that a package exports
lazily counts as imported from the file that has it.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import convladder

# Each package may import from itself and from the lines above its own.
ORDER = (
    ("core",),
    ("journal", "replay"),
    ("cpu", "cuda"),
    ("functional", "gpu", "measure"),
    ("networks",),
    ("bench",),
    ("exercises",),
    ("grading",),
    ("teach",),
    ("classroom",),
    ("cli",),
    ("__main__",),
)
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
SRC = Path(convladder.__file__).parents[1]
ROOT = "convladder"


def module_of(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for path in sorted((SRC / ROOT).rglob("*.py"))}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def package_of(module: str) -> str:
    """Return the part after "convladder", "" for the package itself."""
    return module.split(".")[1] if "." in module else ""


@cache
def exports_of(module: str) -> dict[str, str]:
    """Return name -> module of what a package exports lazily; {} where it has none."""
    if FILES[module].name != "__init__.py":
        return {}
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "attach":
            given = next(each.value for each in node.keywords if each.arg == "submod_attrs")
            base = getattr(node.args[0], "value", module)  # else __name__
            return {
                name: f"{base}.{file}"
                for file, names in ast.literal_eval(given).items()
                for name in names
            }
    return {}


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield all statements, also within functions: a tenth of the nodes."""
    todo = list(tree.body)
    while todo:
        yield (node := todo.pop())
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += getattr(node, name, ())


def imports_of(module: str) -> Iterator[tuple[int, str]]:
    """Yield (line, module of this package) for all that a module imports."""
    package = module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in statements(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, node.module or ""] if node.level else [node.module])
            for alias in node.names:
                yield from ((node.lineno, found) for found in _meant(base.strip("."), alias.name))


def _meant(base: str, name: str) -> Iterator[str]:
    if base in FILES:
        whole = f"{base}.{name}"
        yield whole if whole in FILES else exports_of(base).get(name, base)


@cache
def imports() -> dict[str, set[tuple[int, str]]]:
    """Return what each module imports: read by the tests, not by every process that collects."""
    return {module: set(imports_of(module)) for module in FILES}


def test_every_package_has_its_place():
    assert {package_of(module) for module in FILES} == {"", *RANK}


def test_a_package_imports_only_what_stands_before_it():
    wrong = [
        f"{FILES[module].relative_to(SRC)}:{line} imports {target}"
        for module, targets in imports().items()
        if (package := package_of(module))
        for line, target in sorted(targets)
        if package_of(target) not in ("", package) and RANK[package_of(target)] >= RANK[package]
    ]
    assert not wrong, "\n".join(wrong)


def test_files_import_in_no_circle():
    """Not even for types: who reads one of two such files has to read both."""
    graph = {module: {target for _, target in imports()[module]} - {module} for module in FILES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


@pytest.mark.parametrize(
    "module, target",
    [
        ("cli.ladder_conv", "core.registry"),  # in a function, and through the package
        ("gpu.launch", "cuda"),  # a package in a function
        ("cpu.threads", "cpu.im2col"),  # a file beside it
    ],
)
def test_an_import_is_seen(module, target):
    assert f"convladder.{target}" in {found for _, found in imports()[f"convladder.{module}"]}


def test_no_class_name_means_two_things():
    names = Counter(
        node.name
        for module in FILES
        for node in statements(tree_of(module))
        if isinstance(node, ast.ClassDef)
    )
    assert not [name for name, count in names.items() if count > 1]


def test_the_package_imports_nothing_beside_it():
    """`tools` and `studies` import the package; learners install it without them."""
    beside = re.compile(r"^ *(?:from|import) (?:studies|tests|tools)\b", re.MULTILINE)
    wrong = [name for name, path in FILES.items() if beside.search(path.read_text("utf-8"))]
    assert not wrong
