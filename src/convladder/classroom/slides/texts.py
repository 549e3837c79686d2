"""What is written by hand: one sentence for each section, `texts/NN.toml`, keyed by its heading."""

from __future__ import annotations

import tomllib
from pathlib import Path

from .sections import Section

TEXTS = Path(__file__).with_name("texts")
MOST_WORDS = 15


class SlidesError(Exception):
    """Slides that cannot be made; the text says why, and what to do."""


def sentences(number: str, folder: Path = TEXTS) -> dict[str, str]:
    """Return heading -> sentence of chapter `number`, "03".

    Raises SlidesError where there is no file, or it is not of that form.
    """
    path = folder / f"{number}.toml"
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SlidesError(
            f"chapter {number} has no sentences: write {path}, a line "
            '"heading" = "sentence" for each section'
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise SlidesError(f"{path} is not TOML: {error}") from error
    for heading, sentence in read.items():
        if not isinstance(sentence, str) or not sentence.strip():
            raise SlidesError(f"{path}: {heading!r} has no sentence")
    return read


def unmatched(parts: list[Section], given: dict[str, str]) -> list[str]:
    """Return what does not go together, a line each: sections without a sentence, and sentences
    without a section. The chapter's own title needs none.
    """
    titles = [part.title for part in parts if part.level > 1]
    lacking = [f"no sentence for the section {title!r}" for title in titles if title not in given]
    left = [
        f"a sentence for {title!r}, which is no section" for title in given if title not in titles
    ]
    return lacking + left
