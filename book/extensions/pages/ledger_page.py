"""The page of the claims ledger: `{ledger}` lists the sources and, by chapter, every claim.

Written from the chapters' files of claims while the book is built; a script filters the claims on the page.
"""

from itertools import groupby

from docutils import nodes

from extensions.pages.generated_sections import GeneratingDirective
from margins_book.held import KINDS, all_quotations, holders, reference_to
from margins_book.ledger import VERDICTS, anchor, chapter_of, parts, read_ledger
from margins_book.sources.coverage import read_coverage
from margins_book.sources.quotations import quotations_of, read_quotations

PAGE = "book/claims"
SCRIPT = "ledger.js"


class LedgerDirective(GeneratingDirective):
    """`{ledger}`: the list of the sources, and a section with the claims of each chapter."""

    def run(self):
        ledger, quoted = read_ledger(), all_quotations()
        sections = [
            self.section(f"Chapter {chapter}", "\n".join(entry(c, ledger.sources, quoted) for c in claims))
            for chapter, claims in groupby(ledger.claims, chapter_of)
        ]
        return [*self.parsed(nodes.Element(), sources_box(ledger.sources)).children, *sections]


def sources_box(sources):
    """Two folded boxes: what each source is, by the name used here, and what each verdict means."""
    return folded("The sources, by the names used here", sources) + folded("What the verdicts mean", VERDICTS)


def folded(title, meanings):
    items = (f"{name}\n: {capitalised(meaning)}.\n\n" for name, meaning in meanings.items())
    return f":::{{admonition}} {title}\n:class: dropdown\n\n{''.join(items)}:::\n\n"


def entry(claim, sources, quoted):
    """One claim: what is said and by whom, the verdict, what holds, how we know each sentence of that."""
    name, place = claim["source"]
    source = sources[name] + (f", {place}" if place else "")
    held = holders(claim, quoted)
    numbers = numbered(claim, held)
    return (
        f"({anchor(claim)})=\n\n"
        f"::::{{container}} claim {classes(claim)}\n"
        f"**{claim['id']}** ({claim['verdict']}). {claim['statement']}\n"
        f": {capitalised(source)}.\n"
        f": **What holds.** {' '.join(map(marked, parts(claim), held, [numbers] * len(held)))}\n"
        f": {evidence(claim, numbers)}.\n"
        f"{unfolded(claim)}"
        "::::\n"
    )


def numbered(claim, held):
    """Numbers for what holds the sentences of a correction, in the order of the last line of its entry."""
    names = [name for holding in held for name in holding if name not in KINDS]
    ordered = dict.fromkeys(
        [claim["section"], *(n for n in names if n not in claim["tests"]), *claim["tests"]]
    )
    return {name: number for number, name in enumerate((n for n in ordered if n in names), 1)}


def marked(part, holding, numbers):
    """A sentence with the numbers of what holds it raised behind it, or the word for what it is."""
    marks = [*sorted(numbers[name] for name in holding if name in numbers), *filter(KINDS.get, holding)]
    return f"{part.says}{{sup}}`{', '.join(map(str, marks))}`"


def unfolded(claim):
    """The sentences that the claim judges, whole and folded, where the book quotes any."""
    said = " ".join(quotation.id for quotation in quotations_of(claim["id"]))
    return f"\n```{{said}} {said}\n```\n" if said else ""


def capitalised(text):
    return text[0].upper() + text[1:]


def classes(claim):
    """The classes by which the page's script filters: `chapter-1 verdict-true-if` and so on."""
    values = {"chapter": chapter_of(claim), "verdict": claim["verdict"], "source": claim["source"][0]}
    values["status"] = claim["status"]
    return " ".join(f"{name}-{value}".replace(" ", "-") for name, value in values.items())


def evidence(claim, numbers):
    """How we know: proved, verified or cited; the places in the book and the tests, by number."""
    places = dict.fromkeys([claim["section"], *(name for name in numbers if not name.startswith("test_"))])
    place = ", ".join(raised(numbers, name) + reference_to(name) for name in places)
    tests = ", ".join(f"{raised(numbers, test)}{{claim-test}}`{test}`" for test in claim["tests"])
    head = f"*{claim['status'].capitalize()}*, see {place}"
    return f"{head}; {tests}" if tests else head


def raised(numbers, name):
    """The number of what holds a sentence, before its name; nothing for what holds none."""
    return f"{{sup}}`{numbers[name]}` " if name in numbers else ""


def outdated(app, env, added, changed, removed):
    """The ledger's page, when claims, their tests, what those measured or their draws have changed."""
    files = read_ledger(), all_quotations(), read_coverage(), read_quotations()
    shown = *files, app.claim_tests, app.compared, app.test_draws
    before, env.ledger_shown = getattr(env, "ledger_shown", None), shown
    return [PAGE] if PAGE in env.found_docs and before != shown else []


def link_script(app, pagename, templatename, context, doctree):
    """The filter, on the page that it is for."""
    if pagename == PAGE:
        app.add_js_file(SCRIPT, type="module")


def setup(app):
    app.setup_extension("extensions.pages.claim_tests")
    app.add_directive("ledger", LedgerDirective)
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", link_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
