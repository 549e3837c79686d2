"""`make lab`, `make test` and `.ci/run`: what they install, what they mend, and what they say.

The environments here are made by a stand-in for Python that installs nothing and writes down what
it was asked, so that each way to break one can be tried in no time.
"""

import os
import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = "-m pytest --numprocesses auto"
MAKING = "Making the environment in .venv, once: 600 MB of disk, a minute or two."

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

STAND_IN = """\
#!/bin/sh
# A Python that can be asked its version, makes environments of itself, and logs every install.
case "$1 $2" in
    "-c import sys; print("*) echo "(3, 11) $PWD/$0" ;;
    "-c "*) test ! -e "$LOG.old" ;;
    "-m venv") echo "venv $3" >> "$LOG"; mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    *) echo "$@" >> "$LOG"; test ! -e "$LOG.offline" ;;
esac
"""


class Checkout:
    """A copy of what `make` reads, in a folder whose name has a space."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder.parent / "log"
        folder.mkdir()
        for name in ("Makefile", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, folder)
        shutil.copytree(ROOT / ".ci", folder / ".ci")
        self.bin = folder.parent / "bin"
        self.bin.mkdir()
        tools = "sh bash make env rm cp mkdir cat cksum head sed dirname find xargs"
        for tool in tools.split():
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.add_python("python3")

    def add_python(self, name: str) -> None:
        python = self.bin / name
        python.write_text(STAND_IN)
        python.chmod(0o755)

    def run(self, *command: str) -> subprocess.CompletedProcess:
        """Run it with nothing but the tools above, and forget earlier log lines."""
        self.log.unlink(missing_ok=True)
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": str(self.bin), "LOG": str(self.log)},
        )

    @property
    def asked(self) -> list[str]:
        """What the stand-in was asked to do, apart from questions."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    return Checkout(tmp_path / "my course")


PIP = "-m pip --disable-pip-version-check install --no-compile"
EDITABLE = f"{PIP} --constraint constraints.txt --no-build-isolation --editable"
PINNED = [
    f"{PIP} --constraint constraints.txt pip setuptools --quiet",
    f"{EDITABLE} .[lab,scale] --quiet",
]
REST = [PINNED[0], f"{EDITABLE} .[lab,scale,test] --quiet"]


def test_the_environment_is_made_once_and_then_used(checkout):
    first = checkout.run("make", "env")
    assert (first.returncode, first.stdout, first.stderr) == (0, "", MAKING + "\n")
    assert checkout.asked == ["venv .venv", *PINNED]
    second = checkout.run("make", "env")
    assert (second.returncode, second.stdout + second.stderr) == (0, "")
    assert checkout.asked == []


def test_the_tests_add_what_a_learner_does_without(checkout):
    checkout.run("make", "env")
    done = checkout.run("make", "test", "ARGS=-k mec")
    assert done.stderr == "Bringing the environment in .venv up to date.\n"
    assert checkout.asked == [*REST, f"{TESTS} -k mec"]
    checkout.run("make", "env")  # and it stays
    assert checkout.asked == []


def test_an_interrupted_installation_is_begun_again(checkout):
    offline = Path(f"{checkout.log}.offline")
    offline.touch()
    failed = checkout.run("make", "test")
    assert failed.returncode != 0
    assert "The environment is not complete: pip says why above." in failed.stderr
    assert TESTS not in checkout.asked
    offline.unlink()
    (checkout.folder / ".venv" / "left over").touch()
    assert "once: 1 GB and more of disk" in checkout.run("make", "test").stderr
    assert checkout.asked == ["venv .venv", PINNED[0], f"{EDITABLE} .[test] --quiet", TESTS]
    assert not (checkout.folder / ".venv" / "left over").exists()


def break_interpreter(checkout):
    (checkout.folder / ".venv" / "bin" / "python").unlink()


def update_interpreter(checkout):
    python = checkout.folder / ".venv" / "bin" / "python"
    python.write_text(STAND_IN.replace("3, 11", "3, 12"))


def move(checkout):
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("elsewhere"))


@pytest.mark.parametrize("accident", [break_interpreter, update_interpreter, move])
def test_an_environment_that_cannot_work_any_more_is_made_anew(checkout, accident):
    checkout.run("make", "env")
    accident(checkout)
    assert MAKING in checkout.run("make", "env").stderr
    assert checkout.asked[0] == "venv .venv"
    assert checkout.run("make", "env").stderr == ""


def test_the_environment_follows_what_it_is_made_from(checkout):
    checkout.run("make", "env")
    with (checkout.folder / "constraints.txt").open("a") as file:
        file.write("# changed\n")
    done = checkout.run("make", "env")
    assert done.stderr == "Bringing the environment in .venv up to date.\n"
    assert checkout.asked == PINNED
    checkout.run("make", "env")
    assert checkout.asked == []


def test_an_interrupted_update_is_not_taken_for_a_whole_one(checkout):
    checkout.run("make", "env")
    (checkout.folder / "pyproject.toml").write_text("# changed\n")
    offline = Path(f"{checkout.log}.offline")
    offline.touch()
    assert checkout.run("make", "env").returncode != 0
    offline.unlink()
    assert MAKING in checkout.run("make", "env").stderr


def test_newest_versions_take_no_constraints(checkout):
    checkout.run("make", "env")
    checkout.run("make", "env", "CONSTRAINTS=")
    assert checkout.asked[2:] == PINNED[2:]
    assert all(
        "--upgrade --upgrade-strategy eager" in line and "constraint" not in line
        for line in checkout.asked[:2]
    )
    checkout.run("make", "env", "CONSTRAINTS=")
    assert checkout.asked == []
    checkout.run("make", "env")
    assert checkout.asked == PINNED


def test_other_extras_have_their_own_environment_which_stays(checkout):
    checkout.run("make", "env")
    made = checkout.run("make", "env", "EXTRAS=gpu12,lab,scale")
    assert "Making the environment" in made.stderr and checkout.asked[0] == "venv .venv"
    assert checkout.asked[-1].endswith("--editable .[gpu12,lab,scale] --quiet")
    assert "--constraint .venv/constraints.txt" in checkout.asked[-1]
    checkout.run("make", "test")
    assert checkout.asked == [TESTS]
    checkout.run("make", "lab")
    assert not any("venv" in line or "install" in line for line in checkout.asked)
    checkout.run("make", "env", "EXTRAS=lab,scale")
    assert checkout.asked == ["venv .venv", *PINNED]


def test_no_python_is_one_sentence(checkout):
    (checkout.bin / "python3").unlink()
    done = checkout.run("make", "lab")
    assert done.returncode != 0
    assert done.stderr.startswith("No Python 3.11 or newer found: install one, or name it with")


def test_a_python_without_venv_is_one_sentence(checkout):
    python = checkout.bin / "python3"
    python.write_text(STAND_IN.replace('"-c "*)', '"-c import venv"*) exit 1 ;;\n    "-c "*)'))
    done = checkout.run("make", "env")
    assert done.returncode != 0 and "install python3-venv" in done.stderr
    assert not (checkout.folder / ".venv").exists()


def test_the_ci_command_lints_before_it_tests_and_leaves_out_what_is_weekly(checkout):
    assert checkout.run("bash", ".ci/run", "tests").returncode == 0
    assert checkout.asked[-1] == f"{TESTS} -m not weekly tests"
    assert any(line.endswith("--editable .[test,dev] --quiet") for line in checkout.asked)
    asked = [line.split()[1] for line in checkout.asked if line.startswith("-m ")]
    assert asked[-4:] == ["ruff", "ruff", "mypy", "pytest"]


# --- constraints.txt --------------------------------------------------------------------------


def plain(name: str) -> str:
    """A distribution's name as it is compared."""
    return name.lower().replace("_", "-").replace(".", "-")


def pins() -> dict[str, set[str]]:
    """The versions that constraints.txt allows, by name; more than one where markers tell apart."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, version = line.split(";")[0].strip().split("==")
            found.setdefault(plain(name), set()).add(version)
    return found


def installed_for(name: str, extra: str = "") -> set[str]:
    """The distributions that `name` brings into this environment, itself included."""
    from packaging.requirements import Requirement

    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    todo = [(name, extra)]
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # an optional piece that this environment does without
        found.add(plain(name))
        for text in distribution.requires or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                todo += [(needed.name, more) for more in ("", *needed.extras)]
    return found


@pytest.mark.skipif(
    os.environ.get("CONVLADDER_CONSTRAINTS") == "",
    reason="the newest versions are installed, not the pinned ones",
)
def test_every_package_that_the_two_commands_install_is_pinned():
    names = (installed_for("convladder", "test") | {"pip", "setuptools"}) - {"convladder"}
    assert len(names) > 50
    pinned = pins()
    wrong = {
        name: metadata.version(name)
        for name in names
        if metadata.version(name) not in pinned.get(name, ())
    }
    assert not wrong, f"not at their pinned versions: {wrong}; run `make clean`, then `make env`"


def test_windows_is_sent_to_wsl(checkout):
    uname = checkout.bin / "uname"
    uname.write_text("#!/bin/sh\necho MINGW64_NT-10.0\n")
    uname.chmod(0o755)
    done = checkout.run("make", "env")
    assert done.returncode and not checkout.asked
    assert "On Windows the course runs in WSL" in done.stderr and "docs/launch.md" in done.stderr


EXTRAS = re.compile(r"\[([a-z0-9,]+)\]")


def test_what_launches_the_course_elsewhere_asks_for_what_there_is():
    """Containers, hosts and the page about them: their commands, extras and files exist."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for name in (
        "docker/Dockerfile",
        "docker/Dockerfile.gpu",
        "environment.yml",
        "docs/launch.md",
        "docs/package.md",
    ):
        text = (ROOT / name).read_text()
        wanted = {extra for found in EXTRAS.findall(text) for extra in found.split(",")}
        assert wanted <= project["optional-dependencies"].keys(), name
        for verb in re.findall(r"(?:`|&& |exec |^    !?)convladder ([a-z]+)", text, re.M):
            assert f'"{verb}"' in (ROOT / f"src/convladder/cli/{verb}.py").read_text(), (name, verb)
    for name in ("docker/Dockerfile", "docker/Dockerfile.gpu"):
        # Else a user of another number cannot write, and progress goes with the container.
        text = (ROOT / name).read_text()
        assert "ENV HOME=/work\n" in text and '--user "$(id -u):$(id -g)"' in text, name
    for path in re.findall(
        r"`((?:docker/|environment|\.devcontainer)[^` ]*)`", (ROOT / "docs/launch.md").read_text()
    ):
        assert (ROOT / path).exists(), path
