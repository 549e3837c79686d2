"""The commands of `python -m tools`: what they do in a small checkout, and what they refuse."""

import re
from pathlib import Path

import pytest

from convladder.bench.records import RECORDS, load
from tools.__main__ import main
from tools.results import RESULTS, WRITERS, markers
from tools.tables import cpu_summary, cpu_table


@pytest.fixture
def told(capsys):
    """A function that runs a command: code, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        return code, *capsys.readouterr()

    return run


ROOT = Path(__file__).parents[2]
CPU = sorted((RECORDS / "conv-cpu").glob("*.json"))[0]


@pytest.mark.parametrize("device, part", [(d, part) for d in WRITERS for part in WRITERS[d]])
def test_the_courses_pages_say_what_a_record_does(device, part):
    path = ROOT / ("README.md" if part == "summary" else RESULTS)
    first, last = markers(device, part)
    text = path.read_text(encoding="utf-8").partition(f"{first}\n")[2].partition(f"\n{last}")[0]
    records = (RECORDS / f"conv-{device}").glob("*.json")
    assert text in [WRITERS[device][part](load(path)) for path in records]


def test_readme_takes_the_summary_and_the_results_beside_it_the_table(told, tmp_path):
    record, (first, last), table = load(CPU), markers("cpu", "summary"), markers("cpu", "table")
    readme, results = tmp_path / "README.md", tmp_path / RESULTS
    results.parent.mkdir()
    readme.write_text(f"before\n{first}\n{last}\nafter\n")
    results.write_text("{}\nold\n{}\n".format(*table))
    for _ in range(2):  # the markers stay for the next time
        assert told("results", str(CPU), "--readme", str(readme))[0] == 0
        assert readme.read_text() == f"before\n{first}\n{cpu_summary(record)}\n{last}\nafter\n"
        assert results.read_text() == f"{table[0]}\n{cpu_table(record)}\n{table[1]}\n"


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["no-such.json"], "is not a readable record"),
        ([str(RECORDS / "l1" / "nvidia-h200.json")], "not a record of convolutions"),
        ([str(CPU), "--readme", "pyproject.toml"], "has no place for results; write these two"),
    ],
)
def test_a_wrong_record_is_refused(told, words, sentence):
    code, out, err = told("results", *words)
    assert (code, out) == (2, "") and sentence in err


def test_each_of_the_first_ten_figures_stands_again_below():
    first, _, rest = (ROOT / RESULTS).read_text(encoding="utf-8").partition("##")
    figures = re.findall(r"\d[\d.]*(?:×| ms| µs)", first)
    assert len(figures) >= 10 and all(each in rest for each in figures), figures
