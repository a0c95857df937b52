"""Marks that lead to the ledger of claims: `% ledger: C3.03` below a paragraph, or last in a box.

The mark stands at the end of that paragraph; a notebook has none.
"""

import re

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from margins_book.ledger import anchor

LINE = re.compile(r"ledger: *(.*)")
CLAIM = re.compile(r"C\d+\.\d\d")


class MarkClaims(SphinxTransform):
    """Puts the marks where comments name claims."""

    default_priority = 30  # before references are collected

    def apply(self, **kwargs):
        for comment in list(self.document.findall(nodes.comment)):
            named = [claim for line in comment.astext().split("\n") for claim in self.claims(line, comment)]
            if named:
                paragraph = paragraph_before(comment)
                for number, claim in enumerate(named, 1):
                    words = "ledger" if number == 1 else str(number)
                    paragraph += [nodes.Text(" "), mark(self.env.docname, claim, words)]
                comment.parent.remove(comment)  # nothing then stands between a paragraph and its cell

    def claims(self, line, comment):
        """The claims that a line of a comment names; none for other comments."""
        found = LINE.fullmatch(line.strip())
        names = re.split(r", *", found[1].strip()) if found else []
        if wrong := [name for name in names if not CLAIM.fullmatch(name)]:
            place = f"{self.env.doc2path(self.env.docname)}:{comment.line}"
            raise ExtensionError(
                f"{place}: `% ledger:` names {wrong[0]!r}; expected claims such as C3.03, C3.05"
            )
        return names


def paragraph_before(comment):
    """The paragraph that ends before a comment; an empty one is made where something else does."""
    siblings = comment.parent.children
    before = siblings[siblings.index(comment) - 1] if siblings.index(comment) else None
    while isinstance(before, nodes.list_item | nodes.bullet_list | nodes.enumerated_list):
        before = before.children[-1]
    if isinstance(before, nodes.paragraph):
        return before
    made = nodes.paragraph(classes=["ledger-marks"])
    comment.parent.insert(siblings.index(comment), made)
    return made


def mark(page, claim, words):
    """The word that leads to a claim; further claims of one comment are counted."""
    reference = pending_xref(
        "", nodes.inline("", words), refdomain="std", reftype="ref", reftarget=anchor({"id": claim}),
        refexplicit=True, refdoc=page, refwarn=True,
    )  # fmt: skip
    return nodes.inline("", "", reference, classes=["ledger-mark"])


def setup(app):
    app.add_transform(MarkClaims)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
