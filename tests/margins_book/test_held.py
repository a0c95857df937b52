"""What holds the sentences of the ledger: all of them are held, and a sentence that is not is noticed."""

from textwrap import dedent

import pytest

from margins_book.held import (
    KINDS,
    Quotation,
    all_quotations,
    claim_of,
    faults,
    holders,
    labels,
    quotations,
    reference_to,
    works,
)
from margins_book.ledger import number_of, parts, read_ledger

CLAIMS, QUOTED = read_ledger().claims, all_quotations()
TEST = "test_c1_01_a"


def a_claim(*correction, number="C1.01", tests=(TEST,)):
    return {"id": number, "correction": list(correction), "tests": list(tests)}


def quoted(words, test=TEST, asserted=True):
    return [Quotation(test, words, asserted)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_every_sentence_of_the_ledger_is_held(claim):
    own = [one for one in QUOTED if claim_of(one.test) == number_of(claim)]
    others = [a_claim(number=other["id"]) for other in CLAIMS if other is not claim]
    assert faults([claim, *others], own) == []


def test_no_comment_of_a_test_quotes_what_the_ledger_does_not_say():
    assert [fault for fault in faults(CLAIMS, QUOTED) if " quotes " in fault] == []


def test_all_kinds_are_used_and_none_is_the_name_of_something_else():
    used = {name for claim in CLAIMS for part in parts(claim) for name in part.held}
    assert KINDS.keys() <= used
    assert not KINDS.keys() & (labels() | works())
    assert not labels() & works()


def test_a_comment_above_an_assertion_is_a_quotation():
    source = dedent('''
        def test_c1_01_a():
            """Words."""
            # The ledger: "the first"
            assert x == 1
            # The ledger: "the second"
            # The ledger: "a third"
            for y in range(3):
                assert_allclose(x, y)
            # The ledger: "a fourth"
            with pytest.raises(ValueError):
                x()
            # The ledger: "before the assertion"
            z = 2
            assert z == 2
            # The ledger: "at the end"


        # The ledger: "outside"
        def helper():
            # The ledger: "no test"
            assert True
    ''')
    assert quotations(source) == [
        (TEST, "the first", True),
        (TEST, "the second", True),
        (TEST, "a third", True),
        (TEST, "a fourth", True),
        (TEST, "before the assertion", False),
        ("", "at the end", False),
        ("", "outside", False),
        ("helper", "no test", True),
    ]


def test_what_is_quoted_or_named_is_held():
    claim = a_claim("Dogs bark.", {"says": "Cats are nice.", "held": "opinion"}, tests=["test_c1_01_b", TEST])
    seen = [*quoted("bark"), *quoted("Dogs", test="test_c1_01_b"), *quoted("Cats")]
    assert faults([claim], seen) == []
    assert holders(claim, seen) == [("test_c1_01_b", TEST), ("opinion", TEST)]


@pytest.mark.parametrize(
    ("claim", "seen", "fault"),
    [
        (a_claim("Dogs bark."), [], "nothing holds 'Dogs bark.'; quote its words above the assertion"),
        (a_claim("Dogs bark."), quoted("Dogs", test="test_c2_01_a"), "nothing holds 'Dogs bark.'"),
        (a_claim("Dogs bark.", tests=()), quoted("Dogs"), "nothing holds 'Dogs bark.'"),
        (a_claim("Dogs bark."), quoted("cats"), "quotes 'cats', which 0 sentences of its claim say"),
        (a_claim("A dog.", "No dog."), quoted("dog"), "quotes 'dog', which 2 sentences of its claim say"),
        (a_claim("Dogs bark."), quoted("Dogs", asserted=False), "quotes 'Dogs' above no assertion"),
        (
            a_claim({"says": "Dogs.", "held": "no-label"}),
            [],
            "is held by ['no-label']; expected the label",
        ),
        (a_claim({"says": "Dogs.", "held": "C1.01"}), [], "is held by ['C1.01']"),
        (a_claim({"says": "Dogs.", "held": []}), [], "nothing holds 'Dogs.'"),
    ],
)
def test_what_is_not_held_is_named(claim, seen, fault):
    assert any(fault in found for found in faults([claim], seen))


def test_references_lead_to_statements_sections_claims_and_works():
    roles = [reference_to(name) for name in ("svm-thm-ray", "ker-sparser", "C2.07", "soudry2018")]
    assert roles == [
        "{prf:ref}`svm-thm-ray`",
        "{ref}`ker-sparser`",
        "{ref}`C2.07 <claim-c2-07>`",
        "{cite:t}`soudry2018`",
    ]
