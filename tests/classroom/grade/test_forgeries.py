"""Twenty-two forgeries pass nothing; honest answers pass, whatever they are called. On Linux."""

import pytest

from convladder.classroom.grade import marking

from .conftest import RIGHT, verdicts

HONEST = {
    "alias": "other = lowered_bytes\ncheck('lowered_bytes', other)",
    "partial": "from functools import partial\ncheck('lowered_bytes', partial(lowered_bytes))",
    "callable object": (
        "class C:\n    def __call__(self, problem): return lowered_bytes(problem)\n"
        "check('lowered_bytes', C())"
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
    "seeded answers": (
        "import numpy as np\nnp.random.default_rng = lambda *a: None\n"
        "check('lowered_bytes', lambda problem: {1: 2})"
    ),
    "another class's name": (
        "import numpy as np\nclass N:\n    __class__ = np.ndarray\n    dtype = np.dtype('<f4')\n"
        "    shape = (1,)\ncheck('mec_lower', lambda *a: N())"
    ),
    "patched tracemalloc": (
        "import tracemalloc\ntracemalloc.get_traced_memory = lambda: (0, 0)\n"
        "check('lowered_bytes', lambda problem: 0)"
    ),
    "filled in after it returned": (
        "import threading, numpy as np\ndef late(x, problem):\n"
        "    kept = np.zeros((1,) * 5, 'f4')\n"
        "    threading.Timer(0.1, kept.fill, [7]).start()\n    return kept\n"
        "check('mec_lower', late)"
    ),
    "replays what it saw": (
        "seen = {}\ndef replay(problem):\n    return seen.setdefault(repr(problem), len(seen))\n"
        "check('lowered_bytes', replay)"
    ),
    "looks for the answer in other frames": (
        "import gc, sys, numpy as np\ndef steal(x, problem):\n"
        "    frame, found = sys._getframe(), []\n"
        "    while frame:\n        found += frame.f_locals.values()\n        frame = frame.f_back\n"
        "    found += gc.get_objects()\n"
        "    return next((e for e in found if isinstance(e, np.ndarray) and e.ndim == 5), 0)\n"
        "check('mec_lower', steal)"
    ),
    "the course's function, unwatched": (
        "from sys import setprofile\ndef ours(x, problem):\n    setprofile(None)\n"
        "    from convladder.cpu.mec import lower\n    return lower(x, problem)\n"
        "check('mec_lower', ours)"
    ),
    "the course's function in a pool": (
        "from concurrent.futures import ThreadPoolExecutor\ndef work(x, problem):\n"
        "    from convladder.cpu.mec import lower\n    return lower(x, problem)\n"
        "check('mec_lower', lambda *a: ThreadPoolExecutor(1).submit(work, *a).result())"
    ),
    "the course's code under another file's name": (
        "def borrowed(x, problem):\n    import inspect, convladder.cpu.mec as mec\n"
        "    names = dict(vars(mec))\n"
        "    exec(compile(inspect.getsource(mec.lower), 'own', 'exec'), names)\n"
        "    return names['lower'](x, problem)\ncheck('mec_lower', borrowed)"
    ),
    "the exercise's own solution": (
        "def given(x, problem):\n    from convladder.exercises import load_exercise\n"
        "    return load_exercise('mec_lower').right(x, problem)\ncheck('mec_lower', given)"
    ),
    "the shipped notebook": (
        "def shipped(x, problem):\n    import glob, json, sys\n    names = {}\n"
        "    for root in [*sys.path, '/course', sys.prefix, '/usr/share']:\n"
        "        for deep in ('', '/..', '/*', '/*/*'):\n"
        "          for path in glob.glob(root + deep + '/solutions/03*.ipynb'):\n"
        "            for cell in json.load(open(path))['cells']:\n"
        "                exec(''.join(cell['source']), names)\n"
        "    return names['mec_lower'](x, problem)\ncheck('mec_lower', shipped)"
    ),
    # The last one, as nothing works in that process afterwards.
    "patched compare": (
        "import convladder.grading.compare as c, convladder.grading.sandbox as s\n"
        "c.difference = lambda *a: None\ns.call = lambda *a: None\n"
        "check('lowered_bytes', lambda problem: 1)"
    ),
}


@pytest.fixture
def judged(monkeypatch):
    """Every judgement, in order; as many as a notebook asks for."""
    found, judge = [], marking.judge
    monkeypatch.setattr(marking, "TRIES", 99)
    monkeypatch.setattr(marking, "judge", lambda *given: found.append(judge(*given)) or found[-1])
    return found


@pytest.mark.parametrize("kind", HONEST)
def test_honest_answers_pass_whatever_they_are_called(kind):
    assert verdicts(RIGHT, HONEST[kind])[0]["lowered_bytes"] == "passed"


def test_an_answer_that_has_passed_is_not_judged_again(judged):
    verdicts(RIGHT, HONEST["alias"], "check('lowered_bytes', lambda problem: 0)")
    assert judged == ["passed"]


def test_odd_answers_pass_nothing(judged):
    verdicts(*ODD.values())
    assert "passed" not in dict(zip(ODD, judged, strict=True)).values()


def test_the_protocol_spoken_by_hand_passes_nothing(judged):
    hand = "\n".join(
        f'{lie}\nsay({{"handed": "lowered_bytes"}})\nwhile hear() is not None: say(m)'
        for lie in LIES.values()
    )
    _, notes = verdicts(BY_HAND, hand)
    assert "passed" not in dict(zip(LIES, judged, strict=True)).values() and not notes


def test_an_oracle_has_three_questions(monkeypatch):
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
    judged, judge = [], marking.judge
    monkeypatch.setattr(marking, "judge", lambda *given: judged.append(given) or judge(*given))
    verdicts(BY_HAND, cell, tell)
    assert sum(each[1].name == "lowered_bytes" for each in judged) == marking.TRIES
    seeds = [tuple(each[2]) for each in judged]
    assert len(set(seeds)) == len(seeds), "new cases each time"
