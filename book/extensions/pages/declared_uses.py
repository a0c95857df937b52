"""What results use, as their chapters declare it, and what no chapter may do.

Below the label of a result a comment names the results that its statement and its proof use:

    :::{prf:theorem} The path
    :label: att-thm-path
    % uses: att-thm-dual, att-thm-infimum

The build reads the source of each chapter in parts and refuses a reference that is not declared; a result of
the spine that uses an excursion or a later result; a cell of the spine that reads a name which only an
excursion defines.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from explorable.sphinx_ext.scopes import ancestors
from extensions.pages.depth_folds import is_erratum
from extensions.pages.depths import is_chapter
from extensions.pages.excursions import excursion_of
from extensions.pages.reading_time import NOT_READ, is_exercise
from margins_book.page.directives import blocks
from margins_book.page.selection import bound_names, free_names

LABEL = re.compile(r":label: *(\S+)")
USES = re.compile(r"% uses: *(.*)")
EQUATION = re.compile(r"\$\$ *\(([\w-]+)\)")
TARGET = re.compile(r"\(([\w-]+)\)=")
ROLE = re.compile(r"\{(?:prf:ref|ref|eq|numref)\}`(?:[^`<]*<)?([^`<>]+)>?`")
LINK = re.compile(r"\]\(#?([\w-]+)\)")


@dataclass
class Result:
    """A definition, theorem or the like with its proof: what it declares to use, and what it refers to."""

    line: int
    letter: str  # of the excursion in which it stands, "" in the spine
    label: str = ""
    uses: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # labels that lead to it: its own, those of its formulas
    references: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Cell:
    """A cell of code."""

    line: int
    letter: str
    source: str


@dataclass
class Page:
    """A chapter's page."""

    path: Path
    results: list[Result] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    excursions: dict[str, str] = field(default_factory=dict)  # letters, by the labels before the headings

    @property
    def number(self) -> int:
        return int(self.path.stem.partition("_")[0])


def read_page(path: Path) -> Page:
    """The parts of a chapter's page, of a file such as `chapters/03_softmax_kernel.md`."""
    page = Page(path)
    letter, names, above = "", (), ()  # labels read last, and those before the last heading
    for block in blocks(path.read_text("utf8").split("\n"), path.name):
        line, found = block.lines[0].strip(), block.directive
        target = TARGET.fullmatch(line)
        if block.lines[0].startswith("## "):
            letter, above = "", names
        elif found and found.name == "excursion":
            letter = found.argument
            page.excursions |= dict.fromkeys(above, letter)
        elif found and (found.name == "code-cell" or found.name.startswith("prf:")):
            add_block(page, found.name, block.number, block.lines[1:-1], letter)
        names = (*names, target[1]) if target else () if line else names
    page.results = [result for result in page.results if result.label]
    return page


def add_block(page: Page, kind: str, line: int, inside: tuple[str, ...], letter: str) -> None:
    """Adds a cell, a result, or a proof to the result before it."""
    if kind == "code-cell":
        source = "\n".join(row for row in inside if not row.startswith(":"))
        page.cells.append(Cell(line, letter, source))
        return
    if kind != "prf:proof":
        page.results.append(Result(line, letter))
    if page.results:
        read_result(page.results[-1], line, inside)


def read_result(result: Result, line: int, inside: tuple[str, ...]) -> None:
    """Adds to a result what the lines of its statement or its proof say of it."""
    for number, row in enumerate(inside, line + 1):
        if (label := LABEL.match(row)) and not result.label:
            result.label = label[1]
            result.names.append(label[1])
        if uses := USES.match(row):
            result.uses += re.findall(r"[^\s,]+", uses[1])
        result.names += EQUATION.findall(row)
        result.references += [(number, name) for name in ROLE.findall(row) + LINK.findall(row)]


APART = {"quiz", "exercises", "in-the-library", "further-reading", "what-the-next-chapter-asks"}


class Book:
    """The results of all chapters, and where the labels of their formulas and sections lead."""

    def __init__(self, pages):
        self.results = {result.label: (page, result) for page in pages for result in page.results}
        self.owners = {name: result.label for _, result in self.results.values() for name in result.names}
        self.excursions = {name: letter for page in pages for name, letter in page.excursions.items()}

    def owner(self, label):
        """The result or excursion that a reference is about, None if it is about neither."""
        return self.owners.get(label) or (label if label in self.excursions else None)

    def excursion(self, label):
        """The letter of the excursion in which a result stands or that a label names, "" in the spine."""
        return self.excursions[label] if label in self.excursions else self.results[label][1].letter

    def place(self, label):
        page, result = self.results[label]
        return page.number, result.line


def faults(pages: list[Page]):
    """What chapters do that they may not, a line for each."""
    book = Book(pages)
    for page in pages:
        for result in page.results:
            yield from undeclared(book, page, result)
            yield from misused(book, page, result)
        yield from borrowed(page)


def undeclared(book, page, result):
    """References in a statement or its proof that are not declared."""
    told = {*result.uses, result.label}
    for line, label in result.references:
        owner = book.owner(label)
        if owner and owner not in told:
            told.add(owner)
            yield f"{page.path}:{line}: {result.label} refers to {label!r}; add {owner} to its `% uses:`"


def misused(book, page, result):
    """What a result declares that does not exist or, in the spine, that is an excursion's or comes later."""
    for label in result.uses:
        start = f"{page.path}:{result.line}: {result.label} uses {label!r}"
        if label not in book.results and label not in book.excursions:
            yield f"{start}, the label of no result or excursion"
        elif not result.letter and book.excursion(label):
            yield f"{start} of excursion {book.excursion(label)}; no result of the spine may"
        elif not result.letter and book.place(label) >= (page.number, result.line):
            yield f"{start}, which comes later; move one of them"


def borrowed(page):
    """Names that a cell of the spine reads and that only cells of excursions define."""
    lent = {name: cell for cell in page.cells if cell.letter for name in bound_names(cell.source)}
    own = set().union(*(bound_names(cell.source) for cell in page.cells if not cell.letter))
    for cell in page.cells:
        for name in () if cell.letter else sorted(free_names(cell.source) & lent.keys() - own):
            yield (
                f"{page.path}:{cell.line}: the cell reads {name!r}, which only excursion {lent[name].letter} "
                f"defines (line {lent[name].line}); define it in the spine"
            )


def spine_words(doctree):
    """Words of the spine: a formula in a line is one, a displayed one none; no code, quiz or exercise.

    Errata and folded proofs are not counted either, and neither is what ends a chapter after its summary.
    """
    return sum(
        # a sign alone stands behind a formula
        1 if isinstance(node, nodes.math) else sum(any(map(str.isalnum, word)) for word in node.split())
        for node in doctree.findall(lambda node: isinstance(node, nodes.math | nodes.Text))
        if is_of_spine(node)
    )


def is_of_spine(node):
    """Whether a text or a formula is read in a lecture; the code of solutions hangs on no page."""
    if node.parent is None or is_exercise(node) or excursion_of(node) is not None:
        return False
    return not any(isinstance(one, NOT_READ) or is_apart(one) for one in ancestors(node))


def is_apart(node):
    """Whether a part of the page is none of the lecture."""
    is_folded_proof = {"proof", "dropdown"} <= set(node.get("classes", ()))
    return is_folded_proof or is_erratum(node) or not APART.isdisjoint(node.get("ids", ()))


def keep_words(app, doctree):
    """Remembers the words of a chapter's spine with the metadata of its page."""
    name = app.env.docname
    if is_chapter(name):
        app.env.metadata[name]["spine_words"] = spine_words(doctree)


def refuse(app, env):
    pages = [read_page(path) for path in sorted(Path(app.srcdir, "chapters").glob("[0-9]*.md"))]
    if found := list(faults(pages)):
        raise ExtensionError("\n".join(found))


def setup(app):
    app.connect("doctree-read", keep_words)
    app.connect("env-check-consistency", refuse)
