"""`convladder doctor`: what this machine has, what is absent, and the command that adds it."""

import errno
import json
import os
import re

import pytest

from convladder.cli import doctor
from convladder.measure import machine
from convladder.measure.quick import VARIABLE

from . import told


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")


def test_doctor_finds_this_environment_sound(capsys):
    code, out, err = told(capsys, "doctor")
    assert (code, err) == (0, "")
    assert str(machine()) in out
    assert "1 thread" in out and "GFLOP/s" in out
    assert "ok       notebook kernel: python3 is this environment" in out


def test_doctor_for_programs(capsys):
    _, out, _ = told(capsys, "doctor", "--json")
    data = json.loads(out)
    assert data["machine"]["tier"] in ("gpu", "emulator", "recorded")
    assert data["limits"][0]["threads"] == 1 and data["limits"][0]["flops_per_s"] > 0
    assert {"what", "ok", "found", "remedy", "needed"} == set(data["checks"][0])


def test_doctor_names_the_command_for_what_is_absent(capsys, monkeypatch):
    monkeypatch.setitem(doctor.EXTRAS, "peers", (("numpy", "no-such-package"), "compare"))
    code, out, _ = told(capsys, "doctor")
    assert code == 0  # the course works without it
    assert "absent   extra peers (compare): no-such-package not installed" in out
    assert re.search(r'what to do: \S+ -m pip install --editable "\.\[peers\]"', out)


def test_doctor_fails_where_the_kernel_is_another_one(capsys, monkeypatch, tmp_path):
    kernel = tmp_path / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text('{"argv": ["/elsewhere/python"], "display_name": "x", "language": "python"}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))  # comes before every other place
    code, out, _ = told(capsys, "doctor")
    assert code == 1
    assert "MISSING  notebook kernel: python3 is another one, /elsewhere/python" in out


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write anywhere")
def test_doctor_fails_where_jupyter_cannot_write(capsys, monkeypatch, tmp_path):
    tmp_path.chmod(0o500)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    code, out, _ = told(capsys, "doctor")
    assert code == 1 and "runtime is not writable" in out


def test_doctor_looks_where_what_is_compiled_is_kept(capsys):
    _, out, _ = told(capsys, "doctor")
    assert re.search(r"(ok       compiled kernels: kept in /|absent   C\+\+ compiler)", out)
    assert re.search("ok       compiled loops: kept in /", out)
    assert "ok       home: " in out


@pytest.mark.parametrize(
    "number, owner, said",
    [
        (errno.EACCES, os.getuid(), "chmod u+w /"),
        (errno.EACCES, os.getuid() + 1, "export HOME=FOLDER"),
        (errno.EROFS, os.getuid(), "export HOME=FOLDER"),
        (errno.ENOSPC, os.getuid(), "make room: 8 MiB"),
        (errno.EDQUOT, os.getuid(), "make room: 8 MiB"),
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
