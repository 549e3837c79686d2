import csv

import pytest

from convladder.classroom.grade.gradebook import CANVAS, MOODLE, GradebookError, read, safe_cell
from convladder.classroom.grade.judging import Graded, Result
from convladder.classroom.grade.room import Learner, Room, enter
from convladder.classroom.grade.secret import Exercises
from convladder.classroom.grade.submissions import Submission
from convladder.teach.grading.stages import NOT_JUDGED, PASSED, WRONG_VALUES
from convladder.teach.grading.verdict import Verdict

CANVAS_ROWS = [
    [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "Lab 01 (55)",
        "Lab 02 (56)",
        "Current Score",
    ],
    ["", "", "", "", "", "Manual Posting", "", "(read only)"],
    ["    Points Possible", "", "", "", "", "12.00", "10", "(read only)"],
    ["Doe, Jane", "7", "s7", "jane@x", "A", "", "3", "50"],
    ['=HYPERLINK("http://x")', "8", "s8", "Ben@x", "A", "9", "", ""],
    ["Roe, Rita", "9", "s9", "rita@x", "A", "4", "", ""],
    ["Student, Test", "", "", "", "", "", "", ""],
]
MOODLE_ROWS = [
    [
        "Identifier",
        "Full name",
        "Email address",
        "Status",
        "Grade",
        "Maximum Grade",
        "Feedback comments",
    ],
    ["Participant 7", "Jane Doe", "Jane@x", "Submitted", "", "50,00", ""],
    ["Participant 8", "Ben Roe", "ben@x", "Submitted", "", "50,00", "good"],
]
LAB = Exercises(1).of_lab(1)


def export(tmp_path, rows, encoding="utf-8", newline="\r\n", delimiter=","):
    path = tmp_path / "export.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, lineterminator=newline, delimiter=delimiter).writerows(rows)
    return path


def learner(key, name, number, passed, stage=WRONG_VALUES):
    result = Result(
        {
            each: Graded(Verdict(each, PASSED if i < passed else stage, ""))
            for i, each in enumerate(LAB)
        }
    )
    return Learner(Submission(key, name, number), {1: result})


def filled(book, tmp_path, *learners, title=None):
    room = Room(list(learners), Exercises(1), "namespaces")
    notes = enter(room, book, title)
    book.write(tmp_path / "out.csv")
    return notes, (tmp_path / "out.csv").read_bytes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_one_column_is_filled_and_all_else_stays(tmp_path, encoding, newline):
    path = export(tmp_path, CANVAS_ROWS, encoding, newline)
    notes, data = filled(read(path, CANVAS), tmp_path, learner("canvas 7", "doejane", "7", 3))
    expected = [list(row) for row in CANVAS_ROWS]
    expected[3][5] = "6"
    assert data == export(tmp_path, expected, encoding, newline).read_bytes()
    assert notes == [
        f"{name}: no submission; the cell stays as it is"
        for name in ('=HYPERLINK("http://x")', "Roe, Rita")
    ]


def test_moodle_s_worksheet_is_matched_by_participant_and_case_sensitive_mail(tmp_path):
    path = export(tmp_path, MOODLE_ROWS, delimiter=";")
    notes, data = filled(
        read(path, MOODLE),
        tmp_path,
        learner("moodle 7", "?", "7", 6),
        learner("BEN@x", "BEN@x", "", 6),
    )
    assert data.decode().splitlines()[1] == "Participant 7;Jane Doe;Jane@x;Submitted;50;50,00;"
    assert notes[0] == "BEN@x: not entered: no row of the export is theirs"
    notes, data = filled(read(path, MOODLE), tmp_path, learner("ben@x", "ben@x", "", 3))
    assert data.decode().splitlines()[2] == "Participant 8;Ben Roe;ben@x;Submitted;25;50,00;good"


@pytest.mark.parametrize("name", ["doejane", "Jane Doe", "janedoe", "Doe, Jane", "s7", "jane@x"])
def test_a_learner_is_found_by_what_the_export_calls_them(tmp_path, name):
    row, _ = read(export(tmp_path, CANVAS_ROWS), CANVAS).match(Submission(name, name))
    assert row == CANVAS_ROWS[3]


def test_whoever_could_be_two_is_nobody(tmp_path):
    rows = [*CANVAS_ROWS, ["Jane, Doe", "10", "", "", "A", "", "", ""]]
    row, why = read(export(tmp_path, rows), CANVAS).match(Submission("janedoe", "janedoe"))
    assert row is None and why == "2 rows have this name"
    notes, _ = filled(
        read(export(tmp_path, CANVAS_ROWS), CANVAS),
        tmp_path,
        learner("canvas 7", "a", "7", 1),
        learner("jane@x", "b", "", 2),
    )
    assert sum("2 submissions are of Doe, Jane" in note for note in notes) == 2


def test_what_was_not_judged_here_is_no_grade(tmp_path):
    notes, data = filled(
        read(export(tmp_path, CANVAS_ROWS), CANVAS),
        tmp_path,
        learner("canvas 8", "x", "8", 5, NOT_JUDGED),
    )
    assert "could not be judged here" in notes[0]
    assert data == export(tmp_path, CANVAS_ROWS).read_bytes()


@pytest.mark.parametrize(
    "title, words",
    [
        ("Lab 03", "no column named 'Lab 03'"),
        ("Student", "only a read-only column named 'Student'"),
        ("Current Score", "only a read-only column named 'Current Score'"),
    ],
)
def test_a_column_that_is_not_to_be_filled_is_told(tmp_path, title, words):
    book = read(export(tmp_path, CANVAS_ROWS), CANVAS)
    with pytest.raises(GradebookError, match=words) as caught:
        book.column(1, title)
    assert "'Lab 01 (55)', 'Lab 02 (56)'" in str(caught.value)
    assert book.header[book.column(2, None)] == "Lab 02 (56)"
    assert book.header[book.column(None, "Lab 01")] == "Lab 01 (55)"


@pytest.mark.parametrize(
    "data, kind, words",
    [
        (b"", CANVAS, "no Student, ID"),
        (b"a,b\n1,2\n", MOODLE, "no export of Moodle"),
        (b"PK\x03\x04\xff\xfe", CANVAS, "not UTF-8"),
        (b'Student,ID\n"a,1\n', CANVAS, "no CSV"),
    ],
)
def test_another_file_is_told_in_a_sentence(tmp_path, data, kind, words):
    (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(GradebookError, match=words):
        read(tmp_path / "x.csv", kind)
    with pytest.raises(GradebookError, match="there is no"):
        read(tmp_path / "y.csv", kind)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_no_cell_of_our_own_tables_is_a_formula(text):
    assert safe_cell(text) == f"'{text}" and safe_cell("a=1") == "a=1"
