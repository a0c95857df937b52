"""What boxes of the chapters put into quotation marks stands so in a sentence that the box unfolds whole."""

import re
from typing import NamedTuple

import pytest

from margins_book.chapters import chapters
from margins_book.ledger import read_ledger
from margins_book.sources.coverage import read_coverage
from margins_book.sources.quotations import quotes, read_quotations

BOX = re.compile(r"^(:{3,})\{admonition\} ([^\n]*)\n:class: erratum\n(.*?)^\1 *$", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^```\{said\} ([^\n]+)\n```$", re.MULTILINE)
QUOTED = re.compile(r'"([^"]+)"')
CLAIM = re.compile(r"<claim-c(\d+)-(\d\d)>")
TEXTS = {row.source for row in read_coverage()}
SOURCE_OF = {claim["id"]: claim["source"][0] for claim in read_ledger().claims}
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


BOXES = [
    pytest.param(box, id=f"{chapter.number:02} {box.title}")
    for chapter in chapters()
    for box in boxes(chapter.page.read_text(encoding="utf-8"))
]
each_box = pytest.mark.parametrize("box", BOXES)


def altered(box):
    """What stands in quotation marks and in none of the sentences that the box unfolds."""
    said = [QUOTATIONS[name] for name in box.said]
    return [part for part in QUOTED.findall(box.text) if not any(quotes(whole, part) for whole in said)]


@each_box
def test_a_box_quotes_only_what_it_unfolds_whole(box):
    if box.said or box.title.startswith("Erratum"):
        assert altered(box) == []


@each_box
def test_an_erratum_unfolds_what_its_source_says(box):
    if box.title.startswith("Erratum"):
        assert box.said


@each_box
def test_what_a_box_unfolds_is_judged_by_the_claims_that_it_names(box):
    judging = {(row.source, row.digest): set(row.claims) for row in read_coverage()}
    if box.claims:
        for name in box.said:
            whole = QUOTATIONS[name]
            assert judging[whole.source, whole.digest] & box.claims, name
        of_texts = {claim for claim in box.claims if SOURCE_OF[claim] in TEXTS}
        assert of_texts == set() or box.said


def test_every_quotation_is_unfolded_somewhere():
    """In a box or, for the claims that judge it, in the ledger."""
    judging = {(row.source, row.digest): row.claims for row in read_coverage()}
    idle = [q.id for q in QUOTATIONS.values() if not judging[q.source, q.digest]]
    assert idle == []


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ('It "may not accurately predict".', []),
        ('It "may not predict".', ["may not predict"]),
        (
            'If it "does not … preserve" or "the vectors are sparse".',
            ["does not … preserve", "the vectors are sparse"],
        ),
    ],
)
def test_altered_and_cut_words_are_noticed(box, words):
    text = f":::{{admonition}} Title\n:class: erratum\n{box}\n\n```{{said}} sum-order\n```\n:::\n"
    (found,) = boxes(text)
    assert altered(found) == [word for word in words if word != "does not … preserve"]
