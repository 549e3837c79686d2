"""Notebooks' kernels forked from a process that has loaded the libraries already.

A kernel and what every chapter imports take two seconds of a core, sixty times a push. A fork takes
none of them, and is as fresh: this package itself is imported in the kernel alone. The weekly run
starts each kernel as a learner's Jupyter does.
"""

import multiprocessing
import os
import signal
import time
from unittest.mock import patch

import zmq
from jupyter_client import KernelManager
from jupyter_client.provisioning import local_provisioner
from nbval.kernel import NbvalKernelspecManager

forks = multiprocessing.get_context("forkserver")


def start_new_kernel(startup_timeout, kernel_name, **how):
    """Return manager and client of a kernel, as nbval's own function does, but without its waits:
    half a second each time. nbval itself then sees whether outputs arrive.
    """
    forks.set_forkserver_preload(["tests.kernel_process"])
    manager = Manager(kernel_name=kernel_name, kernel_spec_manager=NbvalKernelspecManager())
    manager.context.setsockopt(zmq.RECONNECT_IVL, 2)  # milliseconds, until the kernel is there
    with patch.object(local_provisioner, "launch_kernel", Kernel):
        manager.start_kernel(**how)
    client = manager.client()
    client.start_channels()
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
