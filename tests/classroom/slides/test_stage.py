"""The rule: what becomes a slide, what a note, and what comes on a click."""

from nbformat import NotebookNode
from nbformat.v4 import new_output

from convladder.classroom.slides import sections, staged
from convladder.classroom.slides.blocks import Answer, Figure, Formula, Words
from convladder.classroom.slides.guide import Guide
from convladder.classroom.slides.lines import Lines
from convladder.classroom.slides.prose import question, short
from convladder.classroom.slides.stage import Slide
from convladder.classroom.slides.tables import Table

from ...tools.notebooks.conftest import notebook, picture

ANSWERED = (
    "three: predicted –, measured 3.14 MB. You made no\nprediction. Next time, replace "
    "`...` with a number first.\n"
)


def printed(text: str) -> NotebookNode:
    return new_output("stream", name="stdout", text=text)


def column(*cells, sentence: str = "Said.", guide: Guide | None = None) -> list[Slide]:
    """The slides of the section "A", the last one."""
    parts = sections(notebook("# 01 · It: what for", *cells))
    return staged(parts, {"A": sentence}, guide)[-1]


def kinds(slides: list[Slide]) -> list[str]:
    return [slide.kind for slide in slides]


def test_a_section_is_a_column_and_its_prose_is_in_the_notes():
    first, program = column(
        '# x\n## A\nWhy so? Because of [it](b.md "It (that).").',
        ("y = 1\nz = 2\nprint(y)", [printed("1\n")]),
    )
    assert (first.kind, first.heading, first.sentence) == ("section", "A", "Said.")
    assert first.notes == ["Why so? Because of it."] and not program.notes
    assert [type(each.block) for each in program.placed] == [Lines, Lines]
    assert not any(each.hidden for each in program.placed)


def test_prose_between_two_slides_explains_one_and_introduces_the_other():
    nb = notebook("# 01 · It", "# no", "a = 1\nb = 2\nc = 3", "# no", "d = 1\ne = 2\nf = 3")
    nb.cells[1].source, nb.cells[3].source = "## A", "So that was it.\n\nNow the next."
    _, one, two = staged(sections(nb), {})[-1]
    assert (one.notes, two.notes) == (["So that was it."], ["Now the next."])


def test_headings_of_level_3_go_on_in_the_column_and_code_has_none():
    parts = sections(notebook("# 01 · It\n## A\n```bash\n## no\n```\n### B\nText."))
    assert [(part.title, part.level) for part in parts] == [("01 · It", 1), ("A", 2), ("B", 3)]
    title, both = staged(parts, {})
    assert [slide.heading for slide in both] == ["A", "A", "B"]


def test_a_prediction_asks_and_versus_answers_on_a_click():
    (
        _,
        ask,
    ) = column(
        "# x\n## A\nTake a layer. How many MB has it?",
        "prediction = ...  # MB",
        ('versus(prediction, 3.14, "MB", "three")', [printed(ANSWERED)]),
    )
    assert ask.kind == "question"
    assert [each.block for each in ask.placed][1:] == [
        Words("*MB*", "wanted", 1.3),
        Answer("three", "3.14 MB"),
    ]
    assert ask.placed[0].block.text == "Take a layer. How many MB has it?"
    assert [each.hidden for each in ask.placed] == [False, False, True]


def test_what_is_measured_between_is_hidden_and_the_question_returns():
    slides = column(
        "# x\n## A\nHow many?",
        "prediction = ...",
        ("y = measure(x)\nz = y + 1\nprint(y)", [printed("2\n")]),
        ("versus(prediction, y)", [printed(ANSWERED)]),
    )
    assert kinds(slides) == ["section", "question", "shown", "answer"]
    assert [each.hidden for each in slides[2].placed] == [False, True]
    asked, answer = slides[3].placed
    assert asked.block.text == "How many?" and answer.hidden


def test_two_predictions_of_one_line():
    slides = column(
        "# x\n## A\nHow many, and why?",
        "prediction_a, prediction_b = ..., ...  # MB",
        ("versus(prediction_b, 1)", [printed(ANSWERED)]),
    )
    assert kinds(slides) == ["section", "question"]


def test_a_picture_has_a_slide_and_its_call_for_a_caption():
    (_, figure) = column("# x\n## A", ("from a import draw\n\ndraw(3)", [picture()]))
    block = figure.placed[0].block
    assert figure.kind == "figure" and isinstance(block, Figure)
    assert (block.alt, block.caption) == ("dot", "draw(3)")


def test_a_shown_source_is_the_program_itself():
    source = new_output("display_data", {"text/markdown": "```c++\nint x;\n```", "text/plain": ""})
    (_, shown) = column("# x\n## A", ("show(f)", [source]))
    assert [each.block for each in shown.placed] == [Lines("int x;", "c++")]


def test_tables_formulas_and_rules_of_prose_are_shown():
    first, rule, table = column(
        "# x\n## A\n$$a = b$$\n\n> Never\n> copy.\n\n| a | `b` |\n|:--|--:|\n| 1 | $x$ |\n"
    )
    assert isinstance(first.placed[0].block, Formula)
    assert rule.placed[0].block.text == "Never\ncopy."
    block = table.placed[0].block
    assert isinstance(block, Table) and block.right == (False, True)
    assert block.head == ("a", "<code>b</code>") and "<math" in block.body[0][1]


def test_own_progress_and_imports_are_no_slides():
    slides = column("# x\n## A", ("progress()", [printed("you\n")]), "from a import b")
    assert kinds(slides) == ["section"]


def test_check_yourself_asks_and_other_folds_are_notes():
    fold = "<details><summary>Why?</summary>\n\nBecause.\n</details>"
    parts = sections(notebook(f"# 01 · It\n## A\n{fold}\n## Check yourself\n{fold}"))
    _, (first,), (_, asked) = staged(parts, {})
    assert first.notes == ["Why? Because."]
    assert [each.block.text for each in asked.placed] == ["Why?", "Because."]
    assert [each.hidden for each in asked.placed] == [False, True]


def test_the_guide_adds_minutes_and_votes_to_the_notes():
    guide = Guide({"A": "**Minute 0 to 5.** Slowly."}, {("A", "MB of x"): ["*Why.* So."]})
    first, ask = column("# x\n## A\nHow many?", "prediction = ...  # MB of `x`", guide=guide)
    assert first.notes == ["**Minute 0 to 5.** Slowly.", "How many?"]
    assert ask.notes == ["*Why.* So."]


def test_notes_are_short_and_keep_questions():
    long = "One two three. " + "Four five six seven. " * 10 + "And why? Since then."
    (note,) = short(long)
    assert note.startswith("One two three. Four") and note.endswith("And why? …")
    assert len(note.split()) < 45


def test_a_question_begins_at_its_own_paragraph():
    assert question("Old. Is it?\n\nTake 2 MB. How many? Later.") == "Take 2 MB. How many?"
    assert question("How many? Go on.\n\nOne thing helps to predict it.") == "How many?"
    assert question(f"Old? {'Word. ' * 60}Take (a box.) Is it? Write it down. Later.").endswith(
        "Word. Take (a box.) Is it? Write it down."
    )
    assert question("Nothing is asked.") == ""
