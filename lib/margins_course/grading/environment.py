"""What marks depend on besides the notebooks: Python, the libraries, this program, and the sandbox.

A result carries a hash of it, so that what was marked in another environment is marked again.
(book: Teaching with this book, Grade)
"""

import hashlib
import importlib.metadata
import json
import platform
import sys
from functools import cache
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "scikit-learn", "cvxpy", "joblib", "matplotlib", "nbformat")
SOURCES = ("margins", "margins_course")


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
    return found | {f"source of {name}": _hash_of(name) for name in SOURCES}


def _version(library):
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not there"


def _hash_of(package):
    """A hash of a package's Python files, their names and contents."""
    folder, made = Path(__file__).parents[2] / package, hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        made.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return made.hexdigest()[:16]
