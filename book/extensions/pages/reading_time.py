"""How long a chapter takes to read, computed from what stands in it; exercises and code are not counted.

`{reading-time}`book`` says how long all chapters take. The rule is told in `book/how_to_read.md`.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from explorable.sphinx_ext.figures import FigureNode

WORDS = 150  # a minute, of prose that is to be understood
FORMULA, EQUATION, FIGURE = 4 / 60, 20 / 60, 2  # minutes: within a line, displayed, a figure that moves
NOT_READ = (nodes.literal_block, nodes.raw, nodes.comment, nodes.math, nodes.math_block)
EXERCISES = ("exercise", "solution")


class ReadingTime(nodes.Inline, nodes.Element):
    """Stands for the time that all chapters take, until all are read."""


def minutes(part, is_read=lambda node: True):
    """Minutes for a page or a part of it: words, formulas and figures that move, of what `is_read`."""
    total = 0.0
    for node in filter(is_read, part.findall(is_counted)):
        if isinstance(node, nodes.Text):
            total += len(node.split()) / WORDS
        else:
            total += {nodes.math: FORMULA, nodes.math_block: EQUATION, FigureNode: FIGURE}[type(node)]
    return round(total)


def is_counted(node):
    """Whether a node takes time; what stands in exercises and what is not prose does not."""
    if isinstance(node, nodes.Text):
        return not any(isinstance(one, NOT_READ) for one in above(node)) and not is_exercise(node)
    moves = isinstance(node, FigureNode) and node["moves"]
    return (moves or type(node) in (nodes.math, nodes.math_block)) and not is_exercise(node)


def is_exercise(node):
    return any(one.__class__.__name__.startswith(EXERCISES) for one in above(node))


def above(node):
    """The elements in which a node stands."""
    while node.parent is not None:
        node = node.parent
        yield node


def said(time):
    """`20 minutes`, `1 h 40 min`, from five minutes to five minutes."""
    hours, rest = divmod(5 * max(1, round(time / 5)), 60)
    if not hours:
        return f"{rest} minutes"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def keep_minutes(app, doctree):
    """Remembers the minutes of a chapter with the metadata of its page, which Sphinx keeps up to date."""
    if app.env.docname.startswith("chapters/"):
        app.env.metadata[app.env.docname]["minutes"] = minutes(doctree)


def minutes_of_chapters(env):
    """Minutes by the page of a chapter, as far as they were read."""
    return {name: told["minutes"] for name, told in env.metadata.items() if "minutes" in told}


class SayReadingTime(SphinxPostTransform):
    """Every `{reading-time}` as hours."""

    default_priority = 970

    def run(self):
        total = sum(minutes_of_chapters(self.env).values())
        for node in list(self.document.findall(ReadingTime)):
            node.replace_self(nodes.Text(f"{round(total / 60)} hours"))


def role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """`{reading-time}`: how long all chapters take."""
    return [ReadingTime()], []


def setup(app):
    app.connect("doctree-read", keep_minutes)
    app.add_role("reading-time", role)
    app.add_post_transform(SayReadingTime)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
