"""A notebook's kernel at a push, and what it finds loaded: see `forked_kernels`."""

import multiprocessing
import os
import platform
import sys
from pathlib import Path

import ipykernel.kernelapp
import ipywidgets  # noqa: F401 - loaded for the kernels, as the next two
import matplotlib.backends.backend_agg
import matplotlib.style  # noqa: F401
import numba
from jupyter_client.localinterfaces import localhost
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

ROOT = Path(__file__).parents[1]

sys.modules["debugpy"] = None  # a tenth of a second of each kernel, which nobody debugs
localhost()
Image.preinit()
if platform.machine() == "x86_64":  # elsewhere the package first tells Numba of the processor
    numba.njit(lambda: None)()  # what it loads at its first compilation


def without_pixels(figure, file, **how):
    """Draw a picture, and save an empty one."""
    figure.draw_without_rendering()
    Image.new("RGB", (1, 1)).save(file, "png")


def run(arguments, environment, folder):
    """Be the kernel, in its own folder, group and environment."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))
    sys.argv[:] = arguments
    sys.path[:] = [path for path in sys.path if path not in ("", str(ROOT))]
    multiprocessing.set_start_method(None, force=True)
    # Most of a picture's time, for pixels that nobody compares.
    ConstrainedLayoutEngine.execute = lambda engine, figure: None
    Figure.savefig = without_pixels
    ipykernel.kernelapp.launch_new_instance()
