"""A graph as CUDA kernels, one a node, whose maps lie in one arena in device memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import cuda
from .. import memory
from .arena import blocks, roots
from .codegen_cpu import check_names
from .codegen_cuda import THREADS, TYPES, CudaKernel, cuda_lower
from .graph import Graph, Node
from .interpreter import check_inputs
from .operators import VIEWS, infer_shapes
from .passes import PASSES, Pass, optimise


def compile_for_device(graph: Graph, passes: Sequence[Pass] = PASSES) -> DeviceProgram:
    """Optimise `graph` by `passes` and lower it to CUDA; for the bare kernels `[to_nhwc]`."""
    steps = optimise(graph, passes)
    return DeviceProgram(steps[-1].after if steps else graph)


class DeviceProgram:
    """Call it with a host array for each input; it gives a dictionary of the outputs, on the host.

    `source` is the whole of its CUDA C++, `kernels` its parts, in order; they run on a GPU, or on
    the emulator. `plan` is where maps lie in `arena`, bytes on the device; inputs and outputs have
    arrays of their own. Raises `GraphError` for nodes that have no kernel.
    """

    def __init__(self, graph: Graph):
        self.graph = infer_shapes(graph)
        check_names(self.graph)
        self.steps = [node for node in self.graph.nodes if node.op not in VIEWS]
        self.kernels = [cuda_lower(self.graph, node) for node in self.steps]
        self._root = roots(self.graph)
        inputs = {
            *self.graph.inputs,
            *(node.output for node in self.graph.nodes if node.output not in self._root),
        }
        if plain := inputs.intersection(self.graph.outputs):
            raise ValueError(
                f"{graph.name}: the output {min(plain)!r} is an input as it came; "
                "there is nothing to run for it"
            )
        self._given = _views_of_inputs(self.graph)
        results = {self._root[name] for name in self.graph.outputs}
        self.blocks = blocks(self.graph, self.steps, {}, elsewhere=results)
        self.plan = memory.in_place(self.blocks)
        self.arena = cuda.empty(max(1, self.plan.bytes), np.uint8)
        self._arrays = {  # inputs and outputs
            name: cuda.empty(self.graph[name].shape, self.graph[name].dtype)
            for name in (*self.graph.inputs, *sorted(results))
        }
        texts = [self._text(*pair) for pair in zip(self.steps, self.kernels, strict=True)]
        self.source = "\n".join(texts)
        self._launches = [
            self._launch(node, kernel, text)
            for node, kernel, text in zip(self.steps, self.kernels, texts, strict=True)
        ]

    def __call__(self, **inputs: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name. Raises `ValueError` or `TypeError` for inputs that the graph does
        not take."""
        self.upload(**inputs)
        self.compute()
        return {
            name: self._arrays[self._root[name]].get().reshape(self.graph[name].shape)
            for name in self.graph.outputs
        }

    def upload(self, **inputs: np.ndarray) -> None:
        """Copy the inputs to the device."""
        check_inputs(self.graph, inputs)
        for name, array in inputs.items():
            self._arrays[name].set(np.ascontiguousarray(array))

    def compute(self) -> None:
        """Launch all kernels, from inputs that lie on the device."""
        for kernel, grid, arguments in self._launches:
            kernel[grid, THREADS](*arguments)

    def profile(self, **inputs: np.ndarray) -> dict[str, cuda.Report]:
        """Return reports by kernel, in order: what each asked of memory, by the emulator."""
        self.upload(**inputs)
        return {
            kernel.name: kernel.profile(grid, THREADS, 0, *arguments)
            for kernel, grid, arguments in self._launches
        }

    def _text(self, node: Node, kernel: CudaKernel) -> str:
        """A kernel's source: whence it reads, its value's number, and its own lines."""
        made = self.graph[node.output]
        parameters, begin = [], []
        for name, tensor in kernel.reads.items():
            kind = f"const {TYPES[self.graph[tensor].dtype]} *"
            if self._in_arena(tensor):
                at = self.plan.offsets[self._root[tensor]]
                begin.append(
                    f"{kind}{name} = ({kind})(arena + {at});  // {tensor}: {self.graph[tensor]}"
                )
            else:
                parameters.append(f"{kind}{name}")
        parameters += [f"const float *{name}" for name in kernel.arrays]
        kind = f"{TYPES[made.dtype]} *"
        if self._in_arena(node.output):
            begin.append(f"{kind}y = ({kind})(arena + {self.plan.offsets[node.output]});")
        else:
            parameters.append(f"{kind}y")
        if begin:
            parameters.append("unsigned char *arena")
        size = int(np.prod(made.shape))
        begin += ["int i = blockIdx.x * blockDim.x + threadIdx.x;", f"if (i >= {size}) return;"]
        return "\n".join(
            [
                f"// {node.op}: {node.output} is {made}",
                f'extern "C" __global__ void {kernel.name}({", ".join(parameters)}) {{',
                *(f"    {line}" for line in (*begin, *kernel.body)),
                "}",
                "",
            ]
        )

    def _launch(self, node: Node, kernel: CudaKernel, text: str) -> tuple:
        """`(kernel, grid, arguments)`; constants are copied to the device here, once."""
        arguments = [
            self._argument(tensor) for tensor in kernel.reads.values() if not self._in_arena(tensor)
        ]
        arguments += [cuda.to_device(array) for array in kernel.arrays.values()]
        if not self._in_arena(node.output):
            arguments.append(self._arrays[node.output])
        if any(map(self._in_arena, (*kernel.reads.values(), node.output))):
            arguments.append(self.arena)
        values = int(np.prod(self.graph[node.output].shape))
        return cuda.Kernel(text, kernel.name), -(-values // THREADS), arguments

    def _argument(self, tensor: str) -> object:
        """Return the array of a tensor that has its own: an input, an output, or a constant."""
        if tensor in self.graph.constants:
            return cuda.to_device(self.graph.constants[tensor])
        return self._arrays[self._root.get(tensor) or self._given[tensor]]

    def _in_arena(self, tensor: str) -> bool:
        return self._root.get(tensor) in self.plan.offsets


def _views_of_inputs(graph: Graph) -> dict[str, str]:
    """Each input and view of one, and the input whose bytes it is."""
    found = {name: name for name in graph.inputs}
    for node in graph.nodes:
        if node.op in VIEWS and node.inputs[0] in found:
            found[node.output] = found[node.inputs[0]]
    return found
