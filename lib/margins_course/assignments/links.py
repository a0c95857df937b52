"""Links in notebooks: what a label is called, and where the published book has it.

`margins_book.page.plain` asks here for the names of what a chapter's text refers to; they become links into
the published book, which every notebook program renders.
"""

import posixpath
import re
from functools import cache

from margins_book.page.chapter import Chapter
from margins_book.page.directives import Directive
from margins_book.page.excursions import labels_of_figures
from margins_book.page.plain import plain
from margins_course.book import BOOK

TITLED = re.compile(r"^:{3,}\{(?:prf:(\w+)|exercise-start)\} *(.*)\n:label: *(\S+)", re.M)
SECTION = re.compile(r"^\((\S+)\)=\n#+ (.+)", re.M)
EQUATION = re.compile(r"\$\$ *\(([\w-]+)\) *$", re.M)
PLACES = {"prf:ref", "ref", "numref", "eq"}  # the roles that name labels
UNTITLED = {"eq": "(equation)", "numref": "the figure"}  # what has a number in the book and no other name


def titles_in(text: str) -> dict[str, str]:
    """What the labels of a chapter's statements, exercises, sections, equations and figures are called."""
    titles = dict.fromkeys(EQUATION.findall(text), UNTITLED["eq"]) | dict(SECTION.findall(text))
    titles |= dict.fromkeys(labels_of_figures(text), UNTITLED["numref"])
    for kind, title, label in TITLED.findall(text):
        titles[label] = (f"{kind} ({title})" if title else kind) if kind else title.partition(" · ")[0]
    return titles


@cache
def labels_of_book() -> dict[str, tuple[str, str]]:
    """The labels in the book's chapters, each with its chapter and what it is called."""
    return {
        label: (path.stem, title)
        for path in sorted((BOOK / "chapters").glob("[0-9]*.md"))
        for label, title in titles_in(path.read_text(encoding="utf-8")).items()
    }


class Linker:
    """The labels that a chapter refers to, its own and others, as links."""

    def __init__(self, chapter: Chapter, page: str):
        self.chapter = chapter.name
        self.page, self.book = page, page.rsplit("chapters/", 1)[0]
        self.titles = titles_in(chapter.prose) | {text.label: text.title for text in chapter.texts}

    def plain(self, text: str) -> str:
        """A piece of the chapter without directives and roles."""
        return plain(text, self, self.chapter)

    def lead(self, kind: str, label: str, title: str) -> str:
        """How a statement begins; here it has no number."""
        return f"{kind.title()} ({title})" if title else kind.title()

    def equation(self, label: str) -> str:
        """Equations have numbers in the book alone."""
        return ""

    def role(self, role: str, words: str, target: str) -> str:
        """A MyST role as an ordinary link."""
        if role.startswith("cite"):
            return f"[{target}]({self.book}book/references.html#{target.split(',')[0].strip()})"
        if role not in PLACES:
            return words or target
        page, title = self._found(target)
        anchor = f"equation-{target}" if role == "eq" else target
        return f"[{words.strip() or UNTITLED.get(role) or title}]({page}#{anchor})"

    def link(self, words: str, target: str) -> str:
        """A link to another page of the book; of one that lights a mark of a figure, the words."""
        path, _, place = target.partition("#")
        if not path:
            return f"[{words}]({self._found(place)[0]}#{place})" if place in self.titles else words
        page = posixpath.normpath(posixpath.join("chapters", path.removesuffix(".md") + ".html")).lstrip("/")
        return f"[{words or page}]({self.book}{page}" + (f"#{place})" if place else ")")

    def picture(self, file: str) -> str:
        """Where the published book has a picture."""
        return f"{self.book}_images/{posixpath.basename(file)}"

    def directive(self, found: Directive) -> None:
        """Nothing in an exercise needs more than any notebook has."""

    def _found(self, label: str) -> tuple[str, str]:
        """The page of a label, and what it is called there."""
        if label in self.titles:
            return self.page, self.titles[label]
        if label.startswith("claim-"):
            return f"{self.book}book/claims.html", label.removeprefix("claim-").upper().replace("-", ".")
        if label in labels_of_book():
            chapter, title = labels_of_book()[label]
            return f"{self.book}chapters/{chapter}.html", title
        return self.page, label
