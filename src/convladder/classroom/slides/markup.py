"""Markdown and code as the HTML of a slide: no links, no raw HTML, formulas as MathML."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape
from typing import Any

from tools.book.stage import FormulaError, mathml
from ...text import install_text
from .texts import SlidesError

KEPT_TAGS = re.compile(r"</?(?:sub|sup|kbd|code|em|strong|b|i|br)\s*/?>")
LEXERS = {"c++": "cuda", "cuda": "cuda", "python": "python", "diff": "diff", "bash": "bash"}


@lru_cache(maxsize=1)
def _markdown() -> Any:
    try:
        import mistune
        from docutils.utils import math as _  # noqa: F401
    except ModuleNotFoundError as error:
        lacking = (error.name or "").partition(".")[0]
        raise SlidesError(f"{lacking} is not installed: {install_text('slides')}") from error

    class Renderer(mistune.HTMLRenderer):
        """HTML that leads nowhere and loads nothing."""

        def link(self, text: str, url: str, title: str | None = None) -> str:
            return text

        def image(self, text: str, url: str, title: str | None = None) -> str:
            return ""

        def inline_html(self, html: str) -> str:
            return html if KEPT_TAGS.fullmatch(html) else escape(html)

        def block_html(self, html: str) -> str:
            return f"<p>{escape(html.strip())}</p>"

        def inline_math(self, text: str) -> str:
            return formula(text)

        def block_math(self, text: str) -> str:
            return formula(text, block=True)

    return mistune.create_markdown(
        renderer=Renderer(escape=False), plugins=["table", "math", "strikethrough"]
    )


def formula(text: str, block: bool = False) -> str:
    """Return a formula as MathML. Raises SlidesError where it has none."""
    try:
        return mathml(text, block)
    except FormulaError as error:
        raise SlidesError(str(error)) from error


def html(text: str) -> str:
    """Return Markdown as HTML."""
    return _markdown()(text).strip()


def inline(text: str) -> str:
    """Return one paragraph of Markdown as HTML without a paragraph around it."""
    return re.sub(r"^<p>|</p>$", "", html(" ".join(text.split()))).replace("</p>\n<p>", " ")


def length(fragment: str) -> int:
    """Return how many characters a reader sees of a piece of HTML."""
    return len(unescape(re.sub(r"<[^>]+>", "", fragment)))


def code_lines(text: str, language: str) -> list[str]:
    """Return the lines of a program as HTML, in colours by class where its language is known."""
    if language not in LEXERS:
        return [escape(line) for line in text.split("\n")]
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    lexer = get_lexer_by_name(LEXERS[language], stripnl=False, ensurenl=False)
    lines = highlight(text, lexer, HtmlFormatter(nowrap=True)).split("\n")
    return lines[: text.count("\n") + 1]
