"""What `make check` runs: a chapter's page and what its text states.

`python -m margins_book.page 2` runs the cells once, then the tests of the text. `--draws 5` runs the cells
with other random numbers instead; `--figure lift` draws one figure at every position, as the site does.
"""

import argparse
import importlib
import os
import sys
import time

from explorable.bake import gzipped_size
from explorable.errors import ExplorableError
from explorable.figures import MIME
from margins_book.chapters import Chapter, chapters
from margins_book.page.run import PageRun, name_of
from margins_book.page.seeds import moved_seeds


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m margins_book.page", description=__doc__.partition(":")[0]
    )
    parser.add_argument("chapter", help="its number, such as 2")
    parser.add_argument(
        "--draws", type=int, default=0, help="run the cells with so many other sets of random numbers"
    )
    parser.add_argument("--figure", help="draw this figure alone, at every position")
    asked = parser.parse_args()
    chapter = next((one for one in chapters() if str(one.number) == asked.chapter.lstrip("0")), None)
    if chapter is None:
        numbers = ", ".join(str(one.number) for one in chapters())
        parser.error(f"there is no chapter {asked.chapter!r}; expected one of {numbers}")
    if asked.figure:
        return draw(asked.figure, chapter)
    return in_other_draws(chapter, asked.draws) if asked.draws else check(chapter)


def check(chapter: Chapter) -> int:
    """Runs the cells and what the text states; says what fails, where, and both sides."""
    import pytest

    tests = chapter.folder / "tests" / "test_text.py"
    return int(pytest.main(["--quiet", "--no-header", "--tb=short", "-p", "no:cacheprovider", str(tests)]))


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
    figures = importlib.import_module(f"margins_book.{chapter.topic}.figures")
    start = time.perf_counter()
    try:
        table = getattr(figures, name).bundle()[MIME]["table"]
    except ExplorableError as reason:
        print(reason)
        return 1
    seconds, size = time.perf_counter() - start, gzipped_size(table)
    print(f"{name_of(chapter.page)}, {name}: {seconds:.1f} s, {size:,} bytes gzipped; its conditions hold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
