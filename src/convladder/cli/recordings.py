"""The records of `convladder record` besides the contests: each a flag, a measurement, a file."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import compiled, profiles
from .errors import CommandError


@dataclass(frozen=True)
class Recording:
    """One kind of record. `take` measures, as the command's arguments say: the record, where it
    belongs, what to say of it.

    `take` raises CommandError where this machine cannot make the record.
    """

    flag: str
    help: str
    take: Callable[[Namespace], tuple[dict, Path, list[str]]]


def _counts(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench import counts as counts

    if reason := counts.missing():
        raise CommandError(f"--counts: {reason}")
    try:
        record = counts.measured()
    except RuntimeError as error:
        raise CommandError(error) from error
    caught = sum(bool(verdict["errors"]) for verdict in record["broken"].values())
    return record, counts.RECORD, [
        f"{record['device']['name']}: {len(record['cases'])} launches counted; "
        f"compute-sanitizer finds {caught} of {len(record['broken'])} faults"]


def _launches(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench.conv_gpu import file_name
    from ..bench.launches import RECORDS, launch_costs
    from ..gpu.first_kernels import report_kernels

    _needs_gpu("--launches", "launches are to be timed on one")
    try:
        record = launch_costs(report_kernels())
    except ValueError as error:
        raise CommandError(f"--launches: {error}") from error
    return record, RECORDS / file_name(record), [
        f"{record['card']['gpu']}: an empty launch returns after "
        f"{1e6 * record['empty']['returns'][1]:.2f} µs"]


def _steps(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench import memory_steps as steps
    from ..bench.conv_gpu import file_name

    _needs_gpu("--steps", "only one has times to record")
    try:
        record = steps.measured()
    except RuntimeError as error:
        raise CommandError(error) from error
    limits = record["limits"]
    lines = [f"{record['card']['gpu']}: {limits['flops_per_s'] / 1e12:.1f} TFLOP/s, "
             f"{limits['bytes_per_s'] / 1e12:.2f} TB/s; {record['layer']}"]
    for name, result in record["ladder"].items():
        rate = record["flops"] / result["seconds"]
        lines.append(f"{name:<20}{result['seconds'] * 1e3:>8.3f} ms"
                     f"{rate / limits['flops_per_s']:>8.1%} of the peak")
    return record, steps.RECORDS / file_name(record), lines


def _ablation(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench import ablation
    from ..bench.conv_gpu import file_name

    _needs_gpu("--ablation", "only one has times to record")
    try:
        record = ablation.measured()
    except RuntimeError as error:
        raise CommandError(error) from error
    lines = []
    for name, batch, layer in ablation.rows(record):
        shipped = layer["seconds"][ablation.SHIPPED]
        lines.append(f"{name:<5} batch {batch:>2}  {shipped * 1e6:>8.1f} µs  " + "  ".join(
            f"{what}: {seconds / shipped:.2f}" for what, seconds in layer["seconds"].items()
            if what != ablation.SHIPPED))
    return record, ablation.RECORDS / file_name(record), lines


def _int8(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench import int8 as contest
    from ..bench.compare import ROUNDS, contests_of, geometric_mean
    from ..measure import available_cores
    from ..records.store import file_name
    from .doctor import extra_install
    from .progress import Bar

    if absent := contest.missing():
        raise CommandError("--int8 is a race with ONNX Runtime; not installed: "
                           f"{', '.join(absent)}. Add with: {extra_install('peers')}")
    bar = Bar(len({1, available_cores()}) * len(contest.LAYERS) * ROUNDS)
    try:
        record = contest.record(progress=bar.step)
    except RuntimeError as error:
        raise CommandError(error) from error
    finally:
        bar.close()
    lines = [f"{record['machine']['cpu']}, {record['dot']}"]
    for run in contests_of(record):
        wide = [each for name, each in run.items()
                if each.problem.i_c >= 64 and not name.startswith("lenet")]
        gain = geometric_mean([each.ratio(contest.FLOAT32, contest.INT8) for each in wide])
        rival = geometric_mean([each.ratio("onnxruntime int8", contest.INT8) for each in wide])
        lines.append(f"threads: {wide[0].threads}. Of 64 channels and more, int8 is {gain:.2f} "
                     f"times as fast as float32; onnxruntime's takes {rival:.2f} times as long")
    return record, contest.RECORDS / file_name(record), lines


def _formats(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench import tensor_formats as matmuls
    from ..bench.conv_gpu import file_name

    _needs_gpu("--formats", "its tensor cores are what is timed")
    record = matmuls.measured()
    lines = [f"{name:<14}{rate / 1e12:>7.0f} T operations/s"
             for name, rate in matmuls.rates(record).items()]
    lines += [f"{name}: absent, {why}" for name, why in record["absent"].items()]
    return record, matmuls.RECORDS / file_name(record), lines


def _scale(args: Namespace) -> tuple[dict, Path, list[str]]:
    from statistics import median

    from .. import cuda
    from ..bench import scale_cpu as cluster
    from ..bench import scale_gpu as gpus
    from ..bench.conv_gpu import file_name as gpu_file_name
    from ..records.store import file_name

    kind = gpus if cuda.gpu() else cluster
    try:
        record = kind.measured(progress=lambda what: print(what, flush=True))
    except (RuntimeError, ImportError) as error:
        raise CommandError(f"--scale: {error}") from error
    lines = [f"{label:<36}{workers:>3}{1e3 * predicted:>12.3f} ms predicted"
             f"{1e3 * median(seconds):>12.3f} ms{gain:>8.2f} times as fast as one alone"
             for label, workers, predicted, seconds, gain in kind.rows(record)]
    name = gpu_file_name(record) if kind is gpus else file_name(record)
    return record, cluster.RECORDS / name, lines


def _l1(args: Namespace) -> tuple[dict, Path, list[str]]:
    from ..bench.conv_gpu import file_name
    from ..bench.l1 import RECORDS, l1_clocks

    _needs_gpu("--l1", "its first cache is what is timed")
    record = l1_clocks()
    return record, RECORDS / file_name(record), [
        f"lanes {floats:>3} floats apart: {clocks:>6.2f} clocks a request"
        for floats, clocks in record["clocks"].items()]


def _needs_gpu(flag: str, why: str) -> None:
    from .. import cuda

    if not cuda.gpu():
        raise CommandError(f"{flag}: there is no NVIDIA GPU here that CuPy sees, and {why}")


RECORDINGS = (
    Recording("counts", "what Nsight Compute counts of every access pattern and what "
              "compute-sanitizer finds, on this GPU", _counts),
    Recording("launches", "what a launch costs on this GPU, and how long chapter 06's kernels take",
              _launches),
    Recording("steps", "the limits of this GPU, the ladder of chapters 06 and 07 and every step of "
              "chapter 07, timed", _steps),
    Recording("l1", "clocks of a request to this GPU's first cache, by how far apart its lanes "
              "stand, for chapter 11", _l1),
    Recording("ablation", "chapter 09's implicit GEMM with one idea taken away at a time, and with "
              "every tile, timed on this GPU", _ablation),
    Recording("profiles", "every rung of LeNet-5 and PyTorch under CUPTI, their kernels' counters, "
              "mistakes of timing", profiles.record),
    Recording("compile", "the compiled networks of chapter 12 beside the libraries, or with "
              "--device gpu after each pass", compiled.record),
    Recording("int8", "convolutions of bytes beside float32 and ONNX Runtime, on chapter 13's "
              "layers and the whole LeNet-5", _int8),
    Recording("formats", "one product in every format of this GPU's tensor cores, for chapter 13",
              _formats),
    Recording("scale", "inference cut over this machine's GPUs if it has two or more, else over a "
              "worker for each core; predicted, then timed", _scale),
)
