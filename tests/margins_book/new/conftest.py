"""A copy of the repository in which `margins new` may write, and the commands that try what it wrote."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PARTS = (  # one of each kind in chapters that exist, and a new chapter with one of each kind more
    "kernel cauchy",
    "figure second_line --chapter 3 --section 'On tokens'",
    "exercise ker-lead --chapter kernels",
    "claim another_line_below --chapter 5",
    "chapter supporting_lines --title 'Supporting lines'",
    "figure third_line --chapter 12",
    "exercise sl-margin --chapter supporting_lines",
    "claim third_line_below --chapter 12 --section sl-thm-tangent",
)


ONE_AFTER_THE_OTHER = """
import contextlib, io, json, shlex, sys
from margins_book.new.command import main
for words in sys.argv[1:]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(["new", *shlex.split(words)])
        except SystemExit as stopped:
            code = stopped.code
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


class Copy:
    """A copy of the repository, and what runs in it."""

    def __init__(self, folder):
        self.root = folder

    def run(self, *arguments, **more):
        """A program of Python's with its arguments: the finished process."""
        surroundings = {**os.environ, "PYTHONPATH": str(self.root / "lib"), "OMP_NUM_THREADS": "1", **more}
        surroundings["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return subprocess.run(arguments, cwd=self.root, env=surroundings, capture_output=True, text=True)

    def new(self, words):
        """`margins new` with the words."""
        return self.run("margins", "new", *shlex.split(words))

    def refused(self, *commands):
        """Exit code, output and errors of `margins new` by command, in one process; nothing is written."""
        before = self.state()
        done = self.run(sys.executable, "-c", ONE_AFTER_THE_OTHER, *commands)
        assert done.returncode == 0, done.stderr
        assert self.state() == before
        return dict(zip(commands, map(json.loads, done.stdout.splitlines()), strict=True))

    def passed(self, *arguments):
        """How many tests passed; the test fails with pytest's words if one of them did not."""
        done = self.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        return int(re.search(r"(\d+) passed", done.stdout)[1])

    def state(self):
        """Every file with the time at which it was written."""
        files = (path for path in self.root.rglob("*") if path.is_file() and path.suffix != ".pyc")
        return {path: path.stat().st_mtime_ns for path in files}


def copy_of_the_repository(folder):
    """The files that git knows, and those that it will know, in `folder`."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    for file in files:
        if (ROOT / file).is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, folder / file)
    return Copy(folder)


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """The repository as it is; tests leave it so."""
    return copy_of_the_repository(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="session")
def enlarged(tmp_path_factory):
    """The repository with all parts that PARTS lists."""
    enlarged = copy_of_the_repository(tmp_path_factory.mktemp("enlarged"))
    for words in PARTS:
        done = enlarged.new(words)
        assert done.returncode == 0, done.stderr
    return enlarged
