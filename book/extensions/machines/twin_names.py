"""What references and the book's own directives say in a page's Markdown twin."""

import re
from itertools import groupby

from docutils import nodes

from extensions.coursework.notebook_names import BookNames
from extensions.machines.twin_nodes import inline, items, table
from extensions.mathematics.quoted_equations import equation
from extensions.pages import ledger_page
from extensions.pages.chapter_times import OPENING
from extensions.pages.errata import listed
from extensions.pages.library_pages import entries
from extensions.pages.library_source import imports, introduction, public
from extensions.pages.stories import chapter_of, sections_of
from extensions.pages.tree import of_class
from margins_book.ledger import chapter_of as chapter_of_claim
from margins_book.ledger import read_ledger

SOLUTIONS = "#solutions"  # where a twin has them
TERM = re.compile(r"^(?!\*\*|\{|: )(\S.*)\n: (?=\S)", re.MULTILINE)  # others are sentences
DEFINITION = re.compile(r"^: (?=\S)", re.MULTILINE)
RULED = re.compile(r"^(\w[\w ]*)\n-{3,}\n(.*)", re.DOTALL)  # a list of definitions in a docstring


def without_definitions(text):
    """A text whose lists of definitions, which plain Markdown does not have, are lists."""
    return DEFINITION.sub("- ", TERM.sub(r"- \1: ", text))


def terms(found):
    """The terms of a glossary and what they mean."""
    pairs = re.findall(r"^(\S.*)\n((?:[ \t]+\S.*\n?)+)", "\n".join(found.body), re.MULTILINE)
    return [(term, " ".join(words.split())) for term, words in pairs]


class TwinNames(BookNames):
    """The names for the twin of a page; its finished tree has what the build made of directives."""

    def __init__(self, app, page, here, doctree):
        super().__init__(app, page, here)
        self.doctree = doctree
        self.routes = iter(of_class(doctree, "route"))

    def link(self, words, target):
        return f"[{words}]({target})" if target == SOLUTIONS else super().link(words, target)

    def made_of_in_chapter(self, found):
        """The link of a scene to a section of its chapter."""
        chapter, section = chapter_of(self.page), found.argument
        place = "" if section == OPENING else section
        return f"In the chapter: [{sections_of(self.env, chapter)[section]}]({self.address(chapter, place)})"

    def made_of_glossary(self, found):
        """A paragraph for each term."""
        return "\n\n".join(f"**{term}**: {words}" for term, words in terms(found))

    def made_of_equation(self, found):
        """An equation of a chapter below what is said of it."""
        tex, _ = equation(self.env, self.page, found.argument)
        words = " ".join(" ".join(found.body).split())
        return f"{words} {{eq}}`{found.argument}`\n\n$$\n{tex.strip()}\n$$"

    def made_of_route(self, found):
        return items(next(self.routes), self.address(self.page))

    def made_of_statements(self, found):
        """By page, the statements with their links."""
        lists = of_class(self.doctree, "statements")
        parts = [f"## {made.parent[0].astext()}\n\n{items(made, self.address(self.page))}" for made in lists]
        return "\n\n".join(parts)

    def made_of_ledger(self, found):
        """All claims, by chapter."""
        ledger = read_ledger()
        parts = [ledger_page.sources_box(ledger.sources)]
        for chapter, claims in groupby(ledger.claims, chapter_of_claim):
            written = (ledger_page.entry(claim, ledger.sources, self.app.config) for claim in claims)
            without_targets = (text.partition("\n\n")[2] for text in written)
            parts += [f"## Chapter {chapter}\n", *without_targets]
        return without_definitions("\n".join(parts))

    def made_of_errata(self, found):
        return without_definitions(listed(found.argument, self.app.config))

    def made_of_bibliography(self, found):
        page = self.address(self.page)
        cited = [work.next_node(nodes.paragraph) for work in self.doctree.findall(nodes.citation)]
        return "\n".join(f"- {inline(work, page)}" for work in cited)

    def made_of_run_status(self, found):
        return table(next(self.doctree.findall(nodes.table)), self.address(self.page))

    made_of_parts_of_python = made_of_run_status

    def made_of_library(self, found):
        """A module's introduction, and of each public name how it is called, what it is and an example."""
        return "\n\n".join([introduction(found.argument), *map(documented, public(found.argument))])


def documented(one):
    """A public name of the library."""
    signature = one.signature + (f"  # {one.remark}" if one.is_short and one.remark else "")
    parts = [
        f"## `{one.name}`",
        f"```python\n{signature}\n```",
        *map(paragraph, re.split(r"\n\s*\n", one.words)),
    ]
    parts.append("\n".join(f"- `{name}`: {words}" for name, words in [*one.fields, *one.methods]))
    if one.examples:
        lines = (
            code + "".join(f"# {line}\n" for line in answer.splitlines()) for code, answer in one.examples
        )
        parts.append(f"```python\n{imports(one)}\n\n{''.join(lines)}```")
    return "\n\n".join(filter(None, parts))


def paragraph(text):
    """A paragraph of a docstring; entries under a ruled heading as a list."""
    ruled = RULED.fullmatch(text)
    if not ruled:
        return text
    return "\n".join(
        [f"**{ruled[1]}**\n", *(f"- `{name}`: {words}" for name, words in entries(ruled[2].split("\n")))]
    )
