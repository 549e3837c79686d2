"""What NVRTC and the emulator say to every program of `language`; needs no GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256

from convladder.bench.rounds import Progress, silent
from convladder.bench.stamp import cpu_stamp
from convladder.cuda.errors import CompileError
from convladder.records.store import newest

from . import language

FOLDER = "language"
PACKAGES = ("nvidia-cuda-nvrtc", "cuda-core")


@cache
def recorded() -> dict:
    """Return the newest record: `programs` by group, those `refused` by either, with its words."""
    return newest(FOLDER)


def measure(progress: Progress = silent) -> dict[str, object]:
    """Let both judge every program; takes minutes. Raises `RuntimeError` where one is not there."""
    from convladder.cuda.emulator.toolchain import described

    compiler = described()
    refused = {}
    for program in language.programs():
        progress(program.name)
        said = {
            "nvrtc": _words(language.by_nvrtc(program)),
            "emulator": _words(language.by_emulator(program)),
        }
        if any(said.values()):
            refused[program.name] = said
    stamp = cpu_stamp(PACKAGES)
    return {
        **stamp,
        "versions": {**stamp["versions"], "compiler": compiler},
        "arch": language.ARCH,
        "programs": groups(),
        "refused": refused,
    }


def groups() -> dict[str, dict[str, object]]:
    """Return how many programs each group has, and a digest of their texts."""
    found: dict[str, list[str]] = {}
    for program in language.programs():
        found.setdefault(program.group, []).append(f"{program.name}\n{program.text}")
    return {
        group: {"number": len(texts), "digest": sha256("\n".join(texts).encode()).hexdigest()[:16]}
        for group, texts in found.items()
    }


def lines(record: Mapping) -> Iterator[str]:
    """Say how many programs there are, and where the two differ."""
    number = sum(group["number"] for group in record["programs"].values())
    differing = [
        name
        for name, said in record["refused"].items()
        if (said["nvrtc"] is None) != (said["emulator"] is None)
    ]
    yield (
        f"{number} programs, NVRTC {record['versions']['nvidia-cuda-nvrtc']} beside "
        f"{record['versions']['compiler']}: one verdict on all but {len(differing)}"
    )
    yield from (
        f"  {name}: {language.DIFFERENT.get(name, 'no reason is given')}" for name in differing
    )


def _words(error: CompileError | None) -> str | None:
    """The first line of what was said, with the line of the program."""
    if error is None:
        return None
    line, text = error.lines[0] if error.lines else (None, str(error))
    return (f"line {line}: " if line else "") + text.splitlines()[0]
