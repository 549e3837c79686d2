"""A class on The Littlest JupyterHub; for /opt/tljh/config/jupyterhub_config.d/."""

import csv
from pathlib import Path

from nativeauthenticator import NativeAuthenticator

c = get_config()  # noqa: F821 - JupyterHub gives it
here = Path("/srv/convladder")
# `name,first password` of each learner a line, for root alone
people = dict(csv.reader((here / "accounts.csv").read_text().splitlines()))


class Listed(NativeAuthenticator):
    """Accounts from the list, made at the hub's start. Nobody signs up."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name, password in people.items():
            self.create_user(name, password)
        self.enable_signup = False


c.JupyterHub.authenticator_class = Listed
c.Authenticator.allowed_users, c.Authenticator.admin_users = set(people), {"instructor"}
c.NativeAuthenticator.allowed_failed_logins = 10
c.JupyterHub.hub_port = 801  # below 1024 no learner can listen in its place
c.TraefikProxy.traefik_api_url = "http://localhost:802"  # where `traefik_api.port` puts it
board = "http://127.0.0.1:803/#" + (here / "board-key").read_text().strip()
# Measurements take turns: learners lock a file of each resource, which they can only read.
turns = here / "turns"
turns.mkdir(exist_ok=True)
for path in (turns, turns / "processor", turns / "gpu"):
    path.touch()
    path.chmod(0o755 if path.is_dir() else 0o444)
c.Spawner.environment = {"CONVLADDER_BOARD": board, "CONVLADDER_ROOM": "/run/turns"}
c.Spawner.default_url = "/lab/tree/convladder-course/course/00_start_here.ipynb"
get = 'convladder get ~/convladder-course; exec jupyterhub-singleuser "$@"'
c.Spawner.cmd = ["sh", "-c", get, "sh"]
c.Spawner.args = ["--KernelManager.transport=ipc"]  # a kernel's port is open to all of a machine
c.Spawner.mem_limit, c.Spawner.cpu_limit, c.Spawner.start_timeout = "3G", 2.0, 300
c.SystemdSpawner.isolate_tmp = c.SystemdSpawner.isolate_devices = True
own = {"UMask": "0077", "TemporaryFileSystem": "/dev/shm:size=256M,mode=1777", "PrivateIPC": "yes"}
limits = {"ProtectProc": "invisible", "TasksMax": "512", "MemorySwapMax": "0"}
own["BindReadOnlyPaths"] = f"{turns}:/run/turns"
c.SystemdSpawner.unit_extra_properties = own | limits
