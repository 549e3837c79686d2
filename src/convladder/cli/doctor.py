"""`convladder doctor`: what this machine can do, what it lacks, and the command that adds it."""

import argparse
import errno
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ..core.install import command_text, install_text, is_checkout, python_text
from ..measure.cuda.driver import Driver, driver, missing_gpu_extra
from ..measure.cuda.gpu_info import cupy_cuda

COURSE = "course folder"
ROOM = 8 * 2**20  # bytes that a folder must take
COMPILER_INSTALLS = {  # package manager: the command that brings a C++ compiler
    "apt-get": "sudo apt-get install g++",
    "dnf": "sudo dnf install gcc-c++",
    "pacman": "sudo pacman -S gcc",
    "apk": "sudo apk add g++",
    "xcode-select": "xcode-select --install",
}
EXTRAS = {  # extra of pyproject.toml: its packages, and what they are for
    "lab": (("jupyterlab",), "open the course"),
    "scale": (("distributed",), "start workers: chapter 18"),
    "inspect": (
        ("cuda-core", "cuda-bindings", "nvidia-cuda-nvrtc", "nvidia-cuda-nvdisasm"),
        "compile CUDA kernels with no GPU and read their machine code",
    ),
    "gpu": (
        ("cupy-cuda13x", "numba-cuda", "cupti-python"),
        "run CUDA kernels on an NVIDIA GPU, and profile them",
    ),
    "gpu12": (
        ("cupy-cuda12x", "numba-cuda", "cuda-core", "nvidia-cuda-nvrtc-cu12"),
        "the same with a driver from 525 to 579, in place of gpu and inspect",
    ),
    "peers": (("torch", "onnxruntime", "onnx"), "measure against PyTorch and ONNX Runtime"),
    "languages": (
        ("torch", "triton", "nvidia-cutlass-dsl"),
        "run chapter 11's kernel in Triton and CuTe DSL on a GPU",
    ),
}
LINUX_ONLY = {"inspect", "gpu", "gpu12", "languages"}  # NVIDIA makes these packages for no Mac


@dataclass(frozen=True)
class Check:
    """One thing looked at. `needed`: the course does not work without it. `remedy`: a command."""

    what: str
    ok: bool
    found: str
    remedy: str | None
    needed: bool


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `doctor`."""
    parser = commands.add_parser("doctor")
    parser.add_argument("--json", action="store_true", help="the same for programs")
    parser.add_argument(
        "--measure",
        action="store_true",
        help="also measure the limits, and compile a kernel and a loop: half a minute",
    )
    parser.set_defaults(run=_doctor)


def _doctor(args: argparse.Namespace) -> int:
    from ..measure import available_cores, blas_peak, machine, roofline

    card = machine()
    counts = sorted({1, available_cores()}) if args.measure else []
    limits = [roofline(threads) for threads in counts]
    measured = [f"measured   {roof}" for roof in limits]
    if args.measure and card.matrix_unit:
        measured.append(f"{'':10} {blas_peak() / 1e9:.0f} GFLOP/s by the matrix unit")
    checks = list(examine(card, args.measure))
    if args.json:
        print(
            json.dumps(
                {
                    "machine": card.as_dict(),
                    "limits": [asdict(roof) for roof in limits],
                    "checks": [asdict(check) for check in checks],
                },
                indent=1,
            )
        )
    else:
        print(card, *measured, "", sep="\n")
        for check in checks:
            mark = "ok" if check.ok else "MISSING" if check.needed else "absent"
            print(f"{mark:<8} {check.what}: {check.found}")
            if not check.ok and check.remedy:
                print(f"{'':8} to add it: {check.remedy}")
        print(f"\nNext: {next_step(checks)}")
    return 1 if any(check.needed and not check.ok for check in checks) else 0


def next_step(checks: list[Check]) -> str:
    """Return the one thing to do: mend what the course needs, else open it."""
    absent = [check for check in checks if not check.ok]
    wrong = [check for check in absent if check.needed or check.what.startswith("extra lab")]
    return wrong[0].remedy or wrong[0].found if wrong else f"{command_text()} lab"


def examine(card, compiling: bool = False) -> Iterator[Check]:
    """Look at what the course needs (the notebook kernel, folders), then at what it can use.
    `compiling`: try whether what is compiled can be loaded, which takes seconds."""
    from ..measure.hardware import versions

    yield _kernel()
    yield from _folders()
    yield Check(
        "C++ compiler (CUDA kernels on the CPU)",
        card.compiler is not None,
        card.compiler or "none",
        _compiler_install(),
        needed=False,
    )
    if compiling:
        yield from _caches(card)
    yield _gpu(card, found := driver())
    fitting = found.extra if found else None
    for extra, (packages, purpose) in EXTRAS.items():
        if (
            extra in ({"gpu", "gpu12"} - {fitting})  # no driver for it
            or (extra == "languages" and fitting is None)
            or (extra == "inspect" and cupy_cuda() == 12)
        ):
            continue
        installed = versions(packages)
        missing = [package for package, version in installed.items() if version is None]
        text = ", ".join(
            f"{package} {version}" for package, version in installed.items() if version
        )
        if missing:
            text = f"{', '.join(missing)} not installed"
        remedy = extra_text(extra)
        if missing and extra in LINUX_ONLY and sys.platform != "linux":
            text, remedy = "these packages are for Linux only", None
        yield Check(f"extra {extra} ({purpose})", not missing, text, remedy, needed=False)


def _gpu(card, found: Driver | None) -> Check:
    """A GPU is not added by a command, but packages for it are; the tier takes its place."""
    what = "GPU (CUDA kernels at their own speed)"
    if card.gpu is not None:
        return Check(what, True, card.gpu, None, needed=False)
    why, extra = missing_gpu_extra(found, cupy_cuda())
    return Check(
        what,
        False,
        f"{why}; those chapters run in the tier {card.tier!r}",
        extra and extra_text(extra),
        needed=False,
    )


def extra_text(extra: str) -> str:
    """Return the command that adds an extra; that of CUDA 12 wants an environment of its own."""
    if extra == "gpu12" and is_checkout():
        return "make env EXTRAS=gpu12,lab,scale"
    return install_text(extra)


def _kernel() -> Check:
    """The kernel `python3` that JupyterLab starts must be this interpreter."""
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # as `convladder lab` does
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    remedy = f"{python_text()} -m pip install --force-reinstall ipykernel"
    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return Check("notebook kernel", False, "there is none named python3", remedy, needed=True)
    ours = program in ("python", "python3") or (
        Path(program).exists() and Path(program).samefile(sys.executable)
    )
    found = "python3 is this environment" if ours else f"python3 is another one, {program}"
    return Check("notebook kernel", ours, found, remedy, needed=True)


def _folders() -> Iterator[Check]:
    """Notebooks are saved in the course's folder, progress and caches in the user's home."""
    from ..journal import course_root

    try:
        yield _folder(COURSE, course_root())
    except LookupError as error:
        yield Check(COURSE, False, str(error), None, needed=True)
    yield _folder("home", Path.home())
    yield jupyter_folder()


def jupyter_folder() -> Check:
    """Look at the folder in which JupyterLab keeps its running servers."""
    from jupyter_core.paths import jupyter_runtime_dir

    return _folder("JupyterLab's own folder", Path(jupyter_runtime_dir()))


def _folder(what: str, folder: Path) -> Check:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    why = _refuses(existing)
    found = f"{folder} is not writable: {why}" if why else f"{folder} is writable"
    elsewhere = "convladder get " if what == COURSE else "export HOME="
    return Check(what, not why, found, _remedy(existing, why, elsewhere), needed=True)


def _refuses(folder: Path) -> str:
    """Return why a folder takes no file of 8 MiB: rights, a full disk, a quota; "" if it does."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _remedy(folder: Path, why: str, elsewhere: str) -> str:
    """Return advice for a folder that takes no files. Rights of others' folders stay."""
    if why == os.strerror(errno.EACCES) and folder.stat().st_uid == _user():
        return f"chmod u+w {shlex.quote(str(folder))}"
    if why in (os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT)):
        return f"make room: {ROOM >> 20} MiB on the disk of {folder}"
    return f"{elsewhere}FOLDER, where FOLDER is one that you may write to"


def _user() -> int | None:
    return os.geteuid() if hasattr(os, "geteuid") else None  # Windows


def _caches(card) -> Iterator[Check]:
    """Look whether what is compiled can be kept, loaded and run: kernels, and Numba's loops."""
    from ..core.machine_error import MachineError

    if card.compiler is not None:
        try:
            folder = _kernels_folder()
            kept = folder.name == "kernels"
            where = f"kept in {folder}" if kept else "they run, but no folder of yours keeps them"
        except (MachineError, OSError) as error:
            kept, where = False, str(error)
        remedy = "export CONVLADDER_CACHE=FOLDER, one of yours that programs may be loaded from"
        yield Check("compiled kernels", kept, where, remedy, needed=False)
    try:
        from ..core.jit import kept_in, threading_layer

        where = f"kept in {kept_in}" if kept_in else "compiled anew each time: no folder keeps them"
        remedy = "export NUMBA_CACHE_DIR=FOLDER, one of yours"
        yield Check("compiled loops", bool(kept_in), where, remedy, needed=False)
        layer = threading_layer()
        alone = "workqueue, with which parallel loops run one at a time: no OpenMP was found"
        where = alone if layer == "workqueue" else layer
        yield Check("threads of compiled loops", where == layer, where, None, needed=False)
    except MachineError as error:
        yield Check("compiled loops", False, str(error), "unset NUMBA_DISABLE_JIT", needed=True)


def _kernels_folder() -> Path:
    """Return where compiled kernels are kept, once one was compiled, loaded and asked. Raises
    MachineError, OSError."""
    from ..cuda.emulator.compile_cache import folder
    from ..cuda.emulator.compiler import build
    from ..cuda.emulator.worker_client import process

    source = 'extern "C" __global__ void trial(float *x) { x[0] = 1; }'
    process().ask("most_threads", path=str(build(source, "trial", "trial", False)[0]))
    return folder()


def _compiler_install() -> str | None:
    return next(
        (command for manager, command in COMPILER_INSTALLS.items() if shutil.which(manager)), None
    )
