"""Tables in boxes that scroll sideways, so that a wide table never widens the page.

The cells of a table of three columns and more name their columns, and the first cell of a row is its
heading: on a phone its rows stand as lists (3-article.css).
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

MANY = 3  # columns


class BoxTables(SphinxPostTransform):
    """A container of class `table` around each table."""

    default_priority = 900

    def run(self):
        for table in list(self.document.findall(nodes.table)):
            boxed = table.deepcopy()
            name_columns(boxed)
            table.replace_self(nodes.container("", boxed, classes=["table"]))


def name_columns(table):
    """The heading of its column at the beginning of each cell but the first of a row, if there are many."""
    head = table.next_node(nodes.thead)
    headings = [entry.astext() for entry in head.findall(nodes.entry)] if head else []
    if len(headings) < MANY:
        return
    table["classes"].append("listed")
    table.next_node(nodes.colspec)["stub"] = True
    for row in table.next_node(nodes.tbody).findall(nodes.row):
        for heading, entry in list(zip(headings, row.children, strict=True))[1:]:
            if entry.astext():
                entry[0].insert(0, nodes.inline("", heading, classes=["column"]))


def setup(app):
    app.add_post_transform(BoxTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
