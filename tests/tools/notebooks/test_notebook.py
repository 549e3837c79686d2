"""The saved form depends on sources and outputs alone."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from convladder.cli.get import LANGUAGE
from convladder.cli.saving import WIDGET_VIEW
from tools.notebooks.notebook import normalise, source_ids, text_of

from .conftest import picture, stream


def messy():
    """What JupyterLab may leave behind."""
    shown = picture()
    shown.data[WIDGET_VIEW] = {"model_id": "a1", "version_major": 2}
    shown.metadata[WIDGET_VIEW] = {"x": 1}
    printed = [stream("a"), stream("b"), stream("c", "stderr"), stream("d")]
    nb = new_notebook(
        metadata={
            "kernelspec": {"name": "conda-env", "display_name": "mine"},
            "language_info": {"name": "python", "version": "3.11.4"},  # not in full
            "widgets": {"application/vnd.jupyter.widget-state+json": {}},
        }
    )
    nb.cells = [
        new_markdown_cell("# 01 · A", metadata={"editable": True}),
        new_code_cell(
            "f()",
            execution_count=1,
            outputs=[*printed, shown],
            metadata={
                "tags": ["nbval-ignore-output"],
                "execution": {"iopub.status.idle": "t"},
                "collapsed": True,
                "jupyter": {"outputs_hidden": True},
            },
        ),
    ]
    return nb


def test_normalise():
    nb = normalise(messy())
    assert nb.metadata == {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": LANGUAGE,
    }
    text, code = nb.cells
    assert text.metadata == {}
    assert code.metadata == {"tags": ["nbval-ignore-output"]}
    assert [output.get("text") for output in code.outputs] == ["ab", "c", "d", None]
    assert sorted(code.outputs[3].data) == ["image/png", "text/plain"]
    assert code.outputs[3].metadata == {"image/png": {"alt": "dot"}}
    assert text_of(normalise(messy())) == text_of(nb) == text_of(normalise(nb))


def test_ids_follow_from_the_sources():
    nb = new_notebook()
    nb.cells = [*map(new_code_cell, "xyxx"), new_markdown_cell("x")]
    ids = source_ids(nb)
    assert ids[2] == f"{ids[0]}-2" and ids[3] == f"{ids[0]}-3"
    assert len(set(ids)) == 5
    nb.cells.insert(0, new_code_cell("z"))
    assert source_ids(nb)[1:] == ids
