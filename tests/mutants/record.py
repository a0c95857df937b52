"""What became of the mutants: one line each in `recorded.csv`, and the book's page `book/mutants.md`.

`reasons.txt` holds the survivors that are as good as the library, each under a `# reason`, which begins with
"equal:" where no input whatever could tell the two apart.
"""

import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from tests.mutants.reasons import reasons

HERE = Path(__file__).parent
RECORD, REASONS = HERE / "recorded.csv", HERE / "reasons.txt"
PAGE = HERE.parents[1] / "book" / "mutants.md"

HEAD = """---
myst:
  html_meta:
    description: "How many small mistakes in the book's library its tests notice, and why others may stay."
---

# How well the tests bite

A test that cannot fail proves nothing. So the library's tests are themselves tested: `make mutants` makes
one small mistake at a time in a module (a sign, a comparison, a constant, a dropped term, two arguments
swapped, a step left out, a tolerance ten thousand times too generous) and runs the tests of its package.
A mistake that some test notices is *killed*. The mistakes are a sample drawn with a fixed seed, at most ten
from each module; those that only word a message are left out. A mistake is counted *in formulas* if it
changes an operator, a sign or a function's name.

"""
COLUMNS = "| package | mistakes | killed | in formulas | killed | survivors |\n|---|--:|--:|--:|--:|--:|\n"
SURVIVORS = """
{equal} of the {survivors} survivors are marked *equal*: they compute the same whatever comes in, so that no
test could kill them. Without these {share} of the mistakes are killed, and {formulas} of those in formulas.

## What survives

A survivor is read. Either it gets a test, or it is as good as the original, and this is why.
"""
EQUAL = "equal:"  # begins the reason of a mutant that computes the same
MISSING = "**no reason yet**"


@dataclass(frozen=True)
class Row:
    """What became of one mutant."""

    package: str
    place: str
    change: str
    formula: str  # "formula", or nothing
    outcome: str  # of `trial.outcome`

    @property
    def survived(self):
        return self.outcome == "survived"


def read():
    """The recorded rows."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def write(rows):
    """Keeps `rows` instead of all earlier ones, in the order of their places, and writes the page anew."""
    rows = sorted(set(rows), key=astuple)
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([field.name for field in fields(Row)])
        table.writerows(map(astuple, rows))
    PAGE.write_text(page(rows, reasons(REASONS)), encoding="utf-8")


def named(mutant):
    """The line of a mutant, or of its row, in `reasons.txt`."""
    return f"{mutant.place}: {mutant.change}"


def page(rows, why):
    """The Markdown of the book's page."""
    packages = dict.fromkeys(row.package for row in rows)
    groups = {package: [row for row in rows if row.package == package] for package in packages}
    table = [counts(f"`margins.{package}`", group) for package, group in groups.items()]
    lists = [survivors(package, group, why) for package, group in groups.items()]
    return HEAD + COLUMNS + "".join([*table, counts("all", rows)]) + allowance(rows, why) + "".join(lists)


def allowance(rows, why):
    """What the shares are without the mutants that no test could kill."""
    others = [row for row in rows if not (row.survived and why.get(named(row), "").startswith(EQUAL))]
    return SURVIVORS.format(
        equal=len(rows) - len(others),
        survivors=sum(row.survived for row in rows),
        share=share(others),
        formulas=share([row for row in others if row.formula]),
    )


def counts(name, rows):
    """A line of the table."""
    formulas = [row for row in rows if row.formula]
    cells = [name, len(rows), share(rows), len(formulas), share(formulas), sum(row.survived for row in rows)]
    return f"| {' | '.join(map(str, cells))} |\n"


def share(rows):
    """How many of some mutants were killed, in per cent."""
    return f"{100 * sum(not row.survived for row in rows) / len(rows):.0f} %" if rows else ""


def survivors(package, rows, why):
    """The list of a package's survivors, each reason once."""
    by_reason = {}
    for row in rows:
        if row.survived:
            by_reason.setdefault(why.get(named(row)) or MISSING, []).append(row)
    if not by_reason:
        return ""
    items = [f"- {reason}\n" + "".join(map(item, group)) for reason, group in by_reason.items()]
    return f"\n### `margins.{package}`\n\n" + "".join(items)


def item(row):
    """A survivor in a list."""
    before, _, after = row.change.partition(" -> ")
    return f"  - `{row.place or row.package}`: `{before}` → `{after or '(nothing)'}`\n"
