"""What the emulator asks of a Mac's tools, with programs that stand in for them."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from convladder.cuda.emulator import compile_cache, compiler, debug_lines, toolchain

pytestmark = pytest.mark.skipif(os.name != "posix", reason="writes shell scripts")


@pytest.fixture
def install(monkeypatch, tmp_path):
    """Return what puts a program of this name on the path."""

    def program(name, script):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
        return str(tmp_path / name)

    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return program


@pytest.mark.parametrize("refused, option", [("cpu", "-march=native"), ("arch", "-mcpu=native")])
def test_clang_is_asked_in_its_own_words_for_this_processor(install, monkeypatch, refused, option):
    clang = install("clang++", f'case "$*" in *-m{refused}=native*) exit 1 ;; esac')
    monkeypatch.setattr(toolchain, "compiler", lambda: (clang,))
    monkeypatch.setattr(toolchain, "gcc", lambda: False)
    assert toolchain._native.__wrapped__() == option


def test_lines_are_gathered_while_the_object_file_is_there(install, monkeypatch, tmp_path):
    def compile(words, folder):
        Path(words[-1]).write_text("".join(word for word in words if word.endswith(".o")))
        return ""

    install("dsymutil", 'object=$(cat "$2"); [ -f "$object" ] && echo "$object" > "$2.dwarf"')
    install("atos", '[ -f "$2" ] && echo "f (in k.so) (kernel.cu:17)"')
    for module in (compiler, debug_lines):
        monkeypatch.setattr(module, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(compiler, "_compile", compile)
    monkeypatch.setattr(compile_cache, "folder", lambda: tmp_path)
    library = compiler._built("k", "", [], "void k() {}")
    assert debug_lines.line_of(library, "kernel.cu", 8) == 17


def test_a_shared_array_has_room_behind_it():
    assert compiler._apart(".tbss _b$tlv$init, 32, 4\n") == ".tbss _b$tlv$init, 32 + 4096, 4\n"
