"""The hubs' configurations: listed accounts, no port that a learner can take, no pulled code."""

import sys
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit

import pytest

from convladder.measure.machine_lock import GPU, PROCESSOR

FOLDER = Path(__file__).parents[2] / "classroom"
FILES = {"tljh": FOLDER / "tljh/convladder.py", "plain": FOLDER / "jupyterhub_config.py"}


class Config(dict):
    """A traitlets configuration, as far as these files go."""

    def __getattr__(self, name):
        return self.setdefault(name, Config())

    __setattr__ = dict.__setitem__


class Accounts:
    """Stands in for nativeauthenticator."""

    def __init__(self):
        self.enable_signup, self.made = True, {}

    def create_user(self, name, password):
        assert self.enable_signup  # it makes nothing otherwise, and says nothing
        self.made[name] = password


@pytest.fixture(params=FILES)
def config(request, tmp_path, monkeypatch):
    native = ModuleType("nativeauthenticator")
    native.NativeAuthenticator = Accounts
    monkeypatch.setitem(sys.modules, "nativeauthenticator", native)
    monkeypatch.setenv("CLASS", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin")
    monkeypatch.setattr("os.umask", lambda mask: None)
    (tmp_path / "accounts.csv").write_text("instructor,first\nana,slip-1\n")
    (tmp_path / "board-key").write_text("key\n")
    found = Config()
    source = FILES[request.param].read_text().replace("/srv/convladder", str(tmp_path))
    exec(compile(source, request.param, "exec"), {"get_config": lambda: found})
    return found


def test_accounts_are_those_of_the_list_and_nobody_signs_up(config):
    accounts = config.JupyterHub.authenticator_class()
    assert accounts.made == {"instructor": "first", "ana": "slip-1"}
    assert accounts.enable_signup is False
    assert config.Authenticator.allowed_users == set(accounts.made)
    assert config.Authenticator.admin_users == {"instructor"}


def test_no_learner_can_listen_in_place_of_hub_proxy_or_board(config):
    hub = config.JupyterHub.get("hub_port") or urlsplit(config.JupyterHub.hub_bind_url).port
    proxy = config.TraefikProxy.get("traefik_api_url") or config.ConfigurableHTTPProxy.api_url
    board = config.Spawner.environment["CONVLADDER_BOARD"]
    ports = {hub, urlsplit(proxy).port, urlsplit(board).port}
    assert len(ports) == 3 and max(ports) < 1024 and board.endswith("/#key")
    assert "traefik_api.port 802" in (FOLDER / "README.md").read_text()


def test_nothing_pulls_code_by_a_link_and_no_server_has_a_hub_s_token_to_give(config):
    for path in (*FILES.values(), FOLDER / "Dockerfile", FOLDER / "kubernetes/values.yaml"):
        text = path.read_text()
        assert "gitpuller" not in text and "git-pull" not in text and "convladder get" in text
    assert list(config.Spawner.environment) == ["CONVLADDER_BOARD", "CONVLADDER_ROOM"]


def test_learners_can_only_read_the_files_by_which_measurements_take_turns(config, tmp_path):
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "turns").iterdir()}
    assert modes == {PROCESSOR: 0o444, GPU: 0o444}
