"""`convladder lab`: the course in JupyterLab, without the noise."""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from ..core.install import install_text, is_checkout
from ..journal.course_index import START
from ..measure.cuda.driver import driver
from .doctor import extra_text, jupyter_folder
from .terminal import CommandError, course_folder, port

# No question whether news are wanted; names of files in full; long lines of code wrapped;
# folded answers that tell nothing.
CONFIG = Path(__file__).with_name("jupyter")


# Optional for jsonschema: formats that no notebook has. The first builds a grammar of 16 MiB, which
# takes a second and more of every process.
WITHOUT = ("rfc3987_syntax", "isoduration")


def spare_formats() -> None:
    """Keep jsonschema, once it is imported, from these packages in this process."""
    for name in WITHOUT:
        sys.modules.setdefault(name, None)


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `lab`."""
    parser = commands.add_parser("lab")
    parser.add_argument(
        "--port",
        type=port,
        default=8888,
        metavar="N",
        help="a free one near it is taken if it is in use (default: 8888)",
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--address",
        default="localhost",
        metavar="HOST",
        help="listen there; 0.0.0.0 for a container whose port is forwarded (default: localhost)",
    )
    parser.set_defaults(run=_lab)


def _lab(args: argparse.Namespace) -> int:
    if find_spec("jupyterlab") is None:
        raise CommandError(
            "JupyterLab is not installed in this environment; add it with: " + install_text("lab")
        )
    if not (own := jupyter_folder()).ok:  # JupyterLab's own words would be a traceback
        raise CommandError(f"{own.what}: {own.found}; {own.remedy}")
    root = course_folder()
    print(f"The course in {root}, where your work is saved.")
    if (other := editable_root()) not in (None, root):
        print(f"(There is another copy, of the package that runs it: {other}. It stays as it is.)")
    if offer := _offer():
        print(offer)
    browser = not args.no_browser and _has_browser()
    print(
        "The course opens in your browser; if it does not, open an address below there."
        if browser
        else "Open one of the addresses below in a browser.",
        "Ctrl-C ends it.",
        flush=True,
    )
    os.environ.update(server_environment())
    serve(server_arguments(root, args.port, browser, args.address))
    return 0


def serve(arguments: list[str]) -> None:
    """Run JupyterLab until it is ended."""
    from jupyterlab.labapp import main

    allow_custom_style()
    main(arguments)


def editable_root() -> Path | None:
    """Return the checkout that this package is used from, None for an installed wheel."""
    return Path(__file__).resolve().parents[3] if is_checkout() else None


def _offer() -> str | None:
    """A line that offers what would let the course use the GPU of this machine, if it has one."""
    if find_spec("cupy") is not None or (found := driver()) is None or found.extra is None:
        return None
    return (
        f"This machine has an NVIDIA GPU ({found.best[0]}): the course can use it after "
        f"{extra_text(found.extra)}"
    )


def server_environment() -> dict[str, str]:
    """Return the environment of JupyterLab: no news, no look for updates, this kernel."""
    paths = [str(CONFIG), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return {
        "JUPYTER_CONFIG_PATH": os.pathsep.join(path for path in paths if path),
        # The kernel of this environment comes before one that the user has installed elsewhere.
        "JUPYTER_PREFER_ENV_PATH": "1",
    }


def server_arguments(root: Path, port: int, browser: bool, address: str = "localhost") -> list[str]:
    """Return the command line of JupyterLab: this course, and few log lines."""
    arguments = [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{START}",
        f"--ServerApp.ip={address}",
        f"--port={port}",
        "--log-level=ERROR",
        "--LabApp.log_level=ERROR",
        *page_arguments(),
    ]
    if not browser:
        arguments.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")  # containers; JupyterLab refuses to start otherwise
    return arguments


def page_arguments() -> list[str]:
    """Return how JupyterLab shows and saves the course, alone and in a class."""
    return [
        "--ServerApp.contents_manager_class=convladder.cli.saving.Notebooks",
        "--ContentsManager.pre_save_hook=convladder.cli.saving.keep_pictures",
        "--LabApp.custom_css=True",
        f"--ServerApp.static_custom_path={CONFIG / 'custom'}",
        *_encryption(),
    ]


def allow_custom_style() -> None:
    """Let the page's own style be configured: all else of the server has an option."""
    from jupyter_server.serverapp import ServerApp

    ServerApp.class_traits()["static_custom_path"].tag(config=True)


def _encryption() -> list[str]:
    """Kernels talk encrypted where that is known: newer ones else warn in the log."""
    import zmq
    from jupyter_client import KernelManager

    known = "transport_encryption" in KernelManager.class_trait_names() and zmq.has("curve")
    return ["--KernelManager.transport_encryption=auto"] if known else []


def _has_browser() -> bool:
    """Whether a browser can show itself: on Linux without a display, Python would take lynx."""
    if sys.platform != "linux" or "BROWSER" in os.environ:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
