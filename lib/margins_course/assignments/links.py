"""Links in notebooks: what a label is called, and where the published book has it.

MyST's admonitions and roles become folded details, bold titles and links into the published book, which every
notebook program renders. (book: Teaching with this book, Release)
"""

import re
from functools import cache

from margins_book.page.chapter import Chapter
from margins_book.page.directives import blocks
from margins_book.page.excursions import labels_of_figures
from margins_course.book import BOOK

TITLED = re.compile(r"^:{3,}\{(?:prf:(\w+)|exercise-start)\} *(.*)\n:label: *(\S+)", re.M)
SECTION = re.compile(r"^\((\S+)\)=\n#+ (.+)", re.M)
EQUATION = re.compile(r"\$\$ *\(([\w-]+)\) *$", re.M)
ROLE = re.compile(r"\{(prf:ref|ref|numref|eq|cite:\w+)\}`(?:([^`<]*)<)?([^`>]+)>?`")

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

    def address(self, label: str) -> str:
        """Where the published book has a label of this chapter."""
        return f"{self.page}#{label}"

    def plain(self, text: str) -> str:
        """A piece of the chapter without directives and roles."""
        return ROLE.sub(self._link, without_admonitions(text, self.chapter)).strip()

    def _link(self, role: re.Match) -> str:
        """A MyST role as an ordinary link."""
        kind, given, target = role[1], (role[2] or "").strip(), role[3]
        if kind.startswith("cite"):
            return f"[{target}]({self.book}book/references.html#{target.split(',')[0].strip()})"
        page, title = self._found(target)
        anchor = f"equation-{target}" if kind == "eq" else target
        return f"[{given or UNTITLED.get(kind) or title}]({page}#{anchor})"

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


def without_admonitions(text: str, where: str) -> str:
    """A text with each admonition as folded details, or under a bold title if it is not folded."""
    lines: list[str] = []
    for block in blocks(text.split("\n"), where):
        found = block.directive
        if not found or found.name != "admonition":
            lines += block.lines
            continue
        body = without_admonitions("\n".join(found.body), where)
        if "dropdown" in found.options.get("class", "").split():
            lines += [f"<details><summary>{found.argument}</summary>", "", body, "", "</details>"]
        else:
            lines += [f"**{found.argument}**", "", body, ""]
    return "\n".join(lines)
