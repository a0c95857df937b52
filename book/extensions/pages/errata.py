"""What the sources say that does not hold as they say it, written from the ledger while the book is built."""

import functools

from docutils import nodes
from sphinx.errors import ExtensionError

from extensions.pages.tree import GeneratingDirective, files_of_repository
from margins_book.chapters import ROOT
from margins_book.ledger import (
    ERRORS,
    MISREADING,
    anchor,
    claim_files,
    files_of_tests,
    read_ledger,
    reference,
)

MISREADINGS = "misreadings"
COLUMNS = {
    "wrong, or half right": {"wrong", "half right"},
    "imprecise, or unsupported": {"imprecise", "unsupported"},
    "a natural misreading": {MISREADING},
    "true, or true if": {"true", "true if"},
    "opinion, or open": {"opinion", "open"},
}


class Errata(GeneratingDirective):
    """`{errata} SOURCE`: what does not hold as the source says it; without a source, all verdicts counted.

    `{errata} misreadings`: what is easily read into any of the sources.
    """

    optional_arguments = 1

    def run(self):
        for file in (*claim_files(), *files_of_tests()):
            self.env.note_dependency(str(file))
        text = listed("".join(self.arguments), self.config)
        return self.parsed(nodes.container(), text).children


def listed(source, config):
    """The text of the list: all verdicts counted, if `source` is ""."""
    ledger = read_ledger()
    if not source:
        return counts(ledger)
    if source != MISREADINGS and source not in ledger.sources:
        raise ExtensionError(f"errata: no source of the ledger is called {source!r}")
    chosen = misreadings(ledger) if source == MISREADINGS else errata_of(ledger, source)
    return "\n".join(entry(claim, config) for claim in chosen)


def errata_of(ledger, source):
    """The claims of a source that are wrong, then those that are half right and so on."""
    of_source = [claim for claim in ledger.claims if claim["source"][0] == source]
    return [claim for verdict in ERRORS for claim in of_source if claim["verdict"] == verdict]


def misreadings(ledger):
    """What is read into the sources and said by none, in the order of the book."""
    return [claim for claim in ledger.claims if claim["verdict"] == MISREADING]


def counts(ledger):
    """A table of the verdicts by source."""
    lines = [["source", *COLUMNS], ["---", *["---:"] * len(COLUMNS)]]
    for source in ledger.sources:
        found = [claim["verdict"] for claim in ledger.claims if claim["source"][0] == source]
        sums = (sum(map(found.count, verdicts)) for verdicts in COLUMNS.values())
        lines.append([source, *map(str, sums)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def entry(claim, config):
    """One erratum: what is said and where, what holds, the place that proves or runs it, its tests."""
    _, place = claim["source"]
    tests = [linked_test(test, config) for test in deciding(claim["tests"])]
    return (
        f"{{ref}}`{claim['id']} <{anchor(claim)}>` ({claim['verdict']}{', ' if place else ''}{place}). "
        f"{claim['statement']}\n"
        f": **What holds.** {claim['correction']}\n"
        f": {reference(claim['section'])}; {', '.join(tests)}.\n"
    )


def deciding(tests):
    """The tests whose names contain `_correction_`; all tests where there are none."""
    return [test for test in tests if "_correction_" in test] or tests


def linked_test(test, config):
    """A test's name, which leads to its line in the book's repository."""
    file, line = lines_of_tests()[test]
    return f"[`{test}`]({files_of_repository(config)}/{file}#L{line})"


@functools.cache
def lines_of_tests():
    """File and line of every test of a claim."""
    found = {}
    for file in files_of_tests():
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("def test_"):
                found[line[4:].partition("(")[0]] = file.relative_to(ROOT).as_posix(), number
    return found


def setup(app):
    app.add_directive("errata", Errata)
