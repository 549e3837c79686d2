"""Training with rounding, with zeros, with a teacher: how the networks in `data/` were made.

    python -m studies.train.compress FOLDER OUT [NAME ...]

FOLDER holds MNIST's unpacked training images and labels, OUT receives the networks of NAMES (all).
Needs PyTorch (extra `train`) and about a minute of one core for each; nothing else here does.

Rounding has no slope, so training rounds on the way forward and pretends on the way back that it
did not (the "straight-through estimator": Bengio, Léonard & Courville, arXiv:1308.3432). A student
learns from its teacher's softened answers: Hinton, Vinyals & Dean, arXiv:1503.02531.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from convladder.networks.compress.grids import fake_quantise
from convladder.networks.compress.pruned import by_channel, by_magnitude, two_of_four
from convladder.networks.lenet.digits import read_idx

from .lenet import SHIFT
from .networks_in_torch import channels_of, from_torch, into_torch, model

SEED, BATCH = 0, 100
QAT = {"qat8": 8, "qat4": 4, "qat3": 3, "qat2": 2}  # bits of weights; activations have as many
QAT_EPOCHS, QAT_RATE = 3, 5e-4
STUDENT = (3, 8, 32, 24)  # channels, where LeNet-5 has 6, 16, 120, 84
STUDENT_EPOCHS, STUDENT_RATE = 6, 4e-3
TEMPERATURE = 2.0  # softens the teacher's answers
PRUNED: dict[str, Callable] = {
    "pruned_tenth": lambda layers: by_magnitude(layers, 0.9),
    "pruned_two_of_four": two_of_four,
    "pruned_channels": lambda layers: by_channel(layers, 0.5),
}
FEW = 1000  # training images whose digit "student_few" is imitation
STUDENTS: dict[str, dict] = {  # the teacher's part of what is learnt; images with a digit
    "student_alone": {"teaching": 0.0},
    "student_distilled": {"teaching": 0.5},
    "student_few": {"teaching": 0.0, "labelled": FEW},
    "student_told": {"teaching": 1.0},
}
PRUNED_RATE = 2e-3
CALIBRATION = 2000  # training images


def quantised_forward(made, x, found: dict[str, tuple[float, float]], bits: int):
    """Compute logits of a `model`, with weights and activations on grids of `bits`."""
    from torch import nn

    names = iter(nets.LABELS[1:])
    high = 2 ** (bits - 1) - 1
    for module in made:
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            w = module.weight
            scale = w.detach().abs().amax(dim=tuple(range(1, w.ndim)), keepdim=True) / high
            w = fake_quantise(w, scale.clamp_min(1e-12), -high, high)
            operation = nn.functional.linear
            if isinstance(module, nn.Conv2d):
                operation = nn.functional.conv2d
            x = operation(x, w, module.bias)
        else:
            x = module(x)
        if isinstance(module, nn.ReLU) and (name := next(names, None)):
            x = fake_quantise(x, found[name][1] / (2**bits - 1), 0, 2**bits - 1)
    return x


def fit(parameters, loss_of: Callable, pixels, digits, epochs: int, most_rate: float) -> None:
    """Train by Adam, "one cycle" of rates; `loss_of(x, y)` is that of a batch."""
    import torch

    optimiser = torch.optim.Adam(parameters)
    steps = -(-len(pixels) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, most_rate, epochs=epochs, steps_per_epoch=steps
    )
    for epoch in range(epochs):
        total = 0.0
        for chosen in torch.randperm(len(pixels)).split(BATCH):
            right, down = torch.randint(-SHIFT, SHIFT + 1, (2,)).tolist()
            loss = loss_of(torch.roll(pixels[chosen], (down, right), (2, 3)), digits[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"  epoch {epoch + 1} of {epochs}: mean loss {total / steps:.4f}", flush=True)


def quantisation_aware(bits: int, images: np.ndarray, digits: np.ndarray, epochs: int = QAT_EPOCHS):
    """Train the shipped LeNet-5 on with rounding in the loop; integers, as PTQ makes them."""
    import torch

    x, y = _tensors(images, digits)
    made = into_torch(nets.network())
    found = quantised.ranges(nets.network(), images[:CALIBRATION], "entropy", bits)
    found = {name: (0.0, most) for name, (_, most) in found.items()}

    def loss_of(x, y):
        return torch.nn.functional.cross_entropy(quantised_forward(made, x, found, bits), y)

    fit(made.parameters(), loss_of, x, y, epochs, QAT_RATE)
    return quantised.quantise(from_torch(made), found, bits=bits)


def retrained(pruned: nets.Network, images: np.ndarray, digits: np.ndarray, epochs: int = 6):
    """Train layers on from `pruned`, of any channels; its zeros stay zeros."""
    import torch

    x, y = _tensors(images, digits)
    made = into_torch(pruned)
    masks = [(array != 0) for array in into_torch(pruned).parameters()]

    def zero() -> None:
        with torch.no_grad():
            for parameter, mask in zip(made.parameters(), masks, strict=True):
                if parameter.ndim > 1:  # biases are not pruned
                    parameter.mul_(mask)

    def loss_of(x, y):
        zero()  # the last step moved all
        return torch.nn.functional.cross_entropy(made(x), y)

    fit(made.parameters(), loss_of, x, y, epochs, PRUNED_RATE)
    zero()
    return from_torch(made)


def student(
    images: np.ndarray,
    digits: np.ndarray,
    *,
    teaching: float = 0.0,
    labelled: int | None = None,
    epochs: int = STUDENT_EPOCHS,
):
    """Train layers of a student taught by the digits, by the shipped LeNet-5's answers, or by both.

    `teaching`: the teacher's part, 0 to 1. `labelled`: only so many images, seen more often.
    """
    import torch
    from torch.nn.functional import cross_entropy, kl_div, log_softmax, softmax

    x, y = _tensors(images[:labelled], digits[:labelled])
    made, teacher = model(STUDENT), into_torch(nets.network())

    def loss_of(x, y):
        answer = made(x)
        if not teaching:
            return cross_entropy(answer, y)
        with torch.no_grad():
            soft = softmax(teacher(x) / TEMPERATURE, 1)
        imitation = kl_div(log_softmax(answer / TEMPERATURE, 1), soft, reduction="batchmean")
        return (1 - teaching) * cross_entropy(answer, y) + teaching * TEMPERATURE**2 * imitation

    fit(made.parameters(), loss_of, x, y, epochs * (len(images) // len(x)), STUDENT_RATE)
    return from_torch(made)


def _tensors(images: np.ndarray, digits: np.ndarray):
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(1)  # the same sums in the same order on any machine of this kind
    x = torch.from_numpy(images.astype(np.float32) / 255).unsqueeze(1)
    return x, torch.from_numpy(digits.astype(np.int64))


def save_quantised(network: quantised.QuantisedNetwork, file: Path) -> None:
    """Write what `compress.store.quantised_network` reads."""
    arrays = {}
    for layer in network:
        name = layer.name
        arrays |= {f"{name}_q": layer.q, f"{name}_bias": layer.bias, f"{name}_w": layer.w.scale}
        if layer.y is not None:
            arrays[f"{name}_y"] = np.array([layer.y.scale, layer.y.zero, layer.y.high], np.float32)
    np.savez_compressed(file, **arrays)


def save_layers(network: nets.Network, file: Path) -> None:
    """Write what `compress.store.float_network` reads, as float16."""
    arrays = {}
    for layer in network:
        arrays |= {layer.name: layer.w, f"{layer.name}_bias": layer.bias}
    np.savez_compressed(file, **{name: array.astype(np.float16) for name, array in arrays.items()})


def main(argv: list[str] | None = None) -> None:
    """Run the command above."""
    import torch

    parser = argparse.ArgumentParser(description="Train the small networks of compress/data.")
    parser.add_argument("folder", type=Path, help="holds train-images-idx3-ubyte and its labels")
    parser.add_argument("out", type=Path, help="folder for the networks")
    known = [*QAT, *PRUNED, *STUDENTS]
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(known))
    args = parser.parse_args(argv)
    unknown = set(args.names) - set(known)
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(known)}")
    images = read_idx((args.folder / "train-images-idx3-ubyte").read_bytes())
    digits = read_idx((args.folder / "train-labels-idx1-ubyte").read_bytes())
    notes = args.out / "trained.json"
    how = json.loads(notes.read_text()) if notes.exists() else {}
    for name in args.names or known:
        print(name, flush=True)
        common = {
            "made_by": "python -m studies.train.compress",
            "seed": SEED,
            "batch": BATCH,
            "training_images": len(images),
            "torch": torch.__version__,
        }
        if name in QAT:
            network = quantisation_aware(QAT[name], images, digits)
            save_quantised(network, args.out / f"{name}.npz")
            share = quantised.accuracy(network)
            common |= {"bits": QAT[name], "epochs": QAT_EPOCHS, "most_rate": QAT_RATE}
        else:
            if name in PRUNED:
                network = retrained(PRUNED[name](nets.network()), images, digits)
                common |= {"channels": channels_of(network), "most_rate": PRUNED_RATE}
            else:
                network = student(images, digits, **STUDENTS[name])
                common |= {"channels": STUDENT, "epochs": STUDENT_EPOCHS, "rate": STUDENT_RATE}
                common |= STUDENTS[name]
            save_layers(network, args.out / f"{name}.npz")
            share = nets.float_accuracy(network)
        how[name] = common | {"test_accuracy": share}
        notes.write_text(json.dumps(how, indent=1) + "\n")
        print(f"  {share:.2%} of the test images right", flush=True)


if __name__ == "__main__":
    main()
