"""The wheel and the source distribution: what is in them, and that a learner can begin from one."""

import email
import json
import shutil
import subprocess
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import convladder

from .python import python

ROOT = Path(__file__).parents[1]
RECORDED = "course/07_first_kernels.ipynb", "course/18_scale_out.ipynb", "labs/18_scale_out.ipynb"
BUILD = "import sys, setuptools.build_meta as build; getattr(build, sys.argv[1])(sys.argv[2])"


def test_the_version_is_the_same_everywhere():
    places = {
        "pyproject.toml": f'version = "{convladder.__version__}"',
        "CITATION.cff": f"version: {convladder.__version__}",
    }
    for name, line in places.items():
        assert line in (ROOT / name).read_text(encoding="utf-8").splitlines(), name


def built(kind: str, folder: Path) -> Path:
    """Build from a copy: setuptools writes beside its sources."""
    copy = folder / "sources"
    shutil.copytree(
        ROOT,
        copy,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns(
            ".venv", ".git", "build", "dist", "*.egg-info", "__pycache__", "*.nbi", "*.nbc"
        ),
    )
    done = python("-W", "ignore", "-c", BUILD, f"build_{kind}", folder, folder=copy)
    assert done.returncode == 0, done.stderr
    (made,) = [path for path in folder.iterdir() if path.suffix in (".whl", ".gz")]
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return built("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.mark.weekly
def test_the_wheel_holds_the_course_and_the_data(wheel):
    """6 s: the build."""
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        metadata = email.message_from_bytes(
            file.read(next(name for name in names if name.endswith("METADATA")))
        )
        page = file.read("convladder/shipped/course/00_start_here.ipynb")
        outputs = json.loads(file.read("convladder/shipped/outputs.json"))
    for folder in ("course", "course/deeper", "labs", "solutions"):
        for path in (ROOT / folder).glob("*.ipynb"):
            assert f"convladder/shipped/{folder}/{path.name}" in names
    for path in (ROOT / "src/convladder").rglob("*"):
        if path.is_file() and path.suffix not in (".pyc", ".nbi", ".nbc", ".md"):
            assert path.relative_to(ROOT / "src").as_posix() in names
    assert b'"outputs": []' in page and b"image/png" not in page
    for name in RECORDED:  # what a machine shows that can run no kernel, or start no worker
        for cell in json.loads((ROOT / name).read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code" and cell["outputs"]:
                assert len(outputs["".join(cell["source"]).strip()]) == len(cell["outputs"])
    assert "widget-view" not in str(outputs)
    assert wheel.stat().st_size < 10 * 2**20
    assert metadata["License-Expression"] and metadata["Keywords"]
    assert {"lab", "gpu", "test"} <= set(metadata.get_all("Provides-Extra"))
    assert sum("dist-info/licenses/" in name for name in names) == 2
    assert "](../" not in metadata.get_payload() and "](docs/" not in metadata.get_payload()


@pytest.mark.weekly
def test_a_learner_begins_from_the_wheel(tmp_path, wheel):
    """Outside the repository, with this environment's packages: get, doctor, a lab's first check.
    30 s."""
    venv.create(tmp_path / "env", system_site_packages=False, with_pip=False)
    executable = tmp_path / "env/bin/python"
    ours = Path(sysconfig.get_path("purelib"))
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "env")}))
    with zipfile.ZipFile(wheel) as file:
        file.extractall(packages)
    for path in ours.iterdir():  # all but this package, which is editable here
        if "convladder" not in path.name.lower() and not (packages / path.name).exists():
            (packages / path.name).symlink_to(path)

    def convladder(*words: str) -> subprocess.CompletedProcess:
        code = "import sys; from convladder.cli import main; sys.exit(main())"
        return python("-c", code, *words, executable=executable, folder=tmp_path)

    assert convladder("get").returncode == 0
    course = tmp_path / "convladder-course"
    assert (course / "labs/01_im2col_gemm.ipynb").is_file()
    doctor = convladder("doctor").stdout
    assert f"course folder: {course} is writable" in doctor and "--editable" not in doctor
    first = (
        "import convladder; from convladder.teach import check; from pathlib import Path; "
        "print(convladder.__file__); print(check('im2col', None))"
    )
    done = python("-c", first, executable=executable, folder=course)
    assert str(packages) in done.stdout and "convladder" in done.stdout, done.stderr
