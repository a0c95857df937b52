"""The page of mutants: `{mutants} counts` is a table of the library's, `{mutants} survivors` lists them.

`{mutants} checks` is a table of the false versions of chapters' checks, and lists those that none refuses.
Written from the records while the book is built. Mutants of code that has changed since do not count.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from extensions.pages.generated_sections import GeneratingDirective
from margins_book import false_versions
from margins_book.chapters import chapters
from margins_book.mutants import read_rows, reasons, split_stale
from margins_course.assignments.check_cells import digests

PAGE = "book/mutants"
COLUMNS = "| package | mistakes | killed | in formulas | killed | survivors | out of date |\n"
COLUMNS += "|---|--:|--:|--:|--:|--:|--:|\n"
CHECK_COLUMNS = "| chapter | checks | false versions | refused | share | survivors | checks out of date |\n"
CHECK_COLUMNS += "|--:|--:|--:|--:|--:|--:|--:|\n"
ALLOWANCE = """
{equal} of the {survivors} survivors are marked *equal*: they compute the same whatever comes in, so that no
test could kill them. Without these {share} of the mistakes are killed, and {formulas} of those in formulas.
"""
OUT_OF_DATE = (
    "Out of date: {number}, in functions that have changed since they were tried; they do not count.\n"
)
EQUAL = "equal:"  # begins the reason of a mutant that computes the same
MISSING = "**no reason yet**"
NONE = "None of the mistakes that count survives."


class MutantsDirective(GeneratingDirective):
    """`{mutants} counts`, `{mutants} survivors` or `{mutants} checks`."""

    required_arguments = 1
    option_spec: ClassVar = {}

    def run(self):
        part = directives.choice(self.arguments[0], ("counts", "survivors", "checks"))
        if part == "checks":
            return self.parsed(nodes.Element(), checks(list(map(tried, chapters())))).children
        current, stale = split_stale(read_rows())
        if part == "counts":
            return self.parsed(nodes.Element(), counts(current, stale) + allowance(current, stale)).children
        why, kept = reasons(), by_package(current)
        return [
            self.section(nodes.literal("", f"margins.{name}"), survivors(kept.get(name, []), why) or NONE)
            for name in by_package([*current, *stale])
        ]


def tried(chapter):
    """A chapter with the rows of its checks that are current, its reasons, and the checks out of date."""
    rows, why = false_versions.read_rows(chapter), false_versions.reasons_of(chapter)
    old = false_versions.stale(rows, digests(chapter))
    current = [row for row in rows if row.check not in old]
    return chapter, false_versions.are_false(current, why), why, old


def checks(found):
    """The table with a line for each chapter, and the survivors of each with their reasons."""
    text, lists = CHECK_COLUMNS, ""
    for chapter, rows, why, old in found:
        refused = sum(not row.survived for row in rows)
        of_check = len({row.check for row in rows})
        cells = [chapter.number, of_check, len(rows), refused, share(rows), len(rows) - refused, len(old)]
        text += f"| {' | '.join(map(str, cells))} |\n"
        if refused < len(rows):
            lists += f"\n**Chapter {chapter.number}**\n\n{survivors(rows, why)}"
    return text + lists


def by_package(rows):
    """The rows of each package."""
    return {name: [row for row in rows if row.package == name] for name in sorted({r.package for r in rows})}


def counts(current, stale):
    """The table: a line for each package, and one for all."""
    old, new = by_package(stale), by_package(current)
    lines = [line(f"`margins.{name}`", new.get(name, []), old.get(name, [])) for name in sorted({*old, *new})]
    return COLUMNS + "".join([*lines, line("all", current, stale)])


def line(name, rows, stale):
    """A line of the table."""
    formulas = [row for row in rows if row.formula]
    survived = sum(row.survived for row in rows)
    cells = [name, len(rows), share(rows), len(formulas), share(formulas), survived, len(stale)]
    return f"| {' | '.join(map(str, cells))} |\n"


def allowance(current, stale):
    """The shares without the mutants that no test could kill, and how many are out of date."""
    why = reasons()
    others = [row for row in current if not (row.survived and why.get(row.name, "").startswith(EQUAL))]
    text = ALLOWANCE.format(
        equal=len(current) - len(others),
        survivors=sum(row.survived for row in current),
        share=share(others),
        formulas=share([row for row in others if row.formula]),
    )
    return text + (OUT_OF_DATE.format(number=len(stale)) if stale else "")


def share(rows):
    """How many of some mutants were killed, in per cent."""
    return f"{100 * sum(not row.survived for row in rows) / len(rows):.0f} %" if rows else ""


def survivors(rows, why):
    """The list of a package's survivors, each reason once."""
    by_reason = {}
    for row in rows:
        if row.survived:
            by_reason.setdefault(why.get(row.name) or MISSING, []).append(row)
    return "".join(f"- {reason}\n" + "".join(map(item, group)) for reason, group in by_reason.items())


def item(row):
    """A survivor in a list."""
    before, _, after = row.change.partition(" -> ")
    return f"  - `{place_of(row)}`: `{before}` → `{after or '(nothing)'}`\n"


def place_of(row):
    """Where a survivor is: the check that it is of, or its place in the library."""
    return row.check if isinstance(row, false_versions.Row) else row.place or row.package


def outdated(app, env, added, changed, removed):
    """The page, when the record, the reasons or the functions are no longer those that it shows."""
    if PAGE not in env.found_docs:
        return []
    shown = split_stale(read_rows()), reasons(), list(map(tried, chapters()))
    before, env.mutants_shown = getattr(env, "mutants_shown", None), shown
    return [PAGE] if before != shown else []


def setup(app):
    app.add_directive("mutants", MutantsDirective)
    app.connect("env-get-outdated", outdated)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
