"""Bytes and lanes in use, counted by hand for LeNet's first layer and a full one."""

from convladder import ConvProblem
from convladder.teach.models import dot_fill


def test_rows_of_five_bytes_want_two_dot_products_each():
    assert dot_fill(ConvProblem.parse("28x28x1,5x5x6")) == (25, 10, 25 / 40, 6 / 8)
    assert dot_fill(ConvProblem.parse("28x28x128,3x3x128")) == (1152, 288, 1.0, 1.0)
    assert dot_fill(ConvProblem.parse("9x9x3,1x1x17"))[1:] == (1, 0.75, 17 / 32)
