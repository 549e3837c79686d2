"""What a cell has shown, as blocks: pictures, tables, programs, printed lines, answers."""

from __future__ import annotations

import re
from html import escape

from nbformat import NotebookNode

from ...teach.versus import UNANSWERED as NO_PREDICTION
from .blocks import Answer, Block, Figure
from .lines import Lines
from .markup import html as markdown_html
from .prose import FENCE, plain
from .tables import Table

UNANSWERED = re.compile(
    r"\s+"
    + r"\s+".join(map(re.escape, NO_PREDICTION.split()))
    + r"(?:\s+A\s+figure\s+marked[^\n]*)?"
)
ANSWER = re.compile(r"^(.+?): predicted\s+\S.*?,\s+measured\s+(.+?)\.(?=\s|$)", re.MULTILINE)


def blocks(cell: NotebookNode, caption: str = "") -> list[Block]:
    """Return what a code cell has shown, in order. caption: of its picture."""
    found: list[Block] = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        text = output.get("text", data.get("text/plain", ""))
        if "image/png" in data:
            alt = output.metadata.get("image/png", {}).get("alt", "")
            found.append(Figure(data["image/png"], alt, caption))
        elif "text/markdown" in data:
            found += [
                Lines(match[2].rstrip(), match[1])
                for match in FENCE.finditer(data["text/markdown"])
            ]
        elif UNANSWERED.search(text):
            found += _answers(text)
        elif ">predicted<" in data.get("text/html", ""):
            found += [Answer(match[1], match[2]) for match in ANSWER.finditer(text)]
        elif "<table" in data.get("text/html", ""):
            found += _tables(data["text/html"])
        elif text.strip():
            found.append(_lines(text))
    return found


def _lines(text: str) -> Lines:
    return Lines("\n".join(line.rstrip() for line in text.strip("\n").split("\n")))


def _answers(text: str) -> list[Block]:
    """Return printed text, in which lines that answer a prediction are blocks of their own."""
    text = UNANSWERED.sub("", text)
    rest = re.sub(r"\n{2,}", "\n", ANSWER.sub("", text))
    return [
        *([_lines(rest)] if rest.strip() else []),
        *(Answer(match[1], match[2]) for match in ANSWER.finditer(text)),
    ]


def _tables(html: str) -> list[Block]:
    """Return the tables of a cell's HTML, and the lines before them."""
    from bs4 import BeautifulSoup

    page = BeautifulSoup(html, "html.parser")
    for newline in page.find_all("br"):
        newline.replace_with("\n")
    said = [paragraph.get_text() for paragraph in page.find_all("p")]
    found: list[Block] = [Lines("\n".join(said))] if said else []
    for table in page.find_all("table"):
        rows = [
            [(_cell(cell), "right" in cell.get("style", "")) for cell in row.find_all(["th", "td"])]
            for row in table.find_all("tr")
        ]
        if len(rows) > 1 and len({len(row) for row in rows}) == 1:
            head, *body = [tuple(text for text, _ in row) for row in rows]
            right = tuple(
                any(row[place][1] for row in rows)
                and not any(row[place][0].startswith("<code>") for row in rows)
                for place in range(len(head))
            )
            caption = table.find("caption")
            found.append(
                Table(head, tuple(body), right, escape(caption.get_text()) if caption else "")
            )
    return found


def _cell(cell: object) -> str:
    text = escape(" ".join(cell.get_text().split()))
    code = cell.find("code")
    return f"<code>{text}</code>" if code and code.get_text() == cell.get_text() else text


def table_of(markdown: str) -> Table:
    """Return a table that stands in prose."""
    rows = [
        [
            plain(each.replace("\0", "|"))
            for each in line.strip().strip("|").replace(r"\|", "\0").split("|")
        ]
        for line in markdown.strip().split("\n")
    ]
    right = tuple(
        each.strip().endswith(":") and not each.strip().startswith(":") for each in rows[1]
    )
    cells = [
        tuple(re.sub(r"^<p>|</p>$", "", markdown_html(each.strip())) for each in row)
        for row in rows
    ]
    return Table(cells[0], tuple(cells[2:]), right)
