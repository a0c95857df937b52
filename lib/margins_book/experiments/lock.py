"""The lock on a file of results: one process at a time adds to it.

(book: The paper in a minute, What ran)
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """The time in which this process alone may add to the file `path`; refused while another one does.

    The lock lies on a file beside it and is the operating system's, which takes it from a process that dies.
    """
    beside = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock_taken(beside)
    except OSError as reason:
        raise ValueError(f"no file can be written at {path}: {reason}") from None
    if lock is None:
        raise ValueError(f"another process is adding to {path}: wait for its end, or choose another file")
    try:
        yield
    finally:
        beside.unlink()  # while it is locked: no other process may lock a file that is about to be removed
        os.close(lock)


def _lock_taken(path: Path) -> int | None:
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
        os.close(descriptor)  # the last owner has removed the file meanwhile


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether the open file is still the one that `path` names."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
