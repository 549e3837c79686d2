"""`convladder ladder`: the methods on one layer or all (`conv`), or the rungs of LeNet-5 (`lenet`).

Each is judged, then timed, beside libraries with `--peers`.
"""

import argparse

from . import ladder_conv, ladder_lenet


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `ladder`."""
    parser = commands.add_parser("ladder")
    ladders = parser.add_subparsers(required=True, metavar="conv|lenet")
    ladder_conv.add_options(ladders.add_parser("conv", help="the convolution methods"))
    ladder_lenet.add_options(
        ladders.add_parser("lenet", help="LeNet-5 on the 10,000 test images of MNIST")
    )
