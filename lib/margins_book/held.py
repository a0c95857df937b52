"""What holds each sentence of a correction in the ledger: an assertion, a statement of a chapter, or nobody.

A test of a claim quotes words of the correction above the assertion that states them:

    # The ledger: "the margin is $1/\\lVert w\\rVert$"
    assert abs(solution.margin - 1 / np.linalg.norm(program.w)) < 1e-6

In the ledger a sentence may name in `held` what holds it besides: the label of a statement of a chapter,
another claim, the key of a work in the references, or a word of `KINDS`. (book: The claims ledger)
"""

import ast
import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from margins_book.chapters import ROOT, chapters
from margins_book.ledger import ID, Part, anchor, files_of_tests, number_of, parts, reference

KINDS = {
    "opinion": "our judgement or advice, which no assertion could deny",
    "definition": "says how words are meant, or which case is spoken of",
    "reading": "says what a source contains, or leaves out",
    "open": "says that a question has no answer here",
}
BESIDE = (ROOT / "book" / "errata.md", ROOT / "book" / "new.md")  # the pages of reference beside the ledger
COMMENT = re.compile(r'^ *# The ledger: "(.*)"$', re.MULTILINE)
TEST_OF_A_CLAIM = re.compile(r"test_c(\d+)_(\d\d)_\w+")
LABEL = re.compile(r"^:label: +(\S+)|^\(([\w-]+)\)=$", re.MULTILINE)
WORK = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)


class Quotation(NamedTuple):
    """Words of the ledger that a test quotes; `asserted` is whether an assertion follows."""

    test: str
    words: str
    asserted: bool


def quotations(source: str) -> list[Quotation]:
    """The words that the tests of a file quote, in their order."""
    tests = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    found = []
    for match in COMMENT.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        test = next((node for node in tests if node.lineno < line <= (node.end_lineno or 0)), None)
        found.append(
            Quotation(test.name if test else "", match[1], test is not None and asserts_next(test, line))
        )
    return found


def asserts_next(test: ast.FunctionDef, line: int) -> bool:
    """Whether the first statement of a test behind a line is, or contains, an assertion."""
    behind = [node for node in ast.walk(test) if isinstance(node, ast.stmt) and node.lineno > line]
    if not behind:
        return False
    first = min(behind, key=lambda node: (node.lineno, -(node.end_lineno or 0)))
    return any(is_assertion(node) for node in ast.walk(first))


def is_assertion(node: ast.AST) -> bool:
    """Whether a node of a test's tree is `assert`, a call of `assert_...`, or `pytest.raises`."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).rpartition(".")[2]
        return called.startswith("assert_") or called == "raises"
    return isinstance(node, ast.Assert)


def all_quotations(files: Iterable[Path] | None = None) -> list[Quotation]:
    """The words that the tests of all chapters quote from the ledger."""
    chosen = files_of_tests() if files is None else files
    return [found for file in chosen for found in quotations(file.read_text(encoding="utf-8"))]


def claim_of(test: str) -> tuple[int, int]:
    """The chapter and number of the claim whose number a test bears; zeros for another function."""
    match = TEST_OF_A_CLAIM.fullmatch(test)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def tests_of(part: Part, claim: dict, quoted: Iterable[Quotation]) -> list[str]:
    """The tests of a claim that quote words of a part of its correction, in the order of the claim's list."""
    number = number_of(claim)
    names = {one.test for one in quoted if claim_of(one.test) == number and one.words in part.says}
    return [test for test in claim["tests"] if test in names]


@functools.cache
def labels() -> frozenset[str]:
    """The labels of statements and of sections, in the chapters and on the pages beside the ledger."""
    pages = [*(chapter.page for chapter in chapters()), *BESIDE]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    return frozenset(first or second for text in texts for first, second in LABEL.findall(text))


@functools.cache
def works() -> frozenset[str]:
    """The keys of the works in the references."""
    return frozenset(WORK.findall((ROOT / "book" / "references.bib").read_text(encoding="utf-8")))


def faults(claims: list[dict], quoted: list[Quotation]) -> list[str]:
    """What keeps the corrections from being held, each with the next step; nothing if all are."""
    return [*faults_of_sentences(claims, quoted), *faults_of_quotations(claims, quoted)]


def faults_of_sentences(claims: list[dict], quoted: list[Quotation]) -> list[str]:
    """The sentences that nothing holds, and names in `held` that lead nowhere."""
    known = {*labels(), *works(), *KINDS, *(claim["id"] for claim in claims)}
    found = []
    for claim in claims:
        for part in parts(claim):
            if unknown := [name for name in part.held if name not in known or name == claim["id"]]:
                found.append(
                    f"{claim['id']}: {part.says!r} is held by {unknown}; expected the label of a statement, "
                    f"another claim, a work, or one of {', '.join(KINDS)}"
                )
            if not part.held and not tests_of(part, claim, quoted):
                found.append(
                    f"{claim['id']}: nothing holds {part.says!r}; quote its words above the assertion that "
                    'states them, in a comment `# The ledger: "..."`, or say in `held` what holds it'
                )
    return found


def faults_of_quotations(claims: list[dict], quoted: list[Quotation]) -> list[str]:
    """The comments whose words are in no sentence, or in several, and those above no assertion."""
    texts = {number_of(claim): [part.says for part in parts(claim)] for claim in claims}
    found = []
    for test, words, asserted in quoted:
        count = sum(words in text for text in texts.get(claim_of(test), []))
        if count != 1:
            found.append(f"{test or 'no test'} quotes {words!r}, which {count} sentences of its claim say")
        if not asserted:
            found.append(f"{test or 'no test'} quotes {words!r} above no assertion")
    return found


def holders(claim: dict, quoted: Iterable[Quotation]) -> list[tuple[str, ...]]:
    """What holds each part of a correction: the names in `held`, then the tests that quote it."""
    quoted = list(quoted)
    return [(*part.held, *tests_of(part, claim, quoted)) for part in parts(claim)]


def reference_to(holder: str) -> str:
    """The MyST role that leads to what holds a sentence: a claim, a work, or a statement of a chapter."""
    if ID.fullmatch(holder):
        return f"{{ref}}`{holder} <{anchor({'id': holder})}>`"
    return f"{{cite:t}}`{holder}`" if holder in works() else reference(holder)
