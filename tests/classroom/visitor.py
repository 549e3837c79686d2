"""A browser's part in a hub: signs up, logs in, opens a server, pulls, as a person's would."""

import json
import re
import time
from html import unescape
from uuid import uuid4

import requests
from websocket import create_connection


class Visitor:
    """One browser at a hub."""

    def __init__(self, hub, user):
        self.hub, self.user, self.http = hub, user, requests.Session()

    def _post(self, page, **fields):
        self.http.get(f"{self.hub}/hub/{page}", timeout=30)
        fields["_xsrf"] = self.http.cookies.get("_xsrf", path="/hub/")
        return self.http.post(f"{self.hub}/hub/{page}", data=fields, timeout=60)

    def sign_up(self, code, password="a good long one", user=None):
        """Return what the page says, in a line."""
        answer = self._post(
            "signup",
            username=user or self.user,
            code=code,
            signup_password=password,
            signup_password_confirmation=password,
        )
        said = re.search(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)
        return answer.status_code, unescape(" ".join(said[1].split())) if said else ""

    def log_in(self, password="a good long one"):
        """Return whether the hub lets this one in."""
        self._post("login", username=self.user, password=password)
        return (
            self.http.get(f"{self.hub}/hub/home", timeout=30, allow_redirects=False).status_code
            == 200
        )

    def open(self, seconds=120):
        """Start the server and return once it answers."""
        answer = self.http.get(f"{self.hub}/hub/spawn", timeout=60)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            answer = self.http.get(self.at("lab"), timeout=30)  # by way of the hub's permission
            if answer.status_code == 200 and answer.url.startswith(self.at("lab")):
                return
            time.sleep(0.3)
        raise AssertionError(f"no server in {seconds} s: {answer.status_code} {answer.text[:300]}")

    def at(self, path, user=None):
        return f"{self.hub}/user/{user or self.user}/{path}"

    def pull(self, repository, target="convladder-course"):
        """Pull the course as the page of a link does; returns its lines."""
        found = []
        with self.http.get(
            self.at("git-pull/api"),
            stream=True,
            timeout=120,
            params={"repo": repository, "branch": "main", "targetpath": target},
        ) as answer:
            assert answer.status_code == 200, (answer.status_code, answer.text[:500])
            for line in answer.iter_lines():
                if line.startswith(b"data: "):
                    found.append(json.loads(line[6:]))
                    if found[-1]["phase"] in ("finished", "error"):
                        break
        assert found[-1]["phase"] == "finished", found
        return "".join(each.get("output", "") for each in found)

    def contents(self, path, **content):
        """Read a file of the server; with content, write it."""
        if content:
            answer = self.http.put(
                self.at(f"api/contents/{path}"), json=content, timeout=30, headers=self._xsrf()
            )
        else:
            answer = self.http.get(self.at(f"api/contents/{path}"), timeout=30)
        assert answer.status_code < 300, (answer.status_code, answer.text[:500])
        return answer.json()

    def _xsrf(self):
        return {"X-XSRFToken": self.http.cookies.get("_xsrf", path=f"/user/{self.user}/")}

    def kernel(self):
        """Start a kernel and return its id."""
        answer = self.http.post(
            self.at("api/kernels"), json={"name": "python3"}, timeout=60, headers=self._xsrf()
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def run(self, code, kernel, seconds=60):
        """Run code in a kernel, and return what it printed; an error ends with its name."""
        cookies = "; ".join(
            f"{each.name}={each.value}"
            for each in self.http.cookies
            if each.path in ("/", f"/user/{self.user}/")
        )
        wire = create_connection(
            self.at(f"api/kernels/{kernel}/channels").replace("http", "ws", 1),
            timeout=seconds,
            cookie=cookies,
            origin=self.hub,
        )
        name, said = uuid4().hex, ""
        wire.send(
            json.dumps(
                {
                    "header": {
                        "msg_id": name,
                        "msg_type": "execute_request",
                        "version": "5.3",
                        "username": self.user,
                        "session": uuid4().hex,
                        "date": "",
                    },
                    "parent_header": {},
                    "metadata": {},
                    "channel": "shell",
                    "buffers": [],
                    "content": {
                        "code": code,
                        "silent": False,
                        "store_history": False,
                        "user_expressions": {},
                        "allow_stdin": False,
                        "stop_on_error": True,
                    },
                }
            )
        )
        try:
            while True:
                message = json.loads(wire.recv())
                kind, content = message["msg_type"], message["content"]
                if message["parent_header"].get("msg_id") != name:
                    continue
                if kind == "stream" and content["name"] == "stdout":
                    said += content["text"]
                elif kind == "error":
                    said += content["ename"]
                elif kind == "status" and content["execution_state"] == "idle":
                    return said
        finally:
            wire.close()
