"""`ladder conv --device gpu` and `record --device gpu`, with a record in the place of a GPU."""

from pathlib import Path

import pytest

from convladder import PAPER, get_method
from convladder.bench import conv as bench
from convladder.bench import conv_gpu as gpu_record
from convladder.bench import metadata
from convladder.bench.conv_tables import GPU_COLUMNS, gpu_table
from convladder.bench.records import RECORDS, load
from convladder.teach.plots import common

from ..test_cli import told

ROOT = Path(__file__).parents[2]
PATH = RECORDS / "conv-gpu" / "nvidia-h200.json"
RECORD = load(PATH)
SINGLE = RECORD["runs"][0]


@pytest.fixture
def h200(monkeypatch):
    """Comparisons whose entries are those that the record has of the layer."""
    layers = {layer["problem"]: layer for layer in SINGLE["layers"].values()}

    def compared(problem, takers, with_cudnn=True, **more):
        layer = layers[str(problem)]
        names = [taker.name for taker in takers if taker.name in layer["entries"]]
        names += [name for name in layer["entries"] if name.startswith("cudnn") and with_cudnn]
        return {name: gpu_record.measured_of(layer, name) for name in names}

    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr(bench, "missing", list)
    monkeypatch.setattr("convladder.bench.conv_gpu.compare_on_gpu", compared)
    monkeypatch.setattr(metadata, "gpu_info", lambda: RECORD["card"])


def test_one_layer_beside_cudnn_printed_and_drawn(capsys, h200, tmp_path):
    code, out, err = told(
        capsys,
        "ladder",
        "conv",
        "--device",
        "gpu",
        "--peers",
        "--shape",
        "cv8",
        "--methods",
        "gpu_mec,gpu_implicit_gemm",
        "--plot",
        str(tmp_path / "p.png"),
    )
    assert (code, err) == (0, "") and "NVIDIA H200" in out
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith("gpu_")}
    layer = SINGLE["layers"]["cv8"]
    for name in ("gpu_mec", "gpu_implicit_gemm"):
        ratio = gpu_record.rival_seconds(layer) / gpu_record.seconds(layer, name)
        assert rows[name][-1] == f"{ratio:.2f}"
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_many_layers_are_drawn_as_ratios(capsys, h200, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(common, "Picture", lambda fig, alt: drawn.append(fig) or NoPicture())
    words = [
        "ladder",
        "conv",
        "--device",
        "gpu",
        "--shape",
        "paper",
        "--methods",
        "gpu_implicit_gemm",
        "--plot",
        str(tmp_path / "p.png"),
    ]
    code, _, err = told(capsys, *words)
    assert code == 2 and "there is nothing to compare the methods with; add --peers" in err
    assert told(capsys, *words, "--peers")[0] == 0
    points, mean = drawn[-1].axes[0].lines[:2]
    found = gpu_record.ratios(SINGLE, "gpu_implicit_gemm")
    assert sorted(points.get_xdata()) == pytest.approx(sorted(found.values()))
    assert mean.get_xdata()[0] == pytest.approx(gpu_record.mean_ratio(SINGLE, "gpu_implicit_gemm"))


class NoPicture:
    def save(self, path):
        pass


def test_a_layers_bars_are_its_medians_and_bytes(monkeypatch):
    kept = []
    monkeypatch.setattr(common, "Picture", lambda fig, alt: kept.append(fig))
    layer = SINGLE["layers"]["cv5"]
    common.cudnn_layer_picture("cv5", layer, "there")
    time, memory = kept[0].axes
    names = list(layer["entries"])
    assert [bar.get_x() + bar.get_width() for bar in time.patches] == pytest.approx(
        [gpu_record.seconds(layer, name) for name in names]
    )
    assert [bar.get_width() for bar in memory.patches] == pytest.approx(
        [layer["entries"][name]["peak"] / 2**20 for name in names]
    )


def test_methods_of_the_processor_are_sent_away(capsys, h200):
    code, _, err = told(capsys, "ladder", "conv", "--device", "gpu", "--methods", "im2col")
    assert code == 2 and "im2col: not on the GPU" in err


def test_the_table_holds_mecs_matrix():
    row = next(line for line in gpu_table(RECORD).splitlines() if line.startswith("| cv8"))
    matrix = get_method("gpu_mec").workspace_bytes(PAPER["cv8"])
    assert row.split(" | ")[GPU_COLUMNS.index("its matrix")] == f"{matrix / 2**20:.2f} MiB"
