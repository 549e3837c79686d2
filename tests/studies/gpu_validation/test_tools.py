"""Reading what a GPU's tools print, and refusing to record what does not add up."""

import pytest

from studies.__main__ import main
from studies.gpu_validation import counts as record
from studies.gpu_validation import ncu, sanitizer
from studies.gpu_validation.listing import cases

COUNT = {"loads": "l1tex__t_requests.sum", "sectors": "l1tex__t_sectors.sum"}
CSV = """==PROF== Connected to process 17
==PROF== Profiling "strided": 0%....50%....100% - 3 passes
"ID","Kernel Name","Block Size","l1tex__t_requests.sum","l1tex__t_sectors.sum"
"","","","request","sector"
"0","strided","(128, 1, 1)","4","1,024"
"1","cupy_fill__float64_float32","(128, 1, 1)","1","2"
"2","void copied<float4>(T1 *, const T1 *, int)","(128, 1, 1)","4.00","64"
"""
ONE, _, TWO = (
    case for case in cases() if case.name in ("load stride 1", "load stride 2", "float4 stride 1")
)


def test_counts_go_to_the_case_that_was_launched():
    found = ncu.by_case([ONE, TWO], ncu.rows(CSV.splitlines()), COUNT)
    assert found == {
        "load stride 1": {"loads": 4, "sectors": 1024},
        "float4 stride 1": {"loads": 4, "sectors": 64},
    }


@pytest.mark.parametrize("launched", [[TWO, ONE], [ONE, TWO, TWO]])
def test_other_launches_than_ours_are_refused(launched):
    with pytest.raises(RuntimeError, match="ncu saw 2 launches"):
        ncu.by_case(launched, ncu.rows(CSV.splitlines()), COUNT)


MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at no_bound+0x80
=========     by thread (4,0,0) in block (3,0,0)
{"no bound": "CUDARuntimeError: unspecified launch failure"}
========= ERROR SUMMARY: 28 errors
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at unsynchronised_reversal+0x90
=========     and Read access at unsynchronised_reversal+0xc0 [248 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
CLEAN = """========= COMPUTE-SANITIZER
{"reversal": null}
========= ERROR SUMMARY: 0 errors
"""


@pytest.mark.parametrize(
    ("text", "errors", "said"),
    [
        (MEMCHECK, 28, "Invalid __global__ read of size 4 bytes"),
        (RACECHECK, 1, "Error: Race reported between Write access at unsynchronised_reversal+0x90"),
        (CLEAN, 0, ""),
        ("========= COMPUTE-SANITIZER\n", None, ""),
    ],
)
def test_a_verdict_is_the_total_and_the_first_complaint(text, errors, said):
    assert sanitizer.read(text) == {"errors": errors, "said": said}


def test_no_gpu_is_said_in_a_sentence(capsys, monkeypatch):
    from convladder import cuda

    monkeypatch.setattr(cuda, "gpu", lambda: False)
    assert main(["counts"]) == 2
    assert "no NVIDIA GPU here that CuPy sees" in capsys.readouterr().err
    monkeypatch.setattr(cuda, "gpu", lambda: True)
    monkeypatch.setattr(record.shutil, "which", lambda program: None)
    assert main(["counts"]) == 2
    assert "ncu and compute-sanitizer not found" in capsys.readouterr().err
