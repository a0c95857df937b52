"""The review's server as a process of its own, which tests can kill."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "lib"
PROGRAM = """
import sys
from margins_course.folder import CourseFolder
from margins_course.pages.review_server import serve_review
course = CourseFolder(sys.argv[1])
serve_review(course, "sums", open_browser=False, ready=lambda address: print(address, flush=True))
"""


class Server:
    """A running server and its address without the page's name."""

    def __init__(self, course):
        environment = os.environ | {"PYTHONPATH": str(LIBRARY), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-c", PROGRAM, str(course.root)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        lines = iter(self.process.stdout.readline, "")
        self.address = next(line for line in lines if line.startswith("http://")).strip().rpartition("/")[0]
        self.host, self.token = self.address.removeprefix("http://").split("/")

    def interrupt(self):
        """The end that Ctrl-C brings; what was printed at last, and the exit status."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=20)[0]
        return said, self.process.returncode


@contextlib.contextmanager
def serving(course):
    """The server of a course, killed at the end if it still runs."""
    server = Server(course)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()
