"""What marks depend on besides the notebooks, and the certificate that a canary class was marked with it.

Python, the libraries, this program and the sandbox. A result carries a hash of it, so that what was marked in
another environment is marked again.
"""

import hashlib
import importlib.metadata
import json
import platform
import sys
from datetime import datetime
from functools import cache
from pathlib import Path

from margins_course.book import package_folders
from margins_course.folder import one_line

LIBRARIES = ("numpy", "scipy", "scikit-learn", "cvxpy", "joblib", "matplotlib", "nbformat")


def environment_hash() -> str:
    return hashlib.sha256(json.dumps(environment(), sort_keys=True).encode()).hexdigest()


@cache
def environment() -> dict:
    """The environment in words and version numbers."""
    found = {"python": platform.python_version(), "executable": sys.executable}
    found["platform"] = f"{platform.system()} {platform.machine()}"
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


def certificate_text(name: str, key: str, tried: list[tuple[str, str, float]], moment: datetime) -> str:
    """The certificate; of each canary it says who it is, its points in words, and those that it got."""
    versions = [f"  {what}: {value}" for what, value in environment().items()]
    rows = [f"{expected:>10}  {got:>6g}  {one_line(who)}" for who, expected, got in tried]
    parts = [
        f"Certificate of marking: {name}",
        f"Made: {moment.strftime(TIME)}\nMachine: {platform.node()}\nKey: {key}",
        "\n".join(["Environment", *versions]),
        SANDBOXED,
        "\n".join([f"{'expected':>10}  {'came':>6}  submission", *rows]),
    ]
    return "\n\n".join(parts) + "\n"


def is_current_certificate(path: Path, key: str) -> bool:
    """Whether a certificate is of today, of this machine and of this key."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    made = f"Made: {datetime.now().astimezone():%Y-%m-%d}"
    is_todays = any(line.startswith(made) for line in lines)
    return is_todays and f"Machine: {platform.node()}" in lines and f"Key: {key}" in lines
