"""`make reproduce`: builds the site of the current commit in two clones and compares them byte by byte.

Whoever doubts the published site can build it and compare. It takes twice as long as `make book`.
"""

import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 20  # names of files that differ


def files(folder):
    """The names of all files in a folder, from the folder on."""
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def differences(first, second):
    """The names of the files that one of two folders lacks, or that have other bytes there."""
    ours, theirs = files(first), files(second)
    _, unequal, unread = filecmp.cmpfiles(first, second, sorted(ours & theirs), shallow=False)
    return sorted({*(ours ^ theirs), *unequal, *unread})


def built(folder):
    """The site of the current commit, built by the README's command in a clone."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    subprocess.run(["make", "book"], cwd=folder, check=True)
    return folder / "_build" / "html"


def main():
    with tempfile.TemporaryDirectory() as folder:
        sites = [built(Path(folder, name)) for name in ("one", "another")]
        found, count = differences(*sites), len(files(sites[0]))
    if found:
        sys.exit("\n".join([f"{len(found)} of {count} files differ:", *found[:SHOWN]]))
    print(f"Both sites have the same {count} files with the same bytes.")


if __name__ == "__main__":
    main()
