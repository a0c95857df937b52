"""What cells print: lines of words wrap where a page is narrow; columns of a table stay under each other."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

GAP = re.compile(r"\S {2,}\S")  # between two columns


class WrapPrintedWords(SphinxPostTransform):
    """Marks what is printed without columns, for the style sheet."""

    default_priority = 960  # after MyST-NB has chosen among the outputs of a cell

    def run(self):
        for block in self.document.findall(nodes.literal_block):
            if "output" in block["classes"] and not has_columns(block.astext()):
                block["classes"].append("wraps")


def has_columns(text):
    """Whether there are gaps in more than one line; NumPy writes some into a line of numbers."""
    return sum(GAP.search(line) is not None for line in text.splitlines()) > 1


def setup(app):
    app.add_post_transform(WrapPrintedWords)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
