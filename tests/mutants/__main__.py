"""`make mutants`: small mistakes in the library, each tried on the tests of its package.

Prints the survivors and records all in tests/mutants/recorded.csv, from which the book's page is made.
"""

import argparse

import numpy as np

from margins_book.mutants import Row, digests, read_rows
from tests.mutants import record
from tests.mutants.sample import PACKAGES, modules, sampled
from tests.mutants.trial import noted, outcome


def tried(package, number, seed, spared):
    """The `Row` of each mutant in the sample of a package, survivors printed as they are found.

    Those that `spared` knows, rows by their names, are not tried again.
    """
    notes, now = noted(package), digests()
    for path in modules(package):
        for mutant in sampled(path, number, np.random.default_rng(seed)):
            row = spared.get(mutant.name) or judged(package, mutant, notes, path, now)
            if row.survived:
                print(row.name, flush=True)
            yield row


def judged(package, mutant, notes, path, now):
    """The `Row` of a mutant of the file `path`, once the tests that enter its function have met it."""
    tests = notes.chosen(path, mutant.function)
    result = outcome(mutant, tests, sum(map(notes.seconds.get, tests)))
    kind = "formula" if mutant.formula else ""
    return Row(package, mutant.place, mutant.change, kind, result, now[mutant.place])


def is_settled(row, now):
    """Whether the mutant was killed, in a function that has not changed since."""
    return not row.survived and now.get(row.place) == row.digest


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"any of: {', '.join(PACKAGES)}")
    parser.add_argument("--number", type=int, default=10, help="mutants of each module (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument(
        "--survivors", action="store_true", help="all but those killed in functions that are unchanged"
    )
    parser.add_argument("--moved", action="store_true", help="try none, record where functions stand today")
    parser.add_argument("--dry-run", action="store_true", help="print only, record nothing")
    options = parser.parse_args()
    if unknown := set(options.packages) - set(PACKAGES):
        parser.error(f"no such package: {', '.join(sorted(unknown))}; there are {', '.join(PACKAGES)}")
    known = read_rows()
    if options.moved:
        return record.write(record.follow_moves(known))
    now = digests()
    for package in options.packages or PACKAGES:
        spared = {row.name: row for row in known if options.survivors and is_settled(row, now)}
        rows = list(tried(package, options.number, options.seed, spared))
        print(f"{package}: {len(rows)} mutants, {sum(row.survived for row in rows)} survive", flush=True)
        known = [row for row in known if row.package != package] + rows
        if not options.dry_run:
            record.write(known)


if __name__ == "__main__":
    main()
