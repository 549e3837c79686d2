"""Who is who on the board: a keyed digest in the database, a name or a pseudonym on the wall."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from .wire import shown_name

COLOURS = """
    amber azure beige blue bronze coral crimson cyan gold green grey indigo ivory jade lime magenta
    mint navy olive opal orange pearl pink plum purple red ruby silver teal violet white yellow
""".split()
ANIMALS = """
    badger bear beaver bison camel cat crane deer dolphin eagle elk falcon finch fox frog gecko
    goose hare hawk heron horse ibex koala lemur lion lynx mole moose otter owl panda puffin rabbit
    raven robin seal shark sheep sloth snail stork swan tiger toad trout turtle viper walrus whale
    wolf wren yak zebra
""".split()


def new_key() -> str:
    """Return a key for a lesson, 256 bits in hexadecimal."""
    return secrets.token_hex(32)


def who_is(key: str, learner: str) -> str:
    """Return what stands for a learner in a lesson: HMAC-SHA256 of who they are, 128 bits of it.
    Without the lesson's key nobody comes from it to the learner."""
    return hmac.new(bytes.fromhex(key), learner.encode(), hashlib.sha256).hexdigest()[:32]


def pseudonym(who: str) -> str:
    """Return two words for a digest: "teal otter"."""
    number = int(who[:12], 16)
    return f"{COLOURS[number % len(COLOURS)]} {ANIMALS[number // 64 % len(ANIMALS)]}"


def free(wanted: str, taken: set[str]) -> str:
    """Return a name that nobody in the room has: "Ada", else "Ada (2)"."""
    wanted = shown_name(wanted) or "somebody"
    if wanted not in taken:
        return wanted
    return next(
        name for number in range(2, len(taken) + 3) if (name := f"{wanted} ({number})") not in taken
    )
