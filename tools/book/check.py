"""Checks of a built book: it is self-contained, its links hold, and it keeps to its budgets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .players import explores, first_alt, stored_alt
from .stage import FRAMES, notebooks

PAGE_BYTES = 500_000
OF_REPLAYS = "docs/watch.html"  # with all of them it weighs more
SITE_BYTES = 40_000_000  # without frames
# What a browser fetches by itself; a link is followed by the reader alone.
FETCHED = {
    "img": "src",
    "script": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
NOT_FETCHED = {"next", "prev", "search", "index", "author", "canonical"}  # of <link rel=...>
IN_CSS = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\");]+)")


@dataclass
class HtmlPage(HTMLParser):
    """One page of the site: its references, and the anchors that it offers."""

    path: Path
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    pictures: list[str | None] = field(default_factory=list)  # alt texts
    players: list[dict] = field(default_factory=list)
    moving: list[str | None] = field(default_factory=list)  # alt of the picture before each player

    def __post_init__(self) -> None:
        super().__init__()
        self._in_player: str | None = None
        self._wants_data = False
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag refers to."""
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "img":
            self.pictures.append(given.get("alt"))
        elif tag == "div" and given.get("class") == "player":
            self.moving.append(self.pictures[-1] if self.pictures else None)
        elif tag == "script" and given.get("type") == "application/json":
            self._wants_data = True
        rel = set((given.get("rel") or "").split())
        address = given.get(FETCHED.get(tag, ""))
        if address and not (tag == "link" and rel & NOT_FETCHED):
            self.fetched.append(address)

    def handle_data(self, data: str) -> None:
        """Read the data of a player."""
        if self._wants_data:
            self.players.append(json.loads(data))
            self._wants_data = False


def check(root: Path, site: Path) -> Iterator[str]:
    """Yield the faults of the site made from the checkout at `root`, a sentence each."""
    pages = {path: HtmlPage(path) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site} holds no page"
    ids = {path: set(page.ids) for path, page in pages.items()}
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        if path.stat().st_size > PAGE_BYTES and name != OF_REPLAYS:
            yield f"{name}: {path.stat().st_size:,} bytes, more than {PAGE_BYTES:,}"
        for again in sorted({each for each in page.ids if page.ids.count(each) > 1}):
            yield f"{name}: two elements with the id {again!r}"
        for address in page.fetched:
            if _is_elsewhere(address):
                yield f"{name}: fetches {address}"
            elif (
                not address.startswith("data:")
                and not path.parent.joinpath(_file_of(address)).is_file()
            ):
                yield f"{name}: {address} is not there"
        yield from (
            f"{name}: leads to {link}, which {why}"
            for link in page.links
            if (why := _dead(link, path, ids))
        )
        if any(not alt for alt in page.pictures):
            yield f"{name}: a picture without alt text"
        for data, alt in zip(page.players, page.moving, strict=True):
            yield from (f"{name}: a player {what}" for what in _player(data, alt, path, site))
    yield from _players_of(root, site, pages)
    for path in sorted(site.rglob("*.css")):
        for address in IN_CSS.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site).as_posix()}: fetches {address}"
    size = sum(
        path.stat().st_size
        for path in site.rglob("*")
        if path.is_file() and FRAMES not in path.relative_to(site).parts
    )
    if size > SITE_BYTES:
        yield f"the site: {size:,} bytes without frames, more than {SITE_BYTES:,}"


def _is_elsewhere(address: str) -> bool:
    return address.startswith("//") or bool(urlsplit(address).scheme not in ("", "data"))


def _file_of(address: str) -> str:
    return unquote(urlsplit(address).path) or "."


def _dead(link: str, page: Path, ids: dict[Path, set[str]]) -> str:
    """Return why a link within the site leads nowhere, "" if it leads somewhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = page.parent.joinpath(unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return "is not there"
    if parts.fragment and target in ids and unquote(parts.fragment) not in ids[target]:
        return "has no such place"
    return ""


def _player(data: dict, alt: str | None, page: Path, site: Path) -> Iterator[str]:
    """Yield the faults of a player that follows a picture with that alt text."""
    if first_alt(data) != alt:
        yield f"begins with {first_alt(data)!r}, its picture with {alt!r}"
    files = {frame["file"] for frame in data["frames"].values() if "file" in frame}
    there = {path.name for path in (site / FRAMES / page.stem).rglob("*.png")}
    if files - there:
        yield f"lacks {len(files - there)} frames"


def _players_of(root: Path, site: Path, pages: dict[Path, HtmlPage]) -> Iterator[str]:
    """Yield the chapters with frames whose pages lack a player, in its turn, for an `explore`."""
    for chapter in notebooks(root):
        wanted = [stored_alt(cell) for cell in chapter.nb.cells if explores(cell)]
        page = pages.get(site / f"{chapter.name}.html")
        if page is None:
            yield f"{chapter.name} has no page"
        elif (site / FRAMES / page.path.stem).is_dir() and page.moving != wanted:
            yield (
                f"{chapter.name}: {len(page.moving)} players for {len(wanted)} pictures with "
                "controls; draw the frames again"
            )
