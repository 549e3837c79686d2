"""Least times as lab 02's learners compute them wrongly: exercise 3."""

from __future__ import annotations

from .layers import problem_of


def _time(p, flops, moved, flops_per_s, bytes_per_s):
    return max(flops / flops_per_s, moved / bytes_per_s)


def quickest(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return min(p.flops / flops_per_s, p.compulsory_bytes() / bytes_per_s)


def in_turn(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return p.flops / flops_per_s + p.compulsory_bytes() / bytes_per_s


def values_as_bytes(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return _time(p, p.flops, p.compulsory_bytes(1), flops_per_s, bytes_per_s)


def macs_as_flops(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return _time(p, p.macs, p.compulsory_bytes(), flops_per_s, bytes_per_s)


def chosen_by_macs(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    """Ask with MACs for each byte which limit binds, and take that limit's time."""
    p = problem_of(image, kernel, stride, padding)
    computes = p.macs / p.compulsory_bytes() > flops_per_s / bytes_per_s
    return p.flops / flops_per_s if computes else p.compulsory_bytes() / bytes_per_s


def chosen_by_values(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    """Ask with FLOPs for each value which limit binds, and take that limit's time."""
    p = problem_of(image, kernel, stride, padding)
    computes = 4 * p.flops / p.compulsory_bytes() > flops_per_s / bytes_per_s
    return p.flops / flops_per_s if computes else p.compulsory_bytes() / bytes_per_s


def naive_bytes(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return _time(p, p.flops, 4 * p.accesses().total, flops_per_s, bytes_per_s)


def padding_moved(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    zeros = 4 * p.i_c * (p.padded_h * p.padded_w - p.i_h * p.i_w)
    return _time(p, p.flops, p.compulsory_bytes() + zeros, flops_per_s, bytes_per_s)


def windows_only(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    """Move only the pixels that are in some window."""
    p = problem_of(image, kernel, stride, padding)
    rows = {p.s_h * h + a - p.p_h for h in range(p.o_h) for a in range(p.k_h)}
    columns = {p.s_w * v + b - p.p_w for v in range(p.o_w) for b in range(p.k_w)}
    seen = len(rows & set(range(p.i_h))) * len(columns & set(range(p.i_w)))
    unmoved = 4 * p.i_c * (p.i_h * p.i_w - seen)
    return _time(p, p.flops, p.compulsory_bytes() - unmoved, flops_per_s, bytes_per_s)


def weights_unmoved(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    p = problem_of(image, kernel, stride, padding)
    return _time(p, p.flops, p.compulsory_bytes() - 4 * p.params, flops_per_s, bytes_per_s)


def part_in_turn(part):
    """Move `part(p)` values before or after the rest, which overlaps with the arithmetic."""

    def wrong(image, kernel, stride, padding, flops_per_s, bytes_per_s, part=part):
        p = problem_of(image, kernel, stride, padding)
        alone = 4 * part(p)
        return alone / bytes_per_s + _time(
            p, p.flops, p.compulsory_bytes() - alone, flops_per_s, bytes_per_s
        )

    return wrong


def arithmetic_only(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    return problem_of(image, kernel, stride, padding).flops / flops_per_s


def traffic_only(image, kernel, stride, padding, flops_per_s, bytes_per_s):
    return problem_of(image, kernel, stride, padding).compulsory_bytes() / bytes_per_s


def changed(flops=lambda p: p.flops, moved=lambda p: p.compulsory_bytes(), unit=1):
    def wrong(image, kernel, stride, padding, flops_per_s, bytes_per_s):
        p = problem_of(image, kernel, stride, padding)
        return unit * _time(p, flops(p), moved(p), flops_per_s, bytes_per_s)

    return wrong
