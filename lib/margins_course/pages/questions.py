"""Statements, solutions and rubrics of a sheet as HTML: Markdown by the book's authors, formulas as MathML.

(book: Teaching with this book, Review)
"""

import re

import nbformat
from markdown_it import MarkdownIt

from margins_course.assignments.sheet import Exercise, Line, Sheet
from margins_course.pages.formulas import Formulas

STYLE = re.compile(r'(<[^<>]*) style="([^"]*)"')


class Questions:
    """The texts of a sheet, set once for all pages, and the style rules that their formulas need."""

    def __init__(self, sheet: Sheet):
        self._markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        self._formulas = Formulas(nbformat.writes(_as_notebook(_texts(sheet))))
        self._rules: dict[str, int] = {}
        self._made = {text: self._html(text) for text in _texts(sheet)}

    def statement(self, exercise: Exercise) -> str:
        return self._made[exercise.statement]

    def solution(self, exercise: Exercise) -> str:
        return self._made[exercise.solution]

    def line(self, line: Line) -> str:
        """A line of a rubric, without the paragraph around it."""
        return self._made[line.text].strip().removeprefix("<p>").removesuffix("</p>")

    @property
    def style(self) -> str:
        """The rules that stood in the formulas' own attributes, which the pages' policy does not allow."""
        return "".join(f'[data-rule="{number}"]{{{rule}}}\n' for rule, number in self._rules.items())

    def _html(self, text):
        html = self._formulas.filled(self._markdown.render(self._formulas.with_places(text)))
        while (changed := STYLE.sub(self._by_rule, html)) != html:
            html = changed
        return html

    def _by_rule(self, match):
        return f'{match[1]} data-rule="{self._rules.setdefault(match[2], len(self._rules) + 1)}"'


def _texts(sheet):
    for exercise in sheet.exercises:
        yield from (exercise.statement, exercise.solution, *(line.text for line in exercise.rubric))


def _as_notebook(texts):
    cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
    return nbformat.v4.new_notebook(cells=cells)
