"""`convladder board`: where everybody in the room is, on one page."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from ..text import install_text
from .errors import CommandError

LOCAL = ("localhost", "127.0.0.1", "::1")


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `board`."""
    parser = commands.add_parser(
        "board", help="show a class where it is: who is stuck on what, and what it predicts"
    )
    naming = parser.add_mutually_exclusive_group()
    naming.add_argument(
        "--pseudonyms", action="store_true", help="call learners by two words (default)"
    )
    naming.add_argument(
        "--names", action="store_true", help="call them by the name that they join with"
    )
    parser.add_argument(
        "--plan",
        type=Path,
        metavar="TOML",
        help="a syllabus, such as classroom/guide/syllabi/half_day.toml",
    )
    parser.add_argument(
        "--day", type=int, default=1, metavar="N", help="which of its sessions (default: 1)"
    )
    parser.add_argument(
        "--stuck",
        type=int,
        default=3,
        metavar="N",
        help="tries on the same mistake from which one is stuck (default: 3)",
    )
    parser.add_argument(
        "--new", action="store_true", help="begin a lesson; all of the one before is deleted"
    )
    parser.add_argument("--port", type=int, default=8300, metavar="N")
    parser.add_argument(
        "--address",
        default="localhost",
        metavar="HOST",
        help="listen there, with --certificate or --unencrypted "
        "(default: localhost, this machine alone)",
    )
    parser.add_argument("--certificate", type=Path, metavar="PEM", help="to serve over TLS")
    parser.add_argument(
        "--private-key", type=Path, metavar="PEM", help="of the certificate, if not in its file"
    )
    parser.add_argument(
        "--unencrypted",
        action="store_true",
        help="listen beyond this machine though others in the network can read "
        "along, keys included",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help="where its data and keys lie (default: with your own progress)",
    )
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="of SQLAlchemy, such as postgresql+psycopg://…; its driver is yours "
        "to install (default: an SQLite file in the folder)",
    )
    parser.set_defaults(run=_board)


def _board(args: argparse.Namespace) -> int:
    import asyncio

    _possible(args)
    from ..classroom.board.alone import encryption, serve
    from ..classroom.board.serve import BoardStartError

    named = True if args.names else False if args.pseudonyms else None
    try:
        tls = encryption(args.certificate, args.private_key)
        asyncio.run(
            serve(
                args.folder or _folder(),
                args.port,
                args.address,
                tls,
                args.database,
                args.new,
                named,
                plan=args.plan,
                day=args.day,
                stuck=args.stuck,
            )
        )
    except BoardStartError as error:
        raise CommandError(error) from error
    return 0


def _possible(args: argparse.Namespace) -> None:
    missing = [name for name in ("tornado", "sqlalchemy") if find_spec(name) is None]
    if missing:
        raise CommandError(
            f"{' and '.join(missing)} not installed; add what a class needs with: "
            f"{install_text('classroom')}"
        )
    if not 0 < args.port < 65536:
        raise CommandError(f"--port {args.port} is not a valid port: use one from 1024 to 65535")
    if args.stuck < 2:
        raise CommandError(f"--stuck {args.stuck}: the same mistake takes 2 tries or more")
    if args.address not in LOCAL and args.certificate is None and not args.unencrypted:
        raise CommandError(
            f"--address {args.address} is reached from outside: give a "
            "--certificate, or say --unencrypted if all in that network may read "
            "along"
        )


def _folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("convladder", appauthor=False) / "board"
