"""For /opt/tljh/config/jupyterhub_config.d/: a class on The Littlest JupyterHub.

/srv/convladder/accounts.csv, for root alone, has `name,first password` of each learner a line.
"""

import csv
from pathlib import Path

from nativeauthenticator import NativeAuthenticator

c = get_config()  # noqa: F821 - JupyterHub gives it
here = Path("/srv/convladder")
people = dict(csv.reader((here / "accounts.csv").open()))
bin_ = "/opt/tljh/user/bin"


class Listed(NativeAuthenticator):
    """Accounts from the list, made at the hub's start. Nobody signs up."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enable_signup = True
        for name, password in people.items():
            self.create_user(name, password)
        self.enable_signup = False


c.JupyterHub.authenticator_class = Listed
c.Authenticator.allowed_users, c.Authenticator.admin_users = set(people), {"instructor"}
c.JupyterHub.hub_bind_url = "http://127.0.0.1:801"  # below 1024 no learner can listen in its place
key = (here / "board-key").read_text().strip()
c.Spawner.environment = {"CONVLADDER_BOARD": f"http://127.0.0.1:803/#{key}"}
c.Spawner.default_url = "/lab/tree/convladder-course/course/00_start_here.ipynb"
get = f'{bin_}/convladder get ~/convladder-course; exec {bin_}/jupyterhub-singleuser "$@"'
c.Spawner.cmd, c.Spawner.start_timeout = ["sh", "-c", get, "sh"], 300
c.Spawner.mem_limit, c.Spawner.cpu_limit = "3G", 2.0
c.SystemdSpawner.isolate_tmp = c.SystemdSpawner.isolate_devices = True
more = {"TasksMax": "512", "MemorySwapMax": "0", "PrivateIPC": "yes", "ProtectProc": "invisible"}
c.SystemdSpawner.unit_extra_properties = {**more, "TemporaryFileSystem": "/dev/shm:size=256M"}
