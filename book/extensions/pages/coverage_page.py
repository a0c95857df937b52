"""The page of the sources: `{coverage}` counts their sentences, names the gaps, and says what judges each.

Written from the tables in `book/coverage` while the book is built; a sentence that is quoted unfolds whole.
"""

from collections import Counter
from itertools import groupby

from docutils import nodes

from extensions.pages.generated_sections import GeneratingDirective
from extensions.pages.ledger_page import capitalised
from extensions.pages.quoted_sources import SOURCES, markdown
from margins_book.ledger import anchor, claim_files, read_ledger
from margins_book.sources.coverage import REASONS, Row, coverage_files, read_coverage
from margins_book.sources.quotations import QUOTATIONS_FILE, read_quotations


class Coverage(GeneratingDirective):
    """`{coverage}`: a table of counts, the open gaps, and a section for each source."""

    def run(self):
        for file in (*claim_files(), *coverage_files(), QUOTATIONS_FILE):
            self.env.note_dependency(str(file))
        rows, sources = read_coverage(), read_ledger().sources
        parts = {name: list(group) for name, group in groupby(rows, lambda row: row.source)}
        sections = [self.section("Open gaps", gaps(rows))]
        for name in filter(parts.get, sources):
            place = f"{capitalised(sources[name])}.\n\n"
            sections.append(self.section(capitalised(SOURCES[name]), place + listed(parts[name])))
        return [*self.parsed(nodes.Element(), counts(parts, sources)).children, *sections]


def counts(parts: dict[str, list[Row]], sources) -> str:
    """A table: sentences by source, those that claims judge, those with a gap, those without a claim."""
    lines = [
        "| source | sentences | judged | with an open gap | no claim |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in filter(parts.get, sources):
        rows = parts[name]
        judged, gap = sum(bool(row.claims) for row in rows), sum(bool(row.gap) for row in rows)
        lines.append(f"| {name} | {len(rows)} | {judged} | {gap} | {sum(not judges(row) for row in rows)} |")
    table = "\n".join(lines)
    return f"{table}\n\nWhy a sentence has no claim: {reasons(parts)}.\n"


def judges(row: Row) -> bool:
    """Whether a claim judges the sentence, or should."""
    return bool(row.claims or row.gap)


def reasons(parts: dict[str, list[Row]]) -> str:
    """The reasons why sentences have no claim, each with what it means and how often it is given."""
    given = Counter(row.remark for rows in parts.values() for row in rows if not judges(row))
    return "; ".join(f"*{name}* ({given[name]}): {words}" for name, words in REASONS.items() if given[name])


def gaps(rows: list[Row]) -> str:
    """What sentences say and no claim judges: each gap once, with the sentences."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.gap:
            found.setdefault(row.gap, []).append(row)
    if not found:
        return "There is none.\n"
    items = (f"1. {capitalised(gap)} ({'; '.join(map(named, where))}).\n" for gap, where in found.items())
    return f"There are {len(found)}.\n\n{''.join(items)}"


def named(row: Row) -> str:
    return f"{SOURCES[row.source]}{', ' if row.place else ''}{row.place}"


def listed(rows: list[Row]) -> str:
    """The sentences of one source by their places, each with what judges it."""
    whole = {(each.source, each.digest): each for each in read_quotations().values()}
    parts = []
    for place, group in groupby(rows, lambda row: row.place):
        head = f"**{place}**\n\n" if place else ""
        parts.append(head + "".join(entry(row, whole.get((row.source, row.digest))) for row in group))
    return "\n".join(parts)


def entry(row: Row, quotation) -> str:
    """One sentence: its first words, the claims or the reason, and all of it folded if it is quoted."""
    judged = ", ".join(f"{{ref}}`{claim} <{anchor({'id': claim})}>`" for claim in row.claims)
    verdict = "; ".join(filter(None, [judged, row.remark and f"*{row.remark}*"]))
    line = f"- {escaped(row.begins)} {verdict}\n"
    if not quotation:
        return line
    box = f":::{{admonition}} The whole sentence\n:class: dropdown said\n{markdown(quotation)}\n:::"
    return f"{line}\n{indented(box)}\n\n"


def indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))


def escaped(text: str) -> str:
    """Words of a source with nothing in them that Markdown reads as a mark."""
    return "".join(f"\\{sign}" if sign in "[]*_`<>|$" else sign for sign in text)


def setup(app):
    app.add_directive("coverage", Coverage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
