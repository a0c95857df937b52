"""What only the finished page has, as Markdown: captions, printed output, lists and tables of the build."""

import re
from urllib.parse import urljoin

from docutils import nodes

MARKS = {nodes.literal: "`", nodes.emphasis: "*", nodes.strong: "**"}


def inline(node, page):
    """The words in a node, its formulas between dollars; links lead from the address of the `page`."""
    if isinstance(node, nodes.math):
        return f"${node.astext()}$"
    if isinstance(node, nodes.Text):
        return re.sub(r"\s+", " ", node.astext())
    if "column" in node["classes"]:  # of a table's cell, for narrow screens
        return ""
    words = "".join(inline(child, page) for child in node.children)
    if isinstance(node, nodes.reference) and "refuri" in node:
        return f"[{words}]({urljoin(page, node['refuri'])})"
    mark = MARKS.get(type(node), "")
    return f"{mark}{words}{mark}"


def items(listed, page):
    """A list, a line an item."""
    numbered = isinstance(listed, nodes.enumerated_list)
    marks = (f"{number}." if numbered else "-" for number in range(1, len(listed) + 1))
    return "\n".join(f"{mark} {inline(item, page).strip()}" for mark, item in zip(marks, listed, strict=True))


def table(found, page):
    """A table of lines, the first its headings."""
    rows = [[inline(entry, page) for entry in row.findall(nodes.entry)] for row in found.findall(nodes.row)]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


BLOCKS = {nodes.paragraph: inline, nodes.title: inline, nodes.table: table}


def computed(cell, page):
    """The text that a cell computes, block by block."""
    blocks = (node for node in cell.findall() if type(node) in BLOCKS)
    outside = (node for node in blocks if not isinstance(node.parent, nodes.entry))
    return "\n\n".join(BLOCKS[type(node)](node, page).strip() for node in outside)


def printed(cells):
    """By its code, what each cell of the page printed, as blocks below it."""
    texts = ([block.astext().strip("\n") for block in cell.findall(nodes.literal_block)] for cell in cells)
    form = "\n\n```text\n{}\n```".format
    return {code.strip(): "".join(map(form, answers)) for code, *answers in filter(None, texts)}
