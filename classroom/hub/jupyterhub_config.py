"""JupyterHub for a class on one machine; `make hub` starts it with this file.

What you may want to change is on the command line (`.venv/bin/convladder classroom hub --help`);
what is decided here is said in JupyterHub's own words.
"""

import os
import sys
from pathlib import Path

from convladder.classroom import accounts, containers, environment, refusals
from convladder.classroom.board import hub as board
from convladder.classroom.release import pull_path
from convladder.classroom.roster import INSTRUCTOR, read
from convladder.classroom.settings import PLACE, Place
from convladder.classroom.spawner import LearnerSpawner

c = get_config()  # noqa: F821 - JupyterHub gives it
place = Place(Path(os.environ.get(PLACE) or Path(__file__).resolve().parent))
settings = place.load()

# Browsers meet the proxy; everything else is on this machine only.
c.JupyterHub.bind_url = settings.bind_url
c.JupyterHub.ssl_cert, c.JupyterHub.ssl_key = settings.cert or "", settings.key or ""
c.JupyterHub.hub_bind_url = f"http://{settings.inside}:{settings.hub_port}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{settings.proxy_port}"
c.ConfigurableHTTPProxy.command = [refusals.node(), str(refusals.proxy(Path(sys.prefix) / "proxy"))]
c.ConfigurableHTTPProxy.pid_file = str(place.run / "proxy.pid")
c.ConfigurableHTTPProxy.log_level = "warn"

# Its data, which only its user can read.
c.JupyterHub.db_url = f"sqlite:///{place.run / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(place.run / "cookie-secret")
c.JupyterHub.pid_file = str(place.run / "hub.pid")

# A hub that is started again finds its learners' servers as they were.
c.JupyterHub.cleanup_servers = False

# Who: those on the list, or who has the code. Nobody has a password before choosing one.
c.JupyterHub.authenticator_class = accounts.ClassAuthenticator
c.JupyterHub.template_paths = [str(accounts.PAGES)]
c.ClassAuthenticator.class_code = place.code("class")
c.ClassAuthenticator.instructor_code = place.code(INSTRUCTOR)
c.ClassAuthenticator.learners = (
    {learner.user: learner.name for learner in read(settings.names)} if settings.names else {}
)
c.ClassAuthenticator.open_signup = True  # for who has the code
c.ClassAuthenticator.allow_all = True  # of those who have signed up, as check_allowed says
c.ClassAuthenticator.admin_users = {INSTRUCTOR}
c.ClassAuthenticator.minimum_password_length = 8
c.ClassAuthenticator.check_common_password = True
c.ClassAuthenticator.allowed_failed_logins = 10
c.ClassAuthenticator.seconds_before_next_try = 60

# A server a learner, which brings the course when it is opened. Thirty start at once: they wait
# their time, and none is refused.
c.JupyterHub.concurrent_spawn_limit = 0
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 120
c.Spawner.args = environment.server_limits(settings.idle)
c.Spawner.default_url = pull_path(environment.repository(place, bool(settings.image)))
if settings.image:
    c.JupyterHub.spawner_class = "docker"
    for name, value in containers.spawner_values(place, settings).items():
        c.DockerSpawner[name] = value
else:
    c.JupyterHub.spawner_class = LearnerSpawner
    c.Spawner.cmd = environment.command()
    c.Spawner.env_keep = []
    c.Spawner.environment = environment.learner_environment(place, settings)
    # Kernels meet their server at files, not at ports of this machine: of thirty servers that look
    # for five free ports each, one finds a port that is taken when its kernel comes to it.
    c.Spawner.args = [*c.Spawner.args, "--KernelManager.transport=ipc"]
    c.LearnerSpawner.homes = str(place.homes)
    c.LearnerSpawner.sockets = str(place.sockets)
    c.LearnerSpawner.ids = str(place.run / "user-ids.json")
    c.LearnerSpawner.separate = refusals.separates(settings)
    c.LearnerSpawner.memory = settings.memory  # a process; all of a learner's need a container

# Beside it: what ends unused servers, and the board.
culler, may_cull = environment.culler(settings.idle)
c.JupyterHub.services = [
    culler,
    board.service(
        place.run,
        f"http://{settings.inside}:{settings.board_port}",
        names=settings.show_names,
        plan=settings.plan,
        day=settings.day,
    ),
]
c.JupyterHub.load_roles = [may_cull, *board.roles()]
