"""The ledger of claims: every claim with its test and its place in the chapters, and its page up to date."""

import ast
import functools
import re

import pytest

from scripts import claims as ledger

SOURCES, CLAIMS = ledger.load()
VERDICTS = {"true", "true if", "imprecise", "wrong", "opinion", "open"}
STATUSES = {"proved", "verified numerically", "cited", "open"}
LABEL = re.compile(r"^:label: +(\S+)|^\(([\w-]+)\)=$", re.MULTILINE)

each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])


@functools.cache
def labels():
    chapters = (ledger.ROOT / "chapters").glob("*.md")
    text = "\n".join(chapter.read_text(encoding="utf-8") for chapter in chapters)
    return {first or second for first, second in LABEL.findall(text)}


@functools.cache
def functions():
    files = (ledger.ROOT / "tests" / "claims").glob("test_chapter_*.py")
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@each_claim
def test_fields_are_complete(claim):
    assert set(claim) == {"id", "statement", "source", "verdict", "correction", "section", "tests", "status"}
    assert re.fullmatch(r"C\d+\.\d\d", claim["id"])
    assert claim["verdict"] in VERDICTS
    assert claim["status"] in STATUSES
    assert claim["source"][0] in SOURCES
    assert claim["statement"].strip()
    assert claim["correction"].strip()


@each_claim
def test_section_is_a_label_of_a_chapter(claim):
    assert claim["section"] in labels()


@each_claim
def test_tests_exist_and_bear_the_claim_s_number(claim):
    assert claim["tests"] or claim["verdict"] == "opinion", "only an opinion may go untested"
    assert set(claim["tests"]) <= functions()
    prefix = f"test_{claim['id'].lower().replace('.', '_')}_"
    assert all(test.startswith(prefix) for test in claim["tests"])


def test_numbers_ascend():
    numbers = [tuple(map(int, claim["id"][1:].split("."))) for claim in CLAIMS]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("chapter", [1, 2, 3, 4, 5, 6, 7, 8, 11])
def test_no_number_of_a_chapter_is_left_out(chapter):
    numbers = [int(claim["id"].split(".")[1]) for claim in CLAIMS if claim["id"].startswith(f"C{chapter}.")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_source_with_an_error_has_its_list_among_the_errata():
    (page,) = (ledger.ROOT / "chapters").glob("11_*.md")
    listed = set(re.findall(r"^```\{errata\} (\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert listed == {claim["source"][0] for claim in CLAIMS if claim["verdict"] in ("wrong", "imprecise")}


def test_page_is_what_the_ledger_says():
    assert ledger.PAGE.read_text(encoding="utf-8") == ledger.page(SOURCES, CLAIMS), "run scripts/claims.py"
