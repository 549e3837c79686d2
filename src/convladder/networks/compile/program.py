"""A graph as a program: generated source that can be read, and one arena that holds every map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np

from ...cpu.threads import threads_now
from .. import memory
from ..memory import Block, Plan
from . import runtime
from .arena import LINE, blocks, roots
from .codegen_cpu import CALLED, check_names, identifier, lower, room_bytes
from .graph import Graph, Tensor
from .image_lanes import InLanes
from .interpreter import check_inputs
from .operators import VIEWS, infer_shapes
from .passes import PASSES, Pass, optimise

POISON = 0xA5


def compile_graph(
    graph: Graph,
    passes: Sequence[Pass] = PASSES,
    planner: Callable[[Sequence[Block]], Plan | None] = memory.in_place,
) -> Program:
    """Optimise `graph` by `passes` and lower it; for the bare kernels `passes=[to_nhwc]`."""
    steps = optimise(graph, passes)
    return Program(steps[-1].after if steps else graph, planner)


class Program:
    """Call it with an array for each input; it gives a dictionary of the outputs.

    `source` is what runs, `plan` where its arrays lie in `arena`. One call at a time: others wait.
    Weights are packed once, here. Raises `GraphError` for nodes that have no kernel.
    """

    def __init__(
        self, graph: Graph, planner: Callable[[Sequence[Block]], Plan | None] = memory.in_place
    ):
        self.graph = infer_shapes(graph)
        check_names(self.graph)
        self.steps = [node for node in self.graph.nodes if node.op not in VIEWS]
        self._lowered = [lower(self.graph, node) for node in self.steps]
        self._roots = roots(self.graph)
        rooms = {
            node.output: room_bytes(lines.room)
            for node, lines in zip(self.steps, self._lowered, strict=True)
        }
        self.blocks = blocks(self.graph, self.steps, rooms)
        self.plan = planner(self.blocks)
        if self.plan is None:
            raise ValueError(f"the planner found no plan for {graph.name}; take memory.best")
        room = np.empty(self.plan.bytes + LINE, np.uint8)
        begin = -room.ctypes.data % LINE
        self.arena = room[begin : begin + self.plan.bytes]
        self.source = self._source()
        names = self._names()
        exec(compile(self.source, f"<{graph.name!a}>", "exec"), names)
        self._run, self._busy, self._threads = names["run"], Lock(), 0

    def __call__(self, **inputs: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name, in fresh arrays. Raises `ValueError` or `TypeError` for inputs that
        the graph does not take."""
        check_inputs(self.graph, inputs)
        arrays = [np.asarray(inputs[name], order="C") for name in self.graph.inputs]
        with self._busy:
            if self._threads != (threads := threads_now()):
                self._threads = threads
                for weights in self._weights:
                    weights.share_among(threads)
            results = self._run(*arrays)
            return {
                name: result.copy()
                for name, result in zip(self.graph.outputs, results, strict=True)
            }

    @property
    def _weights(self) -> list[runtime.PackedWeights]:
        return [
            found
            for lines in self._lowered
            for found in lines.names.values()
            if isinstance(found, runtime.PackedWeights)
        ]

    @property
    def generated(self) -> dict[str, str]:
        """Return the sources of kernels written for one node, by what it makes."""
        return {
            node.output: found.source
            for node, lines in zip(self.steps, self._lowered, strict=True)
            for found in lines.names.values()
            if isinstance(found, InLanes)
        }

    @property
    def weight_bytes(self) -> int:
        """Return the bytes of weights and biases as kernels take them: packed, and rounded up."""
        vectors = [
            array
            for lines in self._lowered
            for array in lines.names.values()
            if isinstance(array, np.ndarray)
        ]
        constants = self.graph.constants
        biases = {name for node in self.steps for name in node.inputs[2:] if name in constants}
        vectors += [constants[name] for name in biases]
        return sum(array.nbytes for array in (*self._weights, *vectors))

    def touched_bytes(self, **inputs: np.ndarray) -> int:
        """Measure the arena's bytes up to the last one that a run writes."""
        self.arena[:] = POISON
        self(**inputs)
        written = np.flatnonzero(self.arena != POISON)
        return int(written[-1]) + 1 if written.size else 0

    def _source(self) -> str:
        lines = [f"def run({', '.join(identifier(name) for name in self.graph.inputs)}):"]
        lowered = dict(zip((node.output for node in self.steps), self._lowered, strict=True))
        for node in self.graph.nodes:
            made = self.graph[node.output]
            if node.op not in VIEWS:
                at = self.plan.offsets[node.output]
                lines.append(f"    # {node.op}: {identifier(node.output)} is {made} at byte {at:,}")
                lines += [f"    {line}" for line in lowered[node.output].source]
            elif node.output not in self._roots:  # a view of an input
                source = identifier(node.inputs[0])
                lines.append(f"    {identifier(node.output)} = {source}.reshape({made.shape})")
        outputs = "".join(f"{identifier(name)}, " for name in self.graph.outputs)
        return "\n".join([*lines, f"    return ({outputs})", ""])

    def _names(self) -> dict[str, Any]:
        """Return the names in the source: kernels, constants, and views of the arena."""
        names: dict[str, Any] = {"np": np, **{name: getattr(runtime, name) for name in CALLED}}
        names |= {identifier(name): array for name, array in self.graph.constants.items()}
        for name, root in self._roots.items():
            names[identifier(name)] = self._view(self.plan.offsets[root], self.graph[name])
        for node, lines in zip(self.steps, self._lowered, strict=True):
            names |= lines.names
            if lines.room:
                room = f"{node.output}.room"
                names[identifier(room)] = self._view(self.plan.offsets[room], Tensor(lines.room))
        return names

    def _view(self, at: int, tensor: Tensor) -> np.ndarray:
        return self.arena[at : at + tensor.bytes].view(tensor.dtype).reshape(tensor.shape)
