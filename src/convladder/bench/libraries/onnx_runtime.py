"""ONNX Runtime, set up as fast as it can be on a processor: the one way that all peers use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

FLOAT, BYTE, INT64 = 1, 2, 7  # ONNX's numbers of element types


def session(model: bytes | str | Path, threads: int | None = None, **options: object):
    """Return an `InferenceSession` on the processor, on `threads` threads; None: as it chooses.

    All of its graph optimisations, and its weights packed at loading, are on by default. `options`
    are set on its `SessionOptions`.
    """
    import onnxruntime

    chosen = onnxruntime.SessionOptions()
    if threads is not None:
        chosen.intra_op_num_threads, chosen.inter_op_num_threads = threads, 1
    for name, value in options.items():
        setattr(chosen, name, value)
    return onnxruntime.InferenceSession(model, chosen, providers=["CPUExecutionProvider"])


def model(nodes: Sequence, arrays: Mapping[str, np.ndarray], given: tuple, wanted: tuple) -> bytes:
    """Return an ONNX model of `nodes` and constants; `given`, `wanted`: (name, type, shape)."""
    from onnx import helper, numpy_helper

    graph = helper.make_graph(
        nodes, "convladder",
        [helper.make_tensor_value_info(*given)],
        [helper.make_tensor_value_info(*wanted)],
        [numpy_helper.from_array(np.ascontiguousarray(a), name) for name, a in arrays.items()],
    )  # fmt: skip
    # Versions that any onnxruntime of these years reads, whichever onnx wrote them.
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    whole = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    return whole.SerializeToString()


def node(operator: str, taken: Sequence[str], given: str, **attributes):
    """Return one node of a model."""
    from onnx import helper

    return helper.make_node(operator, taken, [given], **attributes)


def bound(session, image: np.ndarray, shape: Sequence[int], dtype: type):
    """Return (run, output): a session from "x" to "y" whose output is bound: none is allocated."""
    import onnxruntime

    output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(shape, dtype)
    binding = session.io_binding()
    binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(image))
    binding.bind_ortvalue_output("y", output)
    return lambda: session.run_with_iobinding(binding), output


def in_parts(session, name: str, x: np.ndarray, batch: int):
    """Return a function that runs a session over `x`, `batch` at a time, for all outputs."""
    parts = [x[at : at + batch] for at in range(0, len(x), batch)]
    return lambda: np.concatenate([session.run(None, {name: part})[0] for part in parts])
