"""What a notebook's file keeps of a picture with controls."""

import asyncio
import json
from copy import deepcopy
from types import SimpleNamespace

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

from convladder.cli.saving import AGAIN, WIDGET_VIEW, Notebooks, keep_pictures


def model(*outputs: dict) -> dict:
    return {
        "type": "notebook",
        "content": {
            "cells": [
                {"cell_type": "markdown", "source": "text"},
                {"cell_type": "code", "outputs": list(outputs)},
            ]
        },
    }


def output(**data: object) -> dict:
    return {
        "output_type": "display_data",
        "metadata": {},
        "data": {key.replace("_", "/"): value for key, value in data.items()},
    }


def outputs(kept: dict) -> list[dict]:
    return kept["content"]["cells"][1]["outputs"]


def test_a_picture_stays_without_its_controls_and_says_how_to_get_them():
    shown = output(image_png="...", text_plain="Picture: a")
    shown["data"][WIDGET_VIEW] = {"model_id": "1"}
    shown["metadata"][WIDGET_VIEW] = {}
    saved = model(shown)
    keep_pictures(saved, path="a.ipynb", contents_manager=None)
    assert outputs(saved) == [
        output(image_png="...", text_plain="Picture: a"),
        output(text_plain=AGAIN),
    ]
    once = deepcopy(saved)
    keep_pictures(saved)
    assert saved == once
    outputs(saved)[0]["data"][WIDGET_VIEW] = {"model_id": "1"}  # the page is still open
    outputs(saved)[1]["data"]["text/plain"] = [AGAIN]
    keep_pictures(saved)
    assert len(outputs(saved)) == 2 and WIDGET_VIEW not in outputs(saved)[0]["data"]


def test_everything_else_is_left_alone():
    alone = output(text_plain="w")
    alone["data"][WIDGET_VIEW] = {"model_id": "1"}
    for other in (
        model(alone, output(image_png="...")),
        {"type": "file", "content": "text"},
        {"type": "directory", "content": [{}]},
        {"type": "notebook", "content": None},
    ):
        before = deepcopy(other)
        keep_pictures(other)
        assert other == before


def test_a_picture_is_not_kept_twice_but_other_html_is():
    for html in ('<img alt="a" src="...">', ["<style>.x {}</style>", "<img>"]):
        saved = model(output(image_png="...", text_html=html, text_plain="Picture: a"))
        keep_pictures(saved)
        assert outputs(saved) == [output(image_png="...", text_plain="Picture: a")]
    table = model(output(text_html="<table>"), output(image_png="...", text_html="<b>x</b>"))
    before = deepcopy(table)
    keep_pictures(table)
    assert table == before


def test_what_a_file_says_of_its_language_stays(tmp_path):
    saved = model()
    saved["content"]["metadata"] = {"language_info": {"name": "python", "version": "3.99"}}
    known = {"metadata": {"language_info": {"name": "python"}}}
    (tmp_path / "a.ipynb").write_text(json.dumps(known))
    keep_pictures(saved, path="/a.ipynb", contents_manager=SimpleNamespace(root_dir=str(tmp_path)))
    assert saved["content"]["metadata"] == known["metadata"]
    new = deepcopy(saved)
    keep_pictures(new, path="new.ipynb", contents_manager=SimpleNamespace(root_dir=str(tmp_path)))
    assert new == saved


def test_a_page_that_is_opened_and_saved_has_its_words_and_is_the_same_file(tmp_path):
    shown = new_output("display_data", {"image/png": "iVBO\nRw0=", "text/plain": "Picture: a"})
    shown.metadata = {"image/png": {"alt": 'a "b" < c', "width": 70}}
    bare = new_output("display_data", {"image/png": "iVBORw0="})
    nb = new_notebook(cells=[new_code_cell("f()", outputs=[shown, bare])])
    nb.metadata = {"language_info": {"name": "python"}}
    nbformat.write(nb, tmp_path / "a.ipynb")
    before = (tmp_path / "a.ipynb").read_bytes()
    hook = "convladder.cli.saving.keep_pictures"
    manager = Notebooks(root_dir=str(tmp_path), pre_save_hook=hook)

    async def opened_and_saved():
        page = await manager.get("a.ipynb")
        await manager.save(deepcopy(page), "a.ipynb")
        return page["content"]["cells"][0]["outputs"]

    first, second = asyncio.run(opened_and_saved())
    assert first["data"]["text/html"] == (
        '<img alt="a &quot;b&quot; &lt; c" src="data:image/png;base64,iVBORw0=" '
        'style="width: 70px; max-width: 100%">'
    )
    assert "text/html" not in second["data"]
    assert (tmp_path / "a.ipynb").read_bytes() == before
