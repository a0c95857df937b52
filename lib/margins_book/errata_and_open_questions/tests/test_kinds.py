"""What chapter 11 says of the errors as a whole, and the answers of its worksheet."""

import re

from margins_book.chapters import ROOT
from margins_book.ledger import ERRORS, read_ledger

PAGE = (ROOT / "chapters" / "11_errata_and_open_questions.md").read_text(encoding="utf-8")
KINDS = {
    "A factor",
    "A quantifier",
    "A missing hypothesis",
    "A word",
    "Evidence that could not fail",
    "An analogy taken for a theorem",
}


def solution() -> str:
    """The solution of the worksheet."""
    _, start, rest = PAGE.partition(":::{solution-start} err-ten\n")
    assert start
    return rest.partition(":::{solution-end}")[0]


def answers() -> list[str]:
    """The answers of the worksheet, a line each."""
    return re.findall(r"^\d+\. (.*)$", solution(), re.MULTILINE)


def test_about_half_of_what_the_sources_say_is_not_right_as_it_is_said():
    ledger = read_ledger()
    judged = [
        claim["verdict"]
        for claim in ledger.claims
        if claim["source"][0] != "folklore" and claim["verdict"] not in ("opinion", "open")
    ]
    share = sum(verdict in ERRORS for verdict in judged) / len(judged)
    assert 0.4 < share < 0.6


def test_the_worksheet_has_ten_sentences_of_which_two_are_right():
    sentences = re.findall(r"^\| (\d+) \| ", PAGE, re.MULTILINE)
    assert sentences == [str(number) for number in range(1, 11)]
    assert len(answers()) == 10
    assert sum(answer.startswith("*Right.*") for answer in answers()) == 2


def test_every_kind_of_error_is_in_the_worksheet():
    named = {re.match(r"\*([\w ]+)[:.]\*|\*([\w ]+)[:.]", answer) for answer in answers()}
    assert {found[1] or found[2] for found in named if found} - {"Right"} == KINDS


def test_a_claim_or_a_statement_decides_each_answer():
    (named,) = re.findall(r"^% ledger: (.*)$", solution(), re.MULTILINE)
    claims, known = named.split(", "), {claim["id"] for claim in read_ledger().claims}
    assert set(claims) <= known
    assert len(claims) + sum("{prf:ref}" in answer for answer in answers()) == 10
