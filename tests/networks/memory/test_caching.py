"""A caching allocator: what is freed is used again, joined with its neighbours, never moved."""

import pytest

from convladder.networks.memory import CachingAllocator


def test_the_smallest_free_piece_that_fits_is_split():
    memory = CachingAllocator()
    for name, size in (("a", 8), ("b", 5)):
        memory.allocate(name, size)
    memory.free("a")
    memory.free("b")
    memory.allocate("c", 4)  # from the piece of 5
    assert [[(p.owner, p.size) for p in segment] for segment in memory.segments] == [
        [(None, 8)],
        [("c", 4), (None, 1)],
    ]
    assert (memory.allocated, memory.reserved) == (4, 13)


def test_free_pieces_may_be_many_and_none_large_enough():
    memory = CachingAllocator()
    memory.allocate("all", 12)
    memory.free("all")
    for name in "abc":
        memory.allocate(name, 4)
    memory.free("a")
    memory.free("c")
    memory.allocate("d", 6)  # 8 are free, in two pieces
    assert memory.reserved == 18
    memory.free("b")
    memory.allocate("e", 12)  # the three have grown together
    assert memory.reserved == 18
    with pytest.raises(KeyError):
        memory.free("a")
