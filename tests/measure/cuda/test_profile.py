"""Activities as plain data: tables, unions, overlap, records; and how CUPTI's become them."""

import json
import sys
from types import SimpleNamespace

import pytest

from convladder import cuda
from convladder.measure.cuda import cupti
from convladder.measure.cuda.profile import (
    Activity,
    as_dict,
    busy,
    hidden_copies,
    outermost,
    overlap,
    profile_from_dict,
    profile_of,
    rows_of,
    span,
)

UP = Activity("upload", "[CUDA memcpy HtoD, pinned]", 1000, 5000, 1, 4096)
RUN = [
    Activity("call", "cudaMemcpyAsync", 0, 900),
    UP,
    Activity("call", "cuLaunchKernel", 950, 1050),
    Activity("kernel", "conv", 3000, 6000, 2),
    Activity("call", "cuLaunchKernel", 1100, 1150),
    Activity("kernel", "conv", 6000, 8000, 1),
    Activity("download", "[CUDA memcpy DtoH, pinned]", 9000, 9500, 2, 40),
]


def test_a_row_adds_up_what_has_one_name():
    rows = rows_of(RUN)
    assert [row.name for row in rows][:2] == ["conv", UP.name]  # the longest first
    conv = rows[0]
    assert (conv.calls, conv.seconds, conv.mean) == (2, pytest.approx(5e-6), pytest.approx(2.5e-6))
    assert (conv.least, conv.most) == (pytest.approx(2e-6), pytest.approx(3e-6))
    assert sum(row.calls for row in rows) == len(RUN) and rows[1].bytes == 4096


def test_what_runs_at_the_same_time_is_busy_once():
    device = [a for a in RUN if a.kind != "call"]
    assert busy(device) == pytest.approx(7.5e-6) and span(device) == pytest.approx(8.5e-6)
    assert busy([]) == span([]) == 0
    inside = [Activity("kernel", "a", *ends) for ends in ((0, 100), (10, 20), (90, 120))]
    assert busy(inside) == pytest.approx(120e-9)
    assert hidden_copies(RUN) == pytest.approx(2e-6)
    assert overlap([UP], [UP]) == pytest.approx(4e-6) and overlap([UP], []) == 0


def test_of_nested_calls_the_outermost_counts():
    calls = [(1, 0, 100), (1, 10, 90), (1, 20, 30), (2, 15, 50), (1, 100, 110), (1, 110, 110)]
    assert outermost(calls) == [0, 3, 4, 5]
    assert outermost([(1, 0, 5), (1, 0, 9)]) == [1]


def test_a_profile_keeps_the_run_in_the_middle_and_comes_back_from_its_record():
    late = [Activity(a.kind, a.name, a.start, a.end + 700, a.stream, a.bytes) for a in RUN]
    later = [Activity(a.kind, a.name, a.start, a.end + 9000, a.stream, a.bytes) for a in RUN]
    made = profile_of([later, RUN, late], [3.0, 1.0, 2.0], (0.5, 0.6, 0.7))
    assert (made.runs, made.events_of, made.profiled[1]) == (3, 4, 2.0)
    assert made.span[1] == pytest.approx(9.2e-6)  # that of `late`
    assert [a.end for a in made.events if a.name == UP.name] == [5700]
    assert {row.name: row.calls for row in made.device}["conv"] == 6
    calls = {row.name: row.calls for row in made.calls}
    assert calls == {"cudaMemcpyAsync": 3, "cuLaunchKernel": 6}
    assert made.device_seconds == pytest.approx(sum(row.seconds for row in made.device) / 3)
    assert sum(made.share(row.name) for row in made.device) == pytest.approx(1)
    with pytest.raises(ValueError, match="'pool' is in neither table; there is conv"):
        made.seconds("pool")
    back = profile_from_dict(json.loads(json.dumps(as_dict(made))))
    assert back.events == made.events and back.calls[0].calls == made.calls[0].calls
    assert back.span == pytest.approx(made.span, rel=1e-4)
    with pytest.raises(ValueError, match="saw nothing"):
        profile_of([RUN, RUN[:1]], [1.0, 1.0], (1, 1, 1))


def record(kind, start, end, **fields):
    return SimpleNamespace(kind=kind, start=start, end=end, **fields)


RECORDS = [
    record(10, 500, 900, stream_id=17, name="lenet"),
    record(1, 100, 400, stream_id=13, copy_kind=1, src_kind=1, dst_kind=3, bytes=784),
    record(1, 950, 960, stream_id=17, copy_kind=2, src_kind=3, dst_kind=2, bytes=4),
    record(2, 10, 20, stream_id=13, bytes=64),
    record(5, 30, 90, thread_id=1, cbid=41),
    record(4, 40, 80, thread_id=1, cbid=279),  # the driver's, within the runtime's
    record(4, 420, 450, thread_id=1, cbid=307),
    record(38, 0, 1, stream_id=1),  # a kind that is not asked for
]
NAMES = {
    (5, 41): "cudaMemcpyAsync_v3020",
    (4, 279): "cuMemcpyHtoDAsync_v2",
    (4, 307): "cuLaunchKernel_ptsz",
}


def test_what_cupti_says_becomes_plain_data():
    found = cupti.activities_of([*map(cupti.plain, RECORDS)], lambda *key: NAMES[key])
    assert [(a.kind, a.name, a.stream) for a in found] == [
        ("set", "[CUDA memset]", 1),
        ("call", "cudaMemcpyAsync", 0),
        ("upload", "[CUDA memcpy HtoD, pageable]", 1),
        ("call", "cuLaunchKernel", 0),
        ("kernel", "lenet", 2),
        ("download", "[CUDA memcpy DtoH, pinned]", 2),
    ]
    assert [a.bytes for a in found] == [64, 0, 784, 0, 0, 4]


@pytest.mark.skipif(sys.platform != "linux", reason="CUPTI, and what reads its names, is Linux's")
@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("_Z1kIL1E1EEvv", "k<(E)1>"),  # a parenthesis that begins no parameters
        ("sm80_xmma_" + "x" * 80, "sm80_xmma_" + "x" * 49 + "…"),
    ],
)
def test_kernels_have_their_sources_names(name, short):
    assert cupti.kernel_name(name) == short


class Library:
    """A CUPTI that hands over `RECORDS` when it is flushed."""

    ActivityKind = SimpleNamespace(CONCURRENT_KERNEL=10, MEMCPY=1, MEMSET=2, RUNTIME=5, DRIVER=4)
    CallbackDomain = SimpleNamespace(DRIVER_API=1, RUNTIME_API=2)

    def __init__(self):
        self.clock, self.enabled = [80, 940], []

    def activity_register_callbacks(self, room, filled):
        assert room() == (cupti.BUFFER_BYTES, 0)
        self.filled = filled

    def activity_enable(self, kind):
        self.enabled.append(kind)

    def get_timestamp(self):
        return self.clock.pop(0)

    def activity_flush_all(self, flag):
        self.filled(RECORDS)

    def get_callback_name(self, domain, number):
        return NAMES[{1: 4, 2: 5}[domain], number]


def test_each_run_is_what_happened_between_its_ends(monkeypatch):
    library, ran = Library(), []
    monkeypatch.setitem(sys.modules, "cupti", SimpleNamespace(cupti=library))
    monkeypatch.setattr(cuda, "synchronize", lambda: None)
    monkeypatch.setattr(cupti, "cupti_session", cupti.Recorder)
    made = cupti.profiled(lambda: ran.append(1), (1.0, 2.0, 3.0), budget=1e-9)
    assert library.enabled == [10, 1, 2, 5, 4]
    assert len(ran) == 3  # one to warm up, one to take buffers, one that counts
    assert made.runs == 1 and made.wall == (1.0, 2.0, 3.0)
    names = [a.name for a in made.events]
    assert names == ["[CUDA memcpy HtoD, pageable]", "cuLaunchKernel", "lenet"]
