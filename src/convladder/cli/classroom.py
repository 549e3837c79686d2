"""`convladder classroom`: a room of learners on one machine, for who teaches there."""

import argparse
import os
from pathlib import Path

from ..classroom.settings import HubError, Place, Settings, size
from . import room
from .errors import CommandError
from .lab import allow_custom_style, editable_root, page_arguments, server_environment


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `classroom` with what can be done in one."""
    parser = commands.add_parser("classroom", help="a room of learners on this machine")
    actions = parser.add_subparsers(required=True, metavar="action")
    _add_hub(actions)
    _add_release(actions)
    room.add_to(actions)
    stop = actions.add_parser("stop", help="end the hub and all learners' servers")
    _add_data(stop)
    stop.set_defaults(run=_stop)
    server = actions.add_parser("server", help="a learner's server; the hub starts it")
    server.add_argument("arguments", nargs="*", metavar="-- ...")
    server.set_defaults(run=_server)


def checkout() -> Path:
    """Return the checkout whose hub is meant. Raises CommandError outside of one."""
    if (root := editable_root()) is None:
        raise CommandError(
            "a hub needs a checkout of the course, since it hands out the course's "
            "files: git clone it, and run make hub there"
        )
    return root


def place(data: Path | None) -> Place:
    """Return the folders of a hub: in `data`, else in this checkout."""
    return Place((data or checkout() / "classroom" / "hub").resolve())


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="where the hub keeps its data, what it shares and learners' homes "
        "(default: classroom/hub in this checkout)",
    )


def _add_hub(actions: argparse._SubParsersAction) -> None:
    standard = Settings()
    parser = actions.add_parser("hub", help="start JupyterHub for a class; make hub does")
    parser.add_argument(
        "--names",
        type=Path,
        metavar="FILE",
        help="a learner a line, `user, Full Name`: nobody else may sign up",
    )
    parser.add_argument(
        "--host",
        default=standard.host,
        metavar="ADDRESS",
        help="listen there; beyond this machine only as root, with --cert and "
        f"--key or --without-tls (default: {standard.host})",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=standard.port,
        metavar="N",
        help=f"and the three behind it (default: {standard.port})",
    )
    parser.add_argument("--cert", type=Path, metavar="FILE", help="TLS certificate, in PEM")
    parser.add_argument("--key", type=Path, metavar="FILE", help="its key")
    parser.add_argument(
        "--without-tls",
        action="store_true",
        help="listen for others without encryption: something before it encrypts",
    )
    parser.add_argument(
        "--memory",
        default="3G",
        metavar="SIZE",
        help="data that a process of a learner may have (default: 3G)",
    )
    parser.add_argument(
        "--idle",
        type=int,
        default=standard.idle // 60,
        metavar="MINUTES",
        help=f"end servers unused for so long (default: {standard.idle // 60})",
    )
    parser.add_argument(
        "--image",
        metavar="NAME",
        help="a container of this image a learner, by Docker, instead of processes",
    )
    parser.add_argument(
        "--plan", type=Path, metavar="FILE", help="a syllabus, for the board to show the pace"
    )
    parser.add_argument(
        "--day",
        type=int,
        default=standard.day,
        metavar="N",
        help=f"which session of the plan it is (default: {standard.day})",
    )
    parser.add_argument(
        "--show-names", action="store_true", help="the board shows names instead of pseudonyms"
    )
    parser.add_argument(
        "--rehearsal",
        action="store_true",
        help="do not separate learners, as without root; stays on this machine",
    )
    _add_data(parser)
    parser.set_defaults(run=_hub)


def _hub(args: argparse.Namespace) -> int:
    from ..classroom.start import prepare, run

    def whole(path: Path | None) -> str | None:
        return None if path is None else str(path.resolve())

    try:
        settings = Settings(
            host=args.host,
            port=args.port,
            names=whole(args.names),
            cert=whole(args.cert),
            key=whole(args.key),
            without_tls=args.without_tls,
            memory=size(args.memory),
            idle=60 * args.idle,
            rehearsal=args.rehearsal,
            image=args.image,
            plan=whole(args.plan),
            day=args.day,
            show_names=args.show_names,
        )
        for line in prepare(settings, place(args.data), checkout()):
            print(line, flush=True)
        return run(settings, place(args.data), lambda line: print(line, flush=True))
    except HubError as error:
        raise CommandError(error) from error


def _stop(args: argparse.Namespace) -> int:
    from ..classroom.stopping import stop

    print(f"{stop(place(args.data))} processes ended.")
    return 0


def _server(args: argparse.Namespace) -> int:
    from ..classroom.lean import spare

    spare()
    from jupyterhub.singleuser import main

    os.environ.update(server_environment())
    allow_custom_style()
    root = ["--allow-root"] if os.geteuid() == 0 else []  # a rehearsal of root's
    main([*page_arguments(), *root, *args.arguments])
    return 0


def _add_release(actions: argparse._SubParsersAction) -> None:
    parser = actions.add_parser(
        "release", help="hand out the course as it is now, and solutions by number"
    )
    parser.add_argument(
        "--solutions",
        nargs="+",
        default=[],
        metavar="NN",
        help="these solutions too, from now on: 01 02, or all",
    )
    _add_data(parser)
    parser.set_defaults(run=_release)


def _release(args: argparse.Namespace) -> int:
    from ..classroom.release import ReleaseError, release

    try:
        done = release(place(args.data).shared, args.solutions)
    except ReleaseError as error:
        raise CommandError(error) from error
    print(
        f"{len(done.changed)} files changed in {done.repository}; learners have them when they "
        "next follow a link."
        if done.changed
        else f"{done.repository} is up to date."
    )
    print("Solutions that are out: " + (", ".join(done.solutions) or "none") + ".")
    return 0
