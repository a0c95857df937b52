"""What the sources say that is wrong or imprecise, written from the ledger while the book is built."""

import functools
import re
from pathlib import Path

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
LEDGER = ROOT / "book" / "claims.yml"
TESTS = ROOT / "tests" / "claims"
NUMBERED = re.compile(r"-(thm|cor|prop|lem|def)-")  # such labels are numbered by sphinx-proof
COLUMNS = {
    "wrong": {"wrong"},
    "imprecise": {"imprecise"},
    "true, or true if": {"true", "true if"},
    "opinion, or open": {"opinion", "open"},
}


class Errata(SphinxDirective):
    """`{errata} SOURCE`: what is wrong or imprecise in it; without a source, the verdicts on all, counted."""

    optional_arguments = 1

    def run(self):
        for file in (LEDGER, *sorted(TESTS.glob("*.py"))):
            self.env.note_dependency(str(file))
        ledger = yaml.safe_load(LEDGER.read_text(encoding="utf-8"))
        text = counts(ledger) if not self.arguments else self.listed(ledger)
        place = nodes.container(classes=["errata"])
        self.state.nested_parse(StringList(text.splitlines(), self.env.docname), self.content_offset, place)
        return place.children

    def listed(self, ledger):
        (source,) = self.arguments
        if source not in ledger["sources"]:
            raise ExtensionError(f"errata: no source of the ledger is called {source!r}")
        return "\n".join(entry(claim, self.config) for claim in errata_of(ledger, source))


def errata_of(ledger, source):
    """The claims of a source that are wrong, then those that are imprecise, in the order of the book."""
    of_source = [claim for claim in ledger["claims"] if claim["source"][0] == source]
    return [claim for verdict in ("wrong", "imprecise") for claim in of_source if claim["verdict"] == verdict]


def counts(ledger):
    """A table of the verdicts by source."""
    lines = [["source", *COLUMNS], ["---", *["---:"] * len(COLUMNS)]]
    for source in ledger["sources"]:
        found = [claim["verdict"] for claim in ledger["claims"] if claim["source"][0] == source]
        sums = (sum(map(found.count, verdicts)) for verdicts in COLUMNS.values())
        lines.append([source, *map(str, sums)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def entry(claim, config):
    """One erratum: what is said and where, what holds, the place that proves or runs it, its tests."""
    number, section = claim["id"], claim["section"]
    role = "prf:ref" if NUMBERED.search(section) else "ref"
    tests = [f"[`{test}`]({address(test, config)})" for test in deciding(claim["tests"])]
    return (
        f"{{ref}}`{number} <claim-{number.lower().replace('.', '-')}>` ({claim['verdict']}"
        f"{', ' if claim['source'][1] else ''}{claim['source'][1]}). {claim['statement']}\n"
        f": **What holds.** {claim['correction']}\n"
        f": {{{role}}}`{section}`; {', '.join(tests)}.\n"
    )


def deciding(tests):
    """The tests of a correction, if any are called so; all, if not."""
    return [test for test in tests if "_correction_" in test] or tests


def address(test, config):
    """The line of a test in the book's repository."""
    options = config.html_theme_options
    source = f"{options.get('repository_url', '')}/blob/{options.get('repository_branch') or 'main'}"
    file, line = lines_of_tests(max(file.stat().st_mtime_ns for file in TESTS.glob("*.py")))[test]
    return f"{source}/tests/claims/{file}#L{line}"


@functools.lru_cache(maxsize=1)
def lines_of_tests(changed):
    """File and line of every test of a claim, as they were when the last of them `changed`."""
    found = {}
    for file in sorted(TESTS.glob("*.py")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("def test_"):
                found[line[4:].partition("(")[0]] = file.name, number
    return found


def setup(app):
    app.add_directive("errata", Errata)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
