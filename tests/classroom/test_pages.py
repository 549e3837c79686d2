"""classroom/README.md and privacy.md say what is so: their commands, fields and days are there."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from convladder import journal
from convladder.cli import parser
from convladder.classroom.settings import CODE_LETTERS

ROOT = Path(__file__).parents[2]
README = (ROOT / "classroom" / "README.md").read_text(encoding="utf-8")
PRIVACY = (ROOT / "classroom" / "privacy.md").read_text(encoding="utf-8")
GUIDE = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "classroom").rglob("*.md"))


def commands(text: str, name: str) -> list[list[str]]:
    """Return the words of each call of a command in code, without what is a remark."""
    fence = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
    code = (
        "\n".join(fence.findall(text)).replace("\\\n", "")
        + "\n"
        + "\n".join(
            " ".join(each.split()) for each in re.findall(r"`([^`]+)`", fence.sub("", text))
        )
    )
    found = [line.split("  #")[0] for line in code.splitlines()]
    return [
        shlex.split(line)[1:]
        for line in found
        if re.match(rf"{name} [a-z.]", line.strip().removeprefix(".venv/bin/"))
    ]


def actions(found: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the subcommands of a parser."""
    return {
        name: each
        for action in found._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, each in action.choices.items()
    }


def unknown(words: list[str]) -> list[str]:
    """Return which words of a call are no subcommand and no option where they stand."""
    here, rest = parser(), list(words)
    while there := actions(here):
        if not rest or rest[0] not in there:
            return rest or ["nothing"]
        here = there[rest.pop(0)]
    options = {option for action in here._actions for option in action.option_strings}
    return [word for word in rest if word.startswith("--") and word not in options]


def test_every_command_of_the_classroom_is_there():
    found = commands(GUIDE, "convladder")
    assert len(found) > 12
    assert [words for words in found if unknown(words)] == []


def test_what_make_is_asked_for_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in commands(GUIDE, "make"):
        target, *more = [word for word in words if "=" not in word]
        assert more == [] and re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), words
        for word in words:
            name, _, value = word.partition("=")
            if name == "ARGS":
                assert unknown(["classroom", "hub", *shlex.split(value)]) == []
            elif "=" in word:
                assert re.search(rf"^{name} \?=", makefile, re.MULTILINE), words


def test_the_three_commands_come_first():
    block = re.search(r"Three commands carry a day:\n\n```\n(.*?)```", README, re.DOTALL)[1]
    assert [line.split("#")[0].split()[:3] for line in block.splitlines()] == [
        ["convladder", "classroom", "check"],
        ["make", "hub"],
        ["convladder", "grade", "FOLDER"],
    ]


def test_codes_of_the_example_are_such_as_the_hub_makes():
    codes = re.findall(r"with the code (\S{4})-(\S{4})[,;]", README)
    assert len(codes) == 2 and set("".join(sum(codes, ()))) <= set(CODE_LETTERS)


def test_privacy_names_what_is_sent_and_no_more():
    from convladder.journal.send import SENT

    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PRIVACY, re.MULTILINE)
    assert sorted(re.findall(r"\w+", " ".join(rows))) == sorted(SENT)


def test_privacy_names_the_days_and_what_a_learner_can_do():
    pytest.importorskip("sqlalchemy", reason="the extra `classroom` is not installed")
    from convladder.classroom.board.database import DAYS

    said = " ".join(PRIVACY.split())
    assert {int(days) for days in re.findall(r"(\d+) days", said)} == {DAYS}
    block = re.search(r"from convladder import journal\n\n(.*?)```", PRIVACY, re.DOTALL)[1]
    assert all(hasattr(journal, name) for name in re.findall(r"journal\.(\w+)\(", block))
    assert re.findall(r"journal\.(\w+)\(", block) == ["shared", "unshare", "leave", "join"]


@pytest.mark.parametrize("column", ["who", "shown", "told"])
def test_what_the_board_has_of_a_learner_is_what_privacy_says(column):
    pytest.importorskip("sqlalchemy", reason="the extra `classroom` is not installed")
    from convladder.classroom.board.tables import EVENT, LEARNER

    assert column in LEARNER.columns
    assert set(LEARNER.columns.keys()) == {"session", "who", "shown", "told", "cleared"}
    assert set(EVENT.columns.keys()) == {
        "id",
        "session",
        "who",
        "uid",
        "kind",
        "at",
        "notebook",
        "exercise",
        "stage",
        "misconception",
        "question",
        "prediction",
        "measured",
    }
