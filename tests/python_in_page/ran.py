"""`make cells`: which cells of the chapters run in the page's Python, recorded beside this file.

To run all cells of a chapter in WebAssembly takes half a minute and more. So what came of it is kept with a
digest of all that it depends on: the cells, what they printed in the build, the library that they import,
the page's own Python, the versions of its packages. The tests read the record, and run a chapter whose digest
has changed. `make cells` runs these and records them.
"""

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from bs4 import BeautifulSoup

from margins_book.chapters import ROOT, Chapter, chapters
from margins_book.digests import DIGEST_LENGTH
from tests.python_in_page.imported import imported_files
from tests.python_in_page.node import FOLDER, SCRIPT, answers, chapter_data

RECORD = Path(__file__).with_name("ran.csv")
WHOLE = Path(__file__).with_name("whole_chapter.py")
IN_PAGE = ROOT / "book/python_in_page"
BOOT = IN_PAGE / "browser/boot.js"
LOAD = re.compile("const LOAD = `(.*?)`", re.S)  # what Python imports when a page starts it


@dataclass(frozen=True)
class Ran:
    """How many cells of a chapter run, figures draw, and cells print what the built page shows."""

    topic: str
    cells: int
    figures: int
    equal: int
    failed: str  # the cells that fail, with the beginning of their errors
    digest: str

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.cells, self.figures, self.equal


def ran(chapter: Chapter) -> Ran:
    """What is recorded of a chapter if it is current; else all its cells are run."""
    now = digest_of(chapter)
    kept = (row for row in recorded() if (row.topic, row.digest) == (chapter.topic, now))
    return next(kept, None) or run(chapter, now)


def recorded() -> list[Ran]:
    with RECORD.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = ("cells", "figures", "equal")
    return [Ran(**(row | {name: int(row[name]) for name in counts})) for row in rows]


def digest_of(chapter: Chapter) -> str:
    """A digest of all that the cells' outcome in the page depends on."""
    files = json.loads((FOLDER / "index.json").read_text("utf8"))
    sources = [*_sources(chapter).values(), LOAD.search(BOOT.read_text("utf8"))[1]]
    own = [path for part in ("python", "stand_ins") for path in (IN_PAGE / part).rglob("*.py")]
    parts = [*sorted(own), BOOT, SCRIPT, WHOLE, *imported_files(sources)]
    digest = hashlib.sha256(repr([files["pyodide"], files["archives"][0], sources, built(chapter)]).encode())
    for path in parts:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]


def _sources(chapter):
    cells = chapter_data(chapter.page.stem)["cells"]
    return {place: cells[place]["source"] for place in sorted(cells, key=int)}


def run(chapter: Chapter, digest: str) -> Ran:
    """All cells of a chapter in the page's Python, one after the other."""
    sources = _sources(chapter)
    code = WHOLE.read_text("utf8")
    (told,) = answers([["execute", {"code": code, "sources": list(sources.values())}]])
    came = dict(zip(sources, told["cells"], strict=True))
    printed = {place: plain(one["printed"]) for place, one in came.items() if not one["error"]}
    shown = built(chapter)
    equal = sum(printed[place] == shown.get(place, "") for place in printed)
    failed = "; ".join(f"{place}: {one['error'][:100]}" for place, one in came.items() if one["error"])
    figures = sum(one["figures"] for one in came.values())
    return Ran(chapter.topic, len(printed), figures, equal, failed, digest)


def built(chapter: Chapter) -> dict[str, str]:
    """By cell, what it printed when the site was built."""
    return {place: plain(printed) for place, printed in _built_outputs(chapter)}


def _built_outputs(chapter: Chapter) -> Iterator[tuple[str, str]]:
    page = BeautifulSoup((ROOT / f"_build/html/chapters/{chapter.page.stem}.html").read_text(), "html.parser")
    for place in page.select("div.cell .of-cell"):
        parts = place.find_parent(class_="cell").select(".cell_output > .output:not(.text_html) pre")
        if parts:
            yield place["data-cell"], "".join(part.text for part in parts)


def plain(text: str) -> str:
    """A text without what differs from machine to machine: times, and spaces at the ends of lines."""
    return re.sub(r"[ \t]+$", "", re.sub(r"\d[\d.]* (s|ms)\b", "TIME", text), flags=re.M).strip()


def main() -> None:
    rows = [ran(chapter) for chapter in chapters()]
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Ran)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))
    for row in rows:
        print(f"{row.topic}: {row.cells} cells run, {row.figures} figures draw, {row.equal} print the same")


if __name__ == "__main__":
    main()
