"""The lists of errata: which claims they hold, in which order, and where their links lead."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from extensions.pages import errata
from margins_book.ledger import Ledger, read_ledger

ROOT = Path(__file__).parents[3]

SITE = SimpleNamespace(
    html_theme_options={"repository_url": "https://host/book", "repository_branch": "main"}
)


def claim(number, verdict, tests=("test_c3_04_prefactor_swaps_the_kernel",), section="softmax-thm-features"):
    return {
        "id": number, "source": ["poster", "Theorem I"], "verdict": verdict, "statement": "Said.",
        "correction": "Holds.", "section": section, "tests": list(tests), "status": "proved",
    }  # fmt: skip


LEDGER = Ledger(
    sources={"poster": "the poster", "news": "the news"},
    claims=[claim("C1.01", "imprecise"), claim("C1.02", "true"), claim("C2.01", "wrong")],
)


def test_wrong_comes_before_imprecise_true_not_at_all_and_a_misreading_is_none():
    assert [one["id"] for one in errata.errata_of(LEDGER, "poster")] == ["C2.01", "C1.01"]
    assert errata.errata_of(LEDGER, "news") == []
    verdicts = [
        "unsupported",
        "true if",
        "imprecise",
        "a natural misreading",
        "half right",
        "wrong",
        "opinion",
    ]
    claims = [claim(f"C1.{number:02}", verdict) for number, verdict in enumerate(verdicts, 1)]
    found = errata.errata_of(Ledger(LEDGER.sources, claims), "poster")
    assert [one["verdict"] for one in found] == ["wrong", "half right", "imprecise", "unsupported"]
    assert [one["id"] for one in errata.misreadings(Ledger(LEDGER.sources, claims))] == ["C1.04"]


def test_every_claim_is_counted_once():
    ledger = read_ledger()
    cells = [line.strip("| ").split(" | ") for line in errata.counts(ledger).splitlines()[2:]]
    assert [row[0] for row in cells] == list(ledger.sources)
    assert sum(int(number) for row in cells for number in row[1:]) == len(ledger.claims)


def test_an_entry_leads_to_the_ledger_to_the_place_and_to_the_line_of_the_test():
    text = errata.entry(claim("C3.04", "wrong"), SITE)
    assert "{ref}`C3.04 <claim-c3-04>` (wrong, Theorem I). Said." in text
    assert "{prf:ref}`softmax-thm-features`" in text
    assert "{ref}`ker-sparser`" in errata.entry(claim("C2.04", "wrong", section="ker-sparser"), SITE)
    (address,) = [part for part in text.split("(") if part.startswith("https")]
    path, line = address.rstrip(").\n").removeprefix("https://host/book/blob/main/").split("#L")
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert lines[int(line) - 1].startswith("def test_c3_04_prefactor_swaps_the_kernel(")


@pytest.mark.parametrize(
    ("tests", "decide"),
    [(["test_a", "test_correction_b"], ["test_correction_b"]), (["test_a", "test_b"], ["test_a", "test_b"])],
)
def test_tests_of_the_correction_are_named_if_there_are_any(tests, decide):
    assert errata.deciding(tests) == decide
