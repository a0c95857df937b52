"""The sentences of the sources on the site: below boxes, and in the ledger."""

import re

import pytest

from margins_book.chapters import chapters
from margins_book.ledger import anchor, read_ledger
from margins_book.sources.quotations import quotations_of, read_quotations
from tests.book.conftest import parsed

SAID = re.compile(r"^```\{said\} ([^\n]+)\n```$", re.MULTILINE)
QUOTATIONS = read_quotations()


def words(node):
    """The words of a passage outside of formulas, with plain quotation marks."""
    text = " ".join(part for part in node.find_all(string=True) if not part.find_parent("math"))
    return re.sub(r"\W+", " ", text).split()


def words_of(text):
    return re.sub(r"\W+", " ", re.sub(r"\$+[^$]+\$+", " ", text)).split()


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: f"{chapter.number:02}")
def test_a_box_unfolds_its_sentences_whole(chapter):
    asked = [
        QUOTATIONS[name] for names in SAID.findall(chapter.page.read_text("utf8")) for name in names.split()
    ]
    shown = parsed(f"chapters/{chapter.page.stem}.html").select("details.said")
    assert len(shown) == len(asked)
    for fold, quotation in zip(shown, asked, strict=True):
        whole = words(fold.blockquote)
        for text in filter(None, [quotation.text, quotation.english]):
            assert "".join(words_of(text)) in "".join(whole)
        assert quotation.place in fold.summary.text.replace("“", '"').replace("’", "'")


def test_the_ledger_unfolds_what_each_claim_judges():
    page = parsed("book/claims.html")
    for claim in read_ledger().claims:
        folds = page.find(id=anchor(claim)).select("details.said")
        assert len(folds) == len(quotations_of(claim)), claim["id"]
