"""A checkout of one chapter, with all that the book is to take care of."""

from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_output

from tools.notebooks.notebook import write

from ..notebooks.conftest import SOLUTION, notebook, picture

CHAPTER = """[lab](../labs/01_a.ipynb), [labs/01_a.ipynb](../labs/01_a.ipynb), [out](https://x.org),
[term](glossary.md#24-of-a-kind "Two."), [kernel](../src/k.cu), [all kernels](../src), $a_b$.

<details><summary>Why?</summary>

Because.
</details>"""


def two_pictures() -> list:
    """What a cell may show: two pictures, each with words of its own."""
    first, second = picture(), picture()
    first.metadata["image/png"] = {"alt": "first", "width": 30}
    second.metadata["image/png"] = {"alt": "second", "width": 40}
    return [first, second]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    source = {"text/markdown": "```c++\nint x;\n```", "text/plain": "int x;"}
    chapter = notebook(
        "# 01 · A: what it says",
        ("twice()", two_pictures()),
        ('explore(draw, size=[1, 2], grey=False, units={"size": "px"})', [picture()]),
        ("show()", [new_output("display_data", source)]),
    )
    chapter.cells.insert(1, new_markdown_cell(CHAPTER, id="text"))
    write(chapter, tmp_path / "course/01_a.ipynb")
    for folder, answer in (("labs", "double = ..."), ("solutions", SOLUTION)):
        write(notebook("# Lab 01 · Do A", answer), tmp_path / folder / "01_a.ipynb")
    for name, text in {
        "course/glossary.md": '# Glossary\n\n## <a id="24-of-a-kind"></a>2:4, of a kind\nTwo.\n',
        "docs/watch.md": "# Watch\n",
        "docs/sources.md": "# Sources\n",
        "docs/results.md": "# Results\n[all](../src)\n",
        "docs/launch.md": "# Elsewhere\n",
        "docs/book.md": "# The book\n\n{clone}\nmake lab\n\n{chapters}\n",
        "src/k.cu": "__global__ void k() {}\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path
