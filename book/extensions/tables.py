"""Every table in a box of its own that scrolls sideways, so that a wide one never widens the page."""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class BoxTables(SphinxPostTransform):
    """A container of class `table` around each table."""

    default_priority = 900

    def run(self):
        for table in list(self.document.findall(nodes.table)):
            table.replace_self(nodes.container("", table.deepcopy(), classes=["table"]))


def setup(app):
    app.add_post_transform(BoxTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
