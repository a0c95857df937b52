"""What marks depend on besides the notebooks, and the certificate that a canary class was marked with it.

Python, the libraries, this program and the sandbox. A result carries a hash of it, so that what was marked in
another environment is marked again.
(book: Teaching with this book, Grade)
"""

import hashlib
import importlib.metadata
import json
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from margins_course.book import package_folders
from margins_course.folder import one_line

LIBRARIES = ("numpy", "scipy", "scikit-learn", "cvxpy", "joblib", "matplotlib", "nbformat")


def environment(*, unsafe: bool = False) -> dict:
    """The environment in words and version numbers."""
    kind = "none (--unsafe)" if unsafe else "bubblewrap"
    return {"sandbox": kind, **_programs()}


def environment_hash(*, unsafe: bool = False) -> str:
    """A hash of the environment."""
    text = json.dumps(environment(unsafe=unsafe), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _programs() -> dict:
    found = {
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": f"{platform.system()} {platform.machine()}",
    }
    found |= {name: _version(name) for name in LIBRARIES}
    return found | {f"source of {folder.name}": _hash_of(folder) for folder in package_folders()}


def _version(library):
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not there"


def _hash_of(folder):
    """A hash of the Python files in a folder, their names and contents."""
    made = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        made.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return made.hexdigest()[:16]


TIME = "%Y-%m-%d %H:%M:%S %Z (UTC%z)"
SANDBOXED = """\
Before any student's work was marked, these submissions passed through the same sandbox, and each got the
points that were known beforehand. The hostile ones cost their own exercise at most. None of them read or
changed the file that was laid out for them, called the listener, ended the process beside it or left a
program running."""
UNSAFE = """\
Before any student's work was marked, these submissions were marked in the same way, and each got the
points that were known beforehand. There was no sandbox (--unsafe): nothing hostile was tried, and students'
code could read and change whatever the person who marked could."""


@dataclass(frozen=True)
class CanaryPoints:
    """One canary: the points that each check had to give (None: any), and their sum as it came."""

    who: str
    expected: Mapping[str, float | None]
    got: float

    @property
    def words(self) -> str:
        """The expected sum."""
        known = sum(points or 0.0 for points in self.expected.values())
        return f"{known:g}" + (" or more" if None in self.expected.values() else "")


def certificate_text(
    name: str, key: str, tried: list[CanaryPoints], *, unsafe: bool, moment: datetime
) -> str:
    """The certificate."""
    versions = [f"  {what}: {value}" for what, value in environment(unsafe=unsafe).items()]
    rows = [f"{one.words:>10}  {one.got:>6g}  {one_line(one.who)}" for one in tried]
    parts = [
        f"Certificate of marking: {name}",
        f"Made: {moment.strftime(TIME)}\nMachine: {platform.node()}\nKey: {key}",
        "\n".join(["Environment", *versions]),
        UNSAFE if unsafe else SANDBOXED,
        "\n".join([f"{'expected':>10}  {'came':>6}  submission", *rows]),
    ]
    return "\n\n".join(parts) + "\n"


def is_current_certificate(path: Path, key: str) -> bool:
    """Whether a certificate is of today, of this machine and of this key."""
    if not path.is_file():
        return False
    lines = path.read_text(encoding="utf-8").splitlines()
    today = datetime.now().astimezone().strftime("%Y-%m-%d")
    is_todays = any(line.startswith(f"Made: {today}") for line in lines)
    return is_todays and f"Machine: {platform.node()}" in lines and f"Key: {key}" in lines
