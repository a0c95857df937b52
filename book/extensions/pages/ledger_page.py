"""The claims ledger: its page, and the marks in chapters that lead to it.

`{ledger}` lists the sources and, by chapter, every claim, written from the chapters' files of claims while
the book is built; a script filters the claims on the page. `% ledger: C3.03` below a paragraph, or last in a
box, makes a mark at the end of that paragraph; a notebook has none.
"""

import re
from itertools import groupby

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from extensions.pages.errata import lines_of_tests, linked_test
from extensions.pages.tree import GeneratingDirective, cross_reference
from margins_book.ledger import VERDICTS, anchor, chapter_of, read_ledger, references
from margins_book.sources.quotations import quotations_of, read_quotations

PAGE = "book/claims"
SCRIPT = "ledger.js"


class LedgerDirective(GeneratingDirective):
    """`{ledger}`: the list of the sources, and a section with the claims of each chapter."""

    def run(self):
        ledger = read_ledger()
        made = self.parsed(nodes.Element(), sources_box(ledger.sources)).children
        for chapter, claims in groupby(ledger.claims, chapter_of):
            title = f"Chapter {chapter}"
            section = nodes.section("", nodes.title("", title), names=[nodes.fully_normalize_name(title)])
            self.state.document.note_implicit_target(section, section)
            text = "\n".join(entry(claim, ledger.sources, self.config) for claim in claims)
            made.append(self.parsed(section, text))
        return made


def sources_box(sources):
    """Two folded boxes: what each source is, by the name used here, and what each verdict means."""
    return folded("The sources, by the names used here", sources) + folded("What the verdicts mean", VERDICTS)


def folded(title, meanings):
    items = (f"{name}\n: {capitalised(meaning)}.\n\n" for name, meaning in meanings.items())
    return f":::{{admonition}} {title}\n:class: dropdown\n\n{''.join(items)}:::\n\n"


def entry(claim, sources, config):
    """One claim: what is said and by whom, the verdict, what holds, how we know."""
    name, place = claim["source"]
    source = sources[name] + (f", {place}" if place else "")
    judged = " ".join(quotation.id for quotation in quotations_of(claim))
    unfolded = f"\n```{{said}} {judged}\n```\n" if judged else ""  # the sentences that it judges, whole
    return (
        f"({anchor(claim)})=\n\n"
        f"::::{{container}} claim {classes(claim)}\n"
        f"**{claim['id']}** ({claim['verdict']}). {claim['statement']}\n"
        f": {capitalised(source)}.\n"
        f": **What holds.** {claim['correction']}\n"
        f": {evidence(claim, config)}.\n"
        f"{unfolded}"
        "::::\n"
    )


def capitalised(text):
    return text[0].upper() + text[1:]


def classes(claim):
    """The classes by which the page's script filters: `chapter-1 verdict-true-if` and so on."""
    values = {"chapter": chapter_of(claim), "verdict": claim["verdict"], "source": claim["source"][0]}
    values["status"] = claim["status"]
    return " ".join(f"{name}-{value}".replace(" ", "-") for name, value in values.items())


def evidence(claim, config):
    """How we know: proved, verified or cited; the places in the book, the works, the tests."""
    tests = ", ".join(linked_test(test, config) for test in claim["tests"])
    head = f"*{claim['status'].capitalize()}*, see {', '.join(references(claim))}"
    return f"{head}; {tests}" if tests else head


def outdated(app, env, added, changed, removed):
    """The ledger's page, when claims, their tests or the sentences that they judge have changed."""
    shown = read_ledger(), read_quotations(), lines_of_tests()
    before, env.ledger_shown = getattr(env, "ledger_shown", None), shown
    return [PAGE] if PAGE in env.found_docs and before != shown else []


def link_script(app, pagename, templatename, context, doctree):
    """The filter, on the page that it is for."""
    if pagename == PAGE:
        app.add_js_file(SCRIPT, type="module")


LINE = re.compile(r"ledger: *(.*)")
CLAIM = re.compile(r"C\d+\.\d\d")


class MarkClaims(SphinxTransform):
    """Puts the marks where comments name claims."""

    default_priority = 30  # before references are collected

    def apply(self, **kwargs):
        for comment in list(self.document.findall(nodes.comment)):
            named = [claim for line in comment.astext().split("\n") for claim in self.claims(line, comment)]
            if named:
                paragraph = paragraph_before(comment)
                for number, claim in enumerate(named, 1):
                    words = "ledger" if number == 1 else str(number)
                    paragraph += [nodes.Text(" "), mark(self.env.docname, claim, words)]
                comment.parent.remove(comment)  # nothing then stands between a paragraph and its cell

    def claims(self, line, comment):
        """The claims that a line of a comment names; none for other comments."""
        found = LINE.fullmatch(line.strip())
        names = re.split(r", *", found[1].strip()) if found else []
        if wrong := [name for name in names if not CLAIM.fullmatch(name)]:
            place = f"{self.env.doc2path(self.env.docname)}:{comment.line}"
            raise ExtensionError(
                f"{place}: `% ledger:` names {wrong[0]!r}; expected claims such as C3.03, C3.05"
            )
        return names


def paragraph_before(comment):
    """The paragraph that ends before a comment; an empty one is made where something else does."""
    siblings = comment.parent.children
    before = siblings[siblings.index(comment) - 1] if siblings.index(comment) else None
    while isinstance(before, nodes.list_item | nodes.bullet_list | nodes.enumerated_list):
        before = before.children[-1]
    if isinstance(before, nodes.paragraph):
        return before
    made = nodes.paragraph(classes=["ledger-marks"])
    comment.parent.insert(siblings.index(comment), made)
    return made


def mark(page, claim, words):
    """The word that leads to a claim; further claims of one comment are counted."""
    reference = cross_reference("ref", anchor({"id": claim}), words, page)
    return nodes.inline("", "", reference, classes=["ledger-mark"])


def setup(app):
    app.add_directive("ledger", LedgerDirective)
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", link_script)
    app.add_transform(MarkClaims)
    return {"env_version": 1}
