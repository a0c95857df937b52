"""The folder that `make lab` opens: copies of the notebooks that the build made, which readers may change.

A notebook that a reader changed is kept; one that was only run is replaced when the book has a newer one.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MADE = ROOT / "_build" / "html" / "notebooks"
OWN = ROOT / "_build" / "notebooks"
RECORD = ".copied.json"  # by name, the digest of what was copied


def digest(notebook):
    """A digest of what a notebook says and runs, whatever its outputs; "" if it is no notebook."""
    try:
        cells = json.loads(notebook.read_text("utf8"))["cells"]
        said = [[cell["cell_type"], "".join(cell["source"])] for cell in cells]
    except (ValueError, KeyError):
        return ""
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def renew(made=MADE, own=OWN):
    """Copies the notebooks that are new; the names of those that were kept, because a reader changed them."""
    own.mkdir(parents=True, exist_ok=True)
    record = own / RECORD
    copied, kept = json.loads(record.read_text("utf8")) if record.exists() else {}, []
    for notebook in sorted(made.glob("*.ipynb")):
        target, new = own / notebook.name, digest(notebook)
        found = digest(target) if target.exists() else None
        if found in (None, copied.get(notebook.name)) and found != new:
            shutil.copyfile(notebook, target)
            copied[notebook.name] = new
        elif found != new:
            kept.append(notebook.name)
    record.write_text(json.dumps(copied, indent=1, sort_keys=True), "utf8")
    return kept


def main():
    if not MADE.is_dir():
        sys.exit(f"there is no {MADE}: run `make book` first")
    if kept := renew():
        print(f"Kept, because you changed them: {', '.join(kept)}. Rename one to get the book's beside it.")
    print(f"Your notebooks are in {OWN.relative_to(ROOT)}; `make clean` removes them.")


if __name__ == "__main__":
    main()
