"""How long a part of a page takes to read, computed from what stands in it; code is not counted.

Exercises are counted by themselves, by their stars. The rules are told in `book/how_to_read.md`, the times of
the chapters are kept by `chapter_times.py`.
"""

from docutils import nodes

from explorable.sphinx_ext.figures import CaptionNode, CopyNode, FigureNode
from explorable.sphinx_ext.scopes import ancestors

WORDS = 150  # a minute, of prose that is to be understood
FORMULA, EQUATION = 4 / 60, 20 / 60  # minutes: within a line, displayed
FIGURE, STATE = 2, 10 / 60  # a figure that moves; a copy that shows a state, with its caption
TIMES = {nodes.math: FORMULA, nodes.math_block: EQUATION, FigureNode: FIGURE, CopyNode: STATE}
NOT_READ = (nodes.literal_block, nodes.raw, nodes.comment, nodes.math, nodes.math_block)
EXERCISES = ("exercise", "solution")
STARS = {1: 30, 2: 90, 3: 180}  # minutes of an exercise; one with more stars is research and has no time


def minutes(part, is_read=lambda node: True):
    """Whole minutes for a page or a part of it."""
    return round(exact_minutes(part, is_read))


def exact_minutes(part, is_read=lambda node: True):
    """Minutes for a page or a part of it: words, formulas and figures that move, of what `is_read`."""
    total = 0.0
    for node in filter(is_read, part.findall(is_counted)):
        if isinstance(node, nodes.Text):
            total += len(node.split()) / WORDS
        else:
            total += TIMES[type(node)]
    return total


def exercise_minutes(chapter):
    """Minutes for the exercises of a chapter as coursework reads it: of the spine, then the others."""
    aside = {text.label: bool(chapter.goes_with(text.label)) for text in chapter.texts}
    return tuple(
        sum(STARS.get(text.stars, 0) for text in chapter.texts if aside[text.label] is where)
        for where in (False, True)
    )


def is_counted(node):
    """Whether a node takes time; what stands in exercises and what is not prose does not."""
    captions = (one for one in ancestors(node) if isinstance(one, CaptionNode))
    if is_exercise(node) or any(isinstance(one.parent, CopyNode) for one in captions):
        return False
    if isinstance(node, nodes.Text):
        return not any(isinstance(one, NOT_READ) for one in ancestors(node))
    moves = isinstance(node, FigureNode) and node["moves"]
    return moves or type(node) in (nodes.math, nodes.math_block)


def is_exercise(node):
    """Whether a node stands in an exercise or a solution, also in one that is a fold by now."""
    return any(
        one.__class__.__name__.startswith(EXERCISES) or "solution" in one.get("classes", ())
        for one in ancestors(node)
    )


def said(time):
    """`20 minutes`, `1 h 40 min`, from five minutes to five minutes."""
    hours, rest = divmod(5 * max(1, round(time / 5)), 60)
    if not hours:
        return f"{rest} minutes"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def short(time):
    """`20 min`, `1 h 40 min`: as `said`, where there is little room."""
    return said(time).replace("minutes", "min")
