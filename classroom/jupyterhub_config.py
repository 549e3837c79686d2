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
people = dict(csv.reader((here / "accounts.csv").read_text().splitlines()))
key = here / "board-key"
if not key.exists():
    key.write_text(secrets.token_hex(4))

systemd = Path("/run/systemd/system").is_dir() and os.geteuid() == 0
docker = not systemd and os.access("/var/run/docker.sock", os.W_OK)
inside = "172.17.0.1" if docker else "127.0.0.1"  # containers reach the hub by Docker's bridge
host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")

# Browsers meet the proxy. No learner can listen below 1024 in place of hub, proxy or board.
c.JupyterHub.bind_url, c.JupyterHub.hub_bind_url = f"http://{host}:{port}", f"http://{inside}:801"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:802"
c.ConfigurableHTTPProxy.pid_file = str(here / "proxy.pid")
c.JupyterHub.db_url = f"sqlite:///{here / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(here / "cookie-secret")
c.JupyterHub.cleanup_servers = False  # a restart of the hub leaves learners at work


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
c.NativeAuthenticator.seconds_before_next_try = 60

# A server a learner. `convladder get` writes the course, and keeps what is theirs.
os.environ["PATH"] = f"{sys.prefix}/bin:{os.environ['PATH']}"
start = 'convladder get ~/convladder-course; exec jupyterhub-singleuser "$@"'
c.Spawner.cmd, c.Spawner.start_timeout = ["sh", "-c", start, "sh"], 300
c.Spawner.args = ["--KernelManager.transport=ipc"]  # a kernel's port is open to all of a machine
c.Spawner.default_url = "/lab/tree/convladder-course/course/00_start_here.ipynb"
c.Spawner.environment = {"CONVLADDER_BOARD": f"http://{inside}:803/#{key.read_text().strip()}"}
# Measurements take turns: learners lock a file of each resource, which they can only read.
turns = here / "turns"
turns.mkdir(exist_ok=True)
for path in (turns, turns / "processor", turns / "gpu"):
    path.touch()
    path.chmod(0o755 if path.is_dir() else 0o444)
c.Spawner.environment["CONVLADDER_ROOM"] = "/run/turns" if systemd or docker else str(turns)
c.Spawner.mem_limit, c.Spawner.cpu_limit, c.JupyterHub.concurrent_spawn_limit = "3G", 2.0, 0
if systemd:
    c.JupyterHub.spawner_class, c.SystemdSpawner.dynamic_users = "systemd", True
    c.SystemdSpawner.isolate_tmp = c.SystemdSpawner.isolate_devices = True
    own = {"UMask": "0077", "PrivateIPC": "yes", "ProtectSystem": "strict"}
    own |= {"ProtectProc": "invisible", "TemporaryFileSystem": "/dev/shm:size=256M,mode=1777"}
    own |= {"BindReadOnlyPaths": f"{turns}:/run/turns"}
    c.SystemdSpawner.unit_extra_properties = {**own, "TasksMax": "512", "MemorySwapMax": "0"}
elif docker:
    c.JupyterHub.spawner_class, c.DockerSpawner.remove = "docker", True
    c.DockerSpawner.image = os.environ.get("IMAGE", "convladder")
    c.DockerSpawner.volumes = {"convladder-{username}": "/home/jovyan"}
    c.DockerSpawner.read_only_volumes = {str(turns): "/run/turns"}
    walls = {"security_opt": ["no-new-privileges"], "cap_drop": ["ALL"]}
    c.DockerSpawner.extra_host_config = {**walls, "pids_limit": 512, "shm_size": "256m"}
else:
    assert host == "127.0.0.1", "neither systemd nor Docker: HOST stays 127.0.0.1"
    c.JupyterHub.spawner_class = "simple"
    c.Spawner.args += ["--allow-root"] * (os.geteuid() == 0)

cull = [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600"]
c.JupyterHub.services = [{"name": "culler", "command": cull}]
scopes = ["list:users", "read:users:activity", "read:servers", "delete:servers"]
c.JupyterHub.load_roles = [{"name": "culler", "services": ["culler"], "scopes": scopes}]
