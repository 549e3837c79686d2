"""The format of a replay: written by a `Scene`, and refused in a sentence where it is none."""

import json

import numpy as np
import pytest

from convladder.replay import Replay, ReplayError, Scene, check_trace
from convladder.replay.trace import MOST_BYTES, numbers, runs


def small_scene() -> Scene:
    scene = Scene("two cells", source=["a", "b"], lanes=2, rows=["warp 0"])
    x = scene.array("x", 1, 4, values=[1, 2, 3, 4])
    scene.step("reads", {"loads": 1}, read=[(x, [0, 1], [0, 1])], line=1, turns=3)
    scene.step("writes", {"loads": 1}, write=[(x, 2, 0, [9])], bars=[(0, 1, "store", "")])
    return scene


def small_trace() -> dict:
    return json.loads(json.dumps(Replay(small_scene(), alt="Two cells.").trace))


@pytest.mark.parametrize(
    "told, text",
    [
        ([], ""),
        ([5], "5"),
        ([0, 32, 64], "0:65:32"),
        ([7, 7, 7], "7*3"),
        ([0, 1, 2, 8, 8], "0:3,8*2"),
        ([3, 2, 1], "3,2,1"),
    ],
)
def test_runs_keep_numbers_and_their_order(told, text):
    assert runs(told) == text and numbers(text) == told
    told = np.random.default_rng(3).integers(0, 6, 40).tolist()
    assert numbers(runs(told)) == told


def test_a_tally_says_what_changed():
    first, second = small_scene().as_json()["steps"]
    assert first["tally"] == {"loads": 1} and "tally" not in second


@pytest.mark.parametrize(
    "path, value, said",
    [
        (("format",), "gif", "no replay"),
        (("version",), 2, "version 2 .* make the replay anew"),
        (("alt",), None, "alt is None; it must be a text"),
        (("pace",), 0, "1 millisecond at least"),
        (("scenes",), [], "one scene or two"),
        (("scenes",), 5, "scenes is 5; it must be a list"),
        (("scenes",), [5], "5 is in place of a dict with title"),
        (("scenes", 0), {"title": "a", "steps": []}, "'arrays' is missing"),
        (("scenes", 0, "arrays", 0, "rows"), "1", "rows is '1'; it must be a whole number"),
        (("scenes", 0, "arrays", 0, "rows"), 0, "1 × 1 is the least"),
        (("scenes", 0, "steps", 0, "line"), "1", "step 0: line is '1'"),
        (("scenes", 0, "steps", 0, "turns"), True, "turns is True"),
        (("scenes", 0, "steps", 0, "read", 0), [0], r"read has \[0\]; write \[array, cells"),
        (("scenes", 0, "steps", 0, "read", 0, 1), 0, "write .array, cells"),
        (("scenes", 0, "steps", 1, "bars", 0), [0, 1], "write .row, turns, kind"),
        (("scenes", 0, "steps"), [], "0 steps"),
        (("scenes", 0, "arrays", 0, "rows"), 5000, "20,000 cells"),
        (("scenes", 0, "arrays", 0, "values"), [1], "4 cells and 1 values"),
        (("scenes", 0, "steps", 0, "turns"), 2**31, "whole turns"),
        (("scenes", 0, "steps", 0, "line"), 3, "no line 3"),
        (("scenes", 0, "steps", 0, "read", 0, 0), 1, "no array 1"),
        (("scenes", 0, "steps", 0, "read", 0, 1), "0,4", "no cell 4 in x"),
        (("scenes", 0, "steps", 0, "read", 0, 1), "0-4", "no run of cells"),
        (("scenes", 0, "steps", 0, "read", 0, 1), "0:9999999", "more than 4,096 cells"),
        (("scenes", 0, "steps", 0, "read", 0, 1), "0:9*999999999", "more than 4,096 cells"),
        (("scenes", 0, "steps", 0, "read", 0, 2), "0,2", "no lane 2"),
        (("scenes", 0, "steps", 1, "write", 0, 3), [], "1 cells, and lanes or values of 0"),
        (("scenes", 0, "steps", 1, "bars", 0, 0), 1, "no such row"),
        (("scenes", 0, "steps", 0, "reads"), [], "has no 'reads'"),
    ],
)
def test_what_is_no_trace_is_refused_in_a_sentence(path, value, said):
    trace = small_trace()
    check_trace(trace)
    place = trace
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ReplayError, match=said):
        check_trace(trace)


def test_what_cannot_stand_side_by_side_is_refused_in_a_sentence():
    replay = Replay(small_scene(), alt="Two cells.")
    for other in (5, Replay.of(small_trace()), Replay(small_scene(), small_scene(), alt="Four.")):
        with pytest.raises(ReplayError, match="record two replays of one scene each"):
            replay.beside(other, alt="Both.")
    with pytest.raises(ReplayError, match="not of 'a'"):
        Replay("a", alt="A.")


def test_what_has_no_room_is_counted_and_said():
    scene = Scene("long")
    scene.array("x", 1, 1)
    kept = sum(scene.step(f"step {n} " + "x" * 200) for n in range(1000))
    assert 200 < kept < 1000
    assert scene.as_json()["left_out"] == f"The first {kept:,} of 1,000 steps are shown."
    trace = Replay(scene, scene, alt="Long.").trace
    assert len(json.dumps(trace)) < MOST_BYTES


def test_a_page_can_hold_any_trace():
    scene = Scene("</script>")
    scene.array("x", 1, 1)
    scene.step("reads", read=[(0, 0)])
    html = Replay(scene, alt='"Alt" & more').html
    assert html.count("</script>") == 1 and html.startswith("<p>&quot;Alt&quot; &amp; more</p>")
