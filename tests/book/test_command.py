"""`convladder book` says in a sentence what cannot be done. What it makes, test_site opens."""

import sys

import pytest

from convladder.book import BookError, build
from convladder.cli import main


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--repository", "me/it"], "is not an address such as https://github.com/OWNER/NAME"),
        (["--frames", "77"], "--frames 77: course/ holds no such chapter"),
    ],
)
def test_a_wrong_request_is_one_sentence(arguments, words, capsys):
    assert main(["book", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_without_sphinx_the_command_that_brings_it_is_named(checkout, monkeypatch):
    module = sys.modules[build.__module__]
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(BookError, match="`make book` brings it"):
        build(checkout, checkout / "build")


def test_outside_of_a_clone_there_is_no_book(checkout, monkeypatch):
    monkeypatch.setattr(sys.modules[build.__module__], "find_spec", lambda name: object())
    (checkout / "docs" / "book.md").unlink()
    with pytest.raises(BookError, match="the book is made in a clone"):
        build(checkout, checkout / "build")
