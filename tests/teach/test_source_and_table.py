"""What surrounds the pictures: sources, tables, predictions beside measurements."""

import re

import pytest

from convladder import get_method
from convladder.core.text import bytes_text, rate_text, seconds_text
from convladder.grading.verdict import Verdict
from convladder.teach import show, table, versus
from convladder.teach.source import show_changes


def test_show_prints_source_and_its_place():
    shown = show(Verdict.hint)
    assert repr(shown).startswith("# convladder/grading/verdict.py\ndef hint(self, step: int)")
    assert shown._repr_markdown_() == f"```python\n{shown.text}\n```"
    assert show(get_method("im2col")).text.startswith("# convladder/cpu/im2col.py\n")


@pytest.mark.parametrize("thing", [3, len, re.compile, "im2col"])
def test_show_refuses_what_is_not_ours(thing):
    with pytest.raises(TypeError, match="function of this package"):
        show(thing)


def test_table_from_dicts():
    rows = [{"layer": "cv1", "MACs": 11240320, "ratio": 6.8571}, {"layer": "<b>", "MACs": 7}]
    rows[1]["ratio"] = None
    shown = table(rows, caption="Counts")
    assert repr(shown).splitlines() == [
        "Counts",
        "layer        MACs  ratio",
        "-----  ----------  -----",
        "cv1    11,240,320   6.86",
        "<b>             7",
    ]
    html = shown._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html
    assert re.search("text-align: left[^>]*>cv1<", html)
    assert re.search("text-align: right[^>]*>11,240,320<", html)


def test_numbers_have_three_digits_or_thousands_separators():
    assert table([(999, 999.7, 0.5, 1e7)], "abcd").cells == [["999", "1,000", "0.5", "10,000,000"]]


@pytest.mark.parametrize(
    "rows, columns, words",
    [
        ([], None, "columns is missing"),
        ([(1, 2), (1,)], ["a", "b"], "row 1 has 1 of the 2"),
    ],
)
def test_table_refuses_rows_that_do_not_fit(rows, columns, words):
    with pytest.raises(ValueError, match=words):
        table(rows, columns)


@pytest.mark.parametrize(
    "prediction, measured, sentence",
    [
        (..., 5.0, "You made no prediction"),
        ("many", 5.0, "'many', which is not a number"),
        (5, 5.0, "Exactly"),
        (105, 100, "within 10%"),
        (300, 100, "You predicted 3 times the actual value"),
        (50, 100, "It is 2 times as much as you predicted"),
        (0, 100, "You are 100 ms apart"),
        (-2, 3, "You are 5 ms apart"),
    ],
)
def test_versus_says_how_far_apart(prediction, measured, sentence):
    shown = versus(prediction, measured, "ms", "im2col")
    assert sentence in shown.sentence
    assert repr(shown).startswith("im2col: predicted")
    assert f"actual {measured:g} ms" in repr(shown)


@pytest.mark.parametrize(
    "text, expected",
    [
        (seconds_text(0.0123), "12.3 ms"),
        (seconds_text(0.9999), "1.00 s"),
        (seconds_text(4.56e-6), "4.56 µs"),
        (seconds_text(0.999), "999 ms"),
        (rate_text(2.5e10), "25.0 GFLOP/s"),
        (rate_text(21e9, "B"), "21.0 GB/s"),
        (rate_text(999.96e6), "1.00 GFLOP/s"),
        (bytes_text(0), "0 bytes"),
        (bytes_text(4096), "4 KiB"),
        (bytes_text(4144005), "3.95 MiB"),
        (bytes_text(1568 * 2**20), "1.53 GiB"),
        (bytes_text(2**30), "1.00 GiB"),
    ],
)
def test_quantities_have_three_digits_and_a_unit(text, expected):
    assert text == expected


def test_a_kernel_and_what_the_next_one_changes():
    assert show("lower_mec.cu")._repr_markdown_().startswith("```c++\n// convladder/gpu/kernels/")
    assert "/networks/lenet/gpu/batched.cu\n" in repr(show("lenet/batched.cu"))
    lines = show_changes("lenet/fc_tuned.cu", "lenet/fc_coalesced.cu").text.splitlines()
    assert lines[:2] == ["--- lenet/fc_tuned.cu", "+++ lenet/fc_coalesced.cu"]
    assert [line for line in lines if line.startswith("+  ")] == [
        "+        return w[j * outputs + o];  // 32 lanes, one run of 128 bytes"
    ]
    with pytest.raises(ValueError, match="'fc_tuned.cu' is not a kernel"):
        show_changes("fc_tuned.cu", "lenet/fc_coalesced.cu")


def test_the_bars_are_in_proportion():
    html = versus(10, 40.0, "ms", "a turn")._repr_html_()
    assert "40 ms" in html and re.findall(r"width: (\d+)%", html) == ["25", "100"]
    assert "width" not in versus(..., 40.0, "ms")._repr_html_(), "one bar has nothing beside it"
