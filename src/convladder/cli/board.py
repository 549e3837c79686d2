"""`convladder board`: where everybody in the room is, on one page."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from .terminal import CommandError, course_folder, port


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `board`."""
    parser = commands.add_parser("board")
    parser.add_argument(
        "--address",
        default="0.0.0.0",
        metavar="HOST",
        help="listen there; localhost for a rehearsal (default: whatever reaches this machine)",
    )
    parser.add_argument("--port", type=port, default=8300, metavar="N", help="(default: 8300)")
    parser.add_argument(
        "--key", default="", metavar="WORD", help="the room's key (default: drawn once, then kept)"
    )
    parser.add_argument("--certificate", type=Path, metavar="PEM", help="to serve over TLS")
    parser.add_argument("--private-key", type=Path, metavar="PEM", help="of the certificate")
    parser.add_argument(
        "--folder", type=Path, metavar="FOLDER", help="of its data (default: beside your progress)"
    )
    parser.set_defaults(run=_board)


def _board(args: argparse.Namespace) -> int:
    import asyncio
    import ssl

    from platformdirs import user_data_path

    if find_spec("tornado") is None:
        raise CommandError("tornado is not installed; it comes with ipykernel")
    from ..classroom.board.server import BoardStartError, serve

    course = course_folder()
    tls = None
    if args.certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            tls.load_cert_chain(args.certificate, args.private_key)
        except (OSError, ssl.SSLError) as error:
            raise CommandError(
                f"{args.certificate} is no certificate with its key: {error}"
            ) from error
    folder = args.folder or user_data_path("convladder", appauthor=False) / "board"
    try:
        asyncio.run(serve(folder, course, args.address, args.port, args.key, tls))
    except BoardStartError as error:
        raise CommandError(error) from error
    return 0
