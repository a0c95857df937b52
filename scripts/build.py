"""`make book`: builds the site into _build/html with Jupyter Book; every warning is an error.

The terminal shows the progress and, after a failure, each problem with its place.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
LOG = BUILD / "build.log"
# a change of these leaves stale sidebars, styles or notebooks of pages that Sphinx believes unchanged
STRUCTURE = [
    "_toc.yml",
    "_config.yml",
    "CITATION.cff",  # pages say how they are cited
    "book/pictures/previews/**/*",
    "book/theme/margins/**/*",
    "lib/explorable/*.css",
    "lib/explorable/sphinx_ext/*.py",
    "book/extensions/**/*.py",
    "book/python_in_page/browser/*",  # pages hold the address of the scripts, which is made from them
    "book/extensions/**/*.mjs",
    "lib/margins_course/**/*.py",
    "lib/margins_book/page/*.py",
]
# Garbage collection takes half of a build's time, for millions of nodes of trees that all fit into 700 MB.
# jsonschema would compile a grammar of web addresses at each start, for 1.5 seconds, and nothing uses it.
JUPYTER_BOOK = """
import gc, sys
gc.disable()
sys.modules["rfc3987_syntax"] = None
from jupyter_book.cli.main import main
main(prog_name="jupyter-book")
"""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PROGRESS = re.compile(r"^(reading sources|writing output)\.\.\. *\[|^\[run\]|^updating environment")
PROBLEM = re.compile(
    r"(?<!IPKernelApp\] )\b(WARNING|ERROR|CRITICAL)\b(?! \|)|^Extension error|ExtensionError:"
)
FAILURE = re.compile(r"^\S+\.md: WARNING: Executing notebook failed: ", re.M)
TIMEOUT = re.compile(r"CellTimeoutError.*?after (\d+) seconds.*?-{18}\n(.*?)\n", re.S)
CELL = re.compile(r"\n-{18}\n(.*?)\n-{18}\n(.*)", re.S)


def drop_stale_pages():
    """Deletes all built pages, but not the cached outputs, after a change of the book's structure."""
    stamp = BUILD / "structure.stamp"
    files = sorted(file for pattern in STRUCTURE for file in ROOT.glob(pattern) if file.is_file())
    mark = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    if not stamp.exists() or stamp.read_text() != mark:
        for folder in ("html", ".doctrees"):
            shutil.rmtree(BUILD / folder, ignore_errors=True)
        BUILD.mkdir(exist_ok=True)
        stamp.write_text(mark)


def environment():
    """Ours, with a list of fonts made before any cell runs.

    A list in the home folder may be of another environment, and a cell that makes one may warn.
    """
    own = {**os.environ, "MPLCONFIGDIR": str(BUILD / "matplotlib")}
    listing = [sys.executable, "-c", "import matplotlib.font_manager"]
    subprocess.run(listing, env=own, check=True, stderr=subprocess.DEVNULL)
    return own


def run_jupyter_book(options):
    """The exit code of the build, and all it wrote; its progress is printed as it comes."""
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", ".", "-W", "--keep-going", "-n", *options]
    written = []
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "env": environment()}
    with subprocess.Popen(command, cwd=ROOT, text=True, errors="replace", **streams) as process:
        for raw in process.stdout:
            line = COLOUR.sub("", raw)
            written.append(line)
            if PROGRESS.search(line):
                print(line.rstrip(), flush=True)
    LOG.write_text("".join(written), "utf8")
    return process.returncode, "".join(written)


def failed_cells(log):
    """Of every page that failed: its name, the cell and the error."""
    starts = [match.start() for match in FAILURE.finditer(log)]
    return [failed_cell(log[start:end]) for start, end in pairwise([*starts, len(log)])]


def failed_cell(entry):
    """The page, the cell and the error, from what the log says of one failure and what follows it."""
    page, _, text = entry.partition(": WARNING: Executing notebook failed: ")
    text = text.partition("\nExtension error:")[0]
    if late := TIMEOUT.match(text):
        seconds, cell = late.groups()
        return f"{page}: a cell took longer than {seconds} s; it begins\n    {cell[:300]}"
    match = CELL.search(text)
    if not match:
        return f"{page}: {text.strip()}"
    cell, cause = match[1], match[2].splitlines()
    error = next((line for line in reversed(cause) if re.match(r"[A-Z]\w*: ", line)), "")
    source = "\n".join(f"    {line}" for line in cell.splitlines()[:8])
    return f"{page}: this cell failed\n{source}\n  {error}"


def problems(log):
    """What went wrong, each with its place: the failed cells, else every warning and error."""
    return failed_cells(log) or list(dict.fromkeys(line for line in log.splitlines() if PROBLEM.search(line)))


def main():
    start = time.monotonic()
    drop_stale_pages()
    code, log = run_jupyter_book(sys.argv[1:])
    if code:
        found = problems(log) or log.splitlines()[-15:]
        print("\nThe book was not built:\n", *found, sep="\n", file=sys.stderr)
        sys.exit(f"\nMend that and run `make book` again. All output: {LOG}")
    print(
        f"\nThe site is in {BUILD / 'html'} ({time.monotonic() - start:.0f} s). Read it with: make serve",
        flush=True,
    )


if __name__ == "__main__":
    main()
