"""`convladder lab`: the course in JupyterLab, on a free port, without the noise."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from convladder.cli import lab

from . import told


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """A checkout with a first page and nothing else."""
    (tmp_path / "course").mkdir()
    (tmp_path / lab.START).write_text(
        '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    monkeypatch.setattr(lab, "course_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The arguments that JupyterLab gets, in place of starting it."""
    import jupyterlab.labapp

    for name in lab.server_environment():  # so that what the command sets is undone
        monkeypatch.setenv(name, "")
    arguments: list[str] = []
    monkeypatch.setattr(jupyterlab.labapp, "main", arguments.extend)
    return arguments


def test_lab_opens_the_first_page(capsys, course, opened):
    code, out, _ = told(capsys, "lab", "--no-browser", "--port", "8899")
    assert code == 0 and "Open one of the addresses below" in out
    assert f"--ServerApp.root_dir={course}" in opened
    assert "--LabApp.default_url=/lab/tree/course/00_start_here.ipynb" in opened
    assert "--port=8899" in opened and "--no-browser" in opened
    (custom,) = [each.partition("=")[2] for each in opened if "static_custom_path" in each]
    assert "--LabApp.custom_css=True" in opened
    assert "Folded: run this cell" in Path(custom, "custom.css").read_text()


@pytest.mark.parametrize(
    "variables, browser",
    [({}, False), ({"WAYLAND_DISPLAY": "w"}, True), ({"BROWSER": "firefox"}, True)],
)
def test_lab_starts_no_browser_where_none_can_show_itself(
    capsys, course, opened, monkeypatch, variables, browser
):
    monkeypatch.setattr(lab.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    _, out, _ = told(capsys, "lab")
    assert ("--no-browser" in opened) is not browser
    assert ("opens in your browser" in out) is browser


def test_lab_without_jupyterlab_says_so(capsys, course, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    code, _, err = told(capsys, "lab")
    assert code == 2 and "JupyterLab is not installed in this environment" in err


def test_lab_refuses_a_port_that_is_none(capsys, course, opened):
    code, _, err = told(capsys, "lab", "--port", "123456")
    assert code == 2 and "--port: 123456 is not a valid port" in err and not opened


def answer(address: str) -> str:
    """The page there, once the server listens: it tells its address a moment before it does."""
    for _ in range(100):
        try:
            return urllib.request.urlopen(address, timeout=60).read().decode()
        except urllib.error.URLError:
            time.sleep(0.1)
    return pytest.fail(f"no answer from {address}")


def with_controls() -> dict:
    """A notebook with one picture that has controls."""
    from nbformat.v4 import new_code_cell, new_notebook

    from convladder.cli.saving import WIDGET_VIEW

    from ..tools.notebooks.conftest import picture

    shown = picture()
    shown.data[WIDGET_VIEW] = {"model_id": "gone", "version_major": 2, "version_minor": 0}
    return new_notebook(cells=[new_code_cell("explore(...)", outputs=[shown])])


def saved(address: str, course: Path, notebook: dict) -> dict:
    """Save a notebook as JupyterLab does, and read the file."""
    place, token = re.match(r"(http://[^/]+)/.*token=(\w+)", address).groups()
    body = json.dumps({"type": "notebook", "format": "json", "content": notebook}).encode()
    request = urllib.request.Request(
        f"{place}/api/contents/course/moved.ipynb",
        body,
        method="PUT",
        headers={"Authorization": f"token {token}", "Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=20).close()
    return json.loads((course / "course" / "moved.ipynb").read_text())


@pytest.mark.weekly
def test_lab_moves_on_from_a_port_that_is_taken_says_where_it_is_and_saves_pictures(
    tmp_path, course
):
    """The real server, on the port of another one."""
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        taken.listen()
        port = taken.getsockname()[1]
        program = "import sys; from convladder.cli.lab import serve; serve(sys.argv[1:])"
        arguments = lab.server_arguments(course, port, browser=False)
        environment = {
            **os.environ,
            **lab.server_environment(),
            "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
            "JUPYTER_DATA_DIR": str(tmp_path / "data"),
            "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
        }
        server = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            text=True,
            stderr=subprocess.PIPE,
            env=environment,
        )
        try:
            lines = []
            for line in server.stderr:
                lines.append(line)
                if found := re.search(r"http://127\S+", line):
                    break
            else:
                pytest.fail("JupyterLab gave no address:\n" + "".join(lines))
            page = answer(found[0])
            css = answer(re.match(r"http://[^/]+/", found[0])[0] + "custom/custom.css")
            (cell,) = saved(found[0], course, with_controls())["cells"]
        finally:
            server.kill()
            server.communicate()
    assert f":{port}/" not in found[0]
    assert "/lab/tree/course/00_start_here.ipynb" in found[0]
    disabled = re.search(r'"disabledExtensions": \[(.*?)\]', page)[1]
    assert "@jupyterlab/apputils-extension:announcements" in disabled, "it would ask about news"
    assert "custom/custom.css" in page and "Folded" in css
    assert not [line for line in lines if re.match(r"\[[IWE] ", line)], "log lines are left"
    picture, again = cell["outputs"]
    assert picture["data"].keys() == {"image/png", "text/plain"}
    assert "".join(again["data"]["text/plain"]) == "Run this cell to move the picture."


def test_a_folder_that_takes_no_files_is_told_in_a_sentence(monkeypatch, capsys):
    def refuses(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("convladder.cli.doctor.tempfile.TemporaryFile", refuses)
    code, _, err = told(capsys, "lab")
    assert code == 2 and "is not writable: Read-only file system; export HOME=FOLDER" in err
