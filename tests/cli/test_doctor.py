"""`convladder doctor`: what this machine has, what is absent, and the command that adds it."""

import errno
import json
import os
import re

import pytest

from convladder.cli import doctor
from convladder.core.install import install_text
from convladder.measure import machine
from convladder.measure.quick import VARIABLE

from . import told


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")


def test_doctor_finds_this_environment_sound(capsys):
    code, out, err = told(capsys, "doctor", "--measure")
    assert (code, err) == (0, "")
    assert str(machine()) in out
    assert "1 thread" in out and "GFLOP/s" in out
    assert "ok       notebook kernel: python3 is this environment" in out
    assert re.search(r"(ok       compiled kernels: kept in /|absent   C\+\+ compiler)", out)
    assert "ok       compiled loops: kept in /" in out and "ok       home: " in out


def test_doctor_measures_nothing_unasked_and_ends_with_what_to_do_next(capsys, monkeypatch):
    def slow(*_):
        raise AssertionError("that takes seconds")

    monkeypatch.setattr("convladder.measure.roofline", slow)
    monkeypatch.setattr(doctor, "_kernels_folder", slow)
    _, out, _ = told(capsys, "doctor")
    assert out.splitlines()[-1].startswith("Next: ") and out.endswith("convladder lab\n")
    monkeypatch.setitem(doctor.EXTRAS, "lab", (("no-such-package",), "open the course"))
    assert re.search(r'\nNext: .*"\.\[lab\]"\n$', told(capsys, "doctor")[1])


PIPX = '{"main_package": {"package_or_url": "convladder[lab,scale]"}}'
UV = '[{ name = "convladder", extras = ["lab", "scale"], directory = "/my clone" }]\n'


@pytest.mark.parametrize(
    "receipt, text, command",
    [
        ("pipx_metadata.json", PIPX, "pipx install --force"),
        ("uv-receipt.toml", UV, "uv tool install --force"),
    ],
)
def test_what_uv_and_pipx_keep_is_kept(monkeypatch, tmp_path, receipt, text, command):
    monkeypatch.setattr("convladder.core.install.sys.prefix", str(tmp_path))
    (tmp_path / receipt).write_text(text)
    source = "/my clone" if "/my clone" in text else "convladder"
    assert install_text("peers") == f'{command} "{source}[lab,scale,peers]"'


def test_doctor_for_programs(capsys):
    _, out, _ = told(capsys, "doctor", "--json")
    data = json.loads(out)
    assert data["machine"]["tier"] in ("gpu", "emulator", "recorded")
    assert {"what", "ok", "found", "remedy", "needed"} == set(data["checks"][0])


def test_doctor_names_the_command_for_what_is_absent(capsys, monkeypatch):
    monkeypatch.setitem(doctor.EXTRAS, "peers", (("numpy", "no-such-package"), "compare"))
    code, out, _ = told(capsys, "doctor")
    assert code == 0  # the course works without it
    assert "absent   extra peers (compare): no-such-package not installed" in out
    assert f"to add it: {install_text('peers')}" in out


def test_doctor_fails_where_the_kernel_is_another_one(capsys, monkeypatch, tmp_path):
    kernel = tmp_path / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text('{"argv": ["/elsewhere/python"], "display_name": "x", "language": "python"}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))  # comes before every other place
    code, out, _ = told(capsys, "doctor")
    assert code == 1
    assert "MISSING  notebook kernel: python3 is another one, /elsewhere/python" in out


@pytest.mark.parametrize(
    "number, owner, said",
    [
        (errno.EACCES, os.getuid(), "chmod u+w /"),
        (errno.EACCES, os.getuid() + 1, "export HOME=FOLDER"),
        (errno.ENOSPC, os.getuid(), "make room: 8 MiB"),
    ],
)
def test_doctor_changes_no_rights_of_others_folders(capsys, monkeypatch, number, owner, said):
    def refuses(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuses)
    monkeypatch.setattr(doctor.os, "geteuid", lambda: owner)
    checks = [each for each in doctor._folders() if not each.ok]
    assert len(checks) == 3 and all(os.strerror(number) in each.found for each in checks)
    assert checks[1].remedy.startswith(said)
    assert ("chmod" in checks[0].remedy) == ("chmod" in said)
