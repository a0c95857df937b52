"""A chapter's text as every notebook program shows it: plain Markdown and formulas between dollars.

Statements and boxes get bold leads, what is folded becomes `<details>`, equations bear their numbers as
`\\tag`, roles become words and links. What nobody should read is left out: comments, targets, options.
Nothing is quoted by `>`, which would break formulas on lines of their own.
(book: How to read and run this book, Running)
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from margins_book.page.directives import Directive, blocks

HIDDEN = re.compile(  # comments, targets and attributes; a block of code, the first group, keeps its own
    r"(^(`{3,})[a-z][^\n]*\n.*?^\2[ \t]*$)"  # begins with its language: a bare line of ` may end a directive
    r"|^[ \t]*<!--.*?-->[ \t]*\n|[ \t]*<!--.*?-->|^%(?: [^\n]*)?(?:\n|\Z)"
    r"|^[ \t]*\([\w-]+\)=[ \t]*(?:\n|\Z)|^\{[.#][\w-]+\}[ \t]*\n",
    re.DOTALL | re.MULTILINE,
)
EQUATION = re.compile(r"\n([ \t]*)\$\$ *\(([\w-]+)\)")
ROLE = re.compile(r"\{([\w:-]+)\}`(?:([^`<>]+?) *<([^`<>]+)>|([^`<>]+))`")
CODE_OR_LINK = re.compile(  # to a page of the book or a place of this one; the title names a mark of a figure
    r"((?<!\})`+[^`\n]+`+)|"
    r'(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(((?!https?:)[^()\s]+\.md(?:#[^()\s]*)?|#[^()\s]+)(?: "[^"]*")?\)'
)
PICTURE = re.compile(r"(!\[[^\]]*\]\()(?!https?:)([^()\s]+)\)")
ANY_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
EMPTY_LINES = re.compile(r"(^```.*?^```$)|\n{3,}", re.DOTALL | re.MULTILINE)
STATEMENTS = {
    "algorithm", "axiom", "conjecture", "corollary", "definition", "example", "lemma", "proposition",
    "remark", "theorem",
}  # fmt: skip
GATES = {"exercise-end", "solution-start", "solution-end"}
END_OF_STATEMENT, END_OF_PROOF = "◁", "□"


class Names(Protocol):
    """What labels are called in a notebook."""

    def lead(self, kind: str, label: str, title: str) -> str:
        """How a statement or an exercise begins, such as `Theorem 4.1 (Local least squares)`."""

    def equation(self, label: str) -> str:
        """The number of an equation, "" where it has none."""

    def role(self, role: str, words: str, target: str) -> str:
        """A role as words or a link; `words` is "" where the author gives none."""

    def link(self, words: str, target: str) -> str:
        """A link to a place of the book by its label or its file."""

    def picture(self, file: str) -> str:
        """The address of a picture by its file."""

    def directive(self, found: Directive) -> str | None:
        """MyST in place of a directive that only this book knows, None for all others."""


def plain(text: str, names: Names, where: str = "") -> str:
    """A text of a chapter as plain Markdown; `where` is named if a directive in it is never closed."""
    text = HIDDEN.sub(lambda found: found[1] or "", text)
    made = "\n".join(_lines(text.split("\n"), names, where)).strip("\n")
    return EMPTY_LINES.sub(lambda found: found[1] or "\n\n", made)


def folded(lead: str, body: str) -> str:
    """A text folded to its first line, and a gap below it.

    The empty line behind the first lets programs set what follows.
    """
    summary = ANY_LINK.sub(r"\1", lead).replace("&", "&amp;").replace("<", "&lt;")
    return f"<details><summary><b>{summary}</b></summary>\n\n{body}\n\n</details><br>"


def _lines(lines: Sequence[str], names: Names, where: str) -> Iterator[str]:
    """The lines with directives and prose made plain, code as it is."""
    prose: list[str] = []
    for block in blocks(lines, where):
        if not block.directive and not block.is_code:
            prose += block.lines
            continue
        yield _prose(prose, names)
        prose = []
        yield from block.lines if not block.directive else ["", _directive(block.directive, names, where), ""]
    yield _prose(prose, names)


def _prose(lines: list[str], names: Names) -> str:
    """Lines of text without roles and the labels of equations."""
    text = EQUATION.sub(lambda found: _tagged(found[1], found[2], names), "\n" + "\n".join(lines))
    text = CODE_OR_LINK.sub(lambda found: found[1] or names.link(found[2], found[3]), text)
    text = PICTURE.sub(lambda found: f"{found[1]}{names.picture(found[2])})", text)
    text = ROLE.sub(lambda found: names.role(found[1], found[2] or "", found[3] or found[4]), text)
    return text.removeprefix("\n")


def _tagged(indent: str, label: str, names: Names) -> str:
    """The end of a display formula, with its number if it has one."""
    number = names.equation(label)
    return f" \\tag{{{number}}}\n{indent}$$" if number else f"\n{indent}$$"


def _directive(found: Directive, names: Names, where: str) -> str:
    """A directive as text: its lead and its body, folded if the page folds it."""
    if (own := names.directive(found)) is not None:
        return "\n".join(_lines(own.split("\n"), names, where)).strip("\n")
    kind, body = found.name.removeprefix("prf:"), "\n".join(_lines(found.body, names, where)).strip("\n")
    title = _prose([found.argument], names)
    if kind in GATES or kind == "container":
        return body
    if kind == "exercise-start":
        return f"### {names.lead('exercise', found.options['label'], title)}\n\n{body}"
    if kind == "proof":
        return folded(f"Proof {title}".strip(), _ended(body, END_OF_PROOF))
    if kind in STATEMENTS:
        title = names.lead(kind, found.options.get("label", ""), title)
        body = _ended(_with_words(found.options.get("words", ""), body, names), END_OF_STATEMENT)
    if "dropdown" in found.options.get("class", "").split():
        return folded(title, body)
    return f"{bold(title)}\n\n{body}"


def bold(lead: str) -> str:
    """A lead on a line of its own, with a full stop unless it ends otherwise."""
    return f"**{lead}**" if lead.endswith((".", "?", "!", ":")) else f"**{lead}.**"


def _with_words(words: str, body: str, names: Names) -> str:
    """A statement with what it says in words before it."""
    if not words:
        return body
    mark = "_" if "*" in words else "*"
    return f"{mark}{_prose([words], names)}{mark}\n\n{body}"


def _ended(body: str, mark: str) -> str:
    """A text with the mark that shows where it ends, on a line of its own where nothing may follow."""
    last = body.rpartition("\n")[2].strip()
    apart = last.endswith(("$$", "|", "```", "</details><br>"))
    return f"{body}\n\n{mark}" if apart else f"{body} {mark}"
