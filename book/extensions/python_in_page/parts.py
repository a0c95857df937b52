"""The files by others of which Python in the page is made: where they lie, whose they are, their hashes.

Pyodide and a package that carries NumPy come from npm, contourpy from PyPI: `scripts/setup.py` fetches them
at the versions and hashes of `book/frontend`. A site that has NumPy's official wheel names it in the setting
`python_in_page_numpy`; Pyodide's own list of packages has the hash that it must have. The directive
`{parts-of-python}` is a table of all, with licences and hashes.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from extensions.pages.tree import GeneratingDirective

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
NPM = FRONTEND / "node_modules"
PYODIDE = NPM / "pyodide"
CARRIER = NPM / "@bentopdf" / "pymupdf-wasm"
CARRIED_NUMPY = CARRIER / "assets" / "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
CARRIED_SHA256 = "125230b4c3ecd08803e5c43f1162e017c0718d9f253146225a705a952b9c16c2"
CONTOURPY = FRONTEND / "wheels" / "contourpy-1.4.0-cp313-cp313-pyemscripten_2025_0_wasm32.whl"
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")  # of Pyodide


@dataclass(frozen=True)
class Part:
    """Something by others that the site hands out."""

    name: str
    version: str
    licence: str
    source: str
    files: tuple[Path, ...]


def sha256(file):
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def required(file):
    """`file` if it exists, else an error that says what fetches it."""
    if not file.exists():
        raise ExtensionError(f"a file of Python in the page is missing: {file}; `make book` fetches it")
    return file


def pyodide():
    """Pyodide, with the interpreter and the standard library."""
    version = json.loads(required(PYODIDE / "package.json").read_text("utf8"))["version"]
    files = tuple(required(PYODIDE / name) for name in RUNTIME)
    return Part("Pyodide with CPython", version, "MPL-2.0 and PSF-2.0", "npm: pyodide", files)


def numpy(official=""):
    """NumPy for Pyodide: the official wheel at the path `official`, else the one that npm's package carries.

    Either must have the hash that is expected of it.
    """
    if official:
        lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf8"))
        expected = lock["packages"]["numpy"]["sha256"]
        wheel, source = Path(official), "Pyodide's release, the hash is in its lock"
    else:
        version = json.loads(required(CARRIER / "package.json").read_text("utf8"))["version"]
        source = f"npm: @bentopdf/pymupdf-wasm {version}, of which only this file is taken"
        wheel, expected = CARRIED_NUMPY, CARRIED_SHA256
    if (got := sha256(required(wheel))) != expected:
        raise ExtensionError(f"{wheel} has the SHA-256 {got}, expected {expected}; fetch that file again")
    return Part("NumPy", wheel.name.split("-")[1], "BSD-3-Clause", source, (wheel,))


def contourpy():
    """contourpy, which finds the level lines of figures."""
    wheel = required(CONTOURPY)
    return Part("contourpy", wheel.name.split("-")[1], "BSD-3-Clause", "PyPI: contourpy", (wheel,))


def parts(official_numpy=""):
    """All parts."""
    return pyodide(), numpy(official_numpy), contourpy()


HEADINGS = ("Part", "Version", "Licence", "From", "SHA-256 of its files")
DIGITS = 16  # of a hash: enough to compare by eye


class PartsOfPython(GeneratingDirective):
    """A table with a row for each part."""

    def run(self):
        rows = [HEADINGS, ["---"] * len(HEADINGS), *map(written, parts(self.config.python_in_page_numpy))]
        text = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
        return self.parsed(nodes.Element(), text).children


def written(part):
    """The contents of a part's row."""
    hashes = ", ".join(sha256(file)[:DIGITS] for file in part.files)
    return part.name, part.version, part.licence, part.source, hashes


def setup(app):
    app.add_directive("parts-of-python", PartsOfPython)
