import os

import pytest

from convladder.classroom.grade.submissions import submissions

LAB = "01_im2col_gemm.ipynb"


def laid(folder, *paths):
    for number, path in enumerate(paths):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"{path}")
        os.utime(folder / path, (number, number))
    return folder


@pytest.mark.parametrize(
    "path, key, name, number",
    [
        (f"doejane_12345_678901_{LAB}", "canvas 12345", "doejane", "12345"),
        ("doejane_LATE_12345_678901_01_im2col_gemm-2.ipynb", "canvas 12345", "doejane", "12345"),
        (f"doejane_12345_678901_work/labs/{LAB}", "canvas 12345", "doejane", "12345"),
        (f"Jane Doe_4711_assignsubmission_file_/{LAB}", "moodle 4711", "Jane Doe", "4711"),
        (f"Jane Doe_4711_assignsubmission_file_{LAB}", "moodle 4711", "Jane Doe", "4711"),
        (
            f"Lab 01/Jane_A Doe_4711_assignsubmission_file/{LAB}",
            "moodle 4711",
            "Jane_A Doe",
            "4711",
        ),
        (f"jane/lab01/{LAB}", "jane", "jane", ""),
        (f"jane/{LAB}", "jane", "jane", ""),
        (f"jane_{LAB}", "jane", "jane", ""),
        (f"Jane Doe - {LAB}", "Jane Doe", "Jane Doe", ""),
        (LAB, "01_im2col_gemm", "01_im2col_gemm", ""),
    ],
)
def test_names_tell_who_and_which_lab(tmp_path, path, key, name, number):
    (one,) = submissions(laid(tmp_path, path))
    assert (one.key, one.name, one.id, list(one.notebooks)) == (key, name, number, [1])


def test_the_course_folder_of_nbgrader(tmp_path):
    laid(
        tmp_path,
        f"submitted/ben/ps1/{LAB}",
        f"submitted/ana/ps1/{LAB}",
        f"source/ps1/{LAB}",
        "submitted/ana/ps2/03_mec.ipynb",
    )
    found = submissions(tmp_path)
    assert [(one.key, sorted(one.notebooks)) for one in found] == [("ana", [1, 3]), ("ben", [1])]
    assert submissions(tmp_path / "submitted")[0].key == "ana"


def test_of_two_notebooks_for_a_lab_the_newer_counts_and_it_is_said(tmp_path):
    (one,) = submissions(laid(tmp_path, f"ana/old/{LAB}", f"ana/new/{LAB}"))
    assert one.notebooks[1].data == f"ana/new/{LAB}".encode()
    assert "two notebooks for lab 01" in one.problems[0] and "ana/new" in one.problems[0]


def test_of_a_copy_of_the_course_only_labs_are_handed_in(tmp_path):
    course = [f"ana/convladder-course/{folder}/{LAB}" for folder in ("labs", "course", "solutions")]
    (one,) = submissions(laid(tmp_path, *course))
    assert one.notebooks[1].data == course[0].encode()
    assert not one.problems


def test_a_notebook_that_names_no_lab_is_kept(tmp_path):
    (one,) = submissions(laid(tmp_path, "ana/my work.ipynb"))
    assert list(one.notebooks) == [None]


def test_of_a_home_the_labs_count_and_neither_chapters_nor_released_solutions(tmp_path):
    laid(
        tmp_path,
        f"ana/convladder/labs/{LAB}",
        f"ana/convladder/course/{LAB}",
        f"ana/convladder/solutions/{LAB}",
        f"ana/.cache/labs/{LAB}",
        f"ana/x/.git/{LAB}",
    )
    (one,) = submissions(tmp_path)
    assert one.notebooks[1].data == f"ana/convladder/labs/{LAB}".encode() and not one.problems
