"""From `.cu` text to machine code, with no GPU, no driver and no CUDA toolkit on the machine.

NVRTC is NVIDIA's compiler as a library; the wheels of the extra `inspect` bring it.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from ...core.install import install_text
from ..errors import CompileError, MissingPackages
from ..headers import INCLUDE

_DIAGNOSTIC = re.compile(
    r"^(?:(?P<file>.+?)\((?P<line>\d+)\)|At end of source): "
    r"(?P<kind>error|catastrophic error|warning)(?: #\S+)?: (?P<text>.*)$"
)
_LATER = re.compile(r"^\s*(?:ptxas|nvrtc)\b.*?(?:error|fatal)\s*: (?P<text>.*)$")
# The last lines of a log, which count the errors that stand above.
_TALLY = re.compile(
    r"^(?:\d+ (?:catastrophic )?errors? detected| and \d+ catastrophic|Remark: "
    r"|Compilation terminated)"
)
_HEADERS = {"cudart": "nvidia-cuda-runtime", "cccl": "nvidia-cuda-cccl"}
_NAME_LOOKUP = "__nv_name_map"  # the file that NVRTC makes up to look a name up

# The options that CuPy's RawModule takes too, as cuda-core writes them.
_OPTIONS: tuple[tuple[str, str, Callable[[str], object]], ...] = (
    (r"--?use_fast_math", "use_fast_math", lambda value: True),
    (r"--?f?mad=(true|false)", "fma", lambda value: value == "true"),
    (r"--?maxrregcount=(\d+)", "max_register_count", int),
    (r"--?std=(c\+\+\d\d)", "std", str),
)


@dataclass(frozen=True)
class CompiledSource:
    """Machine code and what the compiler said of it.

    cubin: an ELF file. symbols: what each kernel's name is in it. log: the assembler's figures.
    warnings: (line, message).
    """

    cubin: bytes
    symbols: dict[str, str]
    log: str
    warnings: tuple[tuple[int | None, str], ...]


def require() -> None:
    """Raise MissingPackages, with the command to type, if a piece of the extra is absent."""
    absent = [
        package
        for module, package in (
            ("cuda.core", "cuda-core"),
            ("cuda.bindings", "cuda-bindings"),
            ("cuda.pathfinder", "cuda-pathfinder"),
        )
        if not _installed(module)
    ]
    if not absent:
        from cuda import pathfinder

        try:
            pathfinder.load_nvidia_dynamic_lib("nvrtc")
        except pathfinder.DynamicLibNotFoundError:
            absent.append("nvidia-cuda-nvrtc")
        if pathfinder.find_nvidia_binary_utility("nvdisasm") is None:
            absent.append("nvidia-cuda-nvdisasm")
        absent += [
            package
            for part, package in _HEADERS.items()
            if pathfinder.find_nvidia_header_directory(part) is None
        ]
    if absent and sys.platform == "darwin":
        raise MissingPackages(
            "Inspecting a kernel needs NVIDIA's compiler, which there is for "
            "Linux but not for macOS."
        )
    if absent:
        raise MissingPackages(
            f"Inspecting a kernel needs {', '.join(absent)}; add them with: "
            + install_text("inspect")
        )


def compile_cubin(
    source: str,
    names: Sequence[str],
    arch: str,
    options: Sequence[str] = (),
    file: str = "kernel.cu",
) -> CompiledSource:
    """Compile `source` for `arch` as it stands.

    names: kernels, or instances of templates: "conv<3, 16>". file: what errors call the
    source. options: as for CuPy's RawModule: -DNAME=VALUE, -use_fast_math, -fmad=false,
    -maxrregcount=N, -std=c++20. Raises CompileError, MissingPackages, ValueError.
    """
    require()
    from cuda.core import Program, ProgramOptions
    from cuda.pathfinder import find_nvidia_header_directory

    settings = ProgramOptions(
        name=file,
        arch=arch,
        lineinfo=True,
        ptxas_options=["-v"],
        no_cache=True,  # a machine with a driver has one, and what comes from it has no log
        device_as_default_execution_space=True,  # as CuPy has it, which loads kernels on a GPU
        include_path=[str(INCLUDE), *map(find_nvidia_header_directory, _HEADERS)],
        **{"std": "c++17", **_settings(options)},
    )
    log = io.StringIO()
    try:
        code = Program(source, "c++", settings).compile("cubin", tuple(names), log)
    except Exception as error:  # cuda-core has no public class for what NVRTC refuses
        words, _, refusal = str(error).partition("compilation log:")
        if "NVRTC_ERROR" not in words:
            raise
        found = _errors(refusal.replace("\0", ""), file, names) or [(None, words.strip())]
        text = "\n".join(
            (file if line is None else f"{file}, line {line}") + f": {message}"
            for line, message in found
        )
        first = [(line, message.splitlines()[0]) for line, message in found]
        raise CompileError(text, first) from None  # the lines without the code that is quoted
    symbols = {name: symbol.decode() for name, symbol in code.symbol_mapping.items()}
    return CompiledSource(
        bytes(code.code),
        symbols,
        log.getvalue(),
        tuple(_diagnostics(log.getvalue(), file, ("warning",))),
    )


def _errors(log: str, file: str, names: Sequence[str]) -> list[tuple[int | None, str]]:
    """The compiler's errors; a kernel that the source does not have makes one line."""
    found = _diagnostics(log, file, ("error", "catastrophic error"))
    own = [each for each in found if not each[1].startswith(_NAME_LOOKUP)]
    if found and not own:
        reason = found[0][1].splitlines()[0].partition(": ")[2]
        return [(None, f"there is no kernel {' or '.join(names)}: {reason}")]
    if not own:  # from the assembler or of the options: they have no line
        texts = [match["text"] for line in log.splitlines() if (match := _LATER.match(line))]
        own = [
            (None, text) for text in texts if len(texts) == 1 or "aborted due to errors" not in text
        ]
    return own


def _diagnostics(log: str, file: str, kinds: Sequence[str]) -> list[tuple[int | None, str]]:
    """(line, message) of each diagnostic of these kinds, with the code that is quoted."""
    found: list[tuple[int | None, list[str]]] = []
    taking = False
    for line in log.splitlines():
        if match := _DIAGNOSTIC.match(line):
            taking = match["kind"] in kinds
            if taking:
                own = match["file"] == file
                where = "" if own or not match["file"] else f"{match['file']}({match['line']}): "
                found.append((int(match["line"]) if own else None, [where + match["text"]]))
        elif _TALLY.match(line) or line.startswith("ptxas"):
            taking = False
        elif taking and line.strip():
            found[-1][1].append("  " + line.rstrip())
    return [(line, "\n".join(text)) for line, text in found]


def _settings(options: Sequence[str]) -> dict:
    """Options of a command line as fields of cuda-core's ProgramOptions."""
    settings: dict = {}
    for option in options:
        if macro := re.fullmatch(r"(?:-D|--define-macro=)(\w+)(?:=(.*))?", option, re.DOTALL):
            value = macro[1] if macro[2] is None else (macro[1], macro[2])
            settings.setdefault("define_macro", []).append(value)
            continue
        for pattern, field, read in _OPTIONS:
            if match := re.fullmatch(pattern, option):
                settings[field] = read(match[match.lastindex or 0])
                break
        else:
            raise ValueError(
                f"option {option!r} is not known here: give -DNAME=VALUE, "
                "-use_fast_math, -fmad=false, -maxrregcount=N or -std=c++20"
            )
    return settings


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package that would hold it is absent
        return False
