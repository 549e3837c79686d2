"""Learners' kernels: reached where no other learner can be first, and with what they need only."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from convladder.journal import course_root
from convladder.classroom.lean import EMPTY, WITHOUT
from convladder.classroom.settings import HubError, Place

SOCKET = len("/kernel-") + 36 + len("-ipc-") + 1  # jupyter_client's name for one, with its uuid
LONGEST = 107  # letters that Linux takes


def test_the_longest_name_leaves_room_for_a_socket(tmp_path):
    place = Place(tmp_path / ("a folder with a name that is long " * 5))
    assert len(f"{place.sockets}/{'a' * 32}") + SOCKET <= LONGEST
    assert place.sockets != Place(tmp_path / "another").sockets


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="chown needs root")
def test_a_folder_of_sockets_that_another_has_made_is_refused(tmp_path):
    place = Place(tmp_path)
    place.sockets.mkdir()
    try:
        os.chown(place.sockets, 12345, 12345)
        with pytest.raises(HubError, match="another user's"):
            place.make()
        os.chown(place.sockets, 0, 0)
        place.make()
        assert place.sockets.stat().st_mode & 0o777 == 0o711
    finally:
        place.sockets.rmdir()


def test_a_server_does_without_what_it_never_uses():
    pytest.importorskip("jupyterhub")
    pytest.importorskip("jupyterlab")
    code = (
        "import sys; from convladder.cli import main; from convladder.classroom.lean import *; "
        "spare(); import jupyterhub.singleuser, convladder.cli.saving; "
        "import jsonschema; jsonschema.validate([1], {'type': 'array', 'format': 'iri'}); "
        "print(*sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, "classroom"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "jupyterhub.orm" in found and not {"mako", "lark", "arrow", "numpy"} & set(found)
    assert set(EMPTY) | set(WITHOUT) <= set(found)


@pytest.mark.weekly  # half a minute
def test_no_kernel_waits_at_a_port_that_another_could_take_first():
    from convladder.classroom.load import needs

    if needs():
        pytest.skip("the extra classroom is not installed")
    from convladder.classroom.load import Learner, Plan, RehearsalHub
    from convladder.classroom.load.browser import FOLDER
    from convladder.classroom.load.kernel import LiveKernel
    from convladder.classroom.refusals import proxy

    try:
        proxy(Path(sys.prefix) / "proxy")
    except HubError as error:
        pytest.skip(str(error))
    with RehearsalHub(8264, together=True) as hub:
        hub.start()
        ana = Learner(hub.url, "a" * 32, course_root(), Plan(), 1)
        ana.arrive(hub.code, hub.repository)
        kernel = LiveKernel(ana.browser, f"{FOLDER}/course/00_start_here.ipynb")
        assert kernel.run("print(40 + 2)").text == "42\n"
        folder = hub.place.sockets / ana.browser.user
        with open(folder / f"kernel-{kernel.id}.json", encoding="utf-8") as file:
            assert json.load(file)["transport"] == "ipc"
        assert len(list(folder.glob(f"kernel-{kernel.id}-ipc-*"))) == 5
        assert folder.stat().st_mode & 0o777 == 0o700
        page = ana.browser.http.get(ana.browser.at("lab"), timeout=60).text
        assert "apputils-extension:announcements" in page  # among what is disabled: no news
        kernel.close()
        ana.close()
    assert not hub.place.sockets.exists()
