"""A small compiler: networks as graphs, passes over them, programs of the ladder's own kernels."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cost": ["Cost", "cost"],
        "cuda_program": ["DeviceProgram", "compile_for_device"],
        "graph": ["Graph", "GraphError", "Node", "Tensor"],
        "networks": ["NETWORKS", "Builder"],
        "onnx_file": ["read_onnx"],
        "operators": ["conv_problem", "infer_shapes"],
        "interpreter": ["evaluate"],
        "passes": [
            "PASSES",
            "PassResult",
            "compute_again",
            "fold_batch_norm",
            "fold_constants",
            "fuse_add",
            "fuse_relu",
            "images_in_lanes",
            "optimise",
            "remove_dead",
            "stages",
            "to_nhwc",
        ],
        "program": ["Program", "compile_graph"],
        "schedule": ["ORDERS", "Candidate", "Schedule", "predicted_cycles", "space", "tune"],
    },
)
