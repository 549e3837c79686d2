"""Puts the files beside it where the package looks for its own: on PYTHONPATH of a test."""

from importlib import import_module
from pathlib import Path

for folder, package in (
    ("bench", "bench"),
    ("cpu", "cpu"),
    ("exercises", "exercises"),
    ("lenet_cpu", "networks.lenet.cpu"),
    ("lenet_gpu", "networks.lenet.gpu"),
):
    import_module(f"convladder.{package}").__path__.append(str(Path(__file__).parent / folder))
