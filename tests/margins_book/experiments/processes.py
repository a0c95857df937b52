"""The command in a process of its own, for tests that interrupt it."""

import contextlib
import signal
import subprocess
import sys

COMMAND = [sys.executable, "-m", "margins_book.experiments"]


def heed_ctrl_c():
    """For a process that is to be interrupted: what a shell starts in the background ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for_growth(path, process):
    """Nothing, once the process has added to the file at `path`, or ended."""
    size = path.stat().st_size if path.exists() else 0
    while (not path.exists() or path.stat().st_size == size) and process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
