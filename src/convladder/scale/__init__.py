"""Inference cut over several workers: by images, by rows, by channels, by layers.

`team()` gives workers of a Dask cluster, `WAYS` the four ways to use them, `cost` what each should
take; `gpus` does the same on several GPUs through NCCL.
"""

from .cluster import Team, team
from .cut import Band, band, bands, needed, shares
from .network import Network, photo_network
from .pipeline import makespan, schedule, stages
from .ways import WAYS, by_channels, by_images, by_layers, by_rows, on_one

__all__ = [
    "WAYS",
    "Band",
    "Network",
    "Team",
    "band",
    "bands",
    "by_channels",
    "by_images",
    "by_layers",
    "by_rows",
    "makespan",
    "needed",
    "on_one",
    "photo_network",
    "schedule",
    "shares",
    "stages",
    "team",
]
