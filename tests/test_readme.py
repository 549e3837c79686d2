"""README.md: short, whole, and true. What it shows is run, and what it names is there."""

import re
from pathlib import Path

import numpy as np
import pytest

from convladder.core.text import seconds_text
from convladder.teach import check
from tools.readme_ladder import pictures, sides

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    *"README.md CONTRIBUTING.md CHANGELOG.md docs/results.md docs/sources.md docs/book.md".split(),
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "classroom").rglob("*.md"))),
]


# A hub that runs here has its learners' pages below classroom/hub, which are no pages of ours.
@pytest.mark.parametrize("page", [page for page in PAGES if "classroom/hub/" not in page])
def test_what_it_links_to_is_there(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    missing = [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing


def test_every_chapter_has_its_row_in_order():
    rows = re.findall(r"^\| \[(\d\d) [^]]+\]\(course/(\S+)\)", README, re.MULTILINE)
    assert [name for _, name in rows] == sorted(p.name for p in (ROOT / "course").glob("*.ipynb"))
    assert all(name.startswith(number) for number, name in rows)


def test_its_python_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names = {}
    exec(code, names)
    assert names["y"].shape == names["problem"].output_shape


def lower_windows(x, k_h, k_w, stride, padding):
    """Lab 01's exercise 3 with the mistake of which README shows the verdict."""
    x = np.pad(x, ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (k_h, k_w), axis=(1, 2))
    windows = windows[:, :: stride[0], :: stride[0]].transpose(0, 1, 2, 4, 5, 3)
    return windows.reshape(-1, k_h * k_w * x.shape[3])


def test_the_verdict_is_the_check_s():
    call, shown = re.search(r">>> (.+)\n((?:.+\n)+)```", README).groups()
    assert call == 'check("lower_windows", lower_windows)'
    said = repr(check("lower_windows", lower_windows)).splitlines()
    assert [line for line in shown.splitlines() if line != "..." and line not in said] == []
    assert said[0] in shown


def test_its_ladder_is_drawn_from_the_newest_records():
    for name, content in pictures().items():
        assert (ROOT / "course" / name).read_text(encoding="utf-8") == content
        assert f"course/{name}" in README


def test_its_story_has_the_ladder_s_numbers():
    core, gpu = (side.times for side in sides())
    story = README.partition("<picture>")[0]
    told = (core["six loops, plain Python"], core["microkernel"], gpu["gpu_implicit_gemm"])
    assert all(seconds_text(seconds) in story for seconds in told)
    assert f"where PyTorch takes {seconds_text(core['PyTorch']).removesuffix(' ms')}." in story
    assert core["microkernel"] < core["PyTorch"]
    assert gpu["gpu_implicit_gemm"] < gpu["cudnn float32 NCHW"] / 2  # "less than half"
