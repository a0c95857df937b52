"""What a chapter writes about each of its exercises: title, statement, solution and rubric.

An exercise stands between `{exercise-start}` and `{exercise-end}`, its solution between `{solution-start}`
and `{solution-end}`, each followed by the line that closes its fence. Whatever cannot be read is refused,
with its place, so that no statement is lost. (book: Teaching with this book, Release)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from margins_course.assignments.rubric import split_rubric
from margins_course.assignments.sheet import Line
from margins_course.problems import CourseProblem
from margins_course.words import fenced

GATE = re.compile(r"(?::{3,}|`{3,})\{(exercise|solution)-(start|end)\} *(.*?) *")
UNGATED = re.compile(r"(?::{3,}|`{3,})\{(exercise|solution)\}.*")
OPTION = re.compile(r":([\w-]+): *(.*?) *")
FENCE = re.compile(r"(?::{3,}|`{3,}) *")
LITERAL = re.compile(r" *(?:(`{3,})[^`]*|(~{3,}).*)")
LABEL = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")


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


@dataclass
class _Draft:
    """An exercise of which lines are still being read."""

    label: str
    heading: str
    statement: list[str] = field(default_factory=list)
    solution: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


def read_exercise_texts(pieces: Iterable[tuple[bool, str]], where: str) -> tuple[ExerciseText, ...]:
    """The exercises of a chapter from its cells, given as (whether it is code, source) in their order."""
    reader = _Reader(where)
    for is_code, source in pieces:
        reader.code(source) if is_code else reader.text(source)
    reader.finish()
    return tuple(_finished(draft, where) for draft in reader.drafts.values())


def _finished(draft: _Draft, where: str) -> ExerciseText:
    """An exercise that is read to its end, its rubric apart."""
    place = f"{where}, exercise {draft.label}"
    statement, shown = split_rubric("\n".join(draft.statement), place)
    solution, kept = split_rubric("\n".join(draft.solution), place)
    if shown and kept:
        raise CourseProblem(
            f"{place} has a second rubric; keep that of the statement or that of the solution"
        )
    return ExerciseText(
        draft.label,
        draft.heading,
        statement.strip(),
        solution.strip(),
        tuple(draft.examples),
        shown or kept,
        bool(shown),
    )


def python_block(code: str) -> str:
    """Python code as a block of Markdown."""
    return fenced(code.strip("\n"), "python")


class _Reader:
    """The exercises that were read so far, and the gate that is open."""

    def __init__(self, where: str):
        self.where = where
        self.drafts: dict[str, _Draft] = {}
        self.open: tuple[str, str] | None = None  # "exercise" or "solution", and the label
        self.outside: list[str] = []

    def text(self, source: str) -> None:
        """Reads a text cell."""
        lines, literal = iter(["", *source.split("\n")]), ""  # a paragraph ends where a cell does
        for line in lines:
            gate = GATE.fullmatch(line)
            if literal or not gate:
                literal = _literal_after(line, literal)
                self._take(line, bool(literal))
            else:
                self._pass(gate, _options(lines, f"{self.where}: {line!r}"))

    def code(self, source: str) -> None:
        """Reads a code cell."""
        if not self.open or not source:
            return
        if self.open[0] == "exercise":
            self.drafts[self.open[1]].examples.append(source)
            return
        for line in ["", *python_block(source).split("\n"), ""]:
            self._take(line, True)

    def finish(self) -> None:
        """A refusal, unless everything is closed and no rubric stands outside of the exercises."""
        if self.open:
            kind, label = self.open
            raise CourseProblem(f"{self.where}: the {kind}-start of {label} has no {kind}-end after it")
        if split_rubric("\n".join(self.outside), self.where)[1]:
            raise CourseProblem(
                f"{self.where}: a rubric stands outside of all exercises; put it before a solution-end"
            )

    def _take(self, line: str, is_literal: bool) -> None:
        """One line into what is open."""
        if not is_literal and (found := UNGATED.fullmatch(line)):
            kind = found[1]
            raise CourseProblem(
                f"{self.where}: {line!r} cannot be read; write {{{kind}-start}} and {{{kind}-end}}"
            )
        if not self.open:
            self.outside += [] if is_literal else [line]
            return
        kind, label = self.open
        (self.drafts[label].statement if kind == "exercise" else self.drafts[label].solution).append(line)

    def _pass(self, gate: re.Match, options: dict[str, str]) -> None:
        """Opens or closes an exercise or a solution."""
        kind, edge, argument = gate.groups()
        line = f"{self.where}: {gate[0]!r}"
        if edge == "end":
            if not self.open or self.open[0] != kind:
                raise CourseProblem(f"{line} has no {kind}-start before it")
            self.open = None
            return
        if self.open:
            raise CourseProblem(f"{line} comes before the end of {' '.join(self.open)}; close that first")
        label = self._stated(argument, options, line) if kind == "exercise" else argument
        if label not in self.drafts:
            raise CourseProblem(f"{line}: no exercise before it is labelled {label!r}")
        self.open = kind, label

    def _stated(self, heading: str, options: dict[str, str], line: str) -> str:
        """The label of an exercise that begins."""
        label = options.get("label", "")
        if not LABEL.fullmatch(label):
            expected = "expected letters and digits, with single hyphens between them"
            raise CourseProblem(f"{line} has the label {label!r}; {expected}")
        if label in self.drafts:
            raise CourseProblem(f"{line}: two exercises are labelled {label!r}")
        self.drafts[label] = _Draft(label, heading)
        return label


def _literal_after(line: str, literal: str) -> str:
    """The fence of the code block that is open behind a line."""
    if literal:
        return "" if re.fullmatch(rf" *{literal[0]}{{{len(literal)},}} *", line) else literal
    opened = LITERAL.fullmatch(line)
    return (opened[1] or opened[2]) if opened else ""


def _options(lines: Iterator[str], line: str) -> dict[str, str]:
    """The options of a directive, up to the line that closes its fence, whatever its length."""
    found = {}
    for option in lines:
        if FENCE.fullmatch(option):
            return found
        read = OPTION.fullmatch(option)
        if option.strip() and not read:
            raise CourseProblem(f"{line}: expected the line that closes its fence, but {option!r} came")
        if read:
            found[read[1]] = read[2]
    raise CourseProblem(f"{line}: the line that closes its fence is missing")
