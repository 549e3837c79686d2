"""The command line: what it prints, what it refuses and how, and never a traceback."""

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

from convladder import ConvProblem, methods
from convladder.cli import doctor, lab, main
from convladder.cli.terminal import CommandError
from convladder.journal import course_root, last_download
from convladder.measure import machine
from convladder.measure.quick import VARIABLE

ROOT = Path(__file__).parents[1]
SMALL = "2x9x8x3,3x2x4,s2x1,p1"


def told(capsys, *words) -> tuple[int, str, str]:
    """Exit code, standard output and error of `convladder WORDS`."""
    try:
        code = main(list(words))
    except SystemExit as stop:  # argparse refuses what it cannot parse
        code = stop.code
    return code, *capsys.readouterr()


def test_a_reader_that_has_seen_enough_ends_it_quietly():
    """As `convladder ladder conv | head -1`: it may be noticed late, when the rest is written."""
    done = subprocess.run(
        [
            "bash",
            "-c",
            '"$0" -c "from convladder.cli import main; import sys; '
            f"sys.exit(main('ladder conv --shape {SMALL} --methods im2col'.split()))\" | true; "
            "echo ${PIPESTATUS[0]}",
            sys.executable,
        ],
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("141\n", "")


# --- ladder -----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def quickly(measurements_in_full, monkeypatch):
    """Here is read what commands say; how long they measure is for the timer's own tests."""
    monkeypatch.setenv(VARIABLE, "1")


def test_the_ladder_has_a_row_for_every_method(capsys):
    code, out, err = told(capsys, "ladder", "conv", "--shape", SMALL, "--threads", "1")
    assert (code, err) == (0, "")
    assert out.startswith(SMALL)
    table, auto = out.split("-\n", 1)[1].split("\n\n", 1)
    rows = [line.split()[0] for line in table.splitlines() if line]
    small = ConvProblem.parse(SMALL)
    assert rows == [method.name for method in methods("cpu") if not method.unsupported(small)]
    assert auto.startswith("auto takes ") and "fastest" in auto
    for word in ("1 thread", "GFLOP/s", "of the limit", "workspace", "relative error"):
        assert word in out


def test_methods_are_measured_in_the_order_asked_for(capsys):
    _, out, _ = told(capsys, "ladder", "conv", "--shape", SMALL, "--methods", "mec_rows, im2col")
    assert out.index("mec_rows") < out.index("im2col")
    assert "loops" not in out


def test_a_skipped_method_has_its_reason(capsys):
    layer = "40x40x16,3x3x16"
    code, out, _ = told(capsys, "ladder", "conv", "--shape", layer, "--methods", "loops,im2col")
    assert code == 0
    assert re.search(r"Skipped: loops \(.*plain Python", out)


def test_methods_of_the_gpu_are_refused_by_name(capsys):
    for more in ([], ["--peers"]):
        code, _, err = told(
            capsys, "ladder", "conv", "--shape", SMALL, "--methods", "im2col,gpu_naive", *more
        )
        assert code == 2 and "gpu_naive: not on the processor" in err


def test_record_and_picture(capsys, tmp_path):
    record, picture = tmp_path / "r.json", tmp_path / "r.png"
    code, *_ = told(
        capsys,
        "ladder",
        "conv",
        "--shape",
        SMALL,
        "--methods",
        "im2col,mec_rows",
        "--json",
        str(record),
        "--plot",
        str(picture),
    )
    assert code == 0
    data = json.loads(record.read_text())
    assert data["machine"] == machine().as_dict()
    assert data["problem"] == SMALL and re.fullmatch(r"\d{4}-\d\d-\d\d", data["date"])
    assert [result["method"] for result in data["results"]] == ["im2col", "mec_rows"]
    assert picture.read_bytes().startswith(b"\x89PNG")


REFUSED = {
    "no such layer": (["--shape", "cv13"], "'cv13' is not a convolution"),
    "impossible layer": (["--shape", "3x3x3,7x7x2"], "k_h=7 is larger than the padded image"),
    "too large a layer": (["--shape", "999999x99999x64,3x3x64"], "GiB of memory and this machine"),
    "no such method": (["--methods", "dft"], "there is no method 'dft'; there are loops,"),
    "no thread": (["--threads", "0"], "threads=0 is out of range"),
    "threads in words": (["--threads", "two"], "invalid int value: 'two'"),
    "nothing left": (["--shape", "report", "--methods", "loops"], "no method takes this layer"),
    "no method named": (["--methods", ","], "--methods ',' names no method"),
    "no folder for the record": (["--json", "no/such/r.json"], "there is no folder no/such"),
    "a folder in the record's place": (["--json", "."], ". cannot be written; name another"),
    "no folder for the picture": (["--plot", "no/such/r.png"], "there is no folder no/such"),
}


@pytest.mark.parametrize("words, sentence", REFUSED.values(), ids=REFUSED)
def test_a_bad_request_gets_one_sentence(capsys, words, sentence):
    code, out, err = told(capsys, "ladder", "conv", *words)
    assert (code, out) == (2, "")
    assert sentence in err and err.splitlines()[-1].startswith("convladder")


@pytest.mark.parametrize("words", [[], ["ladder"], ["fly"]])
def test_half_a_command_says_what_is_missing(capsys, words):
    code, out, err = told(capsys, *words)
    assert (code, out) == (2, "") and "usage: convladder" in err


def test_the_installed_command_answers_in_one_line(tmp_path):
    command = Path(sys.executable).with_name("convladder")
    done = subprocess.run(
        [command, "ladder", "conv", "--shape", "nonsense"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1


# --- doctor -----------------------------------------------------------------------------------


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
    assert re.search(r'add it with: \S+ -m pip install --editable "\.\[peers\]"', out)


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


# --- lab --------------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """A checkout with a first page and nothing else."""
    (tmp_path / "course").mkdir()
    (tmp_path / lab.START).write_text(
        '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    monkeypatch.setattr(lab, "course_root", lambda: tmp_path)
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
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "w"}, True),
        ({"BROWSER": "firefox"}, True),
    ],
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


@pytest.mark.parametrize("user, allowed", [(0, True), (1000, False)])
def test_lab_runs_for_root_too(course, opened, monkeypatch, user, allowed):
    monkeypatch.setattr(lab.os, "geteuid", lambda: user, raising=False)
    main(["lab"])
    assert ("--allow-root" in opened) is allowed


def test_lab_without_jupyterlab_says_so(capsys, course, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    code, _, err = told(capsys, "lab")
    assert code == 2 and "JupyterLab is not installed in this environment" in err


def test_lab_without_the_course_says_how_to_get_it(capsys, monkeypatch, opened):
    def nowhere() -> Path:
        raise CommandError("there is no course in here; `convladder get` writes one there")

    monkeypatch.setattr(lab, "course_root", nowhere)
    code, _, err = told(capsys, "lab")
    assert code == 2 and "`convladder get`" in err and not opened


def test_lab_says_which_copy_it_opens(capsys, course, opened, monkeypatch):
    _, out, _ = told(capsys, "lab", "--no-browser")
    assert f"The course in {course}, where your work is saved." in out
    assert f"another copy, of the package that runs it: {ROOT}." in out
    monkeypatch.setattr(lab, "is_checkout", lambda: False)
    _, out, _ = told(capsys, "lab", "--no-browser")
    assert "another copy" not in out


# --- get --------------------------------------------------------------------------------------


def test_get_writes_the_course_and_says_how_to_open_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = told(capsys, "get")
    assert (code, err) == (0, "")
    assert (tmp_path / "convladder-course" / lab.START).is_file()
    last = out.splitlines()[-1]
    assert last == f"Open it with: cd {tmp_path}/convladder-course && convladder lab"
    monkeypatch.chdir(tmp_path / "convladder-course" / "labs")
    _, out, _ = told(capsys, "get")
    assert out.startswith(f"{tmp_path}/convladder-course has the course of version")
    monkeypatch.chdir(tmp_path / "convladder-course")
    assert told(capsys, "get", ".")[1].splitlines()[-1] == "Open it with: convladder lab"
    code, _, err = told(capsys, "get", str(ROOT))
    assert code == 2 and "is a checkout" in err


def test_what_get_wrote_last_is_opened_from_anywhere(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CONVLADDER_PROGRESS", str(tmp_path / "mine" / "progress.jsonl"))
    monkeypatch.setattr(last_download, "CHECKOUT", tmp_path / "none")
    monkeypatch.chdir(tmp_path)
    assert told(capsys, "lab", "--no-browser")[0] == 2  # nothing yet
    assert told(capsys, "get", str(tmp_path / "course 1"))[0] == 0
    assert course_root() == tmp_path / "course 1"
    assert "Begin with: 00" in told(capsys, "progress")[1]
    (tmp_path / "course 1" / lab.START).unlink()
    code, _, err = told(capsys, "lab", "--no-browser")
    assert code == 2 and f"no course in {Path.cwd()}; `convladder get` writes one there" in err


def test_where_uv_runs_the_package_its_own_command_is_told(capsys, tmp_path, monkeypatch):
    from convladder.core.text import install_text

    monkeypatch.setattr("convladder.core.text.find_spec", lambda name: None)
    assert install_text("scale").startswith("uv pip install --python ")
    monkeypatch.setattr(sys, "prefix", "/home/me/.cache/uv/archive-v0/x")
    assert install_text("scale") == 'uvx --from "convladder[lab,scale]" convladder lab'
    _, out, _ = told(capsys, "get", str(tmp_path))
    assert out.endswith('&& uvx --from "convladder[lab]" convladder lab\n')


def test_lab_refuses_a_port_that_is_none(capsys, course, opened):
    code, _, err = told(capsys, "lab", "--port", "123456")
    assert code == 2 and "--port 123456 is not a valid port" in err and not opened


def answer(address: str) -> str:
    """The page there, once the server listens: it tells its address a moment before it does."""
    for _ in range(100):
        try:
            return urllib.request.urlopen(address).read().decode()
        except urllib.error.URLError:
            time.sleep(0.1)
    return pytest.fail(f"no answer from {address}")


def with_controls() -> dict:
    """A notebook with one picture that has controls."""
    from nbformat.v4 import new_code_cell, new_notebook

    from convladder.cli.saving import WIDGET_VIEW

    from .tools.notebooks.conftest import picture

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
            server.terminate()
            server.communicate(timeout=20)
    assert f":{port}/" not in found[0]
    assert "/lab/tree/course/00_start_here.ipynb" in found[0]
    disabled = re.search(r'"disabledExtensions": \[(.*?)\]', page)[1]
    assert "@jupyterlab/apputils-extension:announcements" in disabled, "it would ask about news"
    assert "custom/custom.css" in page and "Folded" in css
    assert not [line for line in lines if re.match(r"\[[IWE] ", line)], "log lines are left"
    picture, again = cell["outputs"]
    assert picture["data"].keys() == {"image/png", "text/plain"}
    assert "".join(again["data"]["text/plain"]) == "Run this cell to move the picture."
