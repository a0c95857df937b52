"""`make sharpness`: by what factor the inequalities are slack that the check cells of a chapter assert.

A bound is held where it comes within a factor of 1.5 to what is measured, where `bounded` declares its slack,
or where the same cell compares it with something that it equals. `--unheld` lists the other bounds alone,
with those whose slack is declared 1.5 times too large. Nothing is recorded.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence

from margins_book.chapters import Chapter
from margins_course.assignments.check_cells import pieces
from tests.check_cells.chosen import add_chapters, chosen
from tests.check_cells.inequalities import (
    BOUND,
    NUMBER,
    ORDER,
    SIGN,
    TOLERANCE,
    Inequality,
    Measuring,
    is_difference,
    names_in,
)
from tests.check_cells.watching import run_watched

NEAR = 1.5  # times the measured number: a bound that comes so near is held
COUNTED = {
    BOUND: "bounds",
    NUMBER: "comparisons with a typed number",
    ORDER: "comparisons of like with like",
    TOLERANCE: "equalities up to a tolerance or a standard error",
    SIGN: "signs",
}


def inequalities(chapter: Chapter) -> list[Inequality]:
    """All inequalities that the checks of a chapter assert, in their order."""
    watcher = Measuring()
    run_watched(pieces(chapter), watcher)
    return list(watcher.inequalities.values())


def holder(one: Inequality, others: Iterable[Inequality]) -> str:
    """What keeps a bound from being too large, in a few words; nothing if nothing does."""
    if one.slack is not None:
        return f"slack {one.slack:g} declared" if one.slack <= NEAR * max(one.least, 1) else ""
    if one.least <= NEAR:
        return "near"
    for other in others:
        if other.assertion.check != one.assertion.check or other is one:
            continue
        if other.slack is not None and names_in(one.above) & names_in(other.above):
            return f"slack {other.slack:g} declared"
        equality = other.kind == TOLERANCE and is_difference(other.below)
        if equality and names_in(one.above) & names_in(other.below):
            return f"equality: {other.assertion.text}"
    return ""


def line(one: Inequality, held: str) -> str:
    """One inequality in a line: its check, its ratios, its code, what holds it."""
    ratios = f"{one.least:.3g}" + (f" to {one.largest:.3g}" if one.largest > one.least else "")
    return f"  {one.assertion.check} [{one.kind}] {ratios}: {one.assertion.text} ({held or 'UNHELD'})"


def report(found: Sequence[Inequality], *, unheld: bool) -> str:
    """The lines of a chapter, the slackest first; of bounds that nothing holds alone if `unheld`."""
    counts = Counter(one.kind for one in found)
    lines = [", ".join(f"{counts[kind]} {words}" for kind, words in COUNTED.items())]
    for one in sorted(found, key=lambda one: -one.least):
        held = holder(one, found) if one.kind == BOUND else "typed"
        listed = not held if unheld else one.kind in (BOUND, NUMBER)
        lines += [line(one, held)] * listed
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.check_cells.sharpness", description=__doc__)
    add_chapters(parser)
    parser.add_argument("--unheld", action="store_true", help="only bounds that nothing holds")
    options = parser.parse_args(argv)
    for chapter in chosen(parser, options):
        print(f"Chapter {chapter.number}: {report(inequalities(chapter), unheld=options.unheld)}", flush=True)


if __name__ == "__main__":
    main()
