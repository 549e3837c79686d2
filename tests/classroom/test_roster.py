"""The list of a class: what is read, and the sentence for each thing that can be wrong with it."""

import pytest

from convladder.classroom.roster import Learner, RosterError, check_user, read


def listed(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "class.txt"
    path.write_bytes(text.encode(encoding))
    return read(path)


def test_a_line_is_a_user_and_a_name_for_people(tmp_path):
    text = "# Monday\r\n\r\nana-b,  Ana  Núñez, MSc\r\nbo\r\n  c3 , C. Three\r\n"
    assert listed(tmp_path, text, "utf-8-sig") == (
        Learner("Ana Núñez, MSc", "ana-b"),
        Learner("bo", "bo"),
        Learner("C. Three", "c3"),
    )


@pytest.mark.parametrize(
    "text, words",
    [
        ("ana\nbo\nana\n", ["line 3", "line 1 already", "remove one"]),
        ("ana, Ana Bell\nana-2, ana bell\n", ["line 2", "line 1 already"]),
        ("Ana Bell\n", ["line 1", "has a space", "ana-bell, Ana Bell"]),
        ("Núñez\n", ["line 1", "'ñ'", "'ú'", "nunez, Núñez"]),
        ("李\n", ["'李'", "ana, Ana Bell"]),
        ("Ana\n", ["has capitals", "ana, Ana"]),
        ("../root\n", ["begin with a letter", "root, ../root"]),
        ("a/../b\n", ["other characters"]),
        ("ana-\n", ["end with a letter"]),
        (f"{'a' * 33}\n", ["33 characters"]),
        (", Ana\n", ["is empty"]),
        ("instructor, Mx. Lee\n", ["who teaches"]),
        ("# nobody\n\n", ["names nobody"]),
    ],
)
def test_what_is_wrong_is_one_sentence_that_says_what_to_do(tmp_path, text, words):
    with pytest.raises(RosterError) as error:
        listed(tmp_path, text)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_text_or_not_there(tmp_path):
    with pytest.raises(RosterError, match="save it as UTF-8"):
        listed(tmp_path, "núñez", "latin-1")
    with pytest.raises(RosterError, match="No such file.*a learner a line"):
        read(tmp_path / "none.txt")
    with pytest.raises(RosterError, match="Is a directory"):
        read(tmp_path)


def test_too_many_are_another_file(tmp_path):
    with pytest.raises(RosterError, match="more than 1000"):
        listed(tmp_path, "\n".join(f"u{k}" for k in range(1001)))


@pytest.mark.parametrize(
    "user",
    [
        "",
        ".",
        "..",
        "a.b",
        "a b",
        "a\n",
        "a\0",
        "A",
        "-a",
        "1a",
        "é",
        "a_b",
        "~",
        "instructor",
        "a,b",
        "a%2f",
    ],
)
def test_no_other_name_can_be_a_folder(user):
    with pytest.raises(RosterError):
        check_user(user)
