"""Docstrings of public functions begin with a verb in the imperative: "Return ...", "Draw ..."."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import convladder

SRC = Path(convladder.__file__).parent

# Words that begin a noun phrase or half a sentence. Plurals and "Returns" are caught by their s.
NOT_VERBS = frozenset(
    """A All An And Another As At Both But By Each Either Every Few For From How If In Into Many
    Mean Median Most No None Nothing Of On One Other Some That The There This Those To Two Three
    What When Where Whether Which Who Whose Why Width With Without""".split()
)
# After a word that may be either, such as Time or Name, these show that it is a noun.
AFTER_NOUNS = frozenset({"of", "->"})


def is_imperative(docstring: str) -> bool:
    first, second, *_ = *docstring.split(), "", ""
    word = first.rstrip(",.:")
    return (
        re.fullmatch(r"[A-Z][a-z]+", word) is not None
        and re.search(r"[^s]s$", word) is None
        and word not in NOT_VERBS
        and (word != first or second not in AFTER_NOUNS)
    )


def public_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if isinstance(node, ast.ClassDef):
                yield from public_functions(node.body)
            else:
                yield node


@pytest.mark.parametrize(
    "text",
    [
        "Return the median.",
        "Draw, of each way, its time.",
        "Compress bytes.",
        "Time `calls`, in turns.",
    ],
)
def test_a_verb_in_the_imperative_is_one(text):
    assert is_imperative(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The median.",
        "Returns it.",
        "Seconds of it.",
        "`x` and 0.",
        "float32 sums.",
        "Whether it is.",
        "Time of it.",
        "Sum of it.",
        "Name -> size.",
    ],
)
def test_what_is_none_is_refused(text):
    assert not is_imperative(text)


def test_docstrings_begin_with_a_verb():
    wrong = [
        f"{path.relative_to(SRC)}:{function.lineno}: {function.name}: {text.splitlines()[0]}"
        for path in sorted(SRC.rglob("*.py"))
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")).body)
        if (text := ast.get_docstring(function)) is not None and not is_imperative(text)
    ]
    assert not wrong, "begin with a verb in the imperative:\n" + "\n".join(wrong)
