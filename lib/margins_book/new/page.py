"""A chapter's page as text: its sections, its labels, the names of its cells, and where to put a new part."""

import re
from collections.abc import Iterator

from margins_book.new.edits import Refusal
from margins_book.page.selection import bound_names

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"^:[\w-]+:.*\n", re.MULTILINE)
LABEL = re.compile(r"^:label: +(\S+)|^\(([\w-]+)\)=$", re.MULTILINE)
STATEMENT = re.compile(r"^:+\{prf:\w+\}.*\n:label: +(\S+)", re.MULTILINE)


def sections(text: str) -> Iterator[tuple[int, str]]:
    """Where each heading of level two begins, and its title; comments in code are no headings."""
    place, is_code = 0, False
    for line in text.splitlines(keepends=True):
        is_code ^= line.startswith("```")
        if line.startswith("## ") and not is_code:
            yield place, line[3:].strip()
        place += len(line)


def before(text: str, title: str, part: str) -> str:
    """The page with `part` before the section of that title."""
    found = {name: place for place, name in sections(text)}
    if title not in found:
        raise Refusal(f"the page has no section {title!r}; its sections are: {', '.join(found)}")
    return f"{text[: found[title]]}{part.strip()}\n\n{text[found[title] :]}"


def at_end_of(text: str, title: str, part: str) -> str:
    """The page with `part` at the end of the section of that title."""
    titles = [name for _, name in sections(text)]
    if title not in titles or title == titles[-1]:
        raise Refusal(f"the page has no section {title!r}; expected one of: {', '.join(titles[:-1])}")
    return before(text, titles[titles.index(title) + 1], part)


def labels(text: str) -> set[str]:
    """The labels of statements, exercises, equations and headings."""
    return {first or second for first, second in LABEL.findall(text)}


def title(text: str) -> str:
    """The title of the page."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if not found:
        raise Refusal("the page has no title; expected a line `# Title`")
    return found[1].strip()


def with_figures(text: str, topic: str) -> str:
    """The page with the import of its figures, on a line of its own behind that of its checks."""
    figures, checks = (f"from margins_book.{topic} import {name}" for name in ("figures", "checks"))
    lines = text.splitlines()
    if figures in lines:
        return text
    if checks not in lines:
        raise Refusal(f"the page does not import its figures; put the line `{figures}` into its first cell")
    return text.replace(f"\n{checks}\n", f"\n{checks}\n{figures}\n", 1)


def first_statement(text: str) -> str:
    """The label of the page's first definition, theorem or proposition."""
    found = STATEMENT.search(text)
    if not found:
        raise Refusal("the page has no statement with a label; give the label of its place by --section")
    return found[1]


def names(text: str) -> set[str]:
    """The names that the page's cells define or import."""
    cells = (OPTION.sub("", code) for code in CELL.findall(text))
    return set().union(*map(bound_names, cells))


def require_new(text: str, name: str) -> None:
    """A refusal if a cell of the page defines or imports `name` already."""
    if name in names(text):
        raise Refusal(f"a cell of the page defines or imports {name!r} already; choose another name")
