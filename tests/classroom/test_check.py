"""What `convladder classroom check` finds, and the sentence for each thing that is too little."""

import json
import socket
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

from convladder.classroom import check, refusals
from convladder.classroom.check import Finding, capacity, examine
from convladder.classroom.settings import Place, Settings
from convladder.cli import main
from convladder.records.store import newest

from .hubs import free_ports

pytest.importorskip("psutil")
GIB = 2**30


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Look at a machine that has enough, but for what a test takes away."""
    monkeypatch.setattr(check, "available_cores", lambda: 8)
    monkeypatch.setattr(check, "available_memory", lambda: 64 * GIB)
    monkeypatch.setattr(refusals, "node", lambda: "/usr/bin/node")
    monkeypatch.setattr(refusals, "proxy", lambda place: place)
    monkeypatch.setattr(refusals, "is_root", lambda: False)

    def look(learners: int = 30, **settings) -> dict[str, Finding]:
        return {
            each.what: each
            for each in examine(
                learners, Settings(**{"port": free_ports(), **settings}), Place(tmp_path)
            )
        }

    return look


def test_a_machine_that_has_enough(found, monkeypatch):
    monkeypatch.setattr(check, "find_spec", lambda name: name)  # JupyterHub is installed
    looked = found()
    assert [each.what for each in looked.values() if each.needed and not each.ok] == []
    assert capacity(list(looked.values())).takes >= 30


def test_a_small_machine_says_how_many_it_takes(found, monkeypatch):
    monkeypatch.setattr(check, "available_memory", lambda: 4 * GIB)
    memory = found()["memory"]
    each, record = check.memory_of_learner(newest(check.KIND)), newest(check.KIND)
    assert not memory.ok and memory.needed
    assert memory.takes == int((3 * GIB - record["hub"]) // each) < 30
    assert f"or have {memory.takes} learners" in memory.remedy
    assert found(memory.takes)["memory"].ok and not found(memory.takes + 1)["memory"].ok


def test_few_cores_are_said_and_do_not_forbid(found, monkeypatch):
    monkeypatch.setattr(check, "available_cores", lambda: 1)
    cores = found(60)["cores"]
    assert not cores.ok and not cores.needed and "wait for each other" in cores.remedy


def test_a_small_disk(found, monkeypatch):
    monkeypatch.setattr(check.shutil, "disk_usage", lambda path: SimpleNamespace(free=2 * GIB))
    disk = found()["disk"]
    assert not disk.ok and disk.takes == 0 and "name another disk with --data" in disk.remedy


def test_whose_limit_memory_has_is_said(found):
    assert "all of them together have no limit" in found()["limits"].found
    assert not found()["limits"].needed
    assert found(image="class", memory=1 << 30)["limits"].found == "a learner may have 1 GiB in all"


def test_a_port_in_use(found):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        ports = found(port=min(taken.getsockname()[1], 65000))["ports"]
    assert not ports.ok and "cannot be had" in ports.found


def test_no_root_is_said_and_a_rehearsal_is_possible(found):
    root = found()["root"]
    assert not root.ok and not root.needed and "all learners are one user" in root.found


def test_an_old_node(found, monkeypatch, tmp_path):
    monkeypatch.undo()
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.19.0\n")
    old.chmod(0o755)
    monkeypatch.setattr(refusals.shutil, "which", lambda name, path=None: str(old))
    node = check._refused("Node", refusals.node, "{}")
    assert not node.ok and "needs Node 20 or newer" in node.found and "v18.19.0" in node.found


def test_a_hub_for_others_needs_tls_and_a_pair_of_files(found, monkeypatch, tmp_path):
    monkeypatch.setattr(refusals, "is_root", lambda: True)
    monkeypatch.setattr(refusals, "refuse_unreachable", lambda *paths: None)
    assert "add --cert FILE --key FILE" in found(host="0.0.0.0")["TLS"].found
    assert found(host="0.0.0.0", without_tls=True)["TLS"].ok
    for name in ("cert", "key"):
        (tmp_path / name).write_text("no PEM")
    tls = found(host="0.0.0.0", cert=str(tmp_path / "cert"), key=str(tmp_path / "key"))["TLS"]
    assert not tls.ok and "are no pair" in tls.found


def test_a_containers_limit_counts(monkeypatch, tmp_path):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(check, "CGROUPS", (limit,))
    whole = check.available_memory()
    limit.write_text("max\n")
    assert check.available_memory() > 0.5 * whole
    limit.write_text("1048576\n")
    assert check.available_memory() == 1048576


def test_the_record_says_where_it_comes_from():
    record = newest(check.KIND)
    assert record["learners"] >= 3 and record["machine"]["cores"] and record["date"]
    assert record["versions"]["jupyterhub"]


def test_the_command(capsys, monkeypatch):
    finding = Finding("memory", False, "1 GiB to be had", "take more", takes=2)
    monkeypatch.setattr(
        check,
        "examine",
        lambda *args: iter(
            [finding, Finding("GPU", False, "none", needed=False), replace(finding, takes=9)]
        ),
    )
    assert main(["classroom", "check"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["MISSING  memory: 1 GiB to be had; take more.", "absent   GPU: none."]
    assert said[-1].startswith("This machine takes 2 learners; its memory ")
    main(["classroom", "check", "--json"])
    assert json.loads(capsys.readouterr().out)["takes"] == 2
    assert main(["classroom", "check", "--learners", "0"]) == 2
    assert "--learners 0 is no class" in capsys.readouterr().err
