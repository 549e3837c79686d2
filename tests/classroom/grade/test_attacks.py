"""What a submission may try: each gains nothing, costs no other exercise, or is said to."""

from dataclasses import replace

import pytest

from convladder.classroom.grade.judging import judge_notebook
from convladder.classroom.grade.notebook import parse
from convladder.classroom.grade.secret import Exercises
from convladder.classroom.grade.walls import NAMESPACES, Limits, cache_folder, walls
from convladder.teach.exercises import load_exercise

from .submitted import Submitted

pytestmark = pytest.mark.skipif(
    walls() != NAMESPACES, reason="needs namespaces: Linux, as root or with user namespaces"
)
LIMITS = Limits(call=1.0, cell=20.0)
EXERCISES = Exercises(20261122)


def judged(submitted, lab=1, limits=LIMITS, cache=None):
    return judge_notebook(
        parse(submitted.data), EXERCISES.of_lab(lab), EXERCISES, limits, NAMESPACES, cache
    )


def stages(result):
    return {name: each.verdict.stage for name, each in result.graded.items()}


PATCHES = """
import convladder.teach, sys
import convladder.teach.grading.check as check_module
import convladder.teach.grading.judge as judge_module
import convladder.teach.grading.verdict as verdict
passed = verdict.Verdict("x", "passed", "It is right.")
convladder.teach.check = check_module.check = check_module.grade = lambda *a, **k: passed
check_module.verdict_on = lambda *a: passed
judge_module.judge = lambda *a: verdict.Finding("passed", "is right.")
verdict.Verdict.passed = True
"""
# Says what it could reach; where it could reach nothing, that it was run at all.
REACHES = """
import glob, os, signal, socket
found = []
for place in ("/tmp", "/work", "/root", "/home", "/etc", "/var", "/mnt", "/srv"):
    found += glob.glob(place + "/**/*.ipynb", recursive=True)[:3]
    found += glob.glob(place + "/shadow*")
import convladder.teach.exercises as exercises
found += glob.glob(exercises.__path__[0] + "/lab*/*")
found += [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 4]
for address in (("1.1.1.1", 53), ("127.0.0.1", 22)):
    try:
        socket.create_connection(address, 1)
        found.append(address)
    except OSError:
        pass
for path in ("/x", "/usr/x", exercises.__path__[0] + "/x.py", exercises.__path__[0] + "/lab01/x",
             convladder.__file__, "/proc/sys/kernel/hostname", "/dev/sda"):
    try:
        open(path, "w").write("x")
        found.append(path)
    except OSError:
        pass
for call in (lambda: os.setuid(0), lambda: os.chroot("/tmp"), lambda: os.mknod("/tmp/d", 0o60600),
             lambda: os.kill(os.getppid() or 1 << 22, signal.SIGKILL)):
    try:
        call()
        found.append(call.__code__.co_firstlineno)
    except OSError:
        pass
import subprocess
inside = exercises.__path__[0] + "/lab01"
done = subprocess.run(["unshare", "-Urm", "sh", "-c", f"umount {inside}; ls {inside}; "
                       f"mount -o remount,rw {convladder.__path__[0]} && echo writable"],
                      capture_output=True, text=True)
found += done.stdout.split()
found += [key for key in os.environ if "SEED" in key or "TOKEN" in key]
raise SystemError(f"reached {found}")
"""
PICKLED = """
class Evil:
    def __reduce__(self):
        return exec, ("raise SystemExit",)
    def __eq__(self, other):
        return True
def lower_windows(x, k_h, k_w, stride, padding):
    class Array(np.ndarray):
        def __array_finalize__(self, other):
            raise SystemExit
    return np.array([Evil()] * 5)
"""


@pytest.fixture(scope="module")
def reached():
    """One process in which several things are tried."""
    lab = Submitted("01").claim("output_shape", "faster_lower")
    lab.put("output_shape", "").put("lower_windows", PICKLED)
    lab.put(
        "window_columns",
        "def window_columns(image, k_h, k_w):\n"
        "    print('window_columns: passed')\n"
        "    return 'window_columns: passed'\n",
    )
    lab.put(
        "convolve_gemm",
        "def convolve_gemm(x, w, stride, padding):\n"
        "    raise type('<script>', (Exception,), {})('<b>' * 5000)\n",
    )
    lab.insert(PICKLED, 1).insert("import numpy as np\n" + REACHES).insert(PATCHES)
    return judged(lab)


def test_a_patched_judge_gains_nothing_and_is_seen(reached):
    assert "passed" not in stages(reached).values()
    assert any("uses the code that judges" in sign for sign in reached.signs)
    assert any("replaces what judges" in sign for sign in reached.signs)


def test_a_patched_check_hands_nothing_over(reached):
    """Once `check` is another's, nothing is handed in: that is all."""
    assert set(stages(reached).values()) == {"not handed in"}


def test_no_file_process_or_network_is_reached(reached):
    assert [note for note in reached.notes if "reached" in note] == [
        "cell 2 failed: SystemError: reached []"
    ]


def test_a_forged_verdict_is_flagged(reached):
    assert [name for name, each in reached.graded.items() if each.forged] == [
        "output_shape",
        "faster_lower",
    ]


GREEDY = (
    "def faster_lower(x, k_h, k_w, stride, padding):\n"
    "    many = [np.zeros(1 << 20) for _ in range(3)]\n"
    "    return original(x, k_h, k_w, stride, padding)\n"
    "def original(x, k_h, k_w, stride, padding):\n"
    "    (s_h, s_w), (p_h, p_w) = stride, padding\n"
    "    padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))\n"
    "    windows = np.lib.stride_tricks.sliding_window_view(\n"
    "        padded, (k_h, k_w), axis=(1, 2))\n"
    "    rows = windows[:, ::s_h, ::s_w].transpose(0, 1, 2, 4, 5, 3)\n"
    "    return rows.reshape(-1, k_h * k_w * x.shape[3]).copy()\n"
)


KEEPING = (
    "KEPT = {}\n"
    "def edge_strength(photo):\n"
    "    grey = np.pad(photo.mean(axis=2, dtype=np.float32), 1)\n"
    "    across = grey[:, 2:] - grey[:, :-2]\n"
    "    down = grey[2:] - grey[:-2]\n"
    "    both = np.hypot(across[:-2] + across[1:-1] + across[2:],\n"
    "                    down[:, :-2] + down[:, 1:-1] + down[:, 2:])\n"
    "    kept = KEPT.setdefault(both.shape, both)\n"
    "    kept[...] = both / (both.max() or 1)\n"
    "    return kept\n"
)


@pytest.fixture(scope="module")
def odd():
    """A notebook whose answers end their process, are no data, and raise what is no text."""
    lab = Submitted("01", "solutions").put("faster_lower", GREEDY).put("lower_windows", PICKLED)
    lab.put(
        "window_columns", "def window_columns(image, k_h, k_w):\n    import os\n    os._exit(0)\n"
    )
    lab.put(
        "convolve_gemm",
        "def convolve_gemm(x, w, stride, padding):\n"
        "    raise type('<script>', (Exception,), {})('<b>' * 5000)\n",
    )
    lab.put("edge_strength", KEEPING)
    lab.insert("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\nos.abort()")
    return judged(lab)


@pytest.mark.weekly
def test_a_process_that_ends_costs_one_exercise(odd):
    assert odd.graded["window_columns"].verdict.stage == "raised"
    assert odd.graded["window_columns"].forged  # the solution's own output says passed
    assert odd.graded["output_shape"].verdict.passed
    assert odd.graded["faster_lower"].verdict.stage == "over budget"
    assert odd.graded["edge_strength"].verdict.stage == "keeps its result"


def test_results_that_are_no_data_are_verdicts(odd):
    assert odd.graded["lower_windows"].verdict.stage == "wrong shape or dtype"
    message = odd.graded["convolve_gemm"].verdict.message
    assert "script: <b>" in message and len(message) < 1000


def table():
    """Return an answer that has those of the cases in `check`, and knows what it is asked."""
    exercise = load_exercise("output_shape")
    known = {args: exercise.reference(*args) for args in exercise.seeded_cases()}
    return f"def output_shape(*asked):\n    return {known}.get(asked, (2, 3))\n"


@pytest.fixture(scope="module")
def forging():
    """A notebook with a table for an answer, and with an answer whose bytes nobody counts."""
    return judged(
        Submitted("01", "solutions")
        .put("output_shape", table())
        .put("faster_lower", GREEDY)
        .insert("import tracemalloc\ntracemalloc.get_traced_memory = lambda: (0, 0)")
    )


def test_a_table_of_answers_that_passes_check_is_refused(forging):
    assert forging.graded["output_shape"].verdict.stage == "wrong values"
    assert forging.graded["output_shape"].forged  # it does show "passed"


def test_what_only_the_process_itself_can_tell_is_called_that(forging):
    """A forged measurement passes; the page says on whose word, and its import is a sign."""
    graded = forging.graded["faster_lower"]
    assert graded.verdict.passed and graded.told == ("the bytes of workspace",)
    assert forging.signs == ("cell 1 reaches into measuring",)


@pytest.mark.weekly
@pytest.mark.parametrize(
    "cell, why",
    [
        (
            "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
            "more than",
        ),
        ("while True:\n    pass", "stopped after"),
        ("import os\nfor i in range(3):\n    os.fork()\n", ""),
        (
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    while True:\n        time.sleep(1)",
            "",
        ),
        ("hold = []\nwhile True:\n    hold.append(b'x' * (1 << 26))", ""),
        (
            "import os\nfor end in range(3, 1000):\n    try:\n        os.write(end, b'x' * 1000)\n"
            "    except OSError:\n        pass",
            "no answer",
        ),
        (
            "import os\nfor end in range(3, 1000):\n    try:\n        os.close(end)\n"
            "    except OSError:\n        pass",
            "",
        ),
        ("f = open('/tmp/large', 'wb')\nwhile True:\n    f.write(bytes(1 << 20))", ""),
        ("import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()", ""),
        (
            "import threading\nwhile True:\n    threading.Thread(target=lambda: [0 for _ in iter(int, 1)],"
            " daemon=True).start()",
            "",
        ),
        ("get_ipython().run_line_magic('reset', '-f')\nfrom convladder.teach import check", ""),
    ],
    ids=[
        "fork bomb",
        "endless",
        "forks",
        "left behind",
        "memory",
        "garbage",
        "closes",
        "disk",
        "recursion",
        "threads",
        "reset",
    ],
)
def test_whatever_a_cell_does_the_other_exercises_are_judged(cell, why):
    lab = Submitted("01", "solutions").insert(cell, 1)
    result = judged(lab, limits=replace(LIMITS, cell=5.0, call=10.0))
    assert set(stages(result).values()) == {"passed"}
    assert why in " ".join(result.notes)


@pytest.mark.weekly
@pytest.mark.parametrize(
    "body, stage",
    [
        ("while True:\n        pass", "takes too long"),
        (
            "try:\n        while True: pass\n    except BaseException:\n        while True: pass",
            "takes too long",
        ),
        (
            "import os\n    while True:\n        try: os.fork()\n        except OSError: pass",
            "raised",
        ),
        ("hold = []\n    while True:\n        hold.append(np.ones(1 << 24))", "raised"),
        ("return np.ones((1 << 13, 1 << 13))", "wrong shape or dtype"),
        (
            "import numba\n    @numba.njit\n    def spin(n):\n        while n > 0: n += 1 - n % 2\n"
            "        return n\n    spin(2)",
            "takes too long",
        ),
    ],
    ids=["endless", "stubborn", "fork bomb", "memory", "large result", "compiled"],
)
def test_whatever_an_answer_does_costs_that_exercise_alone(body, stage):
    lab = Submitted("01", "solutions").put(
        "window_columns", f"def window_columns(image, k_h, k_w):\n    {body}\n"
    )
    found = stages(judged(lab, limits=replace(LIMITS, call=5.0, memory=1 << 30)))
    assert found.pop("window_columns") in (stage, "raised", "takes too long")
    assert set(found.values()) == {"passed"}


@pytest.mark.weekly
def test_kernels_are_judged_and_those_that_attack_are_stopped():
    lab = (
        Submitted("06", "solutions")
        .put(
            "counts",
            '''counts = r"""
extern "C" __global__ void histogram(const unsigned char *x, unsigned *bins, int n)
{
    volatile int *nowhere = (volatile int *)16;
    for (;;) *nowhere = 1;
}"""''',
        )
        .put(
            "mended",
            '''mended = r"""
extern "C" int system(const char *);
extern "C" __global__ void pool(const float *x, float *y, int i_h, int i_w)
{
    system("touch /tmp/here");
}"""''',
        )
        .put("lower", """lower = 'extern "C" __global__ void lower(' """)
        .put("waiting", "waiting = '/etc/passwd'")
    )
    found = stages(judged(lab, 6, Limits(), cache_folder()))
    assert found["grey"] == found["my_direct"] == "passed"
    assert found["histogram"] == "fault" and found["mec_kernel"] == "does not compile"
    assert found["pool"] in ("does not compile", "wrong values", "fault")
    assert found["row_blur"] != "passed"
