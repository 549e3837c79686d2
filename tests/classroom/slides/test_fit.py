"""What is too long is cut where it may be, and letters are as large as fits, never below 20 px."""

import pytest

from convladder.classroom.slides.blocks import Formula, Words
from convladder.classroom.slides.fit import pages
from convladder.classroom.slides.lines import Lines
from convladder.classroom.slides.room import HEIGHT, SIZES
from convladder.classroom.slides.tables import Table


def laid(*blocks) -> list:
    return pages([(block, False) for block in blocks])


def program(lines: int, width: int = 20) -> str:
    return "\n".join("x" * width for _ in range(lines))


@pytest.mark.parametrize(
    "text, size",
    [
        (program(3), 28),
        (program(3, 85), 22),
        (program(16), 28),
        (program(22), 20),
        (program(2, 120), 28),  # breaks in any size
    ],
)
def test_letters_are_as_large_as_fits(text, size):
    ((placed,),) = laid(Lines(text, "python"))
    assert placed.size == size


def test_a_program_goes_on_two_slides_at_an_empty_line():
    text = f"{program(14)}\n\n{program(13)}"
    (first,), (second,) = laid(Lines(text, "python"))
    assert first.block.text == program(14) and second.block.text == program(13)


def test_more_than_two_slides_are_cut_and_that_is_said():
    (first,), (second,) = laid(Lines(program(99), "python"))
    assert second.block.text.endswith("more lines in the notebook")
    left = int(second.block.text.split()[-6])
    assert first.block.text.count("x" * 20) + second.block.text.count("x" * 20) + left == 99


def test_a_docstring_goes_first():
    text = f'def f():\n    """Say.\n\n    {program(1)}\n    """\n{program(21)}'
    ((placed,),) = laid(Lines(text, "python"))
    assert placed.block.text == f"def f():\n{program(21)}"


def test_printed_lines_are_cut():
    ((placed,),) = laid(Lines(program(40)))
    left = 40 - placed.block.text.count("x" * 20)
    assert placed.block.text.endswith(f"… {left} more lines in the notebook")


def test_colours_go_on_over_two_slides():
    text = 'a = """\n' + program(40) + '\n"""'
    second = laid(Lines(text, "python"))[1][0]
    assert '<span class="s2">' in second.block.html(20)


def test_a_table_is_shortened_and_says_by_how_much():
    table = Table(("a", "b"), tuple((str(n), "word") for n in range(43)), (True, False))
    ((placed,),) = laid(table)
    rows = len(placed.block.body)
    assert placed.size == SIZES[-1] and 12 < rows < 20
    assert f"… {43 - rows} more rows in the notebook" in placed.block.html(20)


def test_a_wide_table_breaks_cells_and_not_words():
    table = Table(("name", "why"), (("abcdefghij", "so that " * 40),), (False, False))
    widths = table.widths(20)
    assert sum(widths) <= 1232 and widths[0] > 10 * 0.56 * 20


def test_blocks_share_a_slide_if_all_fit():
    one, two = laid(Lines(program(8), "python"), Lines(program(6)), Lines(program(12)))
    assert [len(one), len(two)] == [2, 1]


def test_a_long_formula_is_smaller():
    short, long = Formula("a = b"), Formula(" + ".join(["a_i"] * 30))
    assert "font-size:33px" in short.html(28) and "font-size:20px" in long.html(28)


def test_words_are_parted_by_paragraphs():
    text = "\n\n".join(["word " * 110] * 6)
    assert len(laid(Words(text))) == 2 and Words(text).height(20) > HEIGHT
