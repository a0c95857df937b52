"""The ledger of claims: every claim complete, tested and placed, and none that could be lost unseen."""

import ast
import functools
import re

import pytest

from margins_book import ledger
from margins_book.chapters import ROOT, chapters
from margins_book.new.page import labels as labels_of

SOURCES, CLAIMS = ledger.read_ledger()

TEST_OF_A_CLAIM = re.compile(r"test_c(\d+)_(\d\d)_\w+")
WORK = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)


@functools.cache
def numbered_tests():
    """The names of the tests that bear the number of a claim."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in ledger.files_of_tests()]
    names = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {name for name in names if claim_of(name) != (0, 0)}


def claim_of(test):
    """The chapter and number of the claim whose number a test bears; zeros for another function."""
    match = TEST_OF_A_CLAIM.fullmatch(test)
    return (int(match[1]), int(match[2])) if match else (0, 0)


@functools.cache
def labels():
    """The labels of statements and of sections, in the chapters and on the pages beside the ledger."""
    beside = [ROOT / "book" / name for name in ("errata.md", "new.md")]
    texts = [page.read_text("utf8") for page in (*(chapter.page for chapter in chapters()), *beside)]
    return set().union(*map(labels_of, texts))


@functools.cache
def works():
    """The keys of the works in the references."""
    return set(WORK.findall((ROOT / "book" / "references.bib").read_text("utf8")))


@functools.cache
def claims_referred_to():
    """The anchors of claims to which pages of the book lead."""
    pages = [ROOT / "index.md", *(ROOT / "chapters").glob("*.md"), *(ROOT / "book").glob("*.md")]
    return {name for page in pages for name in re.findall(r"\bclaim-c\d+-\d\d\b", page.read_text("utf8"))}


def gaps(claims):
    """What is missing from a list of claims, as the chapters, their tests and the book's pages show."""
    numbers = [ledger.number_of(claim) for claim in claims]
    named = {test for claim in claims for test in claim["tests"]}
    for chapter in {chapter.number for chapter in chapters()} | {first for first, _ in numbers}:
        found = [second for first, second in numbers if first == chapter]
        if not found or found != list(range(1, len(found) + 1)):
            yield f"chapter {chapter} has the claims {found}; expected 1, 2, 3 and so on, each once"
    if not {ledger.chapter_of(claim) for claim in claims} <= {chapter.number for chapter in chapters()}:
        yield "a claim belongs to a chapter that the book has not"
    if unnamed := numbered_tests() - named:
        yield f"no claim names the tests {sorted(unnamed)}"
    if missing := named - numbered_tests():
        yield f"claims name the tests {sorted(missing)}, which no chapter has"
    if lost := claims_referred_to() - {ledger.anchor(claim) for claim in claims}:
        yield f"pages lead to claims that are not there: {sorted(lost)}"


def test_no_claim_is_missing():
    assert list(gaps(CLAIMS)) == []


def test_a_claim_or_a_chapter_that_is_left_out_is_noticed():
    for claim in CLAIMS[:: len(CLAIMS) // 20]:
        assert list(gaps([other for other in CLAIMS if other is not claim])), claim["id"]
    for chapter in chapters():
        assert list(gaps([claim for claim in CLAIMS if ledger.chapter_of(claim) != chapter.number])), (
            chapter.number
        )


def test_fields_are_complete():
    for claim in CLAIMS:
        name = claim["id"]
        assert set(claim) - set(ledger.OPTIONAL) == set(ledger.FIELDS), name
        assert claim["verdict"] in ledger.VERDICTS, name
        assert claim["status"] in ledger.STATUSES, name
        assert claim["source"][0] in SOURCES, name
        assert claim["statement"].strip(), name
        assert claim["correction"].strip() == claim["correction"] != "", name


def test_what_the_fields_mean_is_explained_where_an_author_looks():
    head = ledger.SOURCES_FILE.read_text(encoding="utf-8").partition("\nsources:")[0]
    explained = dict(re.findall(r"^# (\w+)  +(.+)$", head, re.MULTILINE))
    assert tuple(explained) == ledger.FIELDS + ledger.OPTIONAL
    for field, values in (("verdict", ledger.VERDICTS), ("status", ledger.STATUSES)):
        assert re.split(r" \| ", explained[field].partition("  ")[0]) == list(values)


def test_places_and_what_else_a_correction_rests_on_exist():
    """The section is a label of a chapter or of a page beside the ledger; the rest may be claims or works."""
    ids = {claim["id"] for claim in CLAIMS}
    assert not labels() & works()
    for claim in CLAIMS:
        assert claim["section"] in labels(), claim["id"]
        known = (labels() | works() | ids) - {claim["id"], claim["section"]}
        assert set(claim.get("see", ())) <= known, claim["id"]


def test_references_lead_to_statements_sections_claims_and_works():
    roles = {
        "svm-thm-ray": "{prf:ref}`svm-thm-ray`",
        "ker-sparser": "{ref}`ker-sparser`",
        "C2.07": "{ref}`C2.07 <claim-c2-07>`",
        "soudry2018": "{cite:t}`soudry2018`",
    }
    assert {name: ledger.reference(name) for name in roles} == roles
    assert not any(ledger.WORK.fullmatch(label) for label in labels())
    assert all(map(ledger.WORK.fullmatch, works()))


def test_about_half_of_what_the_texts_say_does_not_hold_as_they_say_it():
    """So says chapter 11, with opinions and questions set aside."""
    beside = ("code", "folklore", "literature")
    judged = [claim["verdict"] for claim in CLAIMS if claim["source"][0] not in beside]
    decided = [verdict for verdict in judged if verdict not in ("opinion", "open")]
    assert 0.4 < sum(verdict in ledger.ERRORS for verdict in decided) / len(decided) < 0.6


def test_a_claim_of_the_literature_cites_its_work():
    for claim in CLAIMS:
        name, place = claim["source"]
        cited = re.match(r"\{cite:t\}`(\w+)`, ", place)
        assert (name == "literature") == bool(cited), claim["id"]
        assert not cited or cited[1] in works(), claim["id"]


def test_tests_bear_the_number_of_the_claim():
    for claim in CLAIMS:
        assert claim["tests"] or claim["verdict"] in ("opinion", "unsupported"), f"{claim['id']} needs a test"
        assert {claim_of(test) for test in claim["tests"]} <= {ledger.number_of(claim)}, claim["id"]


def test_every_source_with_an_error_has_its_list_among_the_errata():
    page = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^```\{errata\} (\w+)$", page, re.MULTILINE))
    assert listed == {c["source"][0] for c in CLAIMS if c["verdict"] in ledger.ERRORS} | {"misreadings"}


def test_every_verdict_is_used_and_has_a_meaning():
    assert {claim["verdict"] for claim in CLAIMS} == set(ledger.VERDICTS)
    assert {*ledger.ERRORS, ledger.MISREADING} < set(ledger.VERDICTS)
    assert all(ledger.VERDICTS.values())


def test_claims_of_several_files_are_in_the_order_of_the_book(tmp_path):
    for name, claims in {"first": ["C10.01", "C2.02"], "second": ["C2.01", "C1.11"]}.items():
        entries = "".join(f"  - id: {number}\n" for number in claims)
        (tmp_path / name).write_text(f"sources: {{{name}: a text}}\nclaims:\n{entries}", "utf8")
    sources, claims = ledger.read_ledger([tmp_path / "first", tmp_path / "second"])
    assert sources == {"first": "a text", "second": "a text"}
    assert [claim["id"] for claim in claims] == ["C1.11", "C2.01", "C2.02", "C10.01"]


def test_a_number_of_another_form_is_refused():
    with pytest.raises(ValueError, match=r"id 'C3\.4'; expected one like C3\.04"):
        ledger.number_of({"id": "C3.4"})
