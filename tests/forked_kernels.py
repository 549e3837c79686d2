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

import nbval.kernel
from jupyter_client.provisioning import local_provisioner

forks = multiprocessing.get_context("forkserver")
start_as_usual = nbval.kernel.start_new_kernel


def start_new_kernel(**how):
    """Return manager and client of a kernel, as nbval's own function does."""
    forks.set_forkserver_preload(["tests.kernel_process"])
    with patch.object(local_provisioner, "launch_kernel", Kernel):
        return start_as_usual(**how)


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
