"""Formulas of the book's authors as MathML, from the book's own renderer.

No TeX that a student wrote comes here: formula_box sets that.
(book: Teaching with this book, Review)
"""

import importlib.util
from functools import cache
from types import ModuleType

from margins_course.book import BOOK, formula_macros


def authors_mathml(tex: str, display: bool) -> str | None:
    """The MathML of a formula, None if it cannot be set or if the parts of the renderer are not installed."""
    renderer = _renderer()
    if renderer is None:
        return None
    try:
        return renderer.render(tex, display, formula_macros())
    except ValueError:
        return None


@cache
def _renderer() -> ModuleType | None:
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
