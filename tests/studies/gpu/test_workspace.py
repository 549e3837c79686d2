"""What libraries take when first used: in a process of its own, with cuBLAS's variable set."""

import json
import sys
from types import SimpleNamespace

from studies.gpu import workspace


def test_each_is_asked_in_a_fresh_process(monkeypatch):
    asked = []

    def run(command, env, **how):
        asked.append((command[1:], env.get("CUBLAS_WORKSPACE_CONFIG")))
        assert command[0] == sys.executable and how["check"]
        return SimpleNamespace(stdout=json.dumps([["cublasCreate", 7]]))

    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    monkeypatch.setattr(workspace.subprocess, "run", run)
    without = workspace.cublas_steps(), workspace.cublas_steps(":0:0")
    assert without == ([("cublasCreate", 7)],) * 2
    assert workspace.cudnn_steps() == [["cublasCreate", 7]]
    module = ["-m", "studies.gpu.workspace"]
    assert asked == [
        ([*module, "cublas"], None),
        ([*module, "cublas"], ":0:0"),
        ([*module, "cudnn"], None),
    ]
