"""The cells of exercises as pages publish them: without markers and hidden checks.

The setting `coursework_show_solutions` publishes or withholds every solution.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform

from extensions.pages.tree import of_class
from margins_book.page.solutions import MARKER


class CleanCells(SphinxTransform):
    """Removes the markers from every code block, and the hidden checks from the page."""

    default_priority = 20

    def apply(self, **kwargs):
        for cell in of_class(self.document, "tag_hidden-check"):
            cell.parent.remove(cell)
        for block in self.document.findall(nodes.literal_block):
            if MARKER.search(block.astext()):
                cleaned = MARKER.sub("", block.astext()).rstrip("\n")
                block.rawsource = cleaned
                block.children = [nodes.Text(cleaned)]


def is_solution(node):
    return type(node).__name__ == "solution_node"


def is_check(node):
    return isinstance(node, nodes.Element) and "tag_check" in node["classes"]


def fold_checks(app, doctree):
    """Leaves a line of each check, and moves it behind its solution: its output would reveal the answer."""
    solution = None
    for node in list(doctree.findall(lambda n: is_solution(n) or is_check(n))):
        if is_solution(node):
            solution = node
        elif solution is not None:
            node.parent.remove(node)
            solution += node
            call = nodes.literal("", next(node.findall(nodes.literal_block)).astext())
            said = " says what is right and what is missing, in the notebook and on this page."
            line = nodes.paragraph("", "", call, nodes.Text(said), classes=["how-to-check"])
            solution.parent.insert(solution.parent.index(solution), line)


def withhold_solutions(app, doctree):
    """Removes all solutions from the page when the configuration withholds them."""
    if app.config.coursework_show_solutions:
        return
    for node in list(doctree.findall(is_solution)):
        node.parent.remove(node)


def setup(app):
    app.add_config_value("coursework_show_solutions", True, "env")
    app.add_transform(CleanCells)
    app.connect("doctree-read", fold_checks)
    app.connect("doctree-read", withhold_solutions)
