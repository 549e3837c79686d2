import re
from threading import Barrier

import numpy as np
import pytest

from convladder.cpu.assembly import main_loop
from convladder.cpu.isa import Isa, host_isa, isa_of
from convladder.measure import available_cores, chain_rate, fma_peak, peak
from convladder.measure.chains import Chains, Target, chain_counts, chain_ir, compiled
from convladder.measure.peak import PIECE, _rate, multiply_adds

# Processors that LLVM knows by name, held down to older instruction sets.
OLDER = {
    "AVX2": (Isa("AVX2", 256, 16, True), "x86-64-v3", "vfmadd\\w+ps", "ymm"),
    "AVX": (Isa("AVX", 256, 16, False), "sandybridge", "vmulps", "ymm"),
    "SSE2": (Isa("SSE2", 128, 16, False), "x86-64", "mulps", "xmm"),
}
# Compiled for anywhere, and read but not run.
AVX512, NEON = Isa("AVX-512", 512, 32, True), Isa("NEON", 128, 32, True)
FOREIGN = {
    "AVX-512": (AVX512, "x86_64-linux-gnu", "skylake-avx512", "vfmadd\\w+ps", "zmm"),
    "NEON": (NEON, "aarch64-linux-gnu", "neoverse-n1", "fmla", "v"),
}


def assert_tight(assembly, instruction, register, chains):
    """One multiply-add a chain, in the wide registers, and nothing else of weight."""
    loop = main_loop(assembly).lines
    steps = [line for line in loop if re.match(instruction, line)]
    assert len(steps) == chains
    assert all(re.search(rf"\b{register}\d", line) for line in steps)
    assert not any("(" in line or "[" in line for line in loop), "a register was spilled"
    fused = "mulps" not in instruction
    assert len(loop) <= chains * (1 if fused else 2) + 3


@pytest.mark.parametrize("name", FOREIGN)
def test_the_loop_is_tight_where_it_is_only_compiled(name):
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    isa, triple, cpu, instruction, register = FOREIGN[name]
    try:
        llvm.Target.from_triple(triple)
    except RuntimeError:
        pytest.skip(f"this LLVM was built without {triple}")
    for chains in chain_counts(isa):
        module, machine = compiled(chain_ir(isa, chains), Target(triple, cpu, ""))
        assert_tight(machine.emit_assembly(module), instruction, register, chains)


@pytest.mark.parametrize("name", OLDER)
def test_older_instruction_sets_are_right_and_tight(name):
    if host_isa().name not in ("AVX-512", "AVX2"):
        pytest.skip("needs an x86 processor that has them all")
    isa, cpu, instruction, register = OLDER[name]
    for count in chain_counts(isa):
        chains = Chains(isa, count, Target(Target.host().triple, cpu, ""))
        assert_tight(chains.assembly, instruction, register, count)
        assert_values(chains, isa)


def test_this_machine_is_right():
    isa = host_isa()
    for count in chain_counts(isa):
        assert_values(Chains(isa, count), isa)


def assert_values(chains, isa):
    out = np.empty_like(chains.start)
    assert out.shape[1] == isa.lanes
    for iterations in (1, 2, 1000):
        out[:] = np.nan
        chains.run(iterations, out)
        np.testing.assert_array_equal(out, chains.start + np.float32(iterations))
    chains.run(3, out, m=-2.0, x=0.5)
    a = chains.start
    for _ in range(3):
        a = np.float32(-2) * np.float32(0.5) + a if isa.fused else np.float32(-2) * a + 0.5
    np.testing.assert_array_equal(out, a)


def test_a_chain_that_loses_a_step_is_not_believed(monkeypatch):
    honest = Chains.run
    monkeypatch.setattr(Chains, "run", lambda self, n, out: honest(self, n - 1, out))
    with pytest.raises(RuntimeError, match="means nothing"):
        _rate(Chains(host_isa(), 8), 1)


@pytest.mark.parametrize(
    ("arch", "features", "name", "lanes"),
    [
        ("x86_64", {"avx512f": True, "avx2": True, "fma": True, "avx": True}, "AVX-512", 16),
        ("AMD64", {"avx512f": False, "avx2": True, "fma": True, "avx": True}, "AVX2", 8),
        ("x86_64", {"avx2": True, "fma": False, "avx": True}, "AVX", 8),
        ("x86_64", {}, "SSE2", 4),
        ("arm64", {}, "NEON", 4),
        ("aarch64", {"sve": True}, "NEON", 4),
        ("riscv64", {}, "generic", 4),
    ],
)
def test_widest_instruction_set(arch, features, name, lanes):
    isa = isa_of(arch, features)
    assert (isa.name, isa.lanes) == (name, lanes)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("turns", [101, 20 * PIECE + 7])
def test_multiply_adds_are_shared_among_threads(threads, turns, monkeypatch):
    if threads > available_cores():
        pytest.skip("one core")
    size = peak._quickest(threads).start.size
    done, all_there = [], Barrier(threads)

    def run(self, iterations, out):
        if id(out) not in [place for _, place in done]:
            done.append((0, id(out)))
            all_there.wait(timeout=60)  # none goes on before each has something to do
        done.append((iterations * size, id(out)))

    monkeypatch.setattr(Chains, "run", run)
    call = multiply_adds(turns * size - 1, threads)
    for _ in range(2):
        done.clear()
        call()
        numbers, outs = zip(*done)
        assert sum(numbers) == turns * size and len(set(outs)) == threads


def test_the_rate_of_so_many_chains():
    assert 1e8 < fma_peak() < 1e13, "of this planet: a bound on units, not on speed"
    with pytest.raises(ValueError, match="threads=0 "):
        fma_peak(0)
    assert chain_rate(1) > 0
    for count in (0, host_isa().registers - 1):
        with pytest.raises(ValueError, match=str(count)):
            chain_rate(count)
