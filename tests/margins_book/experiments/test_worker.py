"""Worker processes end with the process that started them."""

import contextlib
import os
import signal
import subprocess
import sys

from tests.margins_book.experiments.processes import wait_for_growth

ENDLESS = """
import sys, threading
from margins_book.experiments import Sweep, run

def measure(settings, *, seed):
    if seed > 0:
        threading.Event().wait()
    return [{"seed": seed}]

run(Sweep("endless", measure, [{"seed": s} for s in range(3)], {}), sys.argv[1], workers=2, show=False)
"""


def test_workers_end_with_the_process_that_started_them(tmp_path):
    """Both measure cells that never end; they hold the error stream of the process that is killed."""
    command = [sys.executable, "-c", ENDLESS, tmp_path / "endless.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    try:
        wait_for_growth(tmp_path / "endless.csv", process)
        process.kill()
        process.communicate(timeout=20)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
