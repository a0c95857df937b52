"""The review's server as a process of its own, which tests can kill."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

LIBRARY = Path(__file__).parents[2] / "lib"


@contextlib.contextmanager
def serving(course):
    """The process, its address without the page's name, host and token; it is killed at the end."""
    environment = os.environ | {"PYTHONPATH": str(LIBRARY), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "margins_course.command", "review", "sums", "--no-browser"]
    command += ["--course", str(course.root)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        address = next(line.split()[-1].rpartition("/")[0] for line in process.stdout if "http://" in line)
        host, token = address.removeprefix("http://").split("/")
        yield SimpleNamespace(process=process, address=address, host=host, token=token)
    finally:
        process.kill()
        process.communicate()
