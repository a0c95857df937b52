"""The site into _build/html: Jupyter Book with every warning an error, and an ending that says what to do."""

import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
# a change of these leaves stale sidebars or styles in pages that Sphinx believes unchanged
STRUCTURE = ["_toc.yml", "_config.yml", "book/theme/margins/*.html", "book/extensions/*"]


def structure_mark():
    files = sorted(file for pattern in STRUCTURE for file in ROOT.glob(pattern) if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def drop_stale_pages():
    """After a change of the book's structure, everything but the execution cache is made anew."""
    stamp = BUILD / "structure.stamp"
    mark = structure_mark()
    if not stamp.exists() or stamp.read_text() != mark:
        for folder in ("html", ".doctrees"):
            shutil.rmtree(BUILD / folder, ignore_errors=True)
        BUILD.mkdir(exist_ok=True)
        stamp.write_text(mark)


def main():
    start = time.monotonic()
    drop_stale_pages()
    command = [
        Path(sys.executable).parent / "jupyter-book",
        "build",
        ".",
        "-W",
        "--keep-going",
        "-n",
        *sys.argv[1:],
    ]
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(
            "\nThe book was not built. The first error above names the page, the place in it and the remedy."
        )
    print(
        f"\nThe site is in {BUILD / 'html'} ({time.monotonic() - start:.0f} s). Read it with: make serve",
        flush=True,
    )


if __name__ == "__main__":
    main()
