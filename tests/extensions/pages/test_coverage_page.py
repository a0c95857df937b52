"""The page of the sources: its counts, its gaps, and an entry for every sentence."""

import re

from extensions.pages.coverage_page import counts, entry, escaped, gaps, listed, reasons
from margins_book.sources.coverage import Row, read_coverage
from margins_book.sources.quotations import read_quotations

JUDGED = Row("news", "a" * 12, "top", "It holds that …", ("C1.01", "C2.03"), "")
OPEN = Row("news", "b" * 12, "top", "All [x] of …", ("C1.01",), "gap: nobody ran it")
HEAD = Row("news", "c" * 12, "", "A heading", (), "heading")
NAMES = {"poster": "the poster", "news": "the news"}


def test_sentences_are_counted_by_what_judges_them():
    table, _, why = counts({"news": [JUDGED, OPEN, HEAD]}, NAMES).partition("\n\n")
    assert table.split("\n")[2:] == ["| news | 3 | 2 | 1 | 1 |"]
    assert why.startswith("Why a sentence has no claim: *heading* (1): ")


def test_counts_of_the_book_add_up_to_all_its_rows():
    rows = read_coverage()
    parts = {name: [row for row in rows if row.source == name] for name in {row.source for row in rows}}
    lines = counts(parts, dict.fromkeys(parts, "")).partition("\n\n")[0].split("\n")[2:]
    numbers = [[int(cell) for cell in re.findall(r"\b\d+\b", line)] for line in lines]
    assert sum(number[0] for number in numbers) == len(rows)
    assert all(all_ == judged + none for all_, judged, _, none in numbers)
    assert sum(map(int, re.findall(r"\((\d+)\)", reasons(parts)))) == sum(number[3] for number in numbers)


def test_a_gap_is_named_once_with_its_sentences():
    again = OPEN._replace(digest="d" * 12, place="end")
    told = gaps([JUDGED, OPEN, again, HEAD])
    assert told == "There are 1.\n\n1. Nobody ran it (the news report, top; the news report, end).\n"
    assert gaps([JUDGED]) == "There is none.\n"


def test_an_entry_leads_to_the_claims_or_says_why_there_is_none():
    assert entry(JUDGED, None) == "- It holds that … {ref}`C1.01 <claim-c1-01>`, {ref}`C2.03 <claim-c2-03>`\n"
    assert entry(OPEN, None) == "- All \\[x\\] of … {ref}`C1.01 <claim-c1-01>`; *gap: nobody ran it*\n"
    assert entry(HEAD, None) == "- A heading *heading*\n"


def test_a_sentence_that_is_quoted_is_folded_whole():
    quotation = read_quotations()["news-must"]
    (row,) = [row for row in read_coverage() if row.digest == quotation.digest]
    shown = entry(row, quotation)
    assert f"  > {quotation.text}" in shown
    assert (
        "- In contrast, the authors show that … {ref}`C8.01 <claim-c8-01>`\n\n  :::{admonition} The whole"
        in shown
    )


def test_a_place_stands_above_its_sentences():
    lines = listed([HEAD, JUDGED, OPEN]).split("\n")
    assert [line for line in lines if line.startswith("**")] == ["**top**"]
    assert lines.index("**top**") == lines.index("- A heading *heading*") + 2


def test_marks_of_markdown_are_plain_words():
    assert escaped("a [b] $c$ *d*") == r"a \[b\] \$c\$ \*d\*"
