"""The machine fails, and not the one who asked: what may never count against an answer."""

from __future__ import annotations

import errno
from traceback import walk_tb
from types import FrameType

# What a system says of a disk, a quota or a limit that is used up, or of a device that fails.
_OF_THE_SYSTEM = {
    getattr(errno, name, None)
    for name in ("ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN")
}


class MachineError(RuntimeError):
    """This machine lacks something, or something of it fails; the text says what to do."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


def is_of_the_machine(error: BaseException, own: dict[str, object]) -> bool:
    """Return whether an error of a function with the globals `own` is its machine's fault.

    A library that cannot be imported is, unless the function itself asked for a wrong name, or for
    one that Numba compiles by a library that nobody needs here (`np.dot` by SciPy).
    """
    if isinstance(error, ImportError):
        frames = [frame for frame, _ in walk_tb(error.__traceback__) if not _of_importlib(frame)]
        asks = frames[-1].f_globals if frames else own
        refused = error.name is None and str(asks.get("__name__")).startswith("numba.")
        return asks is not own and not refused
    if isinstance(error, OSError):
        return error.errno in _OF_THE_SYSTEM
    return isinstance(error, MachineError) or error.args == ("can't start new thread",)


def _of_importlib(frame: FrameType) -> bool:
    return "importlib" in frame.f_code.co_filename
