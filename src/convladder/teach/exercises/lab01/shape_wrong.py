"""Sizes of outputs as lab 01's learners count them wrongly: exercise 1."""

from __future__ import annotations

from .shape import output_shape


def forgets_the_first(image, kernel, stride, padding):
    return tuple((i + 2 * p - k) // s for i, k, s, p in zip(image, kernel, stride, padding))


def rounds_up(image, kernel, stride, padding):
    return tuple(-(-(i + 2 * p - k) // s) + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def pads_once(image, kernel, stride, padding):
    return tuple((i + p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def shape_without_stride(image, kernel, stride, padding):
    return tuple(i + 2 * p - k + 1 for i, k, p in zip(image, kernel, padding))


def shape_without_padding(image, kernel, stride, padding):
    return tuple((i - k) // s + 1 for i, k, s in zip(image, kernel, stride))


def divides_too_late(image, kernel, stride, padding):
    return tuple((i + 2 * p - k + 1) // s for i, k, s, p in zip(image, kernel, stride, padding))


def one_stride_for_the_shape(image, kernel, stride, padding, axis=0):
    return output_shape(image, kernel, (stride[axis],) * 2, padding)


def pairs_turned(image, kernel, stride, padding):
    return output_shape(image, kernel, stride[::-1], padding[::-1])


def width_first(image, kernel, stride, padding):
    return output_shape(image, kernel, stride, padding)[::-1]


def divides_truly(image, kernel, stride, padding):
    return tuple((i + 2 * p - k) / s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def rounds_to_nearest(image, kernel, stride, padding, half_up=False):
    def rounded(steps):
        return int(steps + 0.5) if half_up else round(steps)

    return tuple(
        rounded((i + 2 * p - k) / s) + 1 for i, k, s, p in zip(image, kernel, stride, padding)
    )


def same_as_the_image(image, kernel, stride, padding, up=True):
    return tuple(-(-i // s) if up else i // s for i, s in zip(image, stride))


def half_a_kernel(image, kernel, stride, padding):
    return tuple(
        (i + 2 * p - k // 2 * 2 - 1) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding)
    )


def padding_on_top(image, kernel, stride, padding, sides=2):
    return tuple((i - k) // s + 1 + sides * p for i, k, s, p in zip(image, kernel, stride, padding))


def kernel_taken_off_last(image, kernel, stride, padding, places=1, up=False):
    return tuple(
        (i + 2 * p + (s - 1) * up) // s - k + places
        for i, k, s, p in zip(image, kernel, stride, padding)
    )


def same_if_padded(image, kernel, stride, padding, anywhere=False):
    """Return the image's size over the stride where an axis, or any axis, has padding."""
    return tuple(
        -(-i // s) if p or anywhere and any(padding) else (i - k) // s + 1
        for i, k, s, p in zip(image, kernel, stride, padding)
    )


def capped(image, kernel, stride, padding):
    return tuple(map(min, image, output_shape(image, kernel, stride, padding)))


def kernel_divided(image, kernel, stride, padding):
    return tuple(i + 2 * p - k // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def last_start_left_out(image, kernel, stride, padding):
    return tuple(
        len(range(0, i + 2 * p - k, s)) for i, k, s, p in zip(image, kernel, stride, padding)
    )


def padding_once_on_top(image, kernel, stride, padding):
    return padding_on_top(image, kernel, stride, padding, sides=1)


def one_place_too_many(image, kernel, stride, padding):
    return tuple(o + 1 for o in output_shape(image, kernel, stride, padding))
