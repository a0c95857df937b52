"""Asides: marks of a figure that are shown while the text speaks of them, each with its meaning in words.

(book: How to read and run this book, Figures that move)
"""

from collections.abc import Mapping, Sequence
from typing import Any

from explorable.drawing import Frame
from explorable.errors import figure_error

Asides = dict[str, str]  # by name, what the marks show


def checked_asides(figure: str, asides: Any) -> Asides:
    """`asides`, if it gives a meaning to each name, one word."""
    given = {} if asides is None else asides
    fits = isinstance(given, Mapping) and all(
        isinstance(name, str) and name.isidentifier() and isinstance(meaning, str) and meaning.strip()
        for name, meaning in given.items()
    )
    if not fits:
        raise figure_error(figure, f"asides: expected a dict {{word: meaning}}, but got {asides!r}")
    return dict(given)


def require_drawn(figure: str, asides: Asides, marks: Sequence[Mapping[str, Any]]) -> None:
    """Refuses asides that are drawn nowhere, and marks under a name that has no meaning."""
    drawn = {mark["a"] for mark in marks if "a" in mark}
    if missing := sorted(set(asides) - drawn):
        remedy = f'draw it in a block `with panel.aside("{missing[0]}"):`'
        raise figure_error(figure, f"no position has a mark of the aside {missing[0]!r}", remedy=remedy)
    if unnamed := sorted(drawn - set(asides)):
        remedy = f"give its meaning: asides={{{unnamed[0]!r}: ...}}"
        raise figure_error(figure, f"the aside {unnamed[0]!r} has no meaning", remedy=remedy)


def without_asides(frame: Frame) -> Frame:
    """The frame as it is seen while nothing speaks of its asides."""
    return {**frame, "marks": [mark for mark in frame["marks"] if "a" not in mark]}
