import subprocess
import sys
import types

from convladder import measure


def test_no_module_hides_behind_a_function():
    for name in measure.__all__:
        assert not isinstance(getattr(measure, name), types.ModuleType), name
    modules = {name for name, value in vars(measure).items() if isinstance(value, types.ModuleType)}
    assert modules, "submodules keep their own names"
    assert not modules & set(measure.__all__)


def test_importing_it_imports_nothing_heavy():
    code = (
        "import sys, convladder.measure; print(sorted({'numba', 'llvmlite', 'threadpoolctl', "
        "'cupy', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
