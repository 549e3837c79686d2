"""Inference cut over several workers: by images, by rows, by channels, by layers.

`team()` gives workers of a Dask cluster, `CUTS` the ways to use them and what each should take.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "cluster": ["NoWorkers", "Team", "team"],
        "cost": ["image_bytes", "map_bytes", "traffic"],
        "partition": ["Band", "band", "bands", "halo_rows", "needed", "shares"],
        "network": ["Network", "photo_network"],
        "pipeline": ["makespan", "schedule", "stages"],
        "link_rates": ["rates"],
        "sharding": [
            "COLLECTIVES",
            "STAGES",
            "TrainingMemory",
            "all_reduce_bytes",
            "collective_bytes",
            "training_memory",
            "sent_bytes",
        ],
        "training": ["all_reduce", "data_parallel", "gradients", "received_bytes"],
        "strategies": ["CUTS", "by_channels", "by_images", "by_layers", "by_rows"],
    },
)
