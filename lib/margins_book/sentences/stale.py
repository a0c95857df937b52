"""Quotations and reasons that hold no sentence any more: the page has changed, or nothing is asserted.

(book: How to read and run this book, Reading)
"""

import functools
import re

from margins_book.chapters import ROOT, chapters
from margins_book.sentences.figure_words import Quotation
from margins_book.sentences.holds import Page, Stated

REASON = re.compile(
    r"(?:definition|opinion|arithmetic|proved in (?P<label>[\w-]+)|tested in (?P<test>[\w/.]+))(?:[:;,] |$)"
)
EXPECTED = "'definition', 'opinion', 'arithmetic', 'proved in LABEL' or 'tested in FILE', then ': ...'"


def stale_comments(page: Page) -> list[str]:
    """Comments `# The text: "..."` that quote no sentence of the page, or above no assertion."""
    told = stale_quotations(page, page.cells.comments)
    return told + [
        f"line {one.line}: no assertion follows on {one.words!r}; write one below the comment, in its cell"
        for one in page.cells.comments
        if not one.is_asserted
    ]


def stale_words(page: Page) -> list[str]:
    """Words of `explore(holds={words: ...})` that the page does not say."""
    return stale_quotations(page, page.cells.conditions)


def stale_quotations(page: Page, quotations: list[Quotation]) -> list[str]:
    return [
        f"line {one.line}: {problem}" for one in quotations if (problem := not_quoted(one.words, page.stated))
    ]


def stale_entries(page: Page) -> list[str]:
    """Entries of the list of reasons whose words no sentence has, or whose reason is none."""
    problems = []
    for entry in page.reasons:
        if set(entry) != {"words", "reason"}:
            problems.append(f"expected an entry with words and reason, but {entry} came")
        else:
            problems += filter(None, [not_quoted(entry["words"], page.stated), not_a_reason(**entry)])
    return problems


def not_a_reason(words: str, reason: str) -> str:
    """Why `reason` is not one that a list may give; empty if it is."""
    match = REASON.match(reason)
    if not match:
        return f"the reason {reason!r} of {words!r}: expected {EXPECTED}"
    if (label := match["label"]) and not any(f":label: {label}\n" in text for text in pages()):
        return f"the reason {reason!r} of {words!r}: no chapter has the label {label!r}"
    if (test := match["test"]) and not (ROOT / test).is_file():
        return f"the reason {reason!r} of {words!r}: there is no file {test}"
    return ""


@functools.cache
def pages() -> tuple[str, ...]:
    return tuple(chapter.page.read_text("utf8") for chapter in chapters())


def not_quoted(words: str, stated: list[Stated]) -> str:
    """Why `words` do not name a sentence of the page; empty if they do."""
    found = {one.sentence.words for one in stated if words in one.sentence.words}
    if not found:
        return f"no sentence of the page has the words {words!r}; quote it as it stands, formulas too"
    if len(found) > 1:
        return f"{len(found)} sentences of the page have the words {words!r}; quote more of the one you mean"
    return ""
