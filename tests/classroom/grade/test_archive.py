import io
import os
import stat
import zipfile
from pathlib import Path

import pytest

from convladder.classroom.grade import archive
from convladder.classroom.grade.archive import ArchiveError, notebooks


def zipped(path: Path, files: dict, method=zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return path


def test_a_folder_gives_its_notebooks_and_follows_no_link(tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text("secret")
    folder = tmp_path / "in"
    (folder / "ana" / ".ipynb_checkpoints").mkdir(parents=True)
    (folder / "ana" / "01_x.ipynb").write_bytes(b"one")
    (folder / "ana" / "notes.txt").write_bytes(b"no")
    (folder / "ana" / ".ipynb_checkpoints" / "01_x.ipynb").write_bytes(b"old")
    (folder / "ana" / "02_x.ipynb").symlink_to(secret)
    (folder / "link").symlink_to(tmp_path)
    os.mkfifo(folder / "ana" / "03_x.ipynb")
    found = {str(each.path): each for each in notebooks(folder)}
    assert found["ana/01_x.ipynb"].data == b"one"
    assert "link" in found["ana/02_x.ipynb"].problem and "link" in found["link"].problem
    assert len(found) == 3 and not any(each.data == b"secret" for each in found.values())


def test_names_that_are_no_text_are_read(tmp_path):
    os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")
    with open(os.fsencode(tmp_path) + b"/caf\xe9/01_x.ipynb", "wb") as file:
        file.write(b"one")
    assert [(str(each.path), each.data) for each in notebooks(tmp_path)] == [
        ("caf\ufffd/01_x.ipynb", b"one")
    ]


@pytest.mark.parametrize(
    "name",
    [
        "../../evil.ipynb",
        "/etc/evil.ipynb",
        "a\\..\\evil.ipynb",
        "C:/evil.ipynb",
        "a/../../evil.ipynb",
        "\\evil.ipynb",
    ],
)
def test_a_path_that_leads_out_of_a_zip_is_told_and_not_read(tmp_path, name):
    path = zipped(tmp_path / "in.zip", {name: b"x", "ana_01_x.ipynb": b"one"})
    evil, good = sorted(notebooks(path), key=lambda each: bool(each.data))
    assert "leads out" in evil.problem and not evil.data and good.data == b"one"
    assert ".." not in evil.path.parts and os.listdir(tmp_path) == ["in.zip"]


def test_a_link_in_a_zip_is_not_followed(tmp_path):
    member = zipfile.ZipInfo("01_x.ipynb")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = zipped(tmp_path / "in.zip", {member: b"/etc/passwd"})
    assert [each.problem for each in notebooks(path)] == ["is a link, and links are not followed"]


def test_a_bomb_is_not_unpacked_further_than_a_notebook_is_long(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_NOTEBOOK", 1 << 16)
    path = zipped(tmp_path / "in.zip", {"01_x.ipynb": bytes(1 << 24), "02_x.ipynb": b"two"})
    first, second = notebooks(path)
    assert "larger" in first.problem and second.data == b"two"
    monkeypatch.setattr(archive, "MOST_ALL", 1000)
    many = zipped(tmp_path / "many.zip", {f"{i:02}_x.ipynb": bytes(300) for i in range(9)})
    many_found = list(archive._of_zip(many.read_bytes(), archive.PurePosixPath("many.zip"), 1))
    assert len(many_found) == 4 and "unpacks to more" in many_found[-1].problem


def test_a_zip_that_lies_of_its_contents_is_told(tmp_path):
    path = zipped(tmp_path / "in.zip", {"01_x.ipynb": b"abc" * 100}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"abcabc", b"abdabd", 1))
    (one,) = notebooks(path)
    assert "cannot be unpacked" in one.problem and not one.data


def test_zips_in_zips_are_opened_once(tmp_path):
    def inside(files):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as made:
            for name, data in files.items():
                made.writestr(name, data)
        return target.getvalue()

    third = inside({"03_x.ipynb": b"three"})
    second = inside({"labs/02_x.ipynb": b"two", "third.zip": third})
    path = zipped(tmp_path / "in.zip", {"ana/mine.zip": second})
    found = {str(each.path): (each.data, each.problem) for each in notebooks(path)}
    assert found["ana/mine/labs/02_x.ipynb"] == (b"two", "")
    assert "within a zip" in found["ana/mine/third.zip"][1] and len(found) == 2


def test_names_without_the_mark_of_utf_8_are_read_as_such(tmp_path):
    path = zipped(tmp_path / "in.zip", {"Zoë_01_x.ipynb": b"one"})
    data = path.read_bytes()
    for flags in (b"\x00\x08",):  # of both headers: bit 11
        data = data.replace(b"\x14\x00" + flags, b"\x14\x00\x00\x00")
    path.write_bytes(data)
    assert [str(each.path) for each in notebooks(path)] == ["Zoë_01_x.ipynb"]


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda path: path.write_text("text"), "neither a folder nor a zip"),
        (lambda path: None, "there is no"),
    ],
)
def test_what_holds_nothing_is_one_sentence(tmp_path, make, words):
    make(tmp_path / "in")
    with pytest.raises(ArchiveError, match=words):
        list(notebooks(tmp_path / "in"))
