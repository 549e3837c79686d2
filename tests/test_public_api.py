"""Packages give every name that they list, import nothing early, and are not ambiguous."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import convladder

from .python import python

HEAVY = set(
    "IPython cupy ipywidgets jupyter llvmlite matplotlib numba onnxruntime threadpoolctl "
    "torch".split()
)
PACKAGES = [
    package.name
    for package in pkgutil.walk_packages(convladder.__path__, "convladder.")
    if package.ispkg and hasattr(importlib.import_module(package.name), "__all__")
]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_gives_every_name_that_it_lists(name):
    package = importlib.import_module(name)
    assert sorted(package.__all__) == sorted(set(package.__all__))
    for each in package.__all__:
        getattr(package, each)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_name_of_a_package_means_one_thing(name):
    """Else it would depend on what was imported before whether it is the module or its content."""
    package = importlib.import_module(name)
    files = {module.name for module in pkgutil.iter_modules(package.__path__)}
    for each in files & set(package.__all__):
        assert getattr(package, each).__module__ == f"{name}.{each}"


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import convladder; convladder.methods(); from convladder.teach import check; import sys; "
        "print(*sys.modules)"
    )
    done = python("-c", code)
    assert "convladder" in done.stdout.split(), done.stderr
    assert not HEAVY & set(done.stdout.split())


API = Path(__file__).parents[1].joinpath("docs", "api.md").read_text(encoding="utf-8")
PUBLIC = [name for row in re.findall(r"^\| (`.*?) \|", API, re.M) for name in row.split("`")[1::2]]


def test_the_public_names_are_a_dozen_and_more():
    assert len(PUBLIC) > 12 and "convladder.conv2d" in PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there_typed_and_explained(name):
    package, _, each = name.rpartition(".")
    package = importlib.import_module(package)
    thing = getattr(package, each)
    assert each in package.__all__ and inspect.getdoc(thing)
    if inspect.isfunction(thing):
        hints = inspect.signature(thing)
        untyped = [
            parameter.name
            for parameter in hints.parameters.values()
            if parameter.annotation is parameter.empty
        ]
        assert not untyped and hints.return_annotation is not hints.empty
