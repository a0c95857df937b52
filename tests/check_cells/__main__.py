"""`make mutants CHAPTER=05`: false versions of what a chapter's checks state, each tried on its checks.

Tries the checks that have changed since the record (`--all`: all of them), prints the survivors without a
reason, and records all in the chapter's folder, from which its page and the book's page on how well the tests
bite are made. A version that several checks could refuse belongs to the first of them.
"""

import argparse
import os

from margins_book.chapters import Chapter
from margins_book.false_versions import Row, are_false, read_rows, reasons_of, renewed, stale, write_rows
from margins_course.assignments.check_cells import digests, pieces
from tests.check_cells.chosen import add_chapters, add_what, chosen
from tests.check_cells.trials import tried


def mutants(chapter: Chapter, *, everything: bool = False, dry_run: bool = False) -> None:
    """Tries the false versions of a chapter's changed checks, or of `everything`."""
    start, rows, now, why = spent(), read_rows(chapter), digests(chapter), reasons_of(chapter)
    changed = set(now) if everything else stale(rows, now)
    rows = _told((row for row in rows if row.check not in changed), why)
    if not changed:
        print(f"{chapter.page.stem}: nothing to try, no check has changed", flush=True)
        return
    rows = renewed(rows, _told(_tried_rows(chapter, changed & now.keys(), now), why), now)
    false = are_false(rows, why)
    kept, cost = sum(row.survived for row in false), spent() - start
    print(f"{chapter.page.stem}: {len(false)} false versions, {kept} survive, {cost:.0f} s", flush=True)
    if not dry_run:
        write_rows(chapter, rows)


def _tried_rows(chapter, checks, now):
    for trial in tried(pieces(chapter), checks) if checks else ():
        check = trial.version.check
        yield Row(check, trial.change, trial.outcome, trial.said, now[check])


def _told(rows, why):
    """The rows, of which each survivor without a reason is printed as soon as it is known."""
    found = []
    for row in rows:
        found.append(row)
        if row.survived and row.name not in why:
            print(row.name, flush=True)
    return found


def spent():
    """Seconds of processor time of this process and its forks so far."""
    return sum(os.times()[:4])


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.check_cells", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("mutants", help="false versions of what checks state")
    add_chapters(verb)
    add_what(verb)
    options = parser.parse_args()
    for chapter in chosen(parser, options):
        mutants(chapter, everything=options.all, dry_run=options.dry_run)


if __name__ == "__main__":
    main()
