"""Values for Kubernetes, The Littlest JupyterHub and Docker, as far as none of them is needed."""

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from convladder.classroom import containers
from convladder.classroom.settings import HubError, Place, Settings

CLASSROOM = Path(__file__).parents[2] / "classroom"

# Of the chart's schema (jupyterhub/values.schema.yaml, at 02dd73d): the types of the keys that we
# set. A key that is not here is one that nobody has looked up; the chart refuses unknown ones.
TEXT, NUMBER, WHOLE, YES_NO, TEXTS = str, (int, float), int, bool, list
ANYTHING = dict  # passed on to JupyterHub's own classes
SCHEMA = {
    "hub": {"config": ANYTHING, "concurrentSpawnLimit": WHOLE},
    "proxy": {"https": {"enabled": YES_NO, "hosts": TEXTS, "letsencrypt": {"contactEmail": TEXT}}},
    "singleuser": {
        "image": {"name": TEXT, "tag": TEXT},
        "cmd": TEXTS,
        "startTimeout": WHOLE,
        "defaultUrl": TEXT,
        "memory": {"guarantee": (str, int), "limit": (str, int)},
        "cpu": {"guarantee": NUMBER, "limit": NUMBER},
        "storage": {"type": TEXT, "homeMountPath": TEXT, "capacity": TEXT},
    },
    "cull": {"enabled": YES_NO, "timeout": WHOLE, "every": WHOLE},
    "prePuller": {"hook": {"enabled": YES_NO}},
}


def misfits(values, schema, where=""):
    """Yield what a chart with this schema would refuse."""
    for key, value in values.items():
        name = f"{where}{key}"
        if key not in schema:
            yield f"{name} is unknown"
        elif isinstance(schema[key], dict):
            yield from misfits(value, schema[key], f"{name}.")
        elif not isinstance(value, schema[key]) or (
            isinstance(value, bool) and schema[key] is not YES_NO
        ):
            yield f"{name} is {value!r}"


@pytest.fixture
def values():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((CLASSROOM / "z2jh" / "values.yaml").read_text(encoding="utf-8"))


def test_the_values_are_ones_of_the_chart(values):
    assert not list(misfits(values, SCHEMA))
    assert {"hub", "proxy", "singleuser", "cull"} <= set(values)
    values["singleuser"]["startTimeOut"] = 300
    values["cull"]["timeout"] = "1 h"
    values["hub"]["concurrentSpawnLimit"] = True
    assert len(list(misfits(values, SCHEMA))) == 3


def test_kubernetes_has_a_room_as_ours(values):
    """No open sign-up, no default password, TLS, limits, and a link that pulls the course."""
    config, user = values["hub"]["config"], values["singleuser"]
    assert not config["NativeAuthenticator"].get("open_signup")
    assert "password" not in str(config["Authenticator"])
    assert values["proxy"]["https"]["enabled"] is True
    assert user["memory"]["limit"] and user["cpu"]["limit"] and user["startTimeout"] == 300
    asked = parse_qs(urlsplit(user["defaultUrl"]).query)
    assert urlsplit(user["defaultUrl"]).path == "/git-pull"
    assert asked["targetPath"] == ["convladder-course"] and asked["branch"] == ["main"]
    assert asked["urlpath"] == ["lab/tree/convladder-course/course/00_start_here.ipynb"]


def test_native_authenticator_knows_its_values(values):
    pytest.importorskip("nativeauthenticator")
    from nativeauthenticator import NativeAuthenticator

    for key, value in values["hub"]["config"]["NativeAuthenticator"].items():
        trait = NativeAuthenticator.class_traits()[key]
        assert trait.metadata.get("config") and trait.validate(None, value) == value


def test_docker_spawner_knows_its_values(tmp_path):
    pytest.importorskip("dockerspawner")
    from dockerspawner import DockerSpawner

    place, settings = Place(tmp_path), Settings(image="convladder-class", memory=2 << 30)
    place.make()
    found = containers.spawner_values(place, settings)
    spawner = DockerSpawner()
    spawner.user = SimpleNamespace(name="ana")
    for name, value in found.items():
        assert spawner.traits()[name].metadata.get("config"), name
        setattr(spawner, name, value)
    assert spawner.mem_limit == 2 << 30 and spawner.remove
    assert found["volumes"][str(place.shared)] == {"bind": "/shared", "mode": "ro"}
    assert str(place.run) not in str(found) and (place.shared / "room" / "processor").exists()
    place.sockets.rmdir()


def test_without_docker_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(containers, "SOCKET", tmp_path / "docker.sock")
    with pytest.raises(HubError, match="needs Docker, and .* is not there; install and start"):
        containers.refuse_without_docker("convladder-class")
    (tmp_path / "docker.sock").touch()
    containers.refuse_without_docker("convladder-class")


def test_the_image_holds_no_solutions_and_what_git_must_know():
    text = (CLASSROOM / "hub" / "Dockerfile").read_text(encoding="utf-8")
    assert "/shipped" in text and "merge.convladder.driver" in text and "USER jovyan" in text
    assert f"safe.directory {containers.SHARED}/course.git" in text


def test_the_script_for_the_littlest_hub_is_one_and_says_how_it_is_used(tmp_path):
    script = CLASSROOM / "tljh" / "configure"
    assert subprocess.run(["sh", "-n", script]).returncode == 0
    done = subprocess.run(["sh", script], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("Usage: sudo sh")
    done = subprocess.run(
        ["sh", script, "https://a.example.org", "a@example.org"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": os.defpath},
    )
    assert done.returncode == 2 and (
        "Only root can" in done.stderr or "is not installed" in done.stderr
    )
