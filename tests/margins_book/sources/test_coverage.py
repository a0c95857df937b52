"""The tables of the sources: every sentence has claims that judge it, or a reason why none does."""

import re
from collections import Counter

import pytest

from margins_book.ledger import ERRORS, read_ledger
from margins_book.sources.coverage import GAP, REASONS, Row, coverage_files, read_coverage, table

ROWS = read_coverage()
CLAIMS = {claim["id"]: claim for claim in read_ledger().claims}
WITHOUT_TEXT = {"code", "folklore"}  # sources of the ledger of which nobody had a text to cut into sentences


def test_the_sources_with_a_table_are_those_of_the_ledger_that_are_texts():
    assert {file.stem for file in coverage_files()} == set(read_ledger().sources) - WITHOUT_TEXT


def test_a_sentence_has_one_row_in_the_table_of_its_source():
    (_, most) = Counter((row.source, row.digest) for row in ROWS).most_common(1)[0]
    assert most == 1
    assert all(re.fullmatch(r"[0-9a-f]{12}", row.digest) and row.begins for row in ROWS)


def test_every_row_has_claims_of_the_ledger_or_a_reason_or_names_a_gap():
    for row in ROWS:
        assert set(row.claims) <= set(CLAIMS), row
        assert (row.remark in REASONS) != bool(row.claims or row.gap), row
        assert not row.remark or row.remark in REASONS or row.remark.startswith(GAP), row


def test_every_claim_of_a_source_with_a_text_is_reached_by_a_sentence_of_it():
    reached = {(row.source, claim) for row in ROWS for claim in row.claims}
    asked = {(c["source"][0], c["id"]) for c in CLAIMS.values() if c["source"][0] not in WITHOUT_TEXT}
    assert asked <= reached, sorted(asked - reached)


def test_about_half_of_what_the_texts_say_does_not_hold_as_they_say_it():
    """So says chapter 11, with opinions and questions set aside."""
    judged = [c["verdict"] for c in CLAIMS.values() if c["source"][0] not in WITHOUT_TEXT]
    decided = [verdict for verdict in judged if verdict not in ("opinion", "open")]
    assert 0.4 < sum(verdict in ERRORS for verdict in decided) / len(decided) < 0.6


def test_only_first_words_are_copied():
    assert max(len(row.begins) for row in ROWS) <= 80
    assert max(len(row.begins.removesuffix(" …").split()) for row in ROWS) <= 6


@pytest.mark.parametrize(
    ("remark", "gap"), [("gap: nobody ran it", "nobody ran it"), ("heading", ""), ("", "")]
)
def test_a_gap_is_what_stands_behind_the_word(remark, gap):
    assert Row("news", "0" * 12, "top", "It is", (), remark).gap == gap


def test_a_table_is_read_in_its_order(tmp_path):
    file = tmp_path / "news.csv"
    file.write_text(
        'digest,place,begins,claims,remark\nab,top,"It, too",C1.01 C1.02,\ncd,,Then,,heading\n', "utf8"
    )
    assert list(table(file)) == [
        Row("news", "ab", "top", "It, too", ("C1.01", "C1.02"), ""),
        Row("news", "cd", "", "Then", (), "heading"),
    ]
