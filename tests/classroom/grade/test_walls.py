"""What a jail shuts in: nothing is in reach, and greed costs the greedy alone. On Linux."""

import os
import struct
import zipfile

import pytest

from convladder.classroom.grade import jail, marking
from convladder.classroom.grade.jail import visible

from ...python import python
from ...test_package import built
from .conftest import LAB, RIGHT, ROOT, verdicts

REACH = r"""
import ctypes, glob, os, socket, subprocess
found = []
import convladder
P = convladder.__path__[0]
for place in ("/tmp", "/root", "/home", "/etc", "/var", "/srv", "/opt", P):
    found += glob.glob(place + "/**/*.ipynb", recursive=True)[:2] + glob.glob(place + "/shadow*")
found += glob.glob(P + "/**/lab[0-9]*", recursive=True) + glob.glob(P + "/shipped*")
found += glob.glob(P + "/cpu/*mec*") + glob.glob(P + "/classroom/board*")
paths = [p for p in __import__("sys").path if p != "/course"]
found += [f for p in paths for f in glob.glob(p + "/convladder/*")]
found += glob.glob("/usr/local/*") + glob.glob("/usr/share/*")
found += [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]
          if not line.strip().startswith("lo:")]
for address in (("127.0.0.1", 22),):
    try: socket.create_connection(address, 1); found.append(address)
    except OSError: pass
own = P + "/x.py", P + "/__init__.py"
for path in ("/x", "/usr/x", "/dev/x", *own, "/proc/sys/kernel/hostname"):
    try: open(path, "a").write("x"); found.append("wrote " + path)
    except OSError: pass
for name, call in (("setuid", lambda: os.setuid(0)), ("chroot", lambda: os.chroot("/tmp"))):
    try: call(); found.append(name)
    except OSError: pass
libc = ctypes.CDLL(None)
found += ["shm"] * (libc.shmget(0, 4096, 0o1600) >= 0)
found += ["memfd"] * (libc.memfd_create(b"x", 0) >= 0)
found += ["userns"] * (libc.unshare(0x10000000) == 0)
out = subprocess.run(["unshare", "-Urm", "true"], capture_output=True)
found += ["unshare"] * (out.returncode == 0)
found += [n for n in os.listdir("/proc") if n.isdigit() and int(n) > 20 and int(n) != os.getpid()]
found += [k for k in os.environ if "SEED" in k or "TOKEN" in k or "SSH" in k]
caps = open("/proc/self/status").read().split("CapEff:")[1].split()[0]
found += ["caps " + caps] * (int(caps, 16) != 0)
check("lowered_bytes", lambda problem: 4 if not found else str(found))
"""


def reached():
    """Return what a cell found, [4] where it found nothing."""
    values, judge_run = [], marking.judge_run
    marking.judge_run = lambda exercise, run, right: values.append(run.value or run.error)
    try:
        verdicts(REACH)
    finally:
        marking.judge_run = judge_run
    return sorted(set(values))


def test_nothing_is_in_reach():
    assert reached() == [4]


@pytest.mark.weekly
def test_nothing_of_a_wheel_is_in_reach(tmp_path):
    """30 s, most of it the build."""
    with zipfile.ZipFile(built("wheel", tmp_path)) as file:
        file.extractall(tmp_path / "site-packages")
    assert list(tmp_path.glob("site-packages/convladder/shipped/solutions/03*.ipynb"))
    code = (
        "from convladder.classroom.grade import marking\n"
        "assert 'site-packages' in marking.__file__\n"
        "from tests.classroom.grade.test_walls import reached; print(reached())"
    )
    paths = os.pathsep.join([str(tmp_path / "site-packages"), str(ROOT)])
    found = python("-c", code, folder=tmp_path, PYTHONPATH=paths)
    assert found.stdout == "[4]\n", found.stdout + found.stderr


@pytest.mark.weekly
def test_an_endless_cell_or_a_dead_process_costs_itself_alone(monkeypatch):
    monkeypatch.setattr(marking, "CELL", 15.0)
    right = f"{RIGHT}check('lowered_bytes', lowered_bytes)"
    for cell in (
        "while True: pass",
        "import os; os._exit(0)",
        "import os; os.kill(os.getpid(), 19)",
    ):
        found, notes = verdicts(cell, right)
        assert found["lowered_bytes"] == "passed" and len(notes) == 1
    found, _ = verdicts("check('partition', lambda *a: __import__('os')._exit(0))", right)
    assert found["lowered_bytes"] == "passed" and "its process" in found["partition"]


@pytest.mark.weekly
@pytest.mark.parametrize(
    "cell",
    [
        "a = []\nwhile True: a.append(bytearray(b'x') * (100 << 20))",
        "import os, time\nfor i in range(9):\n    if os.fork() == 0:\n"
        "        a = bytearray(b'x') * (500 << 20); time.sleep(20); os._exit(0)\ntime.sleep(20)",
        "import os, time\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(60)\n"
        "except OSError: pass",
        "for i in range(99):\n    open(f'/tmp/{i}', 'wb').write(b'x' * (60 << 20))",
        "import os, struct, sys\nos.write(int(sys.argv[3]), struct.pack('<I', 2**32 - 1))",
        "import os, struct, sys\nd = b'[' + b'[],' * 9_000_000\n"
        "v = memoryview(struct.pack('<I', len(d)) + d)\n"
        "while v: v = v[os.write(int(sys.argv[3]), v):]",
        "import os, sys\nwhile True: os.write(int(sys.argv[3]), b'\\x05\\x00\\x00\\x00[[[[[')",
        "import mmap\nkept, x = [], b'x' * (100 << 20)\nfor _ in range(200):\n"
        "    m = mmap.mmap(-1, 100 << 20); kept.append(m)\n"
        "    m.write(x); m.madvise(mmap.MADV_DONTNEED)",
        "import os\nfor _ in range(3): os.fork()",
        "import ctypes\nctypes.CDLL(None).prctl(15, b'\\xff\\xfe', 0, 0, 0)\n"
        "import os, time\nfor i in range(9):\n    if os.fork() == 0:\n"
        "        a = bytearray(b'x') * (500 << 20); time.sleep(20); os._exit(0)\ntime.sleep(20)",
    ],
    ids=[
        *("memory", "eight processes", "fork bomb", "disk", "4 GB message", "lists", "flood"),
        *("unmapped", "forked", "no name"),
    ],
)
def test_greed_is_ended_and_the_rest_is_judged(cell, monkeypatch, request):
    """A minute for all."""
    greedy = request.node.callspec.id in ("memory", "eight processes", "unmapped", "no name")
    monkeypatch.setattr(marking, "CELL", 80.0 if greedy else 20.0)  # busy machines are slow
    monkeypatch.setattr(jail, "MEMORY", 1 << 30)  # sooner full
    right = f"{RIGHT}check('lowered_bytes', lowered_bytes)"
    found, notes = verdicts(cell, right, seconds=120)
    assert found["lowered_bytes"] == "passed"
    if greedy:
        assert "memory" in notes[0].lower()  # of Python's own limit, or of the watcher's


def test_of_the_package_only_what_the_lab_imports_is_there():
    found = visible(*jail.NEEDED, *marking.notebook_roots(tuple(marking.code_cells(LAB))))
    wrong = ("convladder.exercises.lab", "convladder.cpu.mec", "convladder.classroom.board")
    assert not [each for each in found if each.startswith(wrong)]
    assert "convladder.grading.sandbox" in found


def test_the_filter_is_what_the_kernel_reads():
    rules = jail.seccomp()
    steps = [struct.unpack_from("<HBBI", rules, at) for at in range(0, len(rules), 8)]
    for place, (code, yes, no, _) in enumerate(steps):
        assert code & 7 != 5 or place + 1 + max(yes, no) < len(steps)
    refusal = len(steps) - 1
    jumps = [place + 1 + yes for place, (code, yes, _, _) in enumerate(steps) if code == 0x15][1:-1]
    assert set(jumps) == {refusal}
