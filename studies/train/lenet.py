"""Train LeNet-5 on the 60,000 training images: how `data/weights.npz` was made.

    python -m studies.train.lenet FOLDER weights.npz

FOLDER holds MNIST's `train-images-idx3-ubyte` and `train-labels-idx1-ubyte`, unpacked. Needs
PyTorch (extra `train`) and a few minutes of one core. Beside the weights goes `weights.json`,
which says how they were made.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from convladder.bench.libraries.lenet import model
from convladder.networks.lenet.digits import images, labels, read_idx
from convladder.networks.lenet.network import Weights

SEED = 0
EPOCHS = 14
BATCH = 100
MOST_RATE = 0.004  # of learning: rises to this, then falls to nothing ("one cycle")
SHIFT = 2  # pixels: each image is moved by up to so many, anew in each epoch


def from_torch(network) -> Weights:
    """Return the weights of a `model()`, in the order of axes of this package."""
    arrays = [array.detach().numpy().copy() for array in network.parameters()]
    for conv in (0, 2):
        arrays[conv] = arrays[conv].transpose(2, 3, 1, 0)
    # PyTorch flattens channels, rows, columns; here the channel is innermost.
    arrays[4] = arrays[4].reshape(120, 16, 4, 4).transpose(0, 2, 3, 1).reshape(120, 256)
    return Weights(*map(np.ascontiguousarray, arrays))


def train(pixels: np.ndarray, digits: np.ndarray, epochs: int = EPOCHS):
    """Train a `model()` from bytes `pixels[count,28,28]` and their `digits[count]`."""
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # the same sums in the same order on any machine of this kind
    x = torch.from_numpy(pixels.astype(np.float32) / 255).unsqueeze(1)
    y = torch.from_numpy(digits.astype(np.int64))
    network = model()
    optimiser = torch.optim.Adam(network.parameters(), weight_decay=1e-5)
    steps = -(-len(x) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, MOST_RATE, epochs=epochs, steps_per_epoch=steps
    )
    for epoch in range(epochs):
        total = 0.0
        for chosen in torch.randperm(len(x)).split(BATCH):
            right, down = torch.randint(-SHIFT, SHIFT + 1, (2,)).tolist()
            batch = torch.roll(x[chosen], (down, right), (2, 3))  # the margins are black
            loss = torch.nn.functional.cross_entropy(network(batch), y[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1} of {epochs}: mean loss {total / steps:.4f}", flush=True)
    return network.eval()


def accuracy(network) -> float:
    """Return the share of the 10,000 test images that a `model()` labels right."""
    import torch

    with torch.inference_mode():
        x = torch.from_numpy(images().astype(np.float32) / 255).unsqueeze(1)
        return float((network(x).argmax(1).numpy() == labels()).mean())


def main(argv: list[str] | None = None) -> None:
    """Run the command above."""
    import torch

    parser = argparse.ArgumentParser(description="Train LeNet-5 on MNIST's training images.")
    parser.add_argument("folder", type=Path, help="holds train-images-idx3-ubyte and its labels")
    parser.add_argument("file", type=Path, help="weights to write, .npz")
    args = parser.parse_args(argv)
    pixels = read_idx((args.folder / "train-images-idx3-ubyte").read_bytes())
    digits = read_idx((args.folder / "train-labels-idx1-ubyte").read_bytes())
    network = train(pixels, digits)
    share = accuracy(network)
    np.savez_compressed(args.file, **vars(from_torch(network)))
    how = {
        "made_by": "python -m studies.train.lenet",
        "training_images": len(pixels),
        "seed": SEED,
        "epochs": EPOCHS,
        "batch": BATCH,
        "most_rate": MOST_RATE,
        "shift": SHIFT,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "test_accuracy": share,
    }
    args.file.with_suffix(".json").write_text(json.dumps(how, indent=1) + "\n")
    print(f"{share:.2%} of the test images right; written to {args.file}")


if __name__ == "__main__":
    main()
