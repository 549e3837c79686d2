"""Notebooks' kernels forked from a process that has loaded the libraries already.

A kernel and what every chapter imports take two seconds of a core, sixty times a push. A fork takes
none of them, and is as fresh: this package itself is imported in the kernel alone. The weekly run
starts the chapters' kernels as a learner's Jupyter does, and measures in full there. Labs,
solutions and deeper notebooks measure by the same functions: theirs is cut short as at a push.
"""

import multiprocessing
import os
import signal
import time
from pathlib import Path
from unittest.mock import patch

import zmq
from jupyter_client import KernelManager
from jupyter_client.provisioning import local_provisioner
from nbval.kernel import NbvalKernelspecManager
from nbval.kernel import start_new_kernel as start_as_usual

forks = multiprocessing.get_context("forkserver")
COURSE = Path(__file__).parents[1] / "course"
QUICK = "CONVLADDER_QUICK"


def start_new_kernel(startup_timeout, kernel_name, cwd, **how):
    """Return manager and client of a kernel, as nbval's own function does, but without its waits:
    half a second each time.
    """
    if not os.environ.get(QUICK) and Path(cwd) == COURSE:
        return start_as_usual(startup_timeout, kernel_name, cwd=cwd, **how)
    manager = Manager(kernel_name=kernel_name, kernel_spec_manager=NbvalKernelspecManager())
    manager.context.setsockopt(zmq.RECONNECT_IVL, 2)  # milliseconds, until the kernel is there
    with patch.object(local_provisioner, "launch_kernel", Kernel):
        manager.start_kernel(cwd=cwd, env=os.environ | {QUICK: "1"}, **how)
    client = manager.client()
    client.start_channels()
    client.kernel_info(reply=True, timeout=startup_timeout)
    while not client.iopub_channel.msg_ready():  # nbval would wait a second for what it missed
        client.kernel_info(reply=True, timeout=startup_timeout)
    return manager, client


class Manager(KernelManager):
    async def _async_wait(self, pollinterval=0.001):  # seconds between looks at a kernel's end
        await super()._async_wait(pollinterval)


class Kernel:
    """A kernel's process, in place of the `subprocess.Popen` that Jupyter handles."""

    stdin = stdout = stderr = None

    def __init__(self, command, *, env, cwd, **how):
        from .kernel_process import run  # which loads what not every process of the suite needs

        forks.set_forkserver_preload(["tests.kernel_process"])
        arguments = command[command.index("ipykernel_launcher") :]
        self.process = forks.Process(target=run, args=(arguments, env, cwd))
        self.process.start()
        self.pid = self.process.pid
        while os.getpgid(self.pid) != self.pid:  # or a signal to its group would end ours
            time.sleep(0.001)

    def poll(self):
        return self.process.exitcode

    def wait(self):
        self.process.join()
        return self.process.exitcode

    def send_signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)
