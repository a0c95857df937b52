"""The claim on a file of results: one process at a time measures for it.

(book: The paper in a minute, What ran)
"""

import os
from contextlib import contextmanager


@contextmanager
def claimed(path):
    """The time in which this process alone may add to the file `path`; refused while another one does.

    The lock lies on a file beside it and is the operating system's, which takes it from a process that dies.
    """
    beside = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _locked(beside)
    except OSError as reason:
        raise ValueError(f"no file can be written at {path}: {reason}") from None
    if lock is None:
        raise ValueError(f"another process is adding to {path}: wait for its end, or choose another file")
    try:
        yield
    finally:
        beside.unlink()  # while it is locked: nobody may come to hold a file that is on its way out
        os.close(lock)


def _locked(path):
    """A descriptor that holds the lock on the file at `path`, or None where another process does."""
    import fcntl  # not at import, because recorded results are also read where it is missing, in a browser

    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        if _is_at(descriptor, path):
            return descriptor
        os.close(descriptor)  # its last owner has taken the file away meanwhile


def _is_at(descriptor, path):
    """Whether the open file is still the one that `path` names."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
