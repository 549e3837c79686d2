"""What tells pictures apart in these tests tells apart what a reader would."""

import numpy as np
import pytest

from convladder.teach import Picture
from convladder.teach.plots.style import figure

from .artists import drawn


def picture(change=lambda ax: None):
    fig, ax = figure(3, 2)
    ax.plot([1, 2, 4])
    ax.bar([0, 1], [2, 3])
    ax.scatter([0, 1], [1, 1])
    ax.imshow(np.arange(4.0).reshape(2, 2))
    ax.annotate("here", (1, 1), (8, 8), textcoords="offset points")
    change(ax)
    return Picture(fig, "all kinds of things")


def test_pictures_alike_are_equal():
    assert drawn(picture()) == drawn(picture())


@pytest.mark.parametrize(
    "change",
    [
        lambda ax: ax.lines[0].set_ydata([1, 2, 5]),
        lambda ax: ax.lines[0].set_color("red"),
        lambda ax: ax.lines[0].set_visible(False),
        lambda ax: ax.patches[1].set_height(4),
        lambda ax: ax.patches[1].set_x(2),
        lambda ax: ax.patches[0].set_hatch("//"),
        lambda ax: ax.patches[0].set_alpha(0.5),
        lambda ax: ax.collections[0].set_offsets([[0, 1], [1, 2]]),
        lambda ax: ax.collections[0].set_facecolor("red"),
        lambda ax: ax.images[0].set_data(np.ones((2, 2))),
        lambda ax: ax.texts[0].set_text("there"),
        lambda ax: setattr(ax.texts[0], "xyann", (8, 20)),
        lambda ax: ax.set_title("a title"),
        lambda ax: ax.set_xlim(0, 9),
        lambda ax: ax.text(0, 0, "one more"),
        lambda ax: ax.axis("off"),
    ],
)
def test_any_change_makes_another(change):
    assert drawn(picture(change)) != drawn(picture())
