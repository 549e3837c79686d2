"""Signing up, and the process of a learner's server, as far as no hub is needed."""

import json
import os
import resource
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytest.importorskip("jupyterhub", reason="the extra `classroom` is not installed")
from traitlets.config import Config, LoggingConfigurable

from convladder.classroom.settings import HubError


def authenticator(learners=()):
    from convladder.classroom.accounts import ClassAuthenticator

    found = ClassAuthenticator.__new__(ClassAuthenticator)
    LoggingConfigurable.__init__(found, config=Config())
    found.class_code, found.instructor_code = "abcd-efgh", "ijkl-mnop"
    found.learners = dict.fromkeys(learners, "")
    return found


def test_the_code_of_the_class_and_the_instructors():
    door = authenticator()
    assert door.refused("ana", "abcd-efgh") == ""
    assert "not the code" in door.refused("ana", "ijkl-mnop")
    assert "not the code" in door.refused("ana", "")
    assert door.refused("instructor", "ijkl-mnop") == ""
    assert "not the instructor's" in door.refused("instructor", "abcd-efgh")
    assert "not the code" in door.refused("ana", "ábcd-efgh")
    door.class_code = door.instructor_code = ""  # none set: nobody
    assert door.refused("ana", "") and door.refused("instructor", "")


def test_a_list_is_a_list():
    door = authenticator(["ana"])
    assert door.refused("ana", "abcd-efgh") == ""
    assert "eve is not on the list" in door.refused("eve", "abcd-efgh")
    assert door.check_allowed("ana") and door.check_allowed("instructor")
    assert not door.check_allowed("eve")  # who has an account from before


@pytest.mark.parametrize(
    "name", ["../root", "a/b", "", "a b", ".", "a\n", "-a", "Ana", "é", "a%2f"]
)
def test_names_with_a_way_in_them(name):
    door = authenticator()
    assert door.refused(name, "abcd-efgh")
    assert not door.validate_username(name)


def test_a_user_id_is_one_learners_for_ever(tmp_path):
    from convladder.classroom.spawner import FIRST_ID, LAST_ID, user_id

    file = tmp_path / "ids.json"
    assert [user_id(file, name) for name in ("ana", "bo", "ana")] == [
        FIRST_ID,
        FIRST_ID + 1,
        FIRST_ID,
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text(json.dumps({f"u{k}": FIRST_ID + k for k in range(LAST_ID - FIRST_ID + 1)}))
    with pytest.raises(HubError, match="184 learners.*Kubernetes"):
        user_id(file, "one-more")


def test_a_home_is_closed_and_no_link(tmp_path):
    from convladder.classroom.spawner import make_home

    home = tmp_path / "ana"
    make_home(home, None)
    home.chmod(0o755)
    make_home(home, None)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    (tmp_path / "eve").symlink_to(home)
    with pytest.raises(OSError):
        make_home(tmp_path / "eve", None)


@pytest.fixture
def homes():
    """A folder that every user of this machine may enter: pytest's own is the tester's only."""
    with TemporaryDirectory(prefix="convladder-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def child(spawner):
    """What a process finds that has become a learner."""
    read, write = os.pipe()
    before = spawner.make_preexec_fn("ana")
    if (pid := os.fork()) == 0:
        try:
            before()
            found = [
                os.getresuid(),
                os.getgroups(),
                os.getcwd(),
                os.umask(0),
                os.nice(0),
                resource.getrlimit(resource.RLIMIT_DATA)[1],
                resource.getrlimit(resource.RLIMIT_NPROC)[1],
            ]
            os.write(write, json.dumps(found).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    with open(read, encoding="utf-8") as file:
        return json.loads(file.read())


@pytest.mark.parametrize(
    "separate",
    [
        pytest.param(True, marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can")),
        False,
    ],
)
def test_a_process_becomes_the_learner_within_limits(homes, separate):
    from types import SimpleNamespace

    from convladder.classroom.spawner import FIRST_ID, TASKS, LearnerSpawner

    spawner = LearnerSpawner()
    spawner.user = SimpleNamespace(name="ana")
    spawner.homes, spawner.ids = str(homes), str(homes / "ids.json")
    spawner.sockets = str(homes / "sockets")
    (homes / "sockets").mkdir()
    spawner.separate, spawner.memory = separate, 1 << 30
    ids, groups, folder, umask, nice, memory, tasks = child(spawner)
    assert ids == ([FIRST_ID] * 3 if separate else [os.geteuid()] * 3)
    assert not separate or groups == []
    assert folder == str(homes / "ana") and umask == 0o077 and nice >= 5 and memory == 1 << 30
    assert not separate or tasks == TASKS
    spawner.user.name = "../ana"
    with pytest.raises(HubError, match="no user name"):
        spawner.make_preexec_fn("../ana")


def test_who_teaches_has_no_board_to_send_to():
    from types import SimpleNamespace

    from convladder.classroom.board.hub import INSTRUCTORS
    from convladder.classroom.spawner import LearnerSpawner

    def board(admin=False, *groups):
        spawner = LearnerSpawner(homes="/homes", sockets="/sockets")
        spawner.user = SimpleNamespace(
            name="ana", admin=admin, groups=[SimpleNamespace(name=group) for group in groups]
        )
        return spawner.user_env({"CONVLADDER_BOARD": "http://b/"}).get("CONVLADDER_BOARD")

    assert board() == board(False, "others") == "http://b/"
    assert board(True) is board(False, INSTRUCTORS) is None
