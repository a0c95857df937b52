"""A comment that names claims becomes a mark at the end of the paragraph before it."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.addnodes import pending_xref
from sphinx.errors import ExtensionError

from extensions.pages.ledger_page import MarkClaims


def marked(*parts):
    document = new_document("page")
    document.settings.env = SimpleNamespace(docname="chapters/03", doc2path=lambda name: f"{name}.md")
    document += parts
    MarkClaims(document).apply()
    return document


def targets(node):
    return [reference["reftarget"] for reference in node.findall(pending_xref)]


def comment(text):
    return nodes.comment("", text)


def test_the_mark_ends_the_paragraph_before_the_comment():
    first, second = nodes.paragraph("", "First."), nodes.paragraph("", "Second.")
    document = marked(first, second, comment("ledger: C3.03, C10.12"))
    assert targets(second) == ["claim-c3-03", "claim-c10-12"]
    assert targets(first) == []
    assert second.astext().startswith("Second.")
    assert "C3.03" not in document.astext()
    assert len(document.children) == 2


def test_in_a_list_the_mark_ends_the_last_item_and_behind_a_formula_it_has_a_line_of_its_own():
    items = [nodes.list_item("", nodes.paragraph("", text)) for text in ("One.", "Two.")]
    document = marked(nodes.bullet_list("", *items), comment("uses: softmax-thm\nledger: C3.03"))
    assert targets(items[1]) == targets(document) == ["claim-c3-03"]
    document = marked(nodes.math_block("", "x"), comment("ledger: C3.03"))
    assert targets(document[1]) == ["claim-c3-03"]
    assert isinstance(document[1], nodes.paragraph)


def test_other_comments_say_nothing_of_the_ledger_and_what_is_no_claim_is_refused():
    assert targets(marked(nodes.paragraph("", "Text."), comment("uses: softmax-thm"))) == []
    with pytest.raises(ExtensionError, match=r"`% ledger:` names 'C3\.3'; expected claims such as C3\.03"):
        marked(nodes.paragraph("", "Text."), comment("ledger: C3.3"))
