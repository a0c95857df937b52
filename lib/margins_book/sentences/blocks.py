"""The passages of a chapter's page in which sentences stand: their lines, and the kind of their place.

Statements and proofs are mathematics, hints and rubrics speak to students and markers: they are left out.
(book: How to read and run this book, Reading)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

OPENING = re.compile(r"(:{3,}|`{3,})\{([\w:-]+)\}(.*)")
COMMENT = re.compile(r"<!--.*?-->")  # states of figures, for example
ITEM = re.compile(r"(?:[-*]|(\d+)\.) +")
NOT_PROSE = re.compile(r"(:[\w-]+:|%|\([\w-]+\)=$|#)")
LEFT_OUT = re.compile(r"prf:.*|errata|toctree|Hint|Rubric|In this chapter|In the library|Further reading")
RIGHT = re.compile(r"(Right|Yes|Correct)\b")


@dataclass
class Passage:
    """Lines of the page that belong together: a paragraph, an item of a list, a row of a table, a cell."""

    kind: str
    lines: list[tuple[int, str]]

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)


@dataclass
class Block:
    """An open directive of the page."""

    fence: str
    name: str  # of the directive; of an admonition its title where that decides
    style: str = ""  # "quiz" or "erratum"


def passages(page: str) -> list[Passage]:
    """The passages of a page in their order; cells have the kind "cell"."""
    reader = Reader()
    for number, line in enumerate(page.splitlines(), 1):
        reader.read(number, line)
    reader.end()
    return [one for one in stated_options(reader.found) if one.text.strip()]


class Reader:
    """Goes through the lines of a page and remembers which directives are open."""

    def __init__(self) -> None:
        self.found: list[Passage] = []
        self.open: list[Block] = []
        self.section = self.solution = ""
        self.lines: list[tuple[int, str]] = []
        self.in_head = self.in_formula = False

    def read(self, number: int, line: str) -> None:
        """Takes in one line."""
        if number == 1 or self.in_head:
            self.in_head = line == "---" if number == 1 else line != "---"
        elif self.open and self.open[-1].name == "{code-cell}":
            self.read_code(number, line)
        elif opening := OPENING.fullmatch(line.strip()):
            self.enter(*opening.groups())
        elif self.open and line.strip() == self.open[-1].fence:
            self.end()
            self.open.pop()
        else:
            self.read_prose(number, line)

    def read_code(self, number: int, line: str) -> None:
        """A line of a cell, which is one passage."""
        if line.strip() == self.open[-1].fence:
            self.end("cell")
            self.open.pop()
        else:
            self.lines.append((number, "" if line.startswith(":") else line))

    def enter(self, fence: str, directive: str, title: str) -> None:
        """A directive begins; those of exercises end themselves."""
        self.end()
        if directive in ("solution-start", "exercise-start"):
            self.solution = directive.removesuffix("-start")
        if directive in ("solution-end", "exercise-end"):
            self.solution = ""
        name = title.strip() if directive == "admonition" else directive
        self.open.append(Block(fence, f"{{{directive}}}" if directive == "code-cell" else name))

    def read_prose(self, number: int, line: str) -> None:
        """A line of prose, or one that ends a passage."""
        line = COMMENT.sub("", line)
        bare = line.strip()
        if line.startswith(("## ", "### ")):
            self.end()
            self.section = line.lstrip("# ").strip()
        elif bare in (":class: quiz", ":class: erratum"):
            self.open[-1].style = bare.removeprefix(":class: ")
        elif bare.startswith("$$"):
            self.in_formula ^= bare.count("$$") == 1
            self.end()
        elif self.in_formula or not bare or NOT_PROSE.match(bare) or set(bare) <= set("|-: "):
            self.end()
        else:
            if ITEM.match(bare) or bare.startswith("|"):
                self.end()
            self.lines.append((number, line))

    def end(self, kind: str = "") -> None:
        """The passage that was read so far is complete."""
        is_left_out = any(LEFT_OUT.fullmatch(name) for name in [self.section, *(b.name for b in self.open)])
        if self.lines and (kind or not is_left_out):
            self.found.append(Passage(kind or self.kind(), self.lines))
        self.lines = []

    def kind(self) -> str:
        """The kind of the place where the reader is."""
        if any(block.style == "quiz" for block in self.open):
            return "quiz" if self.open[-1].name == "Answers" else "option of a quiz"
        if any(block.style == "erratum" for block in self.open):
            return "erratum"
        if self.section.startswith("Summary"):
            return "summary"
        return self.solution or "text"


def stated_options(found: list[Passage]) -> Iterator[Passage]:
    """The passages without those options of quizzes that are offered as wrong; right ones are statements."""
    options: dict[str, Passage] = {}
    for passage in found:
        number, words = numbered(passage.text)
        if passage.kind == "option of a quiz":
            options = {} if number == "1" else options
            options[number] = passage
            continue
        if passage.kind == "quiz" and number in options and RIGHT.match(words):
            yield Passage("quiz", options[number].lines)
        yield passage


def numbered(text: str) -> tuple[str, str]:
    """The number of an item, empty if it has none, and the words after it."""
    match = ITEM.match(text.strip())
    return (match[1] or "", text.strip()[match.end() :]) if match else ("", text.strip())
