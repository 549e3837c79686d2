"""The map with one's own state: in a notebook as Markdown with links, in a terminal as text."""

import re
import shutil

from convladder.cli import main
from convladder.core.install import command_text
from convladder.journal import (
    CHECKED,
    OPENED,
    PREDICTED,
    VARIABLE,
    Event,
    course_root,
    last_download,
    log,
)
from convladder.journal import course_index as outline
from convladder.teach import progress
from convladder.teach.plots import my_predictions

ROOT = course_root()


def test_the_map_links_to_every_page_from_where_it_stands(journal, monkeypatch):
    for folder in ("course", "labs", "."):
        monkeypatch.chdir(ROOT / folder)
        text = progress()._repr_markdown_()
        links = re.findall(r"\]\(([^)]+)\)", text)
        assert len(links) > 33 and all((ROOT / folder / link).is_file() for link in links)


def test_it_says_what_was_done_and_what_comes_next(journal):
    chapter, passed = "course/01_im2col_gemm", dict(exercise="output_shape", stage="passed")
    log.append(journal, Event(OPENED, chapter))
    log.append(journal, Event(CHECKED, "labs/01_im2col_gemm", **passed))
    log.append(journal, Event(PREDICTED, chapter, "c", prediction=6, measured=3))
    row = next(line for line in progress()._repr_markdown_().splitlines() if "01 · im2col" in line)
    seen = row.split("|")[2]  # on a phone, of all columns the first two
    assert re.search(r"1 of \d+ passed", seen)
    text = repr(progress())
    assert re.search(r"01 +im2col and GEMM .* 1 of 6 passed", text)
    assert f"1 of {len(outline.chapters(ROOT))} chapters opened; 1 of" in text
    assert "within 10%, 1 within a factor of 2" in text
    assert re.search(r"Next: Lab 01 · .*, 5 exercises left, about 1 h", text)


def test_where_nothing_is_kept_the_page_says_how_it_will_be(monkeypatch):
    monkeypatch.setenv(VARIABLE, "off")
    assert "Run this cell" in progress()._repr_markdown_()
    assert repr(my_predictions()).startswith("There is no prediction to draw yet.")


def test_no_course_and_no_journal_are_told(journal, monkeypatch):
    journal.mkdir(parents=True)
    assert progress().found.begun is False
    monkeypatch.setattr(last_download, "CHECKOUT", journal)
    monkeypatch.chdir(journal)
    assert progress() == f"There is no course here; `{command_text()} get` writes one."


def test_the_command(journal, tmp_path, capsys):
    log.append(journal, Event(OPENED, "course/00_start_here"))
    assert main(["progress"]) == 0
    assert f"(From {journal}; it is yours" in capsys.readouterr().out
    assert main(["progress", "--export", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"events written to {tmp_path / 'out'}: 1\n"
    assert main(["progress", "--reset"]) == 0 and not journal.exists()


def test_files_that_are_no_notebooks_are_named(journal, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "labs", tmp_path / "labs")
    shutil.copytree(ROOT / "course", tmp_path / "course")
    (tmp_path / "labs/03_mec.ipynb").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    text = str(progress())
    assert "labs/03_mec.ipynb is no notebook: it is empty; what it holds is not counted." in text
