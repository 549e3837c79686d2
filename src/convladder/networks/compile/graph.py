"""A network as a graph: nodes that each make one tensor, constants, inputs and outputs.

A graph is a value: passes take one and return another, and both can be shown side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np


class GraphError(ValueError):
    """A graph that cannot be: the message names the tensor or node and says what to do."""


@dataclass(frozen=True)
class Tensor:
    """The type of a tensor, known before anything runs: its shape and its dtype's name."""

    shape: tuple[int, ...]
    dtype: str = "float32"

    @property
    def bytes(self) -> int:
        return prod(self.shape) * np.dtype(self.dtype).itemsize

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Node:
    """One operation: tensors by name in, one tensor by name out. `attributes` must not change."""

    op: str
    inputs: tuple[str, ...]
    output: str
    attributes: dict[str, Any] = field(default_factory=dict)

    def get(self, attribute: str, default: Any = None) -> Any:
        """Return the value of an attribute, `default` where it has none."""
        return self.attributes.get(attribute, default)

    def having(self, **attributes: Any) -> Node:
        """Return this node with further or other attributes."""
        return replace(self, attributes=self.attributes | attributes)

    def __str__(self) -> str:
        settings = "".join(f" {k}={v}" for k, v in self.attributes.items() if _plain(v))
        return f"{self.output} = {self.op}({', '.join(self.inputs)}){settings}"


def _plain(value: object) -> bool:
    return isinstance(value, (bool, int, float, str, tuple))


@dataclass(frozen=True)
class Graph:
    """Nodes in an order in which they can run, checked when it is made.

    `constants` are arrays by name; `tensors` what `infer_shapes` found of every other tensor, and
    empty before. Raises `GraphError` for a tensor that nothing makes or two nodes make, and for a
    cycle.
    """

    name: str
    inputs: dict[str, Tensor]
    outputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    tensors: dict[str, Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "outputs", tuple(dict.fromkeys(self.outputs)))
        made = [*self.inputs, *self.constants, *(node.output for node in self.nodes)]
        for name in made:
            if not isinstance(name, str) or not name or not name.isprintable():
                raise GraphError(
                    f"{self.name}: a tensor has the name {name!r}; it must be text, not empty"
                )
        known = set(made)
        if len(known) < len(made):
            twice = next(name for name in made if made.count(name) > 1)
            raise GraphError(f"{self.name}: {twice!r} is made twice; give each tensor one maker")
        for name in (*self.outputs, *(i for node in self.nodes for i in node.inputs)):
            if name not in known:
                raise GraphError(
                    f"{self.name}: nothing makes the tensor {name!r}; it must be an "
                    "input, a constant or the output of a node"
                )
        object.__setattr__(self, "nodes", _in_order(self))

    def having(self, **changes: Any) -> Graph:
        """Return this graph with other parts. With other nodes or inputs, infer shapes anew."""
        if "nodes" in changes or "inputs" in changes:
            changes.setdefault("tensors", {})
        return replace(self, **changes)

    def fresh(self, name: str) -> str:
        """Return `name`, made longer if some tensor has it: a name for a new one."""
        taken = {*self.inputs, *self.constants, *(node.output for node in self.nodes)}
        while name in taken:
            name += ".new"
        return name

    def users(self, name: str) -> list[Node]:
        """Return the nodes that read tensor `name`."""
        return [node for node in self.nodes if name in node.inputs]

    def only_user(self, name: str) -> Node | None:
        """Return the one node that reads `name`, None if there are others or it is an output."""
        users = self.users(name)
        return users[0] if len(users) == 1 and name not in self.outputs else None

    def __getitem__(self, name: str) -> Tensor:
        """Shape and dtype of any tensor. Raises `GraphError` where they are not known."""
        if name in self.constants:
            array = self.constants[name]
            return Tensor(array.shape, str(array.dtype))
        known = self.inputs | self.tensors
        if name not in known:
            raise GraphError(f"{self.name}: the shape of {name!r} is not known; run infer_shapes")
        return known[name]

    def __str__(self) -> str:
        """One line for each input and node, with the shape of what it makes, if known."""
        lines = [f"{self.name}: {len(self.nodes)} nodes"]
        lines += [f"  {name}: {tensor}" for name, tensor in self.inputs.items()]
        for node in self.nodes:
            shape = f": {self.tensors[node.output]}" if node.output in self.tensors else ""
            lines.append(f"  {node}{shape}")
        return "\n".join([*lines, f"  -> {', '.join(self.outputs)}"])


def _in_order(graph: Graph) -> tuple[Node, ...]:
    """The nodes, each after those that it reads; as they were where that is so already."""
    ready, waiting, done = {*graph.inputs, *graph.constants}, list(graph.nodes), []
    while waiting:
        able = [node for node in waiting if ready.issuperset(node.inputs)]
        if not able:
            raise GraphError(
                f"{graph.name}: {waiting[0].output!r} depends on itself: the nodes "
                f"{', '.join(node.output for node in waiting)} hold a cycle"
            )
        node = able[0]
        ready.add(node.output)
        done.append(node)
        waiting.remove(node)
    return tuple(done)
