"""Figures that do not fit on a page: in print the text goes on before them, as far as it fills the page."""

import re

from pypdf import PdfReader

AT_TOP = 800  # points above the foot: Chromium names the paper's edge as the place of what begins a page
APART = 20  # points: the page's number stands so far below its text
EMPTY = 0.2  # of a page's height, at its foot
ENDED = re.compile(r"[.?!)]\s*$")


def let_text_go_on(book, target):
    """Puts the paragraph behind each figure before it that left its page's foot empty; says whether it did.

    `book` is the document and `target` its print; the next print may show room for another paragraph.
    """
    reader = PdfReader(target)
    figures = {figure["id"]: figure for figure in book.find_all("figure", id=True)}
    moved = False
    for name, place in reader.named_destinations.items():
        figure, number = figures.get(name.removeprefix("/")), reader.get_destination_page_number(place)
        if figure is None or place.top < AT_TOP or number < 1 or empty_foot(reader.pages[number - 1]) < EMPTY:
            continue
        moved |= move_before(figure)
    return moved


def empty_foot(page):
    """The share of a page that is empty between its last line and its number."""
    heights = []

    def note(text, matrix, position, *_):
        if text.strip():
            heights.append(position[5] * matrix[3] + matrix[5])

    page.extract_text(visitor_text=note)
    number = min(heights, default=0)
    lines = [height for height in heights if height > number + APART]
    return (min(lines, default=float(page.mediabox.height)) - number) / float(page.mediabox.height)


def move_before(figure):
    """Puts the paragraph behind a figure before it, if one ends there; says whether it did."""
    block = figure.find_parent(class_="cell") or figure
    behind = (one for one in block.find_next_siblings() if "figure-code" not in one.get("class", ()))
    follows = next(behind, None)
    if follows is None or follows.name != "p" or not ENDED.search(follows.get_text()):
        return False
    block.insert_before(follows.extract())
    return True
