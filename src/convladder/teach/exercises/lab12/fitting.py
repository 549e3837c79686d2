"""Images that fit into shared memory, rightly and for other floats an image: lab 12."""

from __future__ import annotations

RESERVED = 1024  # bytes that the system keeps with each block, from compute capability 8.0 on


def images_that_fit(maps, room, blocks):
    return (room // blocks - RESERVED) // (4 * together(maps))


def together(maps):
    return max(one + other for one, other in zip(maps, maps[1:]))


def by(floats):
    """Answer with another number of floats an image."""
    return lambda maps, room, blocks: (room // blocks - RESERVED) // (4 * floats(maps))
