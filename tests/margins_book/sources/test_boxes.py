"""What boxes of the chapters put into quotation marks stands so in a sentence that the box unfolds whole."""

import re
from typing import NamedTuple

import pytest

from margins_book.chapters import chapters
from margins_book.ledger import read_ledger
from margins_book.sources.quotations import quotes, read_quotations

BOX = re.compile(r"^(:{3,})\{admonition\} ([^\n]*)\n:class: erratum\n(.*?)^\1 *$", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^```\{said\} ([^\n]+)\n```$", re.MULTILINE)
QUOTED = re.compile(r'"([^"]+)"')
CLAIM = re.compile(r"<claim-c(\d+)-(\d\d)>")
CLAIMS = {claim["id"]: claim for claim in read_ledger().claims}
QUOTATIONS = read_quotations()


class Box(NamedTuple):
    """An erratum: its title, what it says, the sentences that it unfolds, the claims that it names."""

    title: str
    text: str
    said: list[str]
    claims: set[str]


def boxes(text):
    for _, title, body in BOX.findall(text):
        said = [name for names in SAID.findall(body) for name in names.split()]
        words = " ".join(f"{title}\n{body}".split())
        yield Box(title, words, said, {f"C{chapter}.{number}" for chapter, number in CLAIM.findall(body)})


BOXES = [box for chapter in chapters() for box in boxes(chapter.page.read_text(encoding="utf-8"))]


def altered(box):
    """What stands in quotation marks and in none of the sentences that the box unfolds."""
    said = [QUOTATIONS[name] for name in box.said]
    return [part for part in QUOTED.findall(box.text) if not any(quotes(whole, part) for whole in said)]


def test_an_erratum_unfolds_what_its_source_says_and_a_box_quotes_only_that():
    for box in BOXES:
        assert box.said or not box.title.startswith("Erratum"), box.title
        assert not box.said or altered(box) == [], box.title


def test_what_a_box_unfolds_is_judged_by_the_claims_that_it_names():
    for box in BOXES:
        judged = {digest for claim in box.claims for digest in CLAIMS[claim].get("sentences", ())}
        if box.claims:
            assert {QUOTATIONS[name].digest for name in box.said} <= judged, box.title
            assert box.said or not judged, box.title


def test_every_quotation_is_unfolded_somewhere():
    """In a box or, for the claims that judge it, in the ledger."""
    judged = {digest for claim in CLAIMS.values() for digest in claim.get("sentences", ())}
    assert [quotation.id for quotation in QUOTATIONS.values() if quotation.digest not in judged] == []


@pytest.mark.parametrize(
    ("words", "noticed"),
    [
        ('It "may not accurately predict".', []),
        ('It "may not predict".', ["may not predict"]),
        ('If it "does not … preserve" or "the vectors are sparse".', ["the vectors are sparse"]),
    ],
)
def test_altered_words_are_noticed(words, noticed):
    text = f":::{{admonition}} Title\n:class: erratum\n{words}\n\n```{{said}} sum-order\n```\n:::\n"
    (found,) = boxes(text)
    assert altered(found) == noticed
