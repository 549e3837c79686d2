"""The replays of arenas and sums: no two arrays meet, and every worker has the sum."""

from convladder.networks import memory
from convladder.networks.memory import Block
from convladder.replay.trace import numbers
from convladder.teach.replays import all_reduce_replay, arena_replay

from .scene_values import last_tally, last_values


def test_every_worker_ends_with_the_sum():
    ring, by_one = all_reduce_replay().scenes
    for scene, turns in ((ring, 6), (by_one, 24)):
        assert last_values(scene, 0) == [1 + 2 + 3 + 4] * 16
        assert last_tally(scene) == {"pieces sent": 24} and scene.turns == turns
    assert all(len(step["bars"]) == 4 for step in ring.steps)


def test_a_cell_is_free_before_it_is_used_again():
    kib = 1024
    blocks = (Block("a", 64 * kib, 0, 1), Block("b", 64 * kib, 1, 2), Block("c", 64 * kib, 2, 3))
    plan = memory.best(blocks)
    shared, own = arena_replay(plan).scenes
    assert last_tally(shared)["bytes taken so far"] == plan.bytes == 128 * kib
    assert last_tally(own)["bytes taken so far"] == 192 * kib
    for scene in (shared, own):
        used = set()
        for step in scene.steps:
            used -= {cell for _, cells in step.get("free", ()) for cell in numbers(cells)}
            made = {cell for _, cells, *_ in step.get("write", ()) for cell in numbers(cells)}
            assert not used & made
            used |= made
