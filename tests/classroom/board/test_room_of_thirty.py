"""Thirty notebooks at once, a board that is killed in mid-lesson, a hub, a browser. Weekly."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from convladder.journal import CHECKED, sharing
from convladder.journal.event import Event
from convladder.journal.log import append
from convladder.journal.post import BoardError, request
from convladder.journal.send import Sender, payload

from ...tools.book.browser import chromium

pytestmark = pytest.mark.weekly
LEARNERS, EVENTS = 30, 100


class Process:
    """`convladder board` on a port of its own."""

    def __init__(self, folder: Path, port: int):
        pytest.importorskip("sqlalchemy", reason="the extra `classroom` is not installed")
        self.folder, self.port = folder, port
        self.start()

    def start(self) -> None:
        code = "import sys; from convladder.cli import main; sys.exit(main())"
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                code,
                "board",
                "--folder",
                str(self.folder),
                "--names",
                "--port",
                str(self.port),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        said = "".join(self.process.stdout.readline() for _ in range(3))
        self.address, self.room = re.search(r'join\("(\S+)#(\S+)"\)', said).groups()
        self.teach = re.search(r"key=(\S+)", said)[1]
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                request(self.address, "/api/join", data={})
            except BoardError as error:
                if error.status:
                    return
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stored(self) -> list[tuple[str, str]]:
        with closing(sqlite3.connect(self.folder / "board.sqlite")) as database:
            return database.execute("SELECT who, uid FROM event").fetchall()


@pytest.fixture
def board(tmp_path):
    from tornado.testing import bind_unused_port

    socket, port = bind_unused_port()
    socket.close()
    process = Process(tmp_path / "board", port)
    yield process
    process.kill()


def learners(board, tmp_path):
    """Journals of thirty learners who have joined, each with its sender."""
    journals = []
    for number in range(LEARNERS):
        journal = tmp_path / str(number) / "progress.jsonl"
        answer = request(
            board.address, "/api/join", data={"key": board.room, "name": f"Learner {number}"}
        )
        sharing.write(journal, sharing.Sharing(board.address, "2026", answer["token"]))
        journals.append(journal)
    return journals, [Sender(journal) for journal in journals]


def happen(journals, senders, rounds):
    for _ in range(rounds):
        for journal, sender in zip(journals, senders, strict=True):
            append(
                journal,
                Event(
                    CHECKED,
                    exercise="output_shape",
                    stage="wrong values",
                    misconception="padding counted once",
                ),
            )
            sender.wake()


def arrived(board, count, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until and len(board.stored()) < count:
        time.sleep(0.02)
    found = board.stored()
    assert len(found) == len(set(found)) == count, "none is lost, none is doubled"


def test_three_thousand_events_of_thirty_arrive_once_each(board, tmp_path):
    """10 s. And one more is on the board within two seconds."""
    journals, senders = learners(board, tmp_path)
    happen(journals, senders, EVENTS)
    arrived(board, LEARNERS * EVENTS)
    begun = time.monotonic()
    happen(journals[:1], senders[:1], 1)
    arrived(board, LEARNERS * EVENTS + 1)
    assert time.monotonic() - begun < 2


def test_a_board_killed_twice_in_mid_lesson_loses_nothing(board, tmp_path):
    """30 s."""
    journals, senders = learners(board, tmp_path)
    for _ in range(2):
        happen(journals, senders, 20)
        board.kill()
        happen(journals, senders, 20)
        board.start()
    arrived(board, LEARNERS * 80)


CONFIG = """
from convladder.classroom.board import hub
c = get_config()
c.JupyterHub.bind_url = "http://127.0.0.1:{port}/"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy}"
c.ConfigurableHTTPProxy.command = {command!r}
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.Authenticator.admin_users = {{"teacher"}}
c.JupyterHub.db_url = "sqlite:///{folder}/hub.sqlite"
c.JupyterHub.cookie_secret_file = "{folder}/secret"
c.JupyterHub.cleanup_servers = False
c.JupyterHub.services = [
    hub.service("{folder}/run", "http://127.0.0.1:{service}"),
    {{"name": "tester", "api_token": "{token}"}}]
c.JupyterHub.load_roles = [*hub.roles(), {{
    "name": "tester", "services": ["tester"], "scopes": ["admin:users", "tokens"]}}]
"""
TESTER = "a-token-of-the-test-alone-0123456789"


@pytest.fixture
def hub(tmp_path):
    """A hub with its board, as long as there is a proxy for it."""
    pytest.importorskip("jupyterhub", reason="the extra `classroom` is not installed")
    proxy = os.environ.get("CONVLADDER_PROXY") or shutil.which("configurable-http-proxy")
    if proxy is None:
        pytest.skip("configurable-http-proxy is not there")
    from tornado.testing import bind_unused_port

    held = [bind_unused_port() for _ in range(4)]
    ports = dict(zip(("port", "hub", "proxy", "service"), (port for _, port in held), strict=True))
    for socket, _ in held:
        socket.close()
    config = tmp_path / "jupyterhub_config.py"
    config.write_text(CONFIG.format(folder=tmp_path, command=[proxy], token=TESTER, **ports))

    def start():
        return subprocess.Popen(
            [sys.executable, "-m", "jupyterhub", "-f", str(config)],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    process = [start()]
    address = f"http://127.0.0.1:{ports['port']}/"

    def again():
        process[0].send_signal(signal.SIGKILL)
        process[0].wait()
        process[0] = start()

    yield address, again
    process[0].send_signal(signal.SIGTERM)
    process[0].wait(30)


def patient(seconds, *given, **more):
    """Return what is answered, as soon as it is."""
    until = time.monotonic() + seconds
    while True:
        try:
            return request(*given, **more)
        except BoardError as error:
            if error.status in (401, 400) or time.monotonic() > until:
                raise
            time.sleep(0.2)


def test_a_browser_sees_the_board_under_a_hub_and_again_after_it_was_killed(hub):
    """60 s. A hub asks for more than a board alone does: whatever a script reads has its token."""
    address, kill_and_start = hub
    with pytest.raises(BoardError, match="does not know this notebook"):
        patient(60, f"{address}services/board", "/api/mine", "x" * 30, method="GET")
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"{address}hub/login?next=/services/board/")
        page.fill("#username_input", "teacher")
        page.fill("#password_input", "x")
        page.click("#login_submit")
        page.wait_for_selector(".exercise", timeout=20_000)
        page.get_by_role("button", name="Predictions", exact=True).click()
        page.get_by_role("button", name="Show the guesses", exact=True).click()
        page.wait_for_selector("button[aria-pressed=true]:has-text('guesses')", timeout=10_000)
        kill_and_start()
        page.wait_for_selector("#trouble:not([hidden])", timeout=20_000)
        page.wait_for_selector("#trouble[hidden]", state="attached", timeout=90_000)
        assert page.locator("#chapters button").count() > 10


def test_under_a_hub_a_learners_token_sends_for_that_learner_alone(hub):
    """25 s, and 30 s more until the hub that was killed is back."""
    from convladder.classroom.board.hub import REACH

    address, kill_and_start = hub
    board = f"{address}services/board"

    def token(user, *scopes):
        from http.client import HTTPConnection

        for path, data in ((f"users/{user}", None), (f"users/{user}/tokens", {"scopes": scopes})):
            connection = HTTPConnection(address.split("/")[2], timeout=20)
            connection.request(
                "POST", f"/hub/api/{path}", json.dumps(data), {"Authorization": f"token {TESTER}"}
            )
            answer = json.loads(connection.getresponse().read() or "{}")
            connection.close()
        return answer["token"]

    def browser(user):
        """Return what opens a page, with a form's or a script's data, once logged in."""
        opener = build_opener(HTTPCookieProcessor())

        def page(path, data=None, **headers):
            try:
                answer = opener.open(Request(address + path, data, headers), timeout=20)
            except HTTPError as error:
                return error.code, ""
            return answer.status, answer.read().decode()

        xsrf = re.search(r'name="_xsrf" value="([^"]+)"', page("hub/login")[1])[1]
        assert (
            page(
                "hub/login?next=/hub/home",
                urlencode({"username": user, "password": "x", "_xsrf": xsrf}).encode(),
            )[0]
            == 200
        )
        return page

    with pytest.raises(BoardError, match="does not know this notebook"):
        patient(60, board, "/api/mine", "x" * 30, method="GET")
    ada, bob, narrow = token("ada", REACH), token("bob", REACH), token("bob", "users:activity!user")
    event = payload(Event(CHECKED, exercise="output_shape", stage="passed"))
    data = {"told": "now", "events": [event, event]}
    assert patient(40, board, "/api/events", ada, data=data)["kept"] == 2
    assert len(request(board, "/api/mine", ada, "GET")["events"]) == 1
    assert request(board, "/api/mine", bob, "GET")["events"] == []
    with pytest.raises(BoardError) as error:
        request(board, "/api/events", narrow, data=data)
    assert error.value.status == 401
    teacher, learner = browser("teacher"), browser("eve")
    xsrf = re.search(r'name="xsrf" content="([^"]+)"', teacher("services/board/")[1])[1]
    act = b'{"do": "lesson"}'
    assert learner("services/board/")[1].count("What the board holds of you"), "their own page"
    assert learner("services/board/state")[0] == learner("services/board/stream")[0] == 403
    for page, headers in (
        (learner, {}),
        (learner, {"X-XSRFToken": xsrf}),
        (teacher, {}),
        (teacher, {"X-XSRFToken": "x"}),
    ):
        assert page("services/board/act", act, **headers)[0] == 403
    assert json.loads(teacher("services/board/state")[1])["learners"] == 1
    act = b'{"do": "show", "question": "mec-1"}'
    assert teacher("services/board/act", act, **{"X-XSRFToken": xsrf})[0] == 200
    kill_and_start()
    time.sleep(2)
    assert patient(90, board, "/api/events", ada, data=data)["kept"] == 2
    held = request(board, "/api/mine", ada, "GET")
    assert len(held["events"]) == 1 and " " in held["shown"], "a pseudonym, and one event still"
