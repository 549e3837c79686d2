"""The stand-ins of `convladder.exercises.mocks`, under the name that notebooks import."""

from ..exercises.mocks import *  # noqa: F403
