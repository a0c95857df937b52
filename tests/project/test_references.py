"""The references: in order, complete, with an address that has the form of one, and cited."""

import re
from pathlib import Path

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


def test_every_entry_is_complete():
    for key, entry in ENTRIES.items():
        assert {"title", "year"} | NEEDED.get(entry.type, set()) <= set(entry.fields), key
        assert entry.persons.get("author") or entry.persons.get("editor"), key
        assert re.fullmatch(r"1[6-9]\d\d|20\d\d", entry.fields["year"]), key
        assert entry.fields["year"] in key


def test_addresses_have_the_form_of_one():
    """A DOI or an arXiv number where it belongs, so that the page links it."""
    for key, entry in ENTRIES.items():
        assert "doi" not in entry.fields or DOI.fullmatch(entry.fields["doi"]), key
        if "eprint" in entry.fields:
            assert ARXIV.fullmatch(entry.fields["eprint"]), key
            assert entry.fields["archiveprefix"] == "arXiv", key
        assert "arxiv" not in entry.fields.get("note", "").lower(), f"{key}: an eprint would become a link"
        if entry.type == "misc":
            assert {"doi", "eprint", "url"} & set(entry.fields), (
                f"{key}: a work without publisher has an address"
            )


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
