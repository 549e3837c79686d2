"""Marks cannot be forged, and honest answers are judged as `check` judges them. On Linux."""

import csv
import json
import shutil
import struct
import sys
from pathlib import Path

import pytest

from convladder.classroom.grade import jail, marking, report, wire
from convladder.classroom.grade.jail import Jail, JailError, visible

ROOT = Path(__file__).parents[3]
LAB = ROOT / "labs" / "03_mec.ipynb"


def can() -> bool:
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    try:
        found = Jail(marking.staged(LAB), "notebook", float("inf"))
    except JailError:
        return False
    try:
        found.send([])
        return "end" in found.receive(60)
    except jail.Ended:
        return False
    finally:
        found.stop()


@pytest.fixture(scope="module", autouse=True)
def walls():
    if not can():
        pytest.skip("this machine has no bubblewrap, or may not use it")


CHECK = "from convladder.teach import check\n"
RIGHT = (
    "def lowered_bytes(problem):\n    p = problem\n"
    "    return 4 * p.i_n * p.o_w * p.padded_h * p.k_w * p.i_c\n"
)
HONEST = {
    "alias": "other = lowered_bytes\ncheck('lowered_bytes', other)",
    "lambda": "check('lowered_bytes', lambda problem: lowered_bytes(problem))",
    "partial": "from functools import partial\ncheck('lowered_bytes', partial(lowered_bytes))",
    "callable object": (
        "class C:\n    def __call__(self, problem): return lowered_bytes(problem)\n"
        "check('lowered_bytes', C())"
    ),
    "method": (
        "class C:\n    def bytes(self, problem): return lowered_bytes(problem)\n"
        "check('lowered_bytes', C().bytes)"
    ),
    "decorated": (
        "from functools import wraps\ndef d(f):\n    @wraps(f)\n    def g(*a): return f(*a)\n"
        "    return g\ncheck('lowered_bytes', d(lowered_bytes))"
    ),
}
BY_HAND = r"""
import json, os, pickle, struct, sys
R, W = int(sys.argv[2]), int(sys.argv[3])
def say(message):
    data = json.dumps(message).encode(); os.write(W, struct.pack("<I", len(data)) + data)
def hear():
    def exactly(n):
        got = b""
        while len(got) < n: got += os.read(R, n - len(got))
        return got
    return pickle.loads(exactly(struct.unpack("<I", exactly(4))[0]))
"""
LIES = {
    "says passed": 'm = {"value": 0, "passed": True, "verdict": "passed", "callable": True}',
    "no message": 'm = {"callable": True}',
    "huge array": 'm = {"value": {"array": ["<f8", [10**6, 10**6], "", "C"]}, "callable": True}',
    "negative shape": 'm = {"value": {"array": ["<f8", [-1], "AA==", "C"]}, "callable": True}',
    "object dtype": 'm = {"value": {"array": ["|O8", [1], "AAAAAAAAAAA=", "C"]}, "callable": True}',
    "not a number": 'm = {"value": float("nan"), "callable": True}',
    "odd fields": 'm = {"value": 0, "changed": "x", "calls": 3, "callable": True, "shares": [99]}',
}
ODD = {
    "always equal": (
        "class E:\n    def __eq__(self, o): return True\n    def __sub__(self, o): return 0\n"
        "check('lowered_bytes', lambda problem: E())"
    ),
    "equal array": (
        "import numpy as np\nclass A(np.ndarray):\n    def __eq__(self, o): return True\n"
        "check('mec_lower', lambda *a: np.zeros((1, 1, 1, 1, 1), np.float32).view(A))"
    ),
    "number of its own": (
        "class I(int):\n    def __eq__(self, o): return True\n    __hash__ = int.__hash__\n"
        "check('lowered_bytes', lambda problem: I(3))"
    ),
    "patched compare": (
        "import convladder.grading.compare as c, convladder.grading.sandbox as s\n"
        "c.difference = lambda *a: None\ns.call = lambda *a: None\n"
        "check('lowered_bytes', lambda problem: 1)"
    ),
    "seeded answers": (
        "import numpy as np\nnp.random.default_rng = lambda *a: None\n"
        "check('lowered_bytes', lambda problem: {1: 2})"
    ),
}


def verdicts(*cells, seconds=60.0, lab=LAB):
    return marking.mark([CHECK, *cells], lab, 7, seconds)


def test_honest_answers_pass_whatever_they_are_called():
    judged = []
    judge, marking.judge = marking.judge, lambda *given: judged.append(judge(*given)) or judged[-1]
    tries, marking.TRIES = marking.TRIES, len(HONEST)
    try:
        verdicts(RIGHT, *HONEST.values())
    finally:
        marking.judge, marking.TRIES = judge, tries
    assert dict(zip(HONEST, judged, strict=True)) == dict.fromkeys(HONEST, "passed")


def test_forgeries_pass_nothing(monkeypatch):
    """In one process, an exercise each time; and by the protocol, spoken by hand."""
    monkeypatch.setattr(marking, "TRIES", 99)
    found, _ = verdicts(*ODD.values())
    assert "passed" not in found.values() and found["mec_lower"] != marking.NOTHING
    hand = "\n".join(
        f'{lie}\nsay({{"handed": "lowered_bytes"}})\nwhile hear() is not None: say(m)'
        for lie in LIES.values()
    )
    found, notes = verdicts(BY_HAND, hand)
    assert "passed" not in found.values() and not notes


def test_an_oracle_has_three_questions():
    cell = (
        'seen = []\nfor _ in range(50):\n    say({"handed": "lowered_bytes"})\n'
        "    n = 0\n"
        "    while (asked := hear()) is not None:\n        n += 1\n"
        '        seen.append(repr(asked)); say({"value": 0, "callable": True})\n'
        'open("/tmp/n", "w").write(str(sum(" None" not in s for s in seen)))\n'
    )
    tell = (
        'n = int(open("/tmp/n").read())\n'
        'say({"handed": "partition"})\nhear(); say({"value": {"list": [n, len(set(seen))]}})\n'
        "while hear() is not None: pass\n"
    )
    judged = []

    def counted(*given):
        judged.append(given)
        return judge(*given)

    judge, marking.judge = marking.judge, counted
    try:
        verdicts(BY_HAND, cell, tell)
    finally:
        marking.judge = judge
    assert sum(each[1].name == "lowered_bytes" for each in judged) == marking.TRIES
    seeds = [tuple(each[2]) for each in judged]
    assert len(set(seeds)) == len(seeds), "new cases each time"


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


def test_nothing_is_in_reach(monkeypatch):
    values = []
    monkeypatch.setattr(
        marking, "judge_run", lambda exercise, run, right: values.append(run.value or run.error)
    )
    verdicts(REACH)
    assert set(values) == {4}, values


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
    ],
    ids=["memory", "eight processes", "fork bomb", "disk", "4 GB message", "lists", "flood"],
)
def test_greed_is_ended_and_the_rest_is_judged(cell, monkeypatch):
    """A minute for all."""
    monkeypatch.setattr(marking, "CELL", 20.0)
    right = f"{RIGHT}check('lowered_bytes', lowered_bytes)"
    verdict = verdicts(cell, right, seconds=120)[0]["lowered_bytes"]
    assert verdict == "passed"


def test_of_the_package_only_what_the_lab_imports_is_there():
    found = visible(*jail.NEEDED, *marking.notebook_roots(tuple(marking.code_cells(LAB))))
    wrong = ("convladder.exercises.lab", "convladder.cpu.mec", "convladder.classroom.board")
    assert not [each for each in found if each.startswith(wrong)]
    assert "convladder.grading.sandbox" in found


def test_what_is_sent_comes_back_and_nothing_else():
    import numpy as np

    for value in (None, 3, 2.5, "x", (1, [2, {"a": (3,)}]), np.float32(3), np.eye(3, dtype="<f4")):
        again = wire.back(json.loads(json.dumps(wire.plain(value))))
        assert type(again) is type(value) and np.all(again == value)
    assert wire.back(wire.plain(...)) is ...
    for told in (
        {"list": 3},
        {"array": []},
        [1],
        {},
        {"array": ["|O", [1], "", "C"]},
        {"x": 1, "y": 2},
    ):
        try:
            assert type(wire.back(told)) is object or not isinstance(told, dict)
        except (ValueError, TypeError, KeyError):
            continue


def test_the_filter_is_what_the_kernel_reads():
    rules = jail.seccomp()
    steps = [struct.unpack_from("<HBBI", rules, at) for at in range(0, len(rules), 8)]
    for place, (code, yes, no, _) in enumerate(steps):
        assert code & 7 != 5 or place + 1 + max(yes, no) < len(steps)
    refusal = len(steps) - 1
    jumps = [place + 1 + yes for place, (code, yes, _, _) in enumerate(steps) if code == 0x15][1:-1]
    assert set(jumps) == {refusal}


def test_a_folder_of_learners_is_read_a_file_at_a_time(tmp_path, monkeypatch):
    for learner in ("ada", "=1+1", "eve"):
        (tmp_path / "submitted" / learner).mkdir(parents=True)
    shutil.copy(LAB, tmp_path / "submitted/ada/03_mec.ipynb")
    (tmp_path / "submitted/=1+1/03_mec.ipynb").write_text("{")
    (tmp_path / "submitted/eve/03_mec.ipynb").symlink_to(tmp_path / "submitted/ada/03_mec.ipynb")
    (tmp_path / "submitted/ada.zip").write_bytes(b"PK")
    monkeypatch.setattr(report, "mark", lambda *given: ({"lowered_bytes": "passed"}, []))
    found = report.mark_all(tmp_path / "submitted", {"03_mec": LAB}, 1, lambda line: None)
    assert [each.learner for each in found] == ["=1+1", "ada"]
    table, page = report.write(found, tmp_path)
    rows = list(csv.reader(table.read_text().splitlines()))
    assert rows[-1] == ["ada", "03_mec", "lowered_bytes", "1", "passed"]
    assert rows[1][0] == "'=1+1" and "no notebook" in rows[1][4] and "<h2>" in page.read_text()


LABS = sorted(path.stem for path in (ROOT / "labs").glob("*.ipynb"))


@pytest.mark.weekly
@pytest.mark.parametrize("lab", LABS)
def test_every_solution_passes_and_every_untouched_lab_fails(lab):
    """Ten minutes for all."""
    path = ROOT / "labs" / f"{lab}.ipynb"
    solved, notes = marking.mark(marking.code_cells(ROOT / "solutions" / path.name), path, 11)
    assert set(solved.values()) == {"passed"}, (solved, notes)
    stubs, _ = marking.mark(marking.code_cells(path), path, 11)
    assert "passed" not in stubs.values()
