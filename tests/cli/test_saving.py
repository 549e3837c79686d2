"""What a notebook's file keeps of a picture with controls."""

from copy import deepcopy

from convladder.cli.saving import AGAIN, WIDGET_VIEW, keep_pictures


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
