"""Coursework cells on the page: no markers, no hidden checks; one switch publishes or withholds solutions."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

MARKER = re.compile(r"^[ \t]*### (BEGIN|END) (SOLUTION|HIDDEN TESTS)[ \t]*\n?", re.M)


class CleanCells(SphinxTransform):
    """Markers out of every code block; hidden checks out of the page."""

    default_priority = 20

    def apply(self, **kwargs):
        for cell in list(
            self.document.findall(
                lambda n: "tag_hidden-check" in getattr(n, "attributes", {}).get("classes", [])
            )
        ):
            cell.parent.remove(cell)
        for block in self.document.findall(nodes.literal_block):
            if MARKER.search(block.astext()):
                cleaned = MARKER.sub("", block.astext()).rstrip("\n")
                block.rawsource = cleaned
                block.children = [nodes.Text(cleaned)]


def withhold_solutions(app, doctree):
    """All solution nodes out of the page when the configuration says so."""
    if app.config.coursework_show_solutions:
        return
    for node in list(doctree.findall(lambda n: type(n).__name__ == "solution_node")):
        node.parent.remove(node)


def setup(app):
    app.add_config_value("coursework_show_solutions", True, "env")
    app.add_transform(CleanCells)
    app.connect("doctree-read", withhold_solutions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
