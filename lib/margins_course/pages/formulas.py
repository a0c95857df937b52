"""The formulas of an assignment in the pages of feedback, as MathML from the book's own renderer.

Only those of the instructor's notebook are set: no TeX that a student wrote reaches the renderer.
(book: Teaching with this book, Feedback)
"""

import importlib.util
import re
from functools import cache

import nbformat

from margins_course.book import BOOK, formula_macros

FORMULA = re.compile(r"(?<!\\)(?:\$\$(?P<display>.+?)\$\$|\$(?P<inline>(?:[^$\\]|\\.)+?)\$)", re.S)
PLACE = re.compile(r"qformula(\d{1,6})q")  # survives Markdown and the removal of students' HTML


class Formulas:
    """The formulas of an instructor's notebook: their TeX with its dollars, and the MathML of each."""

    def __init__(self, source):
        cells = nbformat.reads(source, as_version=4).cells
        texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
        found = {match[0]: match for text in texts for match in FORMULA.finditer(text)}
        made = {tex: markup for tex, match in found.items() if (markup := _mathml(match))}
        self.markups = list(made.values())
        self.numbers = {tex: number for number, tex in enumerate(made)}

    def with_places(self, markdown):
        """Markdown in which a mark stands for each formula that is known."""

        def place(match):
            return f"qformula{self.numbers[match[0]]}q" if match[0] in self.numbers else match[0]

        return FORMULA.sub(place, markdown)

    def filled(self, html):
        """The page with the formulas in the places of their marks."""

        def markup(match):
            number = int(match[1])
            return self.markups[number] if number < len(self.markups) else match[0]

        return PLACE.sub(markup, html)


def _mathml(match):
    """The MathML of a formula, None if it cannot be set or if the parts of the renderer are not installed."""
    renderer = _renderer()
    if renderer is None:
        return None
    display = match["display"] is not None
    try:
        return renderer.render((match["display"] or match["inline"]).strip(), display, formula_macros())
    except ValueError:
        return None


@cache
def _renderer():
    """The book's extension that sets formulas; None where `make book` has not installed what it needs."""
    path = BOOK / "book" / "extensions" / "mathml.py"
    if not (BOOK / "book" / "frontend" / "node_modules" / "temml").is_dir():
        return None
    spec = importlib.util.spec_from_file_location("mathml", path)
    renderer = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(renderer)
    except ImportError:
        return None
    return renderer
