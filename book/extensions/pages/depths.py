"""How much of a page is open: the chapter or everything; folds that the first has shut.

A page is built with all its folds open, so that who has no script misses nothing. The head's script says
which depth a reader has chosen, `theme/margins/css/3-depths.css` hides what is folded at that depth before
anything is drawn, and `theme/margins/chapter/1-depths.js` then shuts these folds. Which parts are folds:
`depth_folds.py`.
"""

import re
from functools import partial

from docutils import nodes

from explorable.sphinx_ext.scopes import ancestors
from extensions.pages.dropdowns import fold
from extensions.pages.reading_time import minutes, short

CHAPTER, EVERYTHING = DEPTHS = ("chapter", "everything")
LINE = 88  # letters
LETTERS = re.compile(r"\\(?:[a-zA-Z]+|.)|[^\\{}_^&\s]")  # a command, or a letter that is seen


class fold_line(nodes.title):  # noqa: N801 - docutils names node classes in lower case
    """The line that a fold made here is folded to: it repeats what is inside, so no search finds it."""


def is_chapter(docname):
    return docname.startswith("chapters/")


def chapter_number(docname):
    """The number of a chapter by the name of its page, or of its story's."""
    return int(docname.rpartition("/")[2].partition("_")[0])


def folded(parts, kind, said, tells=""):
    """Puts a fold around neighbours where they stand, which the depth "Chapter" shuts.

    Parameters
    ----------
    parts : list of Element
        Neighbours; they move into the fold.
    kind : str
        The fold's class, as `check-fold`.
    said : str or list of Node
        The line that it is folded to.
    tells : str
        What that line says besides, as ", 6 lines".
    """
    words = [nodes.Text(said)] if isinstance(said, str) else said
    box = fold("", fold_line("", "", *words), classes=["deep", kind], tells=tells)
    parent = parts[0].parent
    parent.insert(parent.index(parts[0]), box)
    for part in parts:
        parent.remove(part)
    box += parts
    return box


def lines(*parts):
    """`, 6 lines`: how many lines of text these parts are, for the line that they are folded to."""
    number = max(1, round(sum(map(letters, parts)) / LINE))
    return f", {number} line{'s' * (number > 1)}"


def letters(node):
    """The letters of a part; a displayed formula counts as a line for each of its rows."""
    if isinstance(node, nodes.math_block):
        return LINE * (1 + len(re.findall(r"\\\\", node.astext())))
    if isinstance(node, nodes.math):
        return len(LETTERS.findall(node.astext()))
    if isinstance(node, nodes.Text):
        return len(node)
    return sum(map(letters, node.children))


def is_open(node, depth):
    """Whether a part of the page is in no fold that is shut at this depth."""
    return depth == EVERYTHING or not any(map(is_deep, ancestors(node)))


def is_deep(node):
    """Whether a node is a fold that everything has open, and the chapter shut."""
    return isinstance(node, fold) and "deep" in node["classes"]


def minutes_by_depth(doctree):
    """By depth, the minutes that what is open takes to read."""
    return {depth: minutes(doctree, partial(is_open, depth=depth)) for depth in DEPTHS}


def times(found):
    """The depths with their names and times, of minutes by depth: `("chapter", "Chapter", "1 h")`."""
    for depth in DEPTHS:
        yield depth, depth.capitalize(), short(found[depth])


def offer_depths(app, pagename, templatename, context, doctree):
    """Gives the template the depths of a chapter that has folds, for the switch."""
    has_folds = doctree is not None and next(doctree.findall(is_deep), None) is not None
    is_offered = is_chapter(pagename) and has_folds
    context["depths"] = list(times(app.env.metadata[pagename]["times"])) if is_offered else []


def setup(app):
    app.add_node(fold_line)
    app.connect("html-page-context", offer_depths)
