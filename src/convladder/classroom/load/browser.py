"""A learner's browser at a hub: signs up, logs in, opens a server, pulls the course."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from typing import Any
from urllib.parse import quote

import requests

PATIENCE = 300.0  # seconds for a server, as the hub's own
POLL = 1.0
FOLDER = "convladder-course"  # where the course is pulled to, unless a link says otherwise


class LoadError(Exception):
    """A step of a learner failed; the text says which, and what came instead."""


class Browser:
    """One learner's session at the hub at `url`. `answers` counts the statuses that came back."""

    def __init__(self, url: str, user: str):
        self.url, self.user = url, user
        self.answers: Counter[int] = Counter()
        self.http = requests.Session()
        self.http.hooks["response"] = [self._count]

    def _count(self, answer: requests.Response, *_: Any, **__: Any) -> None:
        self.answers[answer.status_code] += 1

    def at(self, path: str) -> str:
        """Return the address of a path of this learner's server."""
        return f"{self.url}/user/{self.user}/{path}"

    def xsrf(self, path: str) -> str:
        """Return the token that forms below `path` want."""
        return self.http.cookies.get("_xsrf", path=path) or ""

    def sign_up(self, code: str, password: str) -> None:
        """Make an account with the code of the class. Raises LoadError."""
        answer = self._form(
            "signup", code=code, signup_password=password, signup_password_confirmation=password
        )
        if not answer.ok or 'class="alert alert-success"' not in answer.text:
            raise LoadError(f"{self.user} cannot sign up: {_said(answer)}")

    def log_in(self, password: str) -> None:
        """Log in. Raises LoadError."""
        self._form("login", password=password)
        home = self.http.get(f"{self.url}/hub/home", timeout=60, allow_redirects=False)
        if home.status_code != 200:
            raise LoadError(f"{self.user} is not let in: {_said(home)}")

    def _form(self, page: str, **fields: str) -> requests.Response:
        self.http.get(f"{self.url}/hub/{page}", timeout=60)
        return self.http.post(
            f"{self.url}/hub/{page}",
            timeout=120,
            data={"username": self.user, "_xsrf": self.xsrf("/hub/"), **fields},
        )

    def open_server(self) -> float:
        """Start the server and return how many seconds it took to answer. Raises LoadError."""
        begun = time.monotonic()
        answer = self.http.get(f"{self.url}/hub/spawn", timeout=120)
        while time.monotonic() - begun < PATIENCE:
            if answer.status_code == 429:
                raise LoadError(f"{self.user}: the hub refuses to start a server: {_said(answer)}")
            try:
                answer = self.http.get(self.at("api/status"), timeout=30)
                if answer.status_code == 403:  # it runs, and its own log-in asks the hub
                    self.http.get(self.at("lab"), timeout=60)
                    continue
            except requests.ConnectionError:  # a hub that is started again
                pass
            if answer.status_code == 200 and "started" in answer.text:
                return time.monotonic() - begun
            time.sleep(POLL)
        raise LoadError(f"{self.user} has no server after {PATIENCE:g} s: {_said(answer)}")

    def pull(self, repository: str) -> float:
        """Bring the course as a link does; return the seconds. Raises LoadError."""
        begun, last = time.monotonic(), {}
        with self.http.get(
            self.at("git-pull/api"),
            stream=True,
            timeout=300,
            params={"repo": repository, "branch": "main", "targetpath": FOLDER},
        ) as answer:
            for line in answer.iter_lines():
                if line.startswith(b"data: "):
                    last = json.loads(line[6:])
                    if last.get("phase") in ("finished", "error"):
                        break
        if last.get("phase") != "finished":
            raise LoadError(f"{self.user} cannot pull: {answer.status_code} {last}")
        return time.monotonic() - begun

    def notebook(self, path: str) -> dict:
        """Return a notebook's content. Raises LoadError."""
        return self.ask("GET", f"api/contents/{quote(path)}")["content"]

    def ask(self, method: str, path: str, /, **content: Any) -> dict:
        """Ask the learner's server; return its answer. Raises LoadError."""
        if not self.xsrf(f"/user/{self.user}/"):
            self.http.get(self.at("lab"), timeout=60)
        answer = self.http.request(
            method,
            self.at(path),
            timeout=120,
            json=content or None,
            headers={"X-XSRFToken": self.xsrf(f"/user/{self.user}/")},
        )
        if not answer.ok:
            raise LoadError(f"{self.user}, {method} {path}: {_said(answer)}")
        return answer.json() if answer.content else {}


def _said(answer: requests.Response) -> str:
    """Return the status and the first words of a page."""
    found = re.search(r'role="alert">(.*?)</', answer.text, re.DOTALL)
    text = found[1] if found else re.sub(r"<[^>]*>|\s+", " ", answer.text)
    return f"{answer.status_code} {' '.join(text.split())[:200]}"
