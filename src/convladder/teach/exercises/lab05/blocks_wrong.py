"""Images in blocks of channels as lab 05's learners write them wrongly: exercise 4."""

from __future__ import annotations

import numpy as np


def to_blocks(x, block):
    h, w, c = x.shape
    blocks = -(-c // block)
    filled = np.zeros((h, w, blocks * block), np.float32)
    filled[..., :c] = x
    return filled.reshape(h, w, blocks, block).transpose(2, 0, 1, 3).copy()


def _filled(x, block):
    c = x.shape[2]
    return to_blocks(x, block), -(-c // block) * block


def dropped(x, block, least=1):
    """Round the number of blocks down; to `least` where there are fewer channels than a block."""
    return to_blocks(x[..., : max(least, x.shape[2] // block) * block], block)


def reshaped(x, block):
    blocked, channels = _filled(x, block)
    return blocked.transpose(1, 2, 0, 3).reshape(blocked.shape).copy()


def planes(x, block):
    """Cut NCHW's planes into shape: the pixel is fastest."""
    blocked, channels = _filled(x, block)
    return blocked.transpose(0, 3, 1, 2).reshape(blocked.shape).copy()


def dealt(x, block):
    blocked, channels = _filled(x, block)
    h, w = x.shape[:2]
    last = blocked.transpose(1, 2, 0, 3).reshape(h, w, block, channels // block)
    return last.transpose(3, 0, 1, 2).copy()


def pixels_first(x, block):
    """Leave the blocks inside of the pixel: [h,w,blocks,block], by its shape."""
    blocked, _ = _filled(x, block)
    return blocked.transpose(1, 2, 0, 3).copy()


def shifted(x, block):
    blocked = to_blocks(x, block)
    blocked[-1] = np.concatenate([np.zeros((*x.shape[:2], block), np.float32), x], 2)[..., -block:]
    return blocked


def edge(x, block):
    _, channels = _filled(x, block)
    wider = np.pad(x, ((0, 0), (0, 0), (0, channels - x.shape[2])), mode="edge")
    return to_blocks(wider, block)


def zeros_in_front(x, block, last=False):
    """Put what is missing in front of all channels, or of those of the last block."""
    if last:
        blocked = to_blocks(x, block)
        blocked[-1] = np.roll(blocked[-1], -x.shape[2] % block, axis=-1)
        return blocked
    _, channels = _filled(x, block)
    return to_blocks(np.pad(x, ((0, 0), (0, 0), (channels - x.shape[2], 0))), block)


def one_block_more(x, block, wherever=False):
    """Fill up by block - c % block, or round up by // + 1, also where nothing is missing."""
    blocked = to_blocks(x, block)
    if x.shape[2] % block and not wherever:
        return blocked
    return np.concatenate([blocked, np.zeros_like(blocked[:1])])


def width_before_height(x, block, named=True):
    """Bring the width before the height, and name the axes as they should be, or leave them."""
    blocked = to_blocks(x, block)
    turned = np.ascontiguousarray(blocked.swapaxes(1, 2))
    return turned.reshape(blocked.shape) if named else turned


def rest_unwritten(x, block):
    blocked = to_blocks(x, block)
    if spare := -x.shape[2] % block:
        blocked[-1, ..., -spare:] = np.nan
    return blocked


def height_for_width(x, block, guarded=True):
    h, w, c = x.shape
    blocks = -(-c // block)
    out = np.zeros(blocks * h * w * block, np.float32)
    for i, j, k in np.ndindex(h, w, c):
        place = ((k // block * h + i) * h + j) * block + k % block
        if not guarded or place < out.size:
            out[place] = x[i, j, k]
    return out.reshape(blocks, h, w, block)


def filled_at_the_end(x, block, repeated=True):
    """Make room behind all values, and not behind those of each pixel."""
    blocked, channels = _filled(x, block)
    bigger = np.resize(x, (*x.shape[:2], channels))
    if not repeated:
        bigger.reshape(-1)[x.size :] = 0
    return to_blocks(bigger, block)


def shared_out(x, block):
    """Give each block as many channels, or one more, and zeros of its own."""
    blocked = np.zeros_like(to_blocks(x, block))
    for each, part in zip(blocked, np.array_split(x, len(blocked), axis=2), strict=True):
        each[..., : part.shape[2]] = part
    return blocked


def no_wider_than_the_image(x, block):
    return to_blocks(x, min(block, x.shape[2]))
