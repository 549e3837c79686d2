"""JupyterHub for a class on one machine with systemd or Docker: jupyterhub -f jupyterhub_config.py

CLASS (default /srv/convladder) holds accounts.csv, a line `name,first password` each, for root
alone. Without systemd and Docker it stays on this machine, as a rehearsal.
"""

import csv
import os
import secrets
import sys
from pathlib import Path

from nativeauthenticator import NativeAuthenticator

c = get_config()  # noqa: F821 - JupyterHub gives it
os.umask(0o077)
here = Path(os.environ.get("CLASS", "/srv/convladder"))
people = dict(csv.reader((here / "accounts.csv").open()))
inside, port = "127.0.0.1", os.environ.get("PORT", "8000")
key = here / "board-key"
if not key.exists():
    key.write_text(secrets.token_hex(4))

# Browsers meet the proxy. What is below 1024 no learner can listen at in place of ours.
c.JupyterHub.bind_url = f"http://{os.environ.get('HOST', inside)}:{port}"
c.JupyterHub.hub_bind_url = f"http://{inside}:801"
c.ConfigurableHTTPProxy.api_url = f"http://{inside}:802"
c.ConfigurableHTTPProxy.command = [os.environ.get("CHP", "configurable-http-proxy")]
c.ConfigurableHTTPProxy.pid_file = str(here / "proxy.pid")
c.JupyterHub.db_url = f"sqlite:///{here / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(here / "cookie-secret")
c.JupyterHub.cleanup_servers = False


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
c.NativeAuthenticator.allowed_failed_logins = 10
c.NativeAuthenticator.seconds_before_next_try = 60

# A server a learner; `convladder get` writes the course from the package, and keeps what is theirs.
c.Spawner.environment = {"CONVLADDER_BOARD": f"http://{inside}:803/#{key.read_text()}"}
c.Spawner.default_url = "/lab/tree/convladder-course/course/00_start_here.ipynb"
c.Spawner.cmd = ["sh", "-c", 'convladder get ~/convladder-course; exec jupyterhub-singleuser "$@"']
c.Spawner.cmd += ["sh"]
c.Spawner.args = ["--KernelManager.transport=ipc"]
c.Spawner.mem_limit, c.Spawner.cpu_limit, c.Spawner.start_timeout = "3G", 2.0, 300
c.JupyterHub.concurrent_spawn_limit = 0
if Path("/run/systemd/system").is_dir() and os.geteuid() == 0:
    c.JupyterHub.spawner_class = "systemd"
    c.SystemdSpawner.dynamic_users = True
    c.SystemdSpawner.isolate_tmp = c.SystemdSpawner.isolate_devices = True
    c.SystemdSpawner.unit_extra_properties = {
        "TasksMax": "512",
        "MemorySwapMax": "0",
        "PrivateIPC": "yes",
        "ProtectSystem": "strict",
        "ProtectProc": "invisible",
        "TemporaryFileSystem": "/dev/shm:size=256M",
    }
elif os.access("/var/run/docker.sock", os.W_OK):
    c.JupyterHub.spawner_class = "docker"
    c.DockerSpawner.image, c.DockerSpawner.remove = os.environ.get("IMAGE", "convladder"), True
    c.DockerSpawner.volumes = {"convladder-{username}": "/home/jovyan"}
    c.DockerSpawner.extra_host_config = {
        "security_opt": ["no-new-privileges"],
        "cap_drop": ["ALL"],
        "pids_limit": 512,
        "shm_size": "256m",
    }
else:
    assert c.JupyterHub.bind_url.startswith(f"http://{inside}:"), "neither systemd nor Docker"
    c.JupyterHub.spawner_class = "simple"
    c.Spawner.args += ["--allow-root"] * (os.geteuid() == 0)

cull = [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600"]
c.JupyterHub.services = [{"name": "culler", "command": cull}]
scopes = ["list:users", "read:users:activity", "read:servers", "delete:servers"]
c.JupyterHub.load_roles = [{"name": "culler", "services": ["culler"], "scopes": scopes}]
