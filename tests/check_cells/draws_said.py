"""What a page must say of draws: its record is of the page as it is, and a share below all is in its words.

A check that holds in fewer than all draws says `holds in 17 of 20 draws`: in a comment of its cell, or in
the text right before or after it.
"""

import re
from collections.abc import Iterator

from margins_book.chapters import Chapter
from margins_book.draws import CHECK, DRAWS, Row, read_rows
from margins_book.page.chapter import Cell
from margins_course.assignments.check_cells import digests, named_cells

SAID = re.compile(r"\bholds in \d+ of \d+ draws\b")


def faults(chapter: Chapter) -> Iterator[str]:
    """What is wrong with a chapter's record of draws, or with what its page says of it."""
    rows = {row.name: row for row in read_rows(chapter) if row.kind == CHECK}
    verb = f"run `make draws CHAPTER={chapter.number:02}`"
    codes = digests(chapter)
    for name in codes.keys() ^ rows.keys():
        yield f"{name}: {'not recorded' if name in codes else 'recorded, but no check of the page'}; {verb}"
    said = shares(chapter)
    for name in codes.keys() & rows.keys():
        yield from _faults_of(rows[name], codes[name], said[name], verb)
    known = {row.words for row in rows.values()}
    for words in set().union(*said.values()) - known:
        yield f"the page says {words!r}, but the record says this of no check; {verb} and say what it says"


def _faults_of(row: Row, code: str, said: set[str], verb: str) -> Iterator[str]:
    if row.digest != code:
        yield f"{row.name}: its code, or what it needs, has changed since its draws were recorded; {verb}"
    elif row.draws not in (0, DRAWS):
        yield f"{row.name}: {row.draws} draws are recorded, expected {DRAWS}; {verb}"
    elif row.not_reached:
        yield (
            f"{row.name}: {row.not_reached} draws do not reach it, because something before it fails; choose "
            "data for which the cells before it run with all seeds"
        )
    elif row.held < row.draws and row.words not in said:
        yield (
            f"{row.name} {row.words} (draw {row.denied_in} denies {row.denied_by}): assert what all draws "
            f"show, or say `{row.words}` in its cell or beside it"
        )


def shares(chapter: Chapter) -> dict[str, set[str]]:
    """By check, the shares that its cell says, or the text right before or after it."""
    cells = list(named_cells(chapter))
    found = {}
    for place, (_, name) in enumerate(cells):
        near = [cell for cell, _ in cells[max(place - 1, 0) : place + 2]]
        if name:
            found[name] = {words for cell in near if _is_near(cell, cells[place][0]) for words in _said(cell)}
    return found


def _is_near(cell: Cell, check: Cell) -> bool:
    return cell is check or cell.kind == "text"


def _said(cell: Cell) -> list[str]:
    return SAID.findall(" ".join(cell.source.split()))
