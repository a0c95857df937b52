"""What a chapter writes about each of its exercises: title, statement, solution and rubric.

An exercise stands between `{exercise-start}` and `{exercise-end}`, its solution between `{solution-start}`
and `{solution-end}`. The rubric says what an answer must show and the points for it: an admonition of the
class `rubric` whose body is a list, `- 2 points: the idea is named.` Whatever cannot be read is refused, with
its place, so that no statement is lost. (book: Teaching with this book, Release)
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from margins_book.page import ChapterProblem
from margins_book.page.directives import Block, Directive, blocks

GATES = ("exercise-start", "exercise-end", "solution-start", "solution-end")
LABEL = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
USES = re.compile(r"% uses: *(.+)")
RUBRIC_LINE = re.compile(r"- ([0-9]{1,5}(?:\.[0-9]{1,9})?) points?: (.+)")
EXPECTED_LINES = "expected lines such as '- 2 points: what the answer must show'"


@dataclass(frozen=True)
class Line:
    """One line of a rubric: what an answer must show, and the points for it."""

    text: str
    points: float


@dataclass(frozen=True)
class ExerciseText:
    """The words of one exercise, in MyST as they stand in the chapter, without the rubric."""

    label: str
    heading: str  # such as "The intercept · code ★"
    statement: str
    solution: str = ""  # with its code
    examples: tuple[str, ...] = ()  # code cells in the statement
    rubric: tuple[Line, ...] = ()
    shows_rubric: bool = False  # to students: it stands in the statement
    uses: tuple[str, ...] = ()  # labels in excursions that it declares to need

    @property
    def title(self) -> str:
        return self.heading.partition(" · ")[0]

    @property
    def kind(self) -> str:
        return self.heading.partition(" · ")[2].rstrip("★ ")

    @property
    def stars(self) -> int:
        return self.heading.count("★")

    @property
    def rubric_points(self) -> float:
        return sum(line.points for line in self.rubric)


@dataclass(frozen=True)
class CellText:
    """The source of a chapter's cell, and the line of the file on which it begins."""

    is_code: bool
    source: str
    first_line: int


@dataclass
class _Draft:
    """An exercise of which lines are still being read."""

    label: str
    heading: str
    uses: tuple[str, ...] = ()
    statement: list[str] = field(default_factory=list)
    solution: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


def read_exercise_texts(cells: Iterable[CellText], file: str) -> tuple[ExerciseText, ...]:
    """The exercises of the chapter in `file`, from its cells in their order."""
    reader = _Reader(file)
    for cell in cells:
        reader.code(cell.source) if cell.is_code else reader.text(cell)
    reader.finish()
    return tuple(_finished(draft, file) for draft in reader.drafts.values())


def _finished(draft: _Draft, file: str) -> ExerciseText:
    """An exercise that is read to its end, its rubric separated."""
    place = f"{file}, exercise {draft.label}"
    statement, shown = split_rubric("\n".join(draft.statement), place)
    solution, kept = split_rubric("\n".join(draft.solution), place)
    if shown and kept:
        raise ChapterProblem(
            f"{place} has a second rubric; keep that of the statement or that of the solution"
        )
    texts = statement.strip(), solution.strip(), tuple(draft.examples)
    return ExerciseText(draft.label, draft.heading, *texts, shown or kept, bool(shown), draft.uses)


def python_block(code: str) -> str:
    """Python code as a block of Markdown that shows it as it is: no backticks in it can close the block."""
    text = code.strip("\n")
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{text}\n{fence}"


class _Reader:
    """The exercises that were read so far, and the exercise or solution that is open."""

    def __init__(self, file: str):
        self.file = file
        self.drafts: dict[str, _Draft] = {}
        self.open: tuple[str, str] | None = None  # "exercise" or "solution", and the label
        self.outside: list[str] = []

    def text(self, cell: CellText) -> None:
        """Reads a text cell."""
        self._add("")  # a paragraph ends where a cell does
        for block in blocks(cell.source.split("\n"), self.file, cell.first_line):
            found = block.directive
            where = f"{self.file}, line {block.number}: {block.lines[0]!r}"
            if found and found.name in GATES:
                self._open_or_close(found, where)
                continue
            if found:
                self._check_inside(block, found, where)
            if self.open or not block.is_code:
                self._add(*block.lines)

    def code(self, source: str) -> None:
        """Reads a code cell."""
        if self.open and self.open[0] == "exercise" and source:
            self.drafts[self.open[1]].examples.append(source)
        elif self.open and source:
            self._add("", *python_block(source).split("\n"), "")

    def finish(self) -> None:
        """Raises a ChapterProblem if an exercise is open or a rubric stands outside of the exercises."""
        if self.open:
            kind, label = self.open
            raise ChapterProblem(f"{self.file}: the {kind}-start of {label} has no {kind}-end after it")
        if split_rubric("\n".join(self.outside), self.file)[1]:
            raise ChapterProblem(
                f"{self.file}: a rubric stands outside of all exercises; put it before a solution-end"
            )

    def _add(self, *lines: str) -> None:
        """Lines added to what is open."""
        if not self.open:
            self.outside += lines
            return
        kind, label = self.open
        (self.drafts[label].statement if kind == "exercise" else self.drafts[label].solution).extend(lines)

    def _check_inside(self, block: Block, found: Directive, where: str) -> None:
        """Raises a ChapterProblem for an exercise without start and end, or one inside another directive."""
        if found.name in ("exercise", "solution"):
            name = found.name
            raise ChapterProblem(f"{where} cannot be read; write {{{name}-start}} and {{{name}-end}}")
        if found.opening.startswith(":"):
            first = block.number + len(block.lines) - 1 - len(found.body)
            for inner in blocks(found.body, self.file, first, outer=GATES):
                if inner.directive:
                    at = f"{self.file}, line {inner.number}: {inner.lines[0]!r}"
                    self._check_inside(inner, inner.directive, at)

    def _open_or_close(self, gate: Directive, where: str) -> None:
        """Opens or closes an exercise or a solution."""
        uses = [line for line in gate.body if gate.name == "exercise-start" and USES.fullmatch(line)]
        if body := [line for line in gate.body if line.strip() and line not in uses]:
            raise ChapterProblem(f"{where}: expected the line that closes its fence, but got {body[0]!r}")
        kind, _, edge = gate.name.partition("-")
        if edge == "end":
            if not self.open or self.open[0] != kind:
                raise ChapterProblem(f"{where} has no {kind}-start before it")
            self.open = None
            return
        if self.open:
            raise ChapterProblem(f"{where} comes before the end of {' '.join(self.open)}; close that first")
        label = self._begun(gate, uses, where) if kind == "exercise" else gate.argument
        if label not in self.drafts:
            raise ChapterProblem(f"{where}: no exercise before it is labelled {label!r}")
        self.open = kind, label

    def _begun(self, gate: Directive, uses: list[str], where: str) -> str:
        """The label of an exercise that begins."""
        label = gate.options.get("label", "")
        if not LABEL.fullmatch(label):
            expected = "expected letters and digits, with single hyphens between them"
            raise ChapterProblem(f"{where} has the label {label!r}; {expected}")
        if label in self.drafts:
            raise ChapterProblem(f"{where}: two exercises are labelled {label!r}")
        named = (name for line in uses for name in re.findall(r"[^\s,]+", line.partition(":")[2]))
        self.drafts[label] = _Draft(label, gate.argument, tuple(named))
        return label


def split_rubric(text: str, where: str) -> tuple[str, tuple[Line, ...]]:
    """A text without the rubric in it, and the rubric's lines, none if there is no rubric."""
    kept: list[str] = []
    rubrics: list[Directive] = []
    for block in blocks(text.split("\n"), where):
        found = block.directive
        if found and _is_rubric(found):
            rubrics.append(found)
        else:
            kept += block.lines
    if len(rubrics) > 1:
        raise ChapterProblem(f"{where} has a second rubric; write all lines into one")
    return "\n".join(kept), tuple(_rubric_lines(rubrics[0].body, where)) if rubrics else ()


def _is_rubric(found: Directive) -> bool:
    classes = found.options.get("class", "").split()
    return found.name == "admonition" and ("rubric" in classes or found.argument.casefold() == "rubric")


def _rubric_lines(body: Iterable[str], where: str) -> list[Line]:
    """The lines of a rubric; indented text continues the line before."""
    found: list[Line] = []
    for text in filter(str.strip, body):
        line = RUBRIC_LINE.fullmatch(text.rstrip())
        if line:
            found.append(Line(line[2].strip(), _points(line[1], text, where)))
        elif text[0] == " " and found:
            found[-1] = Line(f"{found[-1].text} {text.strip()}", found[-1].points)
        else:
            raise ChapterProblem(f"{where}: the rubric has the line {text!r}; {EXPECTED_LINES}")
    if not found:
        raise ChapterProblem(f"{where}: the rubric has no line; {EXPECTED_LINES}")
    return found


def _points(number: str, text: str, where: str) -> float:
    if float(number) <= 0:
        raise ChapterProblem(f"{where}: the rubric has the line {text!r}; expected more than 0 points")
    return float(number)
