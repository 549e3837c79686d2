"""Shuts a process in: an own root of files, no network, own processes, an own user, and limits.

Run as a script, with Python's own library only, by the interpreter that runs the grader:
`jail.py SPEC`, where SPEC is JSON (walls.py writes it). Linux. Source: unshare(2), mount(2),
pid_namespaces(7), user_namespaces(7).
"""

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x20000,
    0x4000000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
RDONLY, NOSUID, NODEV, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
DETACH = 2
PDEATHSIG, DUMPABLE, NO_NEW_PRIVS = 1, 4, 38
DEVICES = ("null", "zero", "urandom", "random", "full")

libc = ctypes.CDLL(None, use_errno=True)


def must(result: int, what: str) -> None:
    """Raise OSError where a call of the C library failed."""
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(
    source: str, target: str, kind: str | None = None, flags: int = 0, options: str | None = None
) -> None:
    """Mount `source` at `target`. Raises OSError."""
    must(
        libc.mount(
            source.encode(),
            target.encode(),
            kind and kind.encode(),
            flags,
            options and options.encode(),
        ),
        f"mount {target}",
    )


def bind(path: str, root: str, writable: bool = False) -> None:
    """Show `path` under `root` at its own place, only to be read."""
    target = root + path
    if os.path.isdir(path):
        os.makedirs(target, mode=0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
        if not os.path.exists(target):
            open(target, "w").close()
    mount(path, target, None, BIND | REC)
    if not writable:
        # In a user's own namespace flags that the system had set may not be taken away.
        given = os.statvfs(path).f_flag & (NOSUID | NODEV | 8)
        mount(path, target, None, BIND | REMOUNT | RDONLY | given)


def build(spec: dict) -> None:
    """Make the root of files that the process sees, and change into it."""
    root = spec["root"]
    must(libc.mount(b"none", b"/", None, REC | PRIVATE, None), "mount /")
    mount("tmpfs", root, "tmpfs", NOSUID | NODEV, f"size={spec['disk']},mode=0755")
    for path in spec["read"]:
        if os.path.islink(path):  # /bin -> usr/bin
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.symlink(os.readlink(path), root + path)
        elif os.path.exists(path):
            bind(path, root)
    for path in spec["hide"]:
        if os.path.isdir(path):
            mount("tmpfs", root + path, "tmpfs", RDONLY | NOSUID | NODEV, "size=4k,mode=0755")
    os.makedirs(root + "/dev/shm", exist_ok=True)
    for device in DEVICES:
        open(f"{root}/dev/{device}", "w").close()
        mount(f"/dev/{device}", f"{root}/dev/{device}", None, BIND)
    os.symlink("/proc/self/fd", root + "/dev/fd")
    os.makedirs(root + "/proc", exist_ok=True)
    mount("proc", root + "/proc", "proc", NOSUID | NODEV | 8)
    for own in ("/tmp", "/dev/shm", spec["home"]):
        os.makedirs(root + own, exist_ok=True)
        os.chmod(root + own, 0o777)
    if spec["cache"]:
        overlay(root, *spec["cache"])
    os.makedirs(root + "/old", exist_ok=True)
    must(libc.pivot_root(root.encode(), (root + "/old").encode()), "pivot_root")
    os.chdir("/")
    must(libc.umount2(b"/old", DETACH), "umount /old")
    os.rmdir("/old")


def overlay(root: str, below: str, target: str, kept: bool) -> None:
    """Show a folder at `target`. Changes are `kept`, or go to memory; where that cannot be had,
    nothing is shown.
    """
    if kept:
        os.makedirs(root + target, exist_ok=True)
        mount(below, root + target, None, BIND)
        return
    names = [f"{root}/above/{name}" for name in ("upper", "work")]
    for name in (*names, root + target):
        os.makedirs(name, exist_ok=True)
        os.chmod(name, 0o777)
    os.chmod(root + "/above", 0o700)
    try:
        mount(
            "overlay",
            root + target,
            "overlay",
            NOSUID | NODEV,
            f"lowerdir={below},upperdir={names[0]},workdir={names[1]}"
            + (",userxattr" if os.getuid() else ""),
        )
        for base, folders, _ in os.walk(root + target):
            for name in folders:  # a change, and so in memory
                os.chmod(os.path.join(base, name), 0o777)
    except OSError:
        pass  # kernels are compiled anew then


def loopback() -> None:
    """Switch on the network that reaches this process and its own children alone."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP


def limit(limits: dict) -> None:
    """Set the limits of one process, by their names in `resource`."""
    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))


def enter(spec: dict) -> None:
    """Become the process that was asked for. Does not return."""
    must(libc.prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if spec["walls"] == "namespaces":
        loopback()
        build(spec)
    os.umask(spec["umask"])
    limit(spec["limits"])
    if spec["uid"] is not None:
        os.setgroups([])
        os.setresgid(spec["uid"], spec["uid"], spec["uid"])
        os.setresuid(spec["uid"], spec["uid"], spec["uid"])
    must(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    must(libc.prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")  # a change of user forgets it
    os.chdir(spec["home"])
    os.execve(spec["run"][0], spec["run"], spec["environment"])


def main(spec: dict) -> int:
    """Shut the process in, wait for it, and return how it ended."""
    must(libc.prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if spec["walls"] == "namespaces":
        flags = NEWNS | NEWNET | NEWIPC | NEWPID | NEWUTS
        if os.geteuid():
            uid, gid = os.geteuid(), os.getegid()
            must(libc.unshare(NEWUSER | flags), "unshare")
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{spec['inside']} {uid} 1"),
                ("gid_map", f"{spec['inside']} {gid} 1"),
            ):
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
        else:
            must(libc.unshare(flags), "unshare")
    child = os.fork()
    if child == 0:
        try:
            enter(spec)
        except OSError as error:
            os.write(2, f"jail: {error}\n".encode())
            os._exit(125)
    os.closerange(3, 4096)  # the pipes are the child's alone
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    ended = main(json.loads(sys.argv[1]))
    sys.exit(128 - ended if ended < 0 else ended)
