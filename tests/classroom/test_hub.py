"""A hub that runs, with three learners: what they get, and what they cannot take.

Needs the extra `classroom` and its proxy (`make hub` installs both); as root, with a Python that
other users can run, learners are separated, else it is a rehearsal.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("jupyterhub", reason="the extra `classroom` is not installed")
import psutil

from convladder.classroom import release as releasing
from convladder.classroom.environment import repository
from convladder.classroom.refusals import proxy
from convladder.classroom.settings import HubError

from .hubs import PROGRAM, hub, mode
from .visitor import Visitor

try:
    proxy(Path(sys.prefix) / "proxy")
except HubError as error:
    pytest.skip(str(error), allow_module_level=True)

pytestmark = pytest.mark.weekly
CLASS = "ana, Ana Núñez\nbo, Bo\ncy, Cy\n"
CHECKOUT = Path(__file__).parents[2]
CHAPTER = "convladder-course/course/02_counting_cost.ipynb"
LAB = "convladder-course/labs/02_counting_cost.ipynb"


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    names = tmp_path_factory.mktemp("class") / "class.txt"
    names.write_text(CLASS, encoding="utf-8")
    with hub("--names", str(names)) as found:
        yield found


@pytest.fixture(scope="module")
def learners(room):
    """Three who have signed up, logged in, opened their servers and pulled the course."""
    found = {name: Visitor(room.url, name) for name in ("ana", "bo", "cy")}
    for learner in found.values():
        assert learner.sign_up(room.code())[0] == 200
        assert learner.log_in()
    for learner in found.values():
        learner.open()
        learner.pull(repository(room.place))
        learner.use = learner.kernel()
    return found


def tried(learner, *lines):
    """Run each line as the learner; return what became of it: "done", or the error's name."""
    code = "\n".join(
        f"try:\n    {line}\nexcept BaseException as e:\n    print(type(e).__name__)\n"
        "else:\n    print('done')"
        for line in lines
    )
    return learner.run(code, learner.use).split()


def test_signing_up_needs_the_code_and_a_name_of_the_list(room, learners):
    new = Visitor(room.url, "eve")
    assert new.sign_up("")[0] == new.sign_up("aaaa-aaaa")[0] == 403
    assert "not on the list" in new.sign_up(room.code())[1]
    for name in ("instructor", "INSTRUCTOR", " instructor "):
        assert "not the instructor's code" in new.sign_up(room.code(), user=name)[1]
    assert "already in use" in new.sign_up(room.code(), user="ana")[1]
    assert not Visitor(room.url, "ana").log_in("another password")
    teacher = Visitor(room.url, "instructor")
    assert teacher.sign_up(room.code("instructor"))[0] == 200 and teacher.log_in()
    assert teacher.http.get(f"{room.url}/hub/admin").status_code == 200
    for learner in learners.values():
        assert learner.http.get(f"{room.url}/hub/admin").status_code in (403, 404)
        assert learner.http.get(f"{room.url}/hub/authorize").status_code in (403, 404)


def test_the_board_is_the_instructors_in_a_browser_too(room, learners):
    """A browser says of a script's question that it is one; the hub then asks for a token."""
    teacher = Visitor(room.url, "instructor")
    teacher.sign_up(room.code("instructor"))
    assert teacher.log_in()
    board = f"{room.url}/services/board/"
    xsrf = re.search(r'name="xsrf" content="([^"]+)"', teacher.http.get(board).text)[1]
    script = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}
    asked = {"params": {"_xsrf": unescape(xsrf)}, "headers": script, "timeout": 30}
    assert teacher.http.get(f"{board}state", **asked).json()["states"]
    assert teacher.http.get(f"{board}state", headers=script).status_code == 403
    learners["ana"].http.get(board)
    assert learners["ana"].http.get(f"{board}state", timeout=30).status_code == 403


def test_everything_listens_on_this_machine_only(room, learners):
    mine = [
        each
        for each in psutil.process_iter(["cwd", "environ"])
        if str(each.info["cwd"]).startswith(str(room.place.root))
    ]
    ports = [
        each.laddr
        for process in mine
        for each in process.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN
    ]
    assert len(ports) >= 6  # proxy twice, hub, three servers
    assert {address for address, _ in ports} <= {"127.0.0.1", "::1"}


def test_secrets_are_the_hubs_alone(room):
    assert mode(room.place.run) == "0o700"
    for path in room.place.run.iterdir():
        if path.suffix != ".log":
            assert mode(path) == "0o600", path


def test_a_learner_cannot_take_what_is_anothers_over_http(room, learners):
    ana, bo = learners["ana"], learners["bo"]
    for path in ("lab", "api/contents", "api/kernels", f"api/contents/{CHAPTER}"):
        answer = bo.http.get(bo.at(path, user="ana"), timeout=30)
        assert answer.status_code in (403, 404), path
    token = bo.run("import os; print(os.environ['JUPYTERHUB_API_TOKEN'])", bo.use).strip()
    head = {"Authorization": f"token {token}"}
    get = Visitor(room.url, "bo").http.get  # with no cookie
    assert get(f"{room.url}/hub/api/user", headers=head).json()["name"] == "bo"
    assert get(f"{room.url}/hub/api/users/ana", headers=head).status_code in (403, 404)
    assert get(f"{room.url}/hub/api/users", headers=head).status_code == 403
    assert get(ana.at("api/contents"), headers=head).status_code in (403, 404)
    assert get(f"http://127.0.0.1:{room.port + 2}/api/routes", headers=head).status_code == 403
    for trick in ("../ana", "..%2Fana", "%2e%2e/ana", "..%5Cana", "/etc/passwd", "%2Fetc%2Fpasswd"):
        answer = bo.http.get(bo.at(f"api/contents/{trick}"), timeout=30)
        assert answer.status_code in (400, 403, 404), trick


def test_a_learner_cannot_take_what_is_anothers_on_the_machine(room, learners):
    if not room.separate:
        pytest.skip("a rehearsal: learners are one user")
    ana, bo = learners["ana"], learners["bo"]
    pid = int(ana.run("import os; print(os.getpid())", ana.use))
    home, run, sockets = room.place.homes, room.place.run, room.place.sockets
    door = next((sockets / "ana").glob("kernel-*-ipc-*"))
    assert (
        tried(
            bo,
            "import os, signal",
            f"os.listdir('{home}/bo')",
            f"open('{home}/bo/mine','w').close()",
        )
        == ["done"] * 3
    )
    assert (
        tried(
            bo,
            f"os.listdir('{home}/ana')",
            f"open('{home}/ana/{CHAPTER}')",
            f"os.listdir('{home}')",
            f"open('/proc/{pid}/environ').read()",
            f"os.kill({pid}, signal.SIGTERM)",
            f"os.rename('{home}/ana', '{home}/bo/ana')",
            f"os.symlink('{home}/ana', '{home}/dan')",
            f"os.listdir('{run}')",
            f"open('{run}/hub.sqlite')",
            f"open('{run}/class-code')",
            f"open('{room.place.shared}/room/processor', 'w')",
            f"open('{room.place.shared}/course.git/HEAD', 'a')",
            "os.setuid(0)",
            f"os.listdir('{CHECKOUT}/solutions')",
            f"os.listdir('{CHECKOUT}/.git')",
            f"os.listdir('{sockets}/ana')",
            f"os.listdir('{sockets}')",
            f"os.mkdir('{sockets}/eve')",
            f"os.rename('{sockets}', '{sockets}-of-bo')",
            f"os.rmdir('{sockets}/ana')",
            f"__import__('socket').socket(1).connect('{door}')",
        )
        == ["PermissionError"] * 21
    )
    assert mode(home / "ana") == "0o700"
    assert (home / "ana").stat().st_uid != (home / "bo").stat().st_uid


def test_solutions_come_when_they_are_released(room, learners):
    ana = learners["ana"]
    listed = (
        f"import os; print(os.path.exists('{room.place.homes}/ana/convladder-course/"
        "solutions/01_im2col_gemm.ipynb'))"
    )
    assert ana.run(listed, ana.use).strip() == "False"
    history = (
        "import subprocess; print(subprocess.run('git log --all --name-only', shell=True, "
        f"cwd='{room.place.homes}/ana/convladder-course', capture_output=True, "
        "text=True).stdout)"
    )
    assert "solutions/" not in ana.run(history, ana.use)
    releasing.release(room.place.shared, ["01"])
    ana.pull(repository(room.place))
    assert ana.run(listed, ana.use).strip() == "True"
    assert "solutions/02" not in ana.run(history, ana.use)


def test_a_correction_leaves_what_was_changed_and_brings_back_what_was_deleted(
    room, learners, monkeypatch
):
    """nbgitpuller over a notebook that was run and changed, one deleted, and one of the learner's
    own with the name of a new file."""
    bo = learners["bo"]
    read = json.loads(json.dumps(bo.contents(LAB)["content"]))
    read["cells"][1]["source"] = "my own answer"
    read["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "my note", "id": "n"})
    bo.contents(LAB, type="notebook", content=read)
    bo.contents("convladder-course/course/new.md", type="file", format="text", content="mine")
    bo.run(f"import os; os.remove('{room.place.homes}/bo/{CHAPTER}')", bo.use)
    whole = dict(releasing.course_files())

    def corrected():
        for name, content in whole.items():
            if name == LAB.partition("/")[2]:
                notebook = json.loads(content)
                notebook["cells"][0]["source"] = ["A corrected title"]
                notebook["cells"][1]["source"] = ["A correction where bo has an answer"]
                content = json.dumps(notebook, indent=1).encode()
            yield name, content
        yield "course/new.md", b"handed out"

    monkeypatch.setattr(releasing, "course_files", corrected)
    releasing.release(room.place.shared)
    bo.pull(repository(room.place))
    cells = [each["source"] for each in bo.contents(LAB)["content"]["cells"]]
    assert cells[0] == "A corrected title"
    assert cells[1] == "my own answer" and cells[-1] == "my note"
    beside = bo.contents(LAB.replace(".ipynb", ".corrected.ipynb"))["content"]["cells"]
    assert beside[1]["source"] == "A correction where bo has an answer"
    assert bo.contents(CHAPTER)["type"] == "notebook"
    names = {
        each["name"]: each["path"] for each in bo.contents("convladder-course/course")["content"]
    }
    kept = next(path for name, path in names.items() if name.startswith("new__"))
    assert bo.contents(kept)["content"] == "mine"
    assert bo.contents("convladder-course/course/new.md")["content"] == "handed out"
    bo.pull(repository(room.place))  # nothing new: nothing happens
    assert bo.contents(LAB)["content"]["cells"][1]["source"] == "my own answer"


def test_a_pull_cannot_leave_the_home(room, learners):
    if not room.separate:
        pytest.skip("a rehearsal: learners are one user")
    cy = learners["cy"]
    for target in ("../ana/stolen", "../stolen", "/etc/stolen"):
        with pytest.raises(AssertionError):
            cy.pull(repository(room.place), target)
        assert not (room.place.homes / target).resolve().exists()


def test_memory_without_end_ends_in_an_error_and_the_kernel_lives(room, learners):
    cy = learners["cy"]
    assert "MemoryError" in cy.run("x = bytearray(4 << 30)", cy.use)
    assert cy.run("print(6 * 7)", cy.use).strip() == "42"


@pytest.mark.parametrize("name", ["hub", "proxy"])
def test_a_hub_or_proxy_that_is_killed_comes_back_and_no_kernel_dies(room, learners, name):
    ana = learners["ana"]
    ana.run("kept = 'as it was'", ana.use)
    before = room.pid(name)
    os.kill(before, signal.SIGKILL)
    if name == "hub":
        room.process.stdout.close()
        room.process.wait(timeout=60)
        room.start()
    until = time.monotonic() + 90
    while True:
        try:
            if ana.http.get(ana.at("api/kernels"), timeout=10).status_code == 200:
                break
        except OSError:
            pass
        assert time.monotonic() < until
        time.sleep(0.5)
    assert ana.run("print(kept)", ana.use).strip() == "as it was"
    assert psutil.pid_exists(room.pid(name))


def test_a_second_hub_of_the_same_folder_is_refused(room, learners):
    done = subprocess.run(
        [PROGRAM, "classroom", "hub", "--data", room.place.root],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and "runs already, as process" in done.stderr
