"""Picture, and the one style."""

import base64
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text

from convladder.teach import Picture
from convladder.teach.plots import style
from convladder.teach.plots.axes import label_points
from convladder.teach.plots.style import STYLE, figure


def line():
    fig, ax = figure(4, 2)
    ax.plot([1, 2, 4])
    ax.set_ylabel("time, ms")
    return fig


def test_picture_shows_itself_crisp_and_in_words(tmp_path):
    picture = Picture(line(), "A rising line")
    data, metadata = picture._repr_mimebundle_()
    pixels = imread(io.BytesIO(base64.b64decode(data["image/png"])))
    assert data["text/plain"] == "Picture: A rising line" == repr(picture)
    assert metadata == {"image/png": {"alt": "A rising line", "width": picture.width}}
    assert picture.width == round(pixels.shape[1] / 1.5)
    assert np.allclose(pixels[0, 0], 1), "white, so that it reads on a dark page"
    picture.save(tmp_path / "line.png")
    assert (tmp_path / "line.png").read_bytes() == picture.png


def test_picture_is_the_same_bytes_each_time_and_leaves_nothing_open():
    assert Picture(line(), "a").png == Picture(line(), "a").png
    assert plt.get_fignums() == []


def test_long_labels_are_not_clipped():
    fig = Figure(figsize=(3, 2), layout="none")  # nothing but the picture makes room
    ax = fig.subplots()
    ax.text(1.0, 0.5, "a label that goes far beyond the edge of the figure", clip_on=False)
    pixels = imread(io.BytesIO(Picture(fig, "a").png))
    assert pixels.shape[1] > 4 * 144
    assert np.allclose(pixels[:, -2:], 1)


def test_alt_is_required():
    with pytest.raises(ValueError, match="alt"):
        Picture(line(), " ")


def test_style_is_shipped_and_used():
    assert STYLE.is_file()
    fig, axes = figure(6, 2, ncols=2)
    assert len(axes) == 2 and tuple(fig.get_size_inches()) == (6, 2)
    assert axes[0].plot([1, 2])[0].get_color() == "#0072B2"
    assert not axes[0].spines["top"].get_visible()


def test_labels_of_near_points_do_not_overlap():
    fig, ax = figure(5, 3)
    points = [(1 + i / 100, 1.0, f"layer {i}") for i in range(6)]
    for x, y, _ in points:
        ax.plot(x, y, "o")
    ax.set(xlim=(0, 2), ylim=(0, 2))
    label_points(ax, points)
    fig.draw_without_rendering()  # puts the texts where they belong
    boxes = [Text.get_window_extent(note) for note in ax.texts]  # without the lines to the points
    assert sorted(note.get_text() for note in ax.texts) == [f"layer {i}" for i in range(6)]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_who_looks_at_it_now_gets_its_words_too(monkeypatch, tmp_path):
    fig, _ = style.figure(1, 1)
    picture = style.Picture(fig, 'a "quoted" <fact>')
    monkeypatch.setattr(style, "place", lambda: tmp_path)
    assert "text/html" not in picture._repr_mimebundle_()[0], "no notebook"
    monkeypatch.setattr(style, "shell", lambda: object())
    html = picture._repr_mimebundle_()[0]["text/html"]
    assert html.startswith('<img alt="a &quot;quoted&quot; &lt;fact&gt;" src="data:image/png;')
    monkeypatch.setattr(style, "place", lambda: None)
    assert "text/html" not in picture._repr_mimebundle_()[0], "a page as it is stored"
