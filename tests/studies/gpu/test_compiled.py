"""A compiled network is judged after each pass before it is timed on a GPU."""

import pytest

from convladder import cuda
from convladder.bench import metadata
from studies.gpu import compiled as gpu_times


@pytest.mark.weekly
@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU here")
def test_a_gpus_record_is_judged_first(monkeypatch):
    monkeypatch.setattr(gpu_times, "CASES", {"lenet": 3})
    monkeypatch.setattr(metadata, "gpu_info", lambda: {"gpu": "none"})
    monkeypatch.setattr(gpu_times, "require_gpu", lambda why: None)
    monkeypatch.setattr(gpu_times, "_torch", lambda *arguments: {})
    monkeypatch.setattr(gpu_times.streams, "device_seconds", lambda work: work() or 1e-3)
    found = gpu_times.measure()["networks"]["lenet"]
    assert found["kernels"] == {"as it came": 15, "fold_scale": 14, "fuse_relu": 10, "fuse_pool": 8}
    assert set(found["seconds"].values()) == {1e-3} and found["images"] == 3
    monkeypatch.setattr(gpu_times, "distance", lambda values, right: 0.5)
    with pytest.raises(RuntimeError, match="lenet, as it came: values are 0.5 apart"):
        gpu_times.measure()
