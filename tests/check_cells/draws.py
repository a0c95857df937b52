"""`make draws`: each check of a chapter under 20 draws. Draw 0 is the page's own, in others all seeds move.

Tries the checks that have changed since the record (`--all`: all of them), and in the same way the fast
tests of the chapter's claims. Prints what fails in which draw, and which checks are random at all: those
that compare other values in another draw. Records all in lib/margins_book/<topic>/draws.csv.
"""

import argparse
import hashlib
import multiprocessing
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from margins_book.chapters import Chapter
from margins_book.draws import CHECK, DRAWS, TEST, Row, read_rows, stale, write_rows
from margins_book.page.seeds import moved_seeds
from margins_course.assignments.check_cells import Piece, digests, pieces
from tests.check_cells.assertions import Watcher
from tests.check_cells.chosen import add_chapters, add_what, chosen
from tests.check_cells.claim_draws import digests_of_tests, outcomes_of_tests
from tests.check_cells.outcomes import Outcome, report, rows_of
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


def codes_of(chapter: Chapter, kind: str) -> dict[str, str]:
    """By name, the digests of a chapter's checks or of the tests of its claims, in their order."""
    return digests(chapter) if kind == CHECK else digests_of_tests(chapter.claim_tests)


def trial(chapter: Chapter, kind: str, names: Collection[str]) -> Callable[[int], dict[str, Outcome]]:
    """What gives the outcomes of the checks, or of the tests, with these names in a draw."""
    if kind == TEST:
        return partial(outcomes_of_tests, chapter.claim_tests, names=names)
    cells = pieces(chapter)
    last = max((place for place, cell in enumerate(cells) if cell.check in names), default=-1)
    import_modules(cells[: last + 1])
    return partial(outcomes, cells[: last + 1])  # all before: generators of random numbers may be shared


def draw(chapter: Chapter, kind: str, options: argparse.Namespace) -> None:
    """Tries what has changed of one kind in all draws, and records it."""
    codes = codes_of(chapter, kind)
    rows = [row for row in read_rows(chapter) if row.kind == kind]
    changed = set(codes) if options.all else stale(rows, codes, options.draws)
    if changed:
        in_draw = trial(chapter, kind, changed)
        with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
            drawn = pool.map(in_draw, range(options.draws), chunksize=1)
        found = rows_of(kind, {name: codes[name] for name in codes if name in changed}, drawn)
        print(f"Chapter {chapter.number}: {report(kind, found, drawn)}", flush=True)
        rows = [row for row in rows if row.name not in changed] + found
    else:
        print(f"Chapter {chapter.number}: nothing to try, no {kind} has changed", flush=True)
    if not options.dry_run:
        keep(chapter, kind, rows, codes)


def keep(chapter: Chapter, kind: str, rows: Sequence[Row], codes: Mapping[str, str]) -> None:
    """Puts rows of one kind into the record of a chapter, in the order of `codes`; the others stay."""
    by_name = {row.name: row for row in rows}
    ours = [by_name[name] for name in codes if name in by_name]
    others = [row for row in read_rows(chapter) if row.kind != kind]
    write_rows(chapter, sorted([*ours, *others], key=lambda row: row.kind))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.check_cells.draws", description=__doc__)
    add_chapters(parser)
    add_what(parser)
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"how many (default: {DRAWS})")
    parser.add_argument("--jobs", type=int, help="draws at a time (default: one a core)")
    parser.add_argument("--kind", choices=(CHECK, TEST), help="checks of pages or tests of claims alone")
    options = parser.parse_args(argv)
    for chapter in chosen(parser, options):
        for kind in [options.kind] if options.kind else (CHECK, TEST):
            draw(chapter, kind, options)


if __name__ == "__main__":
    main()
