"""`make mutants CHAPTER=05`: false versions of what a chapter's checks state, each tried on its checks.

Prints the survivors, and records all in the chapter's folder, from which its page and the book's page on how
well the tests bite are made.
"""

import argparse
import os

from margins_book.false_versions import Row, are_false, reasons_of, write_rows
from margins_course.assignments.check_cells import digests, pieces
from tests.check_cells.chosen import add_chapters, chosen
from tests.check_cells.trials import tried


def mutants(chapter, dry_run):
    """Tries the false versions of a chapter's checks."""
    start, found, why, now = spent(), [], reasons_of(chapter), digests(chapter)
    for trial in tried(pieces(chapter)):
        check = trial.version.check
        found.append(Row(check, trial.change, trial.outcome, trial.said, now[check]))
        if found[-1].survived and found[-1].name not in why:
            print(found[-1].name, flush=True)
    false = are_false(found, why)
    kept, cost = sum(row.survived for row in false), spent() - start
    print(f"{chapter.page.stem}: {len(false)} false versions, {kept} survive, {cost:.0f} s", flush=True)
    if not dry_run:
        write_rows(chapter, found)


def spent():
    """Seconds of processor time of this process and its forks so far."""
    return sum(os.times()[:4])


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.check_cells", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("mutants", help="false versions of what checks state")
    add_chapters(verb)
    verb.add_argument("--dry-run", action="store_true", help="print only, record nothing")
    options = parser.parse_args()
    for chapter in chosen(parser, options):
        mutants(chapter, options.dry_run)


if __name__ == "__main__":
    main()
