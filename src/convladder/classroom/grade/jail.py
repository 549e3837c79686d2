"""The walls, by bubblewrap: no network, no other process, a package without its answers.

All memory of a jail counts in a systemd scope where there is systemd. Without it a watcher adds up
its processes, and looks at what the machine has left. Seccomp refuses what such a sum would miss:
memfd and System V memory.
"""

from __future__ import annotations

import ast
import json
import os
import pickle
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import convladder

MIB = 1 << 20
LARGEST, NESTED = 32 * MIB, 100_000  # bytes and brackets of a message
CALL, CELL = 40.0, 90.0  # seconds: of one call, of one cell or one compilation
MEMORY, TASKS, DISK, FILE = 3072 * MIB, 128, 512 * MIB, 128 * MIB
RESERVE = 1024 * MIB  # of the machine's memory: a jail that leaves less is ended
PACKAGE = Path(convladder.__file__).parent
INSIDE = "convladder.classroom.grade.inside"
NEEDED = (INSIDE, "convladder.grading.sandbox", "convladder.grading", "convladder.teach")
EMULATOR = "convladder.cuda.emulator"
BENCH = (INSIDE, "convladder.grading.kernel", "convladder.exercises.exercise")
HIDDEN = ("convladder.exercises.lab", "convladder.classroom.board", "convladder.cli")
# Of the environment, which an ordinary user's jail can read from bwrap itself.
PASSED = ("PATH", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
SYSTEM = ("bin", "lib", "lib64", "libexec", "include")  # of /usr: neither local nor share


class JailError(Exception):
    """This machine cannot shut a submission in; the text says why."""


class Ended(Exception):
    """The process is gone, or said what it may not."""


# --- what a jail sees of the package --------------------------------------------------------------


@cache
def _tree(module: str) -> ast.Module | None:
    path = _file(module)
    return ast.parse(path.read_text(encoding="utf-8")) if path else None


def _file(module: str) -> Path | None:
    path = PACKAGE.parent.joinpath(*module.split("."))
    return next((p for p in (path / "__init__.py", path.with_suffix(".py")) if p.is_file()), None)


@cache
def _exports(module: str) -> dict[str, str]:
    """Return name -> module of what a package exports lazily."""
    for node in ast.walk(_tree(module) or ast.Module([], [])):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "attach":
            named = {each.arg: each.value for each in node.keywords}
            if "submod_attrs" in named:
                files = ast.literal_eval(named["submod_attrs"]).items()
                return {name: f"{module}.{file}" for file, names in files for name in names}
    return {}


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("convladder"))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, node.module or ""] if node.level else [node.module])
            base = base.strip(".")
            for alias in node.names if base.startswith("convladder") else ():
                whole = f"{base}.{alias.name}"
                yield base
                yield whole if _file(whole) else _exports(base).get(alias.name, base)


@cache
def visible(*roots: str) -> frozenset[str]:
    """Return the modules that these ones import, and what those import: the allow-list."""
    found, waiting = set(), list(roots)
    while waiting:
        module = waiting.pop()
        if module in found or _file(module) is None or module.startswith(HIDDEN):
            continue
        found.add(module)
        is_package = _file(module).name == "__init__.py"
        package = module if is_package else module.rpartition(".")[0]
        waiting += [package, *_imports(_tree(module), package)]
        if module == EMULATOR:
            waiting.append(f"{EMULATOR}.worker")  # started by its path
        if module.startswith(("convladder.cuda", "convladder.exercises.mocks")) and is_package:
            waiting += _exports(module).values()  # used by attribute: cuda.Kernel
    return frozenset(found)


def notebook_roots(sources: tuple[str, ...]) -> set[str]:
    """Return the modules that a notebook's cells import."""
    found: set[str] = set()
    for source in sources:
        lines = [each for each in source.splitlines() if not each.lstrip().startswith(("%", "!"))]
        try:
            found |= set(_imports(ast.parse("\n".join(lines)), ""))
        except SyntaxError:
            continue
    return found


def methods(room: str) -> set[str]:
    """Return the modules of a package whose files are found by their names alone."""
    folder = PACKAGE.joinpath(*room.split("."))
    return {f"convladder.{room}.{path.stem}" for path in folder.glob("[a-z]*.py")}


def stage(modules: frozenset[str], folder: Path) -> Path:
    """Copy the visible part of the package into a folder, with the data beside each module."""
    target = folder / "course"
    for module in modules:
        path = _file(module)
        place = target / path.relative_to(PACKAGE.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        for data in path.parent.iterdir():
            if data.suffix in (".mplstyle", ".npz", ".npy", ".png", ".h", ".cpp", ".hpp"):
                shutil.copyfile(data, place.parent / data.name)
    headers = "convladder.cuda/include", f"{EMULATOR}/include"
    for name in (*headers, f"{EMULATOR}/runtime", "convladder.bench.records"):
        module, _, inner = name.partition("/")
        if module in modules:
            place = Path(*module.split("."), inner)
            shutil.copytree(PACKAGE.parent / place, target / place, dirs_exist_ok=True)
    return target


# --- the walls ------------------------------------------------------------------------------------

_CALLS = {  # numbers on x86_64 and aarch64
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "clone3": (435, 435),
}
_NEW_USER = 0x10000000  # CLONE_NEWUSER


def seccomp() -> bytes:
    """Return the filter as bubblewrap takes it: those calls are answered ENOSYS, other machine
    codes end the process, and `clone` may make no user namespace."""
    machine = os.uname().machine
    if machine not in ("x86_64", "aarch64"):
        raise JailError(f"the filter of system calls knows no {machine}")
    arm = machine == "aarch64"
    code, clone = (0xC00000B7, 220) if arm else (0xC000003E, 56)
    numbers = sorted(each[arm] for each in _CALLS.values())
    refuse, allow, kill = 0x00050000 | 38, 0x7FFF0000, 0x80000000
    steps = [(0x20, 0, 0, 4), (0x15, 1, 0, code), (0x06, 0, 0, kill), (0x20, 0, 0, 0)]
    left = len(numbers) + 4  # to the refusal at the end
    steps += [(0x35, left, 0, 0x40000000)]  # x32's numbers
    for number in numbers:
        left -= 1
        steps += [(0x15, left, 0, number)]
    # clone: its flags are the first argument
    steps += [(0x15, 0, 2, clone), (0x20, 0, 0, 16), (0x45, 1, 0, _NEW_USER)]
    steps += [(0x06, 0, 0, allow), (0x06, 0, 0, refuse)]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def command(course: Path, what: str, read: int, write: int, filter_: int) -> list[str]:
    """Return the command line of a jail."""
    root = os.geteuid() == 0
    paths = [p for p in sys.path if p.endswith("-packages") and os.path.isdir(p)]
    prefix = os.path.realpath(sys.base_prefix)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    see = [f"/usr/{name}" for name in SYSTEM if os.path.isdir(f"/usr/{name}")]
    see += [f"{prefix}/bin", f"{prefix}/lib"] if prefix != "/usr" else []
    see += [os.path.join(sys.prefix, "bin"), os.path.join(sys.prefix, "pyvenv.cfg"), *paths]
    see = [each for each in dict.fromkeys(see) if os.path.exists(each)]
    line = ["bwrap", *(f"--unshare-{each}" for each in ("ipc", "pid", "net", "uts", "cgroup-try"))]
    line += ["--die-with-parent", "--new-session", "--clearenv", "--proc", "/proc", "--dev", "/dev"]
    if root:
        line += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        line += ["--unshare-user", "--disable-userns"]
    for path in ("/tmp", "/dev/shm"):
        line += ["--perms", "1777", "--size", str(DISK), "--tmpfs", path]
    for path in dict.fromkeys(str(up) for each in see for up in reversed(Path(each).parents)):
        line += ["--perms", "0755", "--dir", path] if path != "/" else []
    for path in see:
        line += ["--ro-bind", path, path]
    for folder in [
        *see,
        "/usr/lib/python3/dist-packages",
        f"{prefix}/lib/{version}/site-packages",
    ]:
        installed = os.path.join(folder, "convladder")  # of a wheel, answers and all
        if os.path.isdir(installed):
            line += ["--size", "4096", "--tmpfs", installed, "--remount-ro", installed]
    for name in ("bin", "lib", "lib64"):
        line += ["--symlink", f"usr/{name}", f"/{name}"]
    line += ["--ro-bind", str(course), "/course", "--remount-ro", "/dev", "--remount-ro", "/"]
    line += ["--chdir", "/tmp", "--seccomp", str(filter_)]
    environment = {
        "HOME": "/tmp",
        "PATH": "/usr/bin",
        "MPLBACKEND": "agg",
        "CONVLADDER_QUICK": "1",
        "CONVLADDER_PROGRESS": "off",
        "OPENBLAS_NUM_THREADS": "2",
        "PYTHONPATH": os.pathsep.join(["/course", *paths]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for name, value in environment.items():
        line += ["--setenv", name, value]
    if root:
        line += ["setpriv", "--reuid=62000", "--regid=62000", "--clear-groups", "--no-new-privs"]
    line += ["choom", "-n", "1000", "--"]  # should memory run out, the kernel ends a jail first
    line += ["prlimit", f"--as={3 * MEMORY}", f"--nproc={TASKS}", f"--fsize={FILE}", "--core=0"]
    python = os.path.join(sys.prefix, "bin", os.path.basename(sys.executable))
    return [*line, "--nofile=256", python, "-m", INSIDE, what, str(read), str(write)]


def scope() -> list[str]:
    """Return the command that puts a jail into a scope of its own, [] where there is no systemd."""
    if not os.path.isdir("/run/systemd/system"):
        return []
    limits = (f"MemoryMax={MEMORY}", "MemorySwapMax=0", f"TasksMax={TASKS}")
    user = ["--user"] * (os.geteuid() != 0)
    return ["systemd-run", *user, "--scope", "--quiet", *(w for e in limits for w in ("-p", e))]


class Jail:
    """A process behind the walls, and messages to and from it. Raises JailError, later Ended."""

    def __init__(self, course: Path, what: str, until: float) -> None:
        for tool in ("bwrap", "prlimit"):
            if shutil.which(tool) is None:
                raise JailError(f"{tool} is missing: apt install bubblewrap util-linux")
        theirs, self.out = os.pipe()
        self.into, out = os.pipe()
        self.until, self.reason = until, ""
        with tempfile.TemporaryFile() as rules:
            rules.write(seccomp())
            rules.seek(0)
            line = [*scope(), *command(course, what, theirs, out, rules.fileno())]
            self.process = subprocess.Popen(
                line,
                pass_fds=(theirs, out, rules.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if "CONVLADDER_JAIL_WORDS" not in os.environ else None,
                umask=0o022,
                env={name: os.environ[name] for name in PASSED if name in os.environ},
            )
        os.close(theirs)
        os.close(out)
        for end in (self.out, self.into):  # a user's jail can open them too, and empty them
            os.set_blocking(end, False)
        self._watching = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @classmethod
    def rehearse(cls, course: Path) -> None:
        """Start one and end it. Raises JailError where this machine cannot shut anything in."""
        jail = cls(course, "notebook", time.monotonic() + CELL)
        try:
            jail.send([])
            jail.receive(CELL)
        except Ended as error:
            raise JailError(
                f"no jail can be started here: its process {error}. It needs bubblewrap 0.8 or "
                "later, and root where users may not make user namespaces. "
                "CONVLADDER_JAIL_WORDS=1 shows what bubblewrap says"
            ) from None
        finally:
            jail.stop()

    def send(self, value: Any) -> None:
        """Send a value of the grader's own."""
        data = pickle.dumps(value)
        view = memoryview(struct.pack("<I", len(data)) + data)
        until = time.monotonic() + CALL
        while view:
            left = max(0.0, until - time.monotonic())
            if not select.select([], [self.out], [], left)[1]:
                raise Ended(self.reason or "did not listen")
            try:
                view = view[os.write(self.out, view) :]
            except OSError:
                raise Ended(self.reason or "ended") from None

    def receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message, a JSON object."""
        until, got, need = min(self.until, time.monotonic() + seconds), bytearray(), 4
        while len(got) < need:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                raise Ended(self.reason or "took too long")
            try:
                piece = os.read(self.into, min(need - len(got), MIB))
            except BlockingIOError:
                continue
            if not piece:
                raise Ended(self.reason or "ended")
            got += piece
            if len(got) == need == 4:
                need += struct.unpack("<I", got)[0]
                if need > LARGEST:
                    raise Ended("sent too much")
        if got.count(b"[") + got.count(b"{") > NESTED:  # ten million empty lists fit into 32 MiB
            raise Ended("sent too much")
        try:
            return {**json.loads(bytes(got[4:]))}
        except (ValueError, RecursionError, TypeError):
            raise Ended("sent what is no message") from None

    def stop(self) -> None:
        """End it and all that it started, and wait until all of these are gone."""
        self._watching.set()
        self._end()
        os.close(self.into)
        os.close(self.out)

    def _end(self) -> None:
        pid = self.process.pid
        with suppress(OSError):  # the namespace's first process takes all others along
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split() or [str(pid)]:
                os.kill(int(child), signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(CALL)
        self.process.kill()
        self.process.wait()

    def _watch(self) -> None:
        free = _available()
        floor = max(min(RESERVE, free // 4), free - 2 * MEMORY)  # what no process shows counts here
        while not self._watching.wait(0.25):
            if _resident(self.process.pid) > MEMORY or _available() < floor:
                self.reason = "used too much memory"
                self._end()
                return


def _available() -> int:
    """Return the bytes of memory that the machine could still give."""
    return 1024 * int(Path("/proc/meminfo").read_text().split("MemAvailable:")[1].split()[0])


def _resident(root: int) -> int:
    """Return the bytes of memory that a process and its children have, shared pages once each."""
    parents, sizes = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "status").read_text(errors="replace")
            except OSError:
                continue
            fields = dict(row.split(":\t", 1) for row in status.splitlines() if ":\t" in row)
            parents[int(folder.name)] = int(fields["PPid"])
            kib = [fields.get(name, "0").split()[0] for name in ("RssAnon", "RssShmem")]
            sizes[int(folder.name)] = 1024 * sum(map(int, kib))
    ours = {root}
    for _ in range(8):  # generations
        ours |= {child for child, parent in parents.items() if parent in ours}
    return sum(sizes.get(each, 0) for each in ours)
