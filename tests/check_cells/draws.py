"""`make draws`: each check of a chapter under 20 draws. Draw 0 is the page's own, in others all seeds move.

Prints what fails in which draw, and which checks are random at all: those that compare other values in
another draw. The fast tests of the chapter's claims are tried in the same way. Records all in
lib/margins_book/<topic>/draws.csv.
"""

import argparse
import hashlib
import multiprocessing
from collections.abc import Sequence
from functools import partial

from margins_book.chapters import Chapter
from margins_book.draws import CHECK, DRAWS, TEST, Row, read_rows, write_rows
from margins_course.assignments.check_cells import Piece, digests, pieces
from tests.check_cells.assertions import Watcher
from tests.check_cells.chosen import add_chapters, chosen
from tests.check_cells.claim_draws import digests_of_tests, outcomes_of_tests
from tests.check_cells.outcomes import Outcome, report, rows_of
from tests.check_cells.seeds import moved_seeds
from tests.check_cells.shown import ADDRESS, numbers
from tests.check_cells.watching import import_modules, run_watched


class Comparing(Watcher):
    """Keeps for each check a digest of the values that it compares."""

    def __init__(self):
        super().__init__()
        self.compared = {}

    def seen(self, number, place, value):
        check = self.assertions[number].check
        self.compared.setdefault(check, hashlib.blake2b()).update(_bytes_of(value))
        return super().seen(number, place, value)


def _bytes_of(value):
    array = numbers(value)
    if array is None:
        return ADDRESS.sub("", repr(value)).encode()
    return f"{array.dtype.kind}{array.shape}".encode() + array.tobytes()


def outcomes(cells: list[Piece], draw: int) -> dict[str, Outcome]:
    """By check, what became of it in one draw; under "" what stopped the cells between the checks."""
    watcher = Comparing()
    with moved_seeds(draw):
        run = run_watched(cells, watcher)
    found = {cell.check: Outcome() for cell in cells}
    for assertion, values in watcher.denials.items():
        found[assertion.check].denied.append((assertion.text, values))
    for check, reason in run.stopped.items():
        found[check].denied.append(reason)
    for check, name in run.unreached.items():
        found[check].unreached = name
    for check, compared in watcher.compared.items():
        found[check].compared = compared.hexdigest()
    return found


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.check_cells.draws", description=__doc__)
    add_chapters(parser)
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"how many (default: {DRAWS})")
    parser.add_argument("--jobs", type=int, help="draws at a time (default: one a core)")
    parser.add_argument("--kind", choices=(CHECK, TEST), help="checks of pages or tests of claims alone")
    parser.add_argument("--dry-run", action="store_true", help="print only, record nothing")
    options = parser.parse_args(argv)
    asked = chosen(parser, options)
    cells = {chapter: pieces(chapter) for chapter in asked}
    for needed in cells.values():
        import_modules(needed)
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for chapter in asked:
            tried = {
                CHECK: (digests(chapter), partial(outcomes, cells[chapter])),
                TEST: (
                    digests_of_tests(chapter.claim_tests),
                    partial(outcomes_of_tests, chapter.claim_tests),
                ),
            }
            for kind in [options.kind] if options.kind else tried:
                codes, in_draw = tried[kind]
                drawn = pool.map(in_draw, range(options.draws), chunksize=1)
                rows = rows_of(kind, codes, drawn)
                print(f"Chapter {chapter.number}: {report(kind, rows, drawn)}", flush=True)
                if not options.dry_run:
                    keep(chapter, kind, rows)


def keep(chapter: Chapter, kind: str, rows: Sequence[Row]) -> None:
    """Puts rows of one kind into the record of a chapter; the others stay."""
    others = [row for row in read_rows(chapter) if row.kind != kind]
    write_rows(chapter, sorted([*rows, *others], key=lambda row: row.kind))


if __name__ == "__main__":
    main()
