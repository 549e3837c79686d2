"""Picture and the one style."""

import base64
import io

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.image import imread

from convladder.teach import Picture
from convladder.teach.plots import style
from convladder.teach.plots.style import figure


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


def test_who_looks_at_it_now_gets_its_words_too(monkeypatch, tmp_path):
    fig, _ = style.figure(1, 1)
    picture = style.Picture(fig, 'a "quoted" <fact>')
    monkeypatch.setattr(style, "journal_path", lambda: tmp_path)
    assert "text/html" not in picture._repr_mimebundle_()[0], "no notebook"
    monkeypatch.setattr(style, "shell", lambda: object())
    html = picture._repr_mimebundle_()[0]["text/html"]
    assert html.startswith('<img alt="a &quot;quoted&quot; &lt;fact&gt;" src="data:image/png;')
    monkeypatch.setattr(style, "journal_path", lambda: None)
    assert "text/html" not in picture._repr_mimebundle_()[0], "a page as it is stored"


def test_figures_are_ours_whatever_a_users_own_style_asks_for():
    def drawn():
        fig, ax = figure(2, 2)
        ax.imshow([[0, 1], [2, 3]])
        ax.set_title("a_b")
        return Picture(fig, "a square").png

    ours = drawn()
    theirs = {"image.origin": "lower", "savefig.transparent": True, "axes.titlesize": 30,
              "axes.grid": True, "font.family": "monospace", "axes.labelpad": 40}  # fmt: skip
    with matplotlib.rc_context(theirs):
        assert drawn() == ours
    assert not matplotlib.rcParams["text.usetex"]
