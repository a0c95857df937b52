"""A page's cells in three notebooks: the chapter, its excursions, the solutions of its exercises.

A chapter's notebook has the function to be written in place of its solution, with the call of its check.
"""

import re
from dataclasses import dataclass, field

import nbformat

from margins_book.page.directives import blocks
from margins_book.page.solutions import MARKER, stubbed

HEADING = re.compile(r"^(?:\([\w-]+\)=\n)*## ", re.MULTILINE)
HEAD = re.compile(
    r"^((?:\([\w-]+\)=\n)*)## (.+)\n+```\{excursion\} *([A-Z])\n(?::uses: *(.*)\n)?```\n*", re.MULTILINE
)
TO_CHECK = "  # take the first # away when you have written it"
TO_SOLUTION = "[A solution]({})"


@dataclass
class Parts:
    """The cells of the three notebooks, in MyST; those of solutions by the labels of their exercises."""

    spine: list = field(default_factory=list)
    excursions: list = field(default_factory=list)
    solutions: dict = field(default_factory=dict)
    titles: dict = field(default_factory=dict)  # of exercises
    code: list = field(default_factory=list)  # all code cells in the page's order


def parted(cells, page, to_solutions=""):
    """The cells of a page in three; `to_solutions` is where the solutions are, "" if they are withheld."""
    reader = _Reader(page, to_solutions)
    rest = list(reader.rest(cells))
    parts = Parts(solutions=reader.solutions if to_solutions else {}, titles=reader.titles, code=reader.code)
    for part in sections(rest):
        (parts.excursions if HEAD.match(part[0].source) else parts.spine).extend(part)
    return parts


class _Reader:
    """Takes solutions out of a page's cells."""

    def __init__(self, page, to_solutions):
        self.page, self.to_solutions = page, to_solutions
        self.solutions, self.titles, self.code = {}, {}, []
        self.open = ""  # the label of the exercise whose solution is read
        self.stub = None

    def rest(self, cells):
        """The cells without solutions."""
        for cell in cells:
            if cell.cell_type == "markdown":
                if source := self.text(cell.source):
                    yield markdown_cell(source, cell.metadata)
            elif "hidden-check" not in cell.metadata.get("tags", []):
                yield from self.of_code(cell)

    def text(self, source):
        """The text outside of solutions, with a link in the place of each."""
        outside, inside = [], []
        for block in blocks(source.split("\n"), self.page):
            found = block.directive
            name = found.name if found else ""
            if name == "exercise-start":
                self.titles[found.options["label"]] = found.argument
            if name == "solution-start":
                self.open = found.argument
                self.solutions.setdefault(self.open, [])
                outside += ["", TO_SOLUTION.format(self.to_solutions), ""] if self.to_solutions else []
            elif name == "solution-end":
                self.keep(inside)
                inside, self.open = [], ""
            else:
                (inside if self.open else outside).extend(block.lines)
        self.keep(inside)
        return "\n".join(outside).strip("\n")

    def keep(self, lines):
        """Keeps text of the open solution."""
        if source := "\n".join(lines).strip("\n"):
            self.solutions[self.open].append(markdown_cell(source))

    def of_code(self, cell):
        """What of a code cell stands in the chapter."""
        tags, label = cell.metadata.get("tags", []), cell.metadata.get("exercise", self.open)
        self.code.append(cell)
        if "solution" in tags:
            self.stub = nbformat.v4.new_code_cell(stubbed(cell.source), metadata=cell.metadata)
            self.code.append(self.stub)
            yield self.stub
            cell.source = MARKER.sub("", cell.source)
        elif "check" in tags and self.stub is not None:
            call = "\n".join(f"# {line}" for line in cell.source.strip().split("\n"))
            self.stub.source = f"{self.stub.source.rstrip()}\n\n{call}{TO_CHECK}"
            self.stub = None
        elif not self.open:
            yield cell
            return
        self.solutions.setdefault(label, []).append(cell)


def sections(cells):
    """The cells in groups that begin with a heading of the second level; before the first, what is there."""
    part = []
    for cell in cells:
        for start, source in pieces(cell):
            if start and part:
                yield part
                part = []
            part.append(cell if source == cell.source else markdown_cell(source, cell.metadata))
    if part:
        yield part


def pieces(cell):
    """The source of a cell cut before its headings, each piece with whether it begins with one."""
    if cell.cell_type != "markdown":
        return [(False, cell.source)]
    starts = [found.start() for found in HEADING.finditer(cell.source)]
    ends = [*starts, len(cell.source)]
    before = [(False, cell.source[: ends[0]])] if cell.source[: ends[0]].strip() else []
    return before + [(True, cell.source[start:end]) for start, end in zip(starts, ends[1:], strict=True)]


def markdown_cell(source, metadata=None):
    return nbformat.v4.new_markdown_cell(source.rstrip("\n"), metadata=dict(metadata or {}))
