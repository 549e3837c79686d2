"""The layers of whole networks on a GPU, and the table that a record of them gives."""

from studies.cpu import networks as of_processors
from studies.gpu import networks as bench


def test_layers_with_groups_are_left_out():
    layers = {layer for each in bench.networks().values() for layer in each}
    every = {layer for each in of_processors.networks().values() for layer in each}
    assert layers == {layer for layer in every if ",g" not in layer}
    assert bench.TUNED_ON < layers


def test_a_network_counts_each_layer_as_often_as_it_has_it(monkeypatch):
    """0.5 and 2 times as fast a layer, the slower one three times: the whole is 5 to 7."""
    layers = {"4x4x1,1x1x1,s1,p0": 3, "3x3x1,1x1x1,s1,p0": 1}
    monkeypatch.setattr(bench, "networks", lambda: {"N": layers})
    monkeypatch.setattr(bench, "TUNED_ON", {"3x3x1,1x1x1,s1,p0"})
    names = "{ours}", "cudnn {precision} NCHW", "cudnn {precision} NHWC"
    seconds = {"gpu_winograd": (2.0, 1.0, 1.5), "gpu_implicit_gemm": (1.0, 9.0, 2.0)}
    run = {"batch": 32, "layers": {}}
    for layer, (ours, times) in zip(layers, seconds.items(), strict=True):
        run["layers"][layer] = {
            "entries": {
                name.format(ours=method, precision=precision): {"graph": [time]}
                for precision, method in (("float32", ours), ("float16", "gpu_wgmma"))
                for name, time in zip(names, times, strict=True)
            }
        }
    single, half = (list(bench.lines({"runs": [run]}))[start : start + 4] for start in (0, 4))
    assert single[0].startswith("float32, 32") and half[0].startswith("float16, 32")
    assert single[1:] == half[1:]
    network, every, untuned = single[1:]
    assert network.split()[:2] == ["N", "0.71"]
    assert "mean of 2 layers 1.00, 1 below 0.95, least 0.50: 4x4x1" in every
    assert "mean of 1 layers 0.50" in untuned
