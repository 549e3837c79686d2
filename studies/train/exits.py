"""Train the heads of `early_exit`: how `data/exits.npz` was made.

    python -m studies.train.exits FOLDER OUT

FOLDER holds MNIST's unpacked training images and labels, OUT receives `exits.npz` and `exits.json`.
Needs PyTorch (extra `train`) and about a minute of one core. LeNet-5 itself stays as it ships.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from convladder.bench.libraries.lenet import into_torch
from convladder.networks import lenet
from convladder.networks.lenet.digits import read_idx
from convladder.networks.memory.early_exit import SIDES, features

from .lenet import SHIFT

SEED, BATCH, EPOCHS, MOST_RATE = 0, 100, 8, 4e-3
PIECES = 3  # modules of each block: convolution, ReLU, pool


def train_head(images: np.ndarray, digits: np.ndarray, block: int):
    """Train `(w[values,10], bias[10])` of a head after `block` on bytes `images[count,28,28]`."""
    import torch
    from torch.nn.functional import cross_entropy

    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # the same sums in the same order on any machine of this kind
    before = into_torch(lenet.weights())[: PIECES * block].requires_grad_(False)
    pixels = torch.from_numpy(images.astype(np.float32) / 255).unsqueeze(1)
    labels = torch.from_numpy(digits.astype(np.int64))
    values = before(pixels[:1]).numel()
    model = torch.nn.Linear(values, 10)
    optimiser = torch.optim.Adam(model.parameters(), weight_decay=1e-5)
    steps = -(-len(pixels) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, MOST_RATE, epochs=EPOCHS, steps_per_epoch=steps
    )
    for epoch in range(EPOCHS):
        total = 0.0
        for chosen in torch.randperm(len(pixels)).split(BATCH):
            right, down = torch.randint(-SHIFT, SHIFT + 1, (2,)).tolist()
            moved = torch.roll(pixels[chosen], (down, right), (2, 3))  # the margins are black
            maps = before(moved).permute(0, 2, 3, 1)  # channels innermost, as here
            loss = cross_entropy(model(maps.flatten(1)), labels[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"  epoch {epoch + 1} of {EPOCHS}: mean loss {total / steps:.4f}", flush=True)
    return model.weight.detach().numpy().T.copy(), model.bias.detach().numpy().copy()


def main(argv: list[str] | None = None) -> None:
    """Run the command above."""
    import torch

    parser = argparse.ArgumentParser(description="Train the heads of memory/data.")
    parser.add_argument("folder", type=Path, help="holds train-images-idx3-ubyte and its labels")
    parser.add_argument("out", type=Path, help="folder for exits.npz and exits.json")
    args = parser.parse_args(argv)
    images = read_idx((args.folder / "train-images-idx3-ubyte").read_bytes())
    digits = read_idx((args.folder / "train-labels-idx1-ubyte").read_bytes())
    arrays, right = {}, {}
    for block in SIDES:
        print(f"head after block {block}", flush=True)
        w, bias = (a.astype(np.float16) for a in train_head(images, digits, block))
        arrays |= {f"w{block}": w, f"bias{block}": bias}
        x = features(lenet.images(), block)
        labels = (x @ w.astype(np.float32) + bias).argmax(axis=1)
        right[f"after block {block}"] = float((labels == lenet.labels()).mean())
    np.savez_compressed(args.out / "exits.npz", **arrays)
    how = {
        "made_by": "python -m studies.train.exits",
        "training_images": len(images),
        "seed": SEED,
        "epochs": EPOCHS,
        "batch": BATCH,
        "most_rate": MOST_RATE,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "test_accuracy": right,
    }
    (args.out / "exits.json").write_text(json.dumps(how, indent=1) + "\n")
    print(right)


if __name__ == "__main__":
    main()
