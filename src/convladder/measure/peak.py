"""The most float32 arithmetic that this machine does: vector multiply-adds, registers only."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np

from ..cpu.isa import Isa, host_isa
from ..cpu.workers import workers
from .parallel import best_seconds
from .pinning import thread_count
from .pinning import threads as pinned
from .quick import fewer, shortened
from .timing import Rate, reported

RUN_SECONDS = 0.01
REPEATS = 6
LOAD_SECONDS, AFTER_SECONDS, AFTER_READINGS = 0.01, 0.0005, 30
PIECE = 2**17  # iterations, a fifth of a millisecond: few enough calls, and none waits long
_peaks: dict[int, Rate] = {}  # by threads
MOST_ITERATIONS = 2**24 - 2**12  # float32 counts by ones up to 2^24, so each result stays exact


def fma_peak(threads: int = 1) -> float:
    """Return the multiply-add peak of `threads` cores, in FLOP/s (an add and a multiply count two).

    Each thread runs independent chains `a = m·x + a` in vector registers: enough chains to
    cover the latency of one by the others, few enough to stay in registers. The best of several
    counts is taken. With `m = x = 1` each sum counts its own multiply-adds, and is checked.
    Raises `ValueError` for an invalid number of threads.
    """
    threads = thread_count(threads)
    rates = [_rate(chains, threads) for chains in _tried()]
    return reported(_highest(threads, rates)).per_second


def peak_again(threads: int = 1) -> Rate:
    """Return the highest peak of all readings by now, of which one more is taken for it.

    What seemed to pass the peak was perhaps measured beside a disturbed reading of it.
    """
    threads = thread_count(threads)
    return _highest(threads, [_rate(_quickest(threads), threads)])


def peak_now(threads: int = 1) -> Rate:
    """Return one more reading of the peak, by the chains that once were quickest: a tenth of a
    second.

    A machine that others use, or that is hot, has another peak from minute to minute. Raises
    `ValueError` for an invalid number of threads.
    """
    return _rate(_quickest(thread_count(threads)), threads)


def peak_after(work: Callable[[], object]) -> float:
    """Return FLOP/s of one core's bare multiply-adds in the half millisecond after `work()`, the
    median.

    `work`, held to one thread, runs for some milliseconds before each reading, again and again
    where it is short: so long that a processor which lowers its clock or holds back its vector
    units under a load has done so. It takes them milliseconds to recover.
    """
    chains = _quickest(1)
    out = np.empty_like(chains.start)
    iterations = max(1, round(AFTER_SECONDS * _rate(chains, 1).per_second / chains.flops))
    rates = []
    with pinned(1):
        for _ in range(fewer(AFTER_READINGS)):
            begin = perf_counter()
            work()
            while perf_counter() - begin < LOAD_SECONDS:
                work()
            chains.run(1, out)  # what Python needs for the call is in the caches again
            begin = perf_counter()
            chains.run(iterations, out)
            rates.append(iterations * chains.flops / (perf_counter() - begin))
    return float(np.median(rates))


def multiply_adds(number: int, threads: int = 1) -> Callable[[], None]:
    """Return a function of `number` float32 multiply-adds at the peak, in pieces, by `threads`
    threads.

    It may take turns with a program that does as many. Raises `ValueError` for a number of threads
    that cannot be.
    """
    chains = _quickest(thread_count(threads))
    outs = [np.empty_like(chains.start) for _ in range(threads)]
    iterations = -(-number // chains.start.size)
    piece = min(PIECE, -(-iterations // threads))
    team = workers(threads)

    def run() -> None:
        left = iter(range(0, iterations, piece))  # next() is one step, which no thread can divide

        def work(thread: int) -> None:
            for done in left:
                chains.run(min(piece, iterations - done), outs[thread])

        team.together(work)

    return run


def highest_peak(threads: int) -> Rate | None:
    """Return the highest peak of all readings by now, None without any."""
    return _peaks.get(threads)


def _highest(threads: int, rates: list[Rate]) -> Rate:
    """Return the highest of these and of those before: a peak is the most that ever was."""
    before = [_peaks[threads]] if threads in _peaks else []
    _peaks[threads] = max([*rates, *before], key=lambda rate: rate.per_second)
    return _peaks[threads]


@cache
def _tried() -> list[Chains]:
    isa = host_isa()
    return [Chains(isa, count) for count in chain_counts(isa)]


@cache
def _quickest(threads: int) -> Chains:
    return max(_tried(), key=lambda chains: _rate(chains, threads).per_second)


def chain_rate(chains: int) -> float:
    """Return FLOP/s of one core with this many independent chains of vector multiply-adds.

    Raises `ValueError` for a number that the registers cannot hold beside two operands.
    """
    isa = host_isa()
    most = isa.registers - 2
    if not 1 <= chains <= most:
        raise ValueError(f"chains={chains!r}: {isa.name} has registers for 1 to {most}")
    return reported(_rate(Chains(isa, chains), 1)).per_second


def _rate(chains: Chains, threads: int) -> Rate:
    """Return the FLOP/s of all threads together. Raises `RuntimeError` if a chain lost a step."""
    outs = [np.empty_like(chains.start) for _ in range(threads)]
    trial, seconds = 2**16, shortened(RUN_SECONDS)
    trial_run = best_seconds(lambda thread: chains.run(trial, outs[thread]), threads, 3)
    iterations = min(MOST_ITERATIONS, max(1, round(trial * seconds / trial_run.seconds)))
    best = best_seconds(lambda thread: chains.run(iterations, outs[thread]), threads, REPEATS)
    for out in outs:
        if not np.array_equal(out, chains.start + np.float32(iterations)):
            raise RuntimeError("the multiply-add loop gave a wrong sum: its rate means nothing")
    return Rate(threads * iterations * chains.flops / best.seconds, best.disturbed)


def chain_counts(isa: Isa) -> tuple[int, ...]:
    """Return numbers of chains worth trying: two registers must be left for the operands."""
    return (8, 12, 16, 24) if isa.registers == 32 else (8, 10, 12, 14)


def chain_ir(isa: Isa, chains: int) -> str:
    """Return LLVM IR of `chain(iterations, start, operands, out)`, one multiply-add a chain and
    turn.

    `start` and `out` point to float32[chains, lanes], `operands` to m and x, float32[2, lanes]
    each of them unknown to the compiler, which therefore must do all the arithmetic.
    """
    vector = f"<{isa.lanes} x float>"
    every = range(chains)

    def at(pointer: str, row: int, name: str) -> str:
        return f"%{name} = getelementptr {vector}, ptr %{pointer}, i64 {row}"

    def load(pointer: str, row: int, name: str) -> list[str]:
        return [
            at(pointer, row, f"{name}.at"),
            f"%{name} = load {vector}, ptr %{name}.at, align 4",
        ]

    def step(k: int) -> list[str]:
        if isa.fused:
            return [
                f"%b{k} = call {vector} @llvm.fma.v{isa.lanes}f32"
                f"({vector} %m, {vector} %x, {vector} %a{k})"
            ]
        # Without fusion m·x would be the same each turn, and be moved out of the loop.
        return [f"%t{k} = fmul {vector} %a{k}, %m", f"%b{k} = fadd {vector} %t{k}, %x"]

    lines = [
        f"declare {vector} @llvm.fma.v{isa.lanes}f32({vector}, {vector}, {vector})",
        "define void @chain(i64 %iterations, ptr %start, ptr %operands, ptr %out) #0 {",
        "entry:",
        *load("operands", 0, "m"),
        *load("operands", 1, "x"),
        *(line for k in every for line in load("start", k, f"s{k}")),
        "br label %loop",
        "loop:",
        "%i = phi i64 [%iterations, %entry], [%left, %loop]",
        *(f"%a{k} = phi {vector} [%s{k}, %entry], [%b{k}, %loop]" for k in every),
        *(line for k in every for line in step(k)),
        "%left = sub i64 %i, 1",
        "%more = icmp ne i64 %left, 0",
        "br i1 %more, label %loop, label %done",
        "done:",
        *(
            line
            for k in every
            for line in (
                at("out", k, f"o{k}"),
                f"store {vector} %b{k}, ptr %o{k}, align 4",
            )
        ),
        "ret void",
        "}",
        # Some AVX-512 processors are given 256-bit code unless 512 is asked for.
        f'attributes #0 = {{ "min-legal-vector-width"="{isa.vector_bits}"'
        f' "prefer-vector-width"="{isa.vector_bits}" }}',
    ]
    return "\n".join(lines)


@dataclass(frozen=True)
class Target:
    """The target that LLVM compiles for; the default is this machine."""

    triple: str
    cpu: str
    features: str

    @classmethod
    def host(cls) -> Target:
        import llvmlite.binding as llvm

        try:
            features = llvm.get_host_cpu_features().flatten()
        except RuntimeError:
            features = ""
        return cls(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)


def compiled(ir: str, target: Target):
    """Return the verified module and its target machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(ir)
    module.verify()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3
    )
    return module, machine


class Chains:
    """The compiled loop, callable from many threads at once."""

    def __init__(self, isa: Isa, chains: int, target: Target | None = None):
        import llvmlite.binding as llvm

        module, machine = compiled(chain_ir(isa, chains), target or Target.host())
        self.assembly = machine.emit_assembly(module)
        self._engine = llvm.create_mcjit_compiler(module, machine)  # owns the code
        self._engine.finalize_object()
        signature = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 3)
        self._call = signature(self._engine.get_function_address("chain"))
        self.start = np.arange(chains * isa.lanes, dtype=np.float32).reshape(chains, isa.lanes)
        self.flops = 2 * self.start.size  # of one iteration

    def run(self, iterations: int, out: np.ndarray, m: float = 1.0, x: float = 1.0) -> None:
        """Put `a = m·x + a`, done `iterations` times from `a = start`, into `out`.

        (Without fused multiply-add, `a = m·a + x`: the same where m = 1.)
        """
        operands = np.empty((2, self.start.shape[1]), np.float32)
        operands[0], operands[1] = m, x
        self._call(iterations, self.start.ctypes.data, operands.ctypes.data, out.ctypes.data)
