"""What `make check` runs: a chapter's page, its story, and what their texts state.

`python -m margins_book.page 2` runs the cells once, then the tests of the text, and the same for the
chapter's story. `--draws 5` runs the chapter's cells with other random numbers instead; `--figure lift` draws
one figure at every position, as the site does. Number 0 is the landing page, `index.md`.
"""

import argparse
import os
import sys
import time
from dataclasses import replace
from typing import Any

from explorable.bake import gzipped_size
from explorable.errors import ExplorableError
from explorable.figures import MIME, Explorable
from margins_book.chapters import LANDING, Chapter, chapters
from margins_book.page.chapter import Cell
from margins_book.page.run import CellError, PageRun, name_of, run_code
from margins_book.page.seeds import moved_seeds
from margins_book.page.selection import (
    bound_names,
    free_names,
    imported_names,
    mutated_names,
    needed_statements,
)
from margins_book.page.words import figure_named


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m margins_book.page", description=__doc__.partition(":")[0]
    )
    parser.add_argument("chapter", help="its number, such as 2; 0 is the landing page")
    parser.add_argument(
        "--draws", type=int, default=0, help="run the cells with so many other sets of random numbers"
    )
    parser.add_argument("--figure", help="draw this figure alone, at every position")
    asked = parser.parse_args(arguments)
    pages = {str(one.number): one for one in (LANDING, *chapters())}
    chapter = pages.get(str(int(asked.chapter))) if asked.chapter.isdecimal() else None
    if chapter is None:
        numbers = ", ".join(pages)
        parser.error(f"there is no chapter {asked.chapter!r}; expected one of {numbers}")
    if asked.figure:
        return draw(asked.figure.replace("-", "_"), chapter)
    return in_other_draws(chapter, asked.draws) if asked.draws else check(chapter)


def check(chapter: Chapter) -> int:
    """Runs the cells and what the texts state; says what fails, where, and both sides."""
    import pytest

    tests = [chapter.folder / "tests" / f"test_{of}.py" for of in ("text", "story")]
    options = ["--quiet", "--no-header", "--tb=short", "--disable-warnings", "-m", "not full"]
    return int(pytest.main([*options, *(str(file) for file in tests if file.is_file())]))


def in_other_draws(chapter: Chapter, draws: int) -> int:
    """Runs the cells with other random numbers; says in which draws an assertion fails."""
    failures = 0
    for number in range(1, draws + 1):
        with moved_seeds(number):
            run = PageRun(chapter.page).run()
        print(f"draw {number}: {run.failure or 'every cell runs'}")
        failures += run.failure is not None
    return min(failures, 1)


def draw(name: str, chapter: Chapter) -> int:
    """Draws one figure as the site does; says what it refuses."""
    os.environ["EXPLORABLE_BAKE"] = "1"
    page, cells = name_of(chapter.page), PageRun(chapter.page).cells
    shown = {figure_named(cell.source): number for number, cell in enumerate(cells)}
    if name not in shown:
        known = ", ".join(sorted(filter(None, shown))) or "none"
        print(f"{page} shows no figure {name!r}; it shows {known}")
        return 2
    try:
        print(f"{page}, {name}: {drawn(chapter, cells[: shown[name] + 1])}")
    except (CellError, ExplorableError) as reason:
        print(reason)
        return 1
    return 0


def drawn(chapter: Chapter, cells: list[Cell]) -> str:
    """How long the figure took that the last of the cells shows, and how large it is."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for cell in rested_on(cells):
        run_code(cell.source, chapter.page, cell.line, space)
    start = time.perf_counter()
    run_code(f"figure = {cells[-1].source.strip()}", chapter.page, cells[-1].line, space)
    if not isinstance(space["figure"], Explorable):
        return f"{time.perf_counter() - start:.1f} s; it stays still"
    table = space["figure"].bundle()[MIME]["table"]
    seconds = time.perf_counter() - start
    return f"{seconds:.1f} s, {gzipped_size(table):,} bytes gzipped; its conditions hold"


def rested_on(cells: list[Cell]) -> list[Cell]:
    """The cells that set what the last one uses, directly or through others; of imports those alone."""
    modules = frozenset().union(*(imported_names(cell.source) for cell in cells))
    wanted, kept = set(free_names(cells[-1].source)), []
    for cell in reversed(cells[:-1]):
        if modules.issuperset(bound_names(cell.source)):
            kept.append(replace(cell, source=needed_statements(cell.source, set(wanted), modules)))
        elif wanted & (bound_names(cell.source) | (mutated_names(cell.source) - modules)):
            wanted |= free_names(cell.source)
            kept.append(cell)
    return kept[::-1]


if __name__ == "__main__":
    sys.exit(main())
