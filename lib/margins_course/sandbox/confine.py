"""The limits of a process in the sandbox, and the right that it gives up before it runs an answer.

Bubblewrap can bound the bytes of a file system in memory but not the number of its files; one remounts it for
that, which takes a right that bubblewrap therefore leaves to the process. The student's code starts when the
right is gone for good: it is in no set of capabilities, and no program can bring it back, because bubblewrap
has forbidden new privileges. (book: Teaching with this book, How marking works)
"""

import ctypes
import errno
import os
import resource

LIMITS = {"AS": 2 << 30, "NPROC": 16, "FSIZE": 64 << 20, "CPU": 600, "NOFILE": 64}
LIMITS["CORE"] = 1  # and not 0: only with 1 does the kernel hand no dump to a program of the system's
WRITABLE = {"/tmp": 64 << 20, "/dev/shm": 1 << 20}  # bytes by file system
MOST_FILES = 4000  # in each
REMOUNT = 32 | 4 | 2  # MS_REMOUNT, MS_NODEV, MS_NOSUID
VERSION_3 = 0x20080522  # of the kernel's structures of capabilities

MEMORY = f"the sandbox's limit of {LIMITS['AS'] >> 30} GB of memory"
REASONS = {
    errno.ENOSPC: f"the sandbox's limit of {WRITABLE['/tmp'] >> 20} MB and {MOST_FILES} files",
    errno.EFBIG: f"the sandbox's limit of {LIMITS['FSIZE'] >> 20} MB a file",
    errno.EMFILE: f"the sandbox's limit of {LIMITS['NOFILE']} open files",
    errno.EAGAIN: "the sandbox's limit of one process",
    errno.EROFS: "in the sandbox only /tmp can be written",
    errno.EPERM: "the sandbox has no network and refuses what reaches beyond it",
    errno.ENOMEM: MEMORY,
}
THREADS = f"the sandbox's limit of {LIMITS['NPROC']} threads"


def confine(*, is_sealed: bool) -> None:
    """This process held to its limits, in a box for good; an OSError names a limit that cannot be set."""
    if is_sealed:
        kernel = ctypes.CDLL(None, use_errno=True)
        _bound_files(kernel)
        _give_up_rights(kernel)
    for name, value in LIMITS.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def limit_behind(reason: BaseException) -> str:
    """The limit of the sandbox that an exception comes from, in words; "" if it is none."""
    if isinstance(reason, MemoryError):
        return MEMORY
    if isinstance(reason, OSError):
        return REASONS.get(reason.errno, "")
    return THREADS if isinstance(reason, RuntimeError) and "new thread" in str(reason) else ""


def _bound_files(kernel):
    """The bound on the number of files in every file system of the box that can be written."""
    for folder in WRITABLE:
        said = f"nr_inodes={MOST_FILES}".encode()
        _require(kernel.mount(b"tmpfs", folder.encode(), b"tmpfs", REMOUNT, said), f"remounting {folder}")


def _give_up_rights(kernel):
    """No capability from here on; the call binds one thread, so there may be no other."""
    if len(os.listdir("/proc/self/task")) != 1:
        raise OSError("the sandbox has started threads before its limits")
    header, nothing = (ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)()
    _require(kernel.capset(header, nothing), "giving up capabilities")


def _require(result, what):
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
