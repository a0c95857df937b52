"""The ledger of claims: what the sources say and what holds, read from the YAML files of all chapters.

A claim is a dict with the keys of `FIELDS`, and some of `OPTIONAL`; `book/claims.yml` says what they mean.
(book: The claims ledger)
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import yaml

from margins_book.chapters import ROOT, chapters

SOURCES_FILE = ROOT / "book" / "claims.yml"
FIELDS = ("id", "statement", "source", "verdict", "correction", "status", "section", "tests")
OPTIONAL = ("sentences", "see")
VERDICTS = {  # of a statement as its source makes it, with what they mean
    "true": "as it stands",
    "true if": "under a hypothesis that the sentence leaves out",
    "half right": "one part of the sentence holds, another does not",
    "imprecise": "its words say more, less or something else than what holds",
    "unsupported": "the source gives no evidence, and what is found here does not bear it out",
    "a natural misreading": "the sentence does not say it; what is easily read into the sentence is false",
    "wrong": "there is a counterexample or a proof of the contrary",
    "opinion": "a judgement, a forecast or a slogan",
    "open": "a question, or not decided here",
}
ERRORS = ("wrong", "half right", "imprecise", "unsupported")  # the verdicts that the lists of errata show
MISREADING = "a natural misreading"  # of no one's sentence, and in a list of its own
STATUSES = ("proved", "verified numerically", "cited", "open")  # of what the book says instead
ID = re.compile(r"C(\d+)\.(\d\d)")
NUMBERED = re.compile(r"-(thm|cor|prop|lem|def)-")  # labels of statements, which sphinx-proof numbers
WORK = re.compile(r"[a-z]+\d{4}[a-z]*")  # keys of the references


class Ledger(NamedTuple):
    """The sources by their short names, and their claims in the order of the book."""

    sources: dict[str, str]
    claims: list[dict]


def claim_files() -> list[Path]:
    """The file with the sources, then the file of each chapter that has one."""
    files = (SOURCES_FILE, *(chapter.claims for chapter in chapters()))
    return [file for file in files if file.is_file()]


def read_ledger(files: Iterable[Path] | None = None) -> Ledger:
    """The ledger that stands in `files`; in all files of the book if none are given."""
    ledger = Ledger({}, [])
    for file in claim_files() if files is None else files:
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) or {}
        ledger.sources.update(content.get("sources", {}))
        ledger.claims.extend(content.get("claims", []))
    ledger.claims.sort(key=number_of)
    return ledger


def files_of_tests() -> list[Path]:
    """The files with the tests of all claims."""
    return [file for chapter in chapters() for file in chapter.claim_tests]


def number_of(claim: dict) -> tuple[int, int]:
    """The chapter of a claim, and its number in the chapter."""
    match = ID.fullmatch(str(claim["id"]))
    if not match:
        raise ValueError(f"a claim has the id {claim['id']!r}; expected one like C3.04")
    return int(match[1]), int(match[2])


def chapter_of(claim: dict) -> int:
    return number_of(claim)[0]


def anchor(claim: dict) -> str:
    """The label of a claim on the ledger's page, as `claim-c1-05`."""
    return "claim-" + claim["id"].lower().replace(".", "-")


def references(claim: dict) -> list[str]:
    """The MyST roles of the place that treats the claim, and of what else its correction rests on."""
    return [reference(name) for name in (claim["section"], *claim.get("see", ()))]


def reference(name: str) -> str:
    """The MyST role that leads to a claim, a work, a statement or a section by its name."""
    if ID.fullmatch(name):
        return f"{{ref}}`{name} <{anchor({'id': name})}>`"
    if WORK.fullmatch(name):
        return f"{{cite:t}}`{name}`"
    return f"{{{'prf:ref' if NUMBERED.search(name) else 'ref'}}}`{name}`"
