"""The standalone program of chapter 07's optional notebook builds with NVIDIA's compiler."""

import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "course" / "deeper" / "first_program.cu"


@pytest.mark.weekly
@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_nvcc_builds_it(tmp_path):
    command = ["nvcc", "-Werror", "all-warnings", "-arch=sm_90", "-o", tmp_path / "a", PROGRAM]
    subprocess.run(command, check=True)
