"""The RTX 2060 ladder's fourth program: products that use each weight for several images."""

from __future__ import annotations

from types import SimpleNamespace

from ..rungs import rung
from .baseline import products
from .conv_tuned import ConvTuned, convolve
from .session import GpuSession

IMAGES = 8  # of a block, as in products.cuh
THREADS = 128  # an output each


def multiply(session: GpuSession, count: int, maps: SimpleNamespace) -> None:
    """Launch products of a block for eight images, a thread for an output of each."""
    for _, (x, w, bias, y, inputs, outputs, relu) in products(session, maps):
        session.launch(
            "linear",
            -(-count // IMAGES),
            THREADS,
            x,
            w,
            bias,
            y,
            inputs,
            outputs,
            relu,
            count,
            shared_bytes=4 * IMAGES * inputs,
        )


@rung(name="fc_tuned", device="gpu", number=4)
class ProductsTuned(GpuSession):
    """Other products; convolutions as before.

    Every image needs every weight: a block that does eight images loads each weight once for all of
    them, and keeps their inputs in shared memory.
    """

    plan = ConvTuned.plan.but(
        kernels={**ConvTuned.plan.kernels, "linear": "fc_tuned.cu"},
        layers=(convolve, multiply),
    )
