"""Cells with figures and folded code: code stands behind the figure that it draws, named by what it is of."""

import ast
from itertools import takewhile

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

from explorable.sphinx_ext.figures import FigureNode
from explorable.sphinx_ext.register import number_of
from extensions.pages.depths import is_chapter
from extensions.pages.tree import is_cell


class NameFoldedCode(SphinxPostTransform):
    """Names folds of code, and moves figures before theirs, so that readers and keyboards meet them first."""

    default_priority = 930  # after MyST-NB has folded the code

    def run(self):
        for cell in self.document.findall(is_cell):
            if next(cell.findall(FigureNode), None):
                cell["classes"].append("with-figure")
        for code in list(self.document.findall(HideCodeCellNode)):
            cell = code.parent
            figure = next(cell.findall(FigureNode), None)
            if figure is not None:
                name(code, f"the code of Figure {number_of(self.env, self.env.docname, figure)}")
                put_behind(cell, code)
            elif len(cell.children) == 1:  # no output
                name(code, "the set-up" if only_imports(code) else "the data")
                cell["classes"].append("code-alone")
        if is_chapter(self.env.docname):
            put_behind_the_opening(self.document)


def only_imports(code):
    """Whether folded code imports and does nothing else."""
    body = ast.parse(next(code.findall(nodes.literal_block)).astext()).body
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in body)


def put_behind_the_opening(document):
    """Moves folds of code from between a chapter's first paragraphs to before its card, or first section."""
    chapter = next(document.findall(nodes.section))
    opening = list(takewhile(lambda part: not ends_opening(part), chapter.children))
    folds = [part for part in opening if "code-alone" in part["classes"]]
    for fold in folds:
        chapter.remove(fold)
    chapter.insert(len(opening) - len(folds), folds)


def ends_opening(part):
    """Whether a part of a chapter is its card, or a section."""
    return isinstance(part, nodes.section) or "card" in part["classes"]


def name(code, what):
    """The words of a fold, shut and open."""
    code["prompt_show"], code["prompt_hide"] = f"Show {what}", f"Hide {what}"


def put_behind(cell, code):
    """Moves code behind the figure of its cell; that of a figure beside the text stays in the text."""
    cell.remove(code)
    if "docks" in cell["classes"]:
        code = nodes.container("", code, classes=["cell", "figure-code", "code-alone"])
        cell.parent.insert(cell.parent.index(cell) + 1, code)
    else:
        cell.append(code)
        cell["classes"].append("code-below")


def setup(app):
    app.add_post_transform(NameFoldedCode)
