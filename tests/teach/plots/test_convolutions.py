"""Pictures of windows with gaps and of the way back, beside the gradients themselves."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import input_grad_float64, weight_grad_float64
from convladder.teach.plots import small_memory


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("row, column", [(2, 3), (0, 0), (5, 5), (3, 4)])
def test_what_the_gradients_are_made_of(figures, row, column, stride):
    """Each marked place of dy has the tap by which it moves the pixel's gradient."""
    p = ConvProblem(1, 6, 6, 1, 3, 3, 1, stride)
    small_memory.way_back_picture(row, column, stride)
    w = np.arange(1.0, 10).reshape(p.kernel_shape)
    words = [text.get_text().split() for text in figures[0].axes[1].texts]
    for at, word in zip(np.ndindex(p.o_h, p.o_w), words, strict=True):
        dy = np.zeros(p.output_shape)
        dy[0, at[0], at[1], 0] = 1
        moved = input_grad_float64(dy, w, p)[0, row, column, 0]
        drawn = w[tuple(map(int, word[1].split(",")))].item() if word else 0
        assert moved == drawn
    words = [text.get_text().split() for text in figures[0].axes[2].texts]
    for at, word in zip(np.ndindex(6, 6), words, strict=True):
        x = np.zeros(p.input_shape)
        x[0, at[0], at[1], 0] = 1
        places = weight_grad_float64(x, np.arange(1.0, p.pixels + 1).reshape(p.output_shape), p)
        drawn = (
            np.ravel_multi_index(tuple(map(int, word[1].split(","))), (p.o_h, p.o_w)) + 1
            if word
            else 0
        )
        assert places[0, 2, 0, 0] == drawn


def test_pairs_of_channels_are_the_weights(figures):
    small_memory.kinds_picture()
    titles = [ax.get_title(loc="left") or ax.get_title() for ax in figures[0].axes]
    assert "5 × 5" in titles[1] and "16 pairs, 144" in titles[3] and "8 pairs, 72" in titles[5]
