"""A chapter's text as Markdown that every notebook program renders.

MyST's directives and roles become headings, folded details and links into the published book.
(book: Teaching with this book, Release)
"""

import re

from margins_course.assignments.chapter import Chapter

ADMONITION = re.compile(
    r"^(?P<fence>:{3,})\{admonition\} *(?P<title>[^\n]*)\n(?P<options>(?::[\w-]+:[^\n]*\n)*)"
    r"(?P<body>.*?)^(?P=fence):*[ \t]*$",
    re.M | re.S,
)
TITLED = re.compile(r"^:{3,}\{prf:(\w+)\} *(.*)\n:label: *(\S+)", re.M)
SECTION = re.compile(r"^\((\S+)\)=\n#+ (.+)", re.M)
ROLE = re.compile(r"\{(prf:ref|ref|numref|eq|cite:\w+)\}`(?:([^`<]*)<)?([^`>]+)>?`")

UNTITLED = {"eq": "(equation)", "numref": "the figure"}  # what has a number in the book and no other name


class Linker:
    """What a chapter's labels are called, and where the published book has them."""

    def __init__(self, chapter: Chapter, page: str):
        self.page, self.book = page, page.rsplit("chapters/", 1)[0]
        named = TITLED.findall(chapter.prose)
        self.titles = {label: f"{kind} ({title})" if title else kind for kind, title, label in named}
        self.titles |= {text.label: text.title for text in chapter.texts}
        self.titles |= dict(SECTION.findall(chapter.prose))

    def address(self, label: str) -> str:
        """Where the published book has a label."""
        return f"{self.page}#{label}"

    def plain(self, text: str) -> str:
        """A piece of the chapter without directives and roles."""
        return ROLE.sub(self._link, ADMONITION.sub(_admonition, text)).strip()

    def _link(self, role: re.Match) -> str:
        """A MyST role as an ordinary link."""
        kind, given, target = role[1], (role[2] or "").strip(), role[3]
        if kind.startswith("cite"):
            return f"[{target}]({self.book}book/references.html#{target.split(',')[0].strip()})"
        said = given or UNTITLED.get(kind) or self.titles.get(target, target)
        return f"[{said}]({self.address(f'equation-{target}' if kind == 'eq' else target)})"


def _admonition(found: re.Match) -> str:
    """An admonition as folded details, or under a bold title if it is not folded."""
    if "dropdown" in found["options"]:
        return f"<details><summary>{found['title']}</summary>\n\n{found['body']}\n</details>"
    return f"**{found['title']}**\n\n{found['body']}"
