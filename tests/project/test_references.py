"""The references: in order, complete, with an address that has the form of one, and cited."""

import re
from pathlib import Path

import pytest
from pybtex.database import parse_file

ROOT = Path(__file__).parents[2]
ENTRIES = parse_file(ROOT / "book" / "references.bib").entries
DOI = re.compile(r"10\.\d{4,9}/[^\s{}]+[^\s{}.,;]")
ARXIV = re.compile(r"\d{2}(0[1-9]|1[0-2])\.\d{4,5}|[a-z-]+/\d{7}")
NEEDED = {
    "article": {"journal"},
    "inproceedings": {"booktitle"},
    "incollection": {"booktitle"},
    "book": {"publisher"},
}

each_entry = pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)


@each_entry
def test_entry_is_complete(entry):
    assert {"title", "year"} | NEEDED.get(entry.type, set()) <= set(entry.fields)
    assert entry.persons.get("author") or entry.persons.get("editor")
    assert re.fullmatch(r"1[6-9]\d\d|20\d\d", entry.fields["year"])
    assert entry.fields["year"] in entry.key


@each_entry
def test_addresses_have_the_form_of_one(entry):
    """A DOI or an arXiv number where it belongs, so that the page links it."""
    if "doi" in entry.fields:
        assert DOI.fullmatch(entry.fields["doi"])
    if "eprint" in entry.fields:
        assert ARXIV.fullmatch(entry.fields["eprint"])
        assert entry.fields["archiveprefix"] == "arXiv"
    assert "arxiv" not in entry.fields.get("note", "").lower(), "give the number as eprint: it becomes a link"
    if entry.type == "misc":
        assert {"doi", "eprint", "url"} & set(entry.fields), "a work that nobody printed needs an address"


def test_entries_are_in_order_and_no_work_comes_twice():
    assert list(ENTRIES) == sorted(ENTRIES)
    for field in ("doi", "eprint"):
        values = [entry.fields[field].lower() for entry in ENTRIES.values() if field in entry.fields]
        assert len(values) == len(set(values))


def test_every_work_is_cited():
    pages = [*(ROOT / "chapters").glob("*.md"), *(ROOT / "book").glob("*.md"), ROOT / "index.md"]
    roles = re.findall(r"\{cite:\w+\}`([^`]+)`", "\n".join(page.read_text("utf8") for page in pages))
    cited = {key.strip() for role in roles for key in role.split(",")}
    assert set(ENTRIES) - cited == set()
