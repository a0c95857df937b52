"""The map of the chapters on the landing page: which chapter builds on which, and how long each takes.

A numbered list of class `outline` becomes the map. An item is a chapter; what it builds on is read from the
line *Before you start* of that chapter's card.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from extensions.pages.chapter_times import times_of_chapters
from extensions.pages.depths import chapter_number, is_chapter
from extensions.pages.reading_time import said
from extensions.pages.tree import tags

ASKED = re.compile(r"\*Before you start:\*(.*)")
NUMBERS = re.compile(r"\bchapters? (\d+)(?: to (\d+))?(?:,? and (\d+))?|\b(\d\d)_\w+")


class Outline(nodes.General, nodes.Element):
    """The map: its chapters in order, and the lines drawn between them."""


class Stop(nodes.General, nodes.Element):
    """A chapter on the map: its number, its cell, what it builds on, its minutes."""


def needed(text):
    """The numbers of the chapters that a chapter's card asks for; `text` is the source of the page."""
    asked, numbers = ASKED.search(text), set()
    for first, last, other, linked in NUMBERS.findall(asked[1] if asked else ""):
        numbers |= {int(number) for number in (other, linked) if number}
        numbers |= set(range(int(first), int(last or first) + 1)) if first else set()
    return numbers


def levels(needs):
    """By chapter, the length of the longest path of prerequisites that leads to it."""
    depth = {}
    for number in sorted(needs):
        depth[number] = 1 + max((depth[other] for other in needs[number]), default=-1)
    return depth


def lines(needs):
    """The pairs (needed, chapter) to be drawn, without those that follow from other pairs."""
    before = {}
    for number in sorted(needs):
        before[number] = set().union(needs[number], *(before[other] for other in needs[number]))
    return [
        (other, number)
        for number in sorted(needs)
        for other in sorted(needs[number])
        if not any(other in before[between] for between in needs[number])
    ]


def cells(needs):
    """By chapter its row and first column, each two columns wide; and the number of columns."""
    depth, drawn, place = levels(needs), lines(needs), {}
    rows = [[n for n in sorted(needs) if depth[n] == level] for level in range(max(depth.values()) + 1)]
    columns = 2 * max(map(len, rows))

    def above(number):
        columns_above = [place[other][1] for other, chapter in drawn if chapter == number]
        return sum(columns_above) / max(len(columns_above), 1), number

    for level, row in enumerate(rows):
        for rank, number in enumerate(sorted(row, key=above)):
            place[number] = level + 1, columns // 2 + 1 - len(row) + 2 * rank
    return place, columns


class DrawOutline(SphinxPostTransform):
    """Every numbered list of class `outline` as an Outline."""

    default_priority = 970

    def run(self):
        for chapters in list(self.document.findall(nodes.enumerated_list)):
            if "outline" in chapters["classes"]:
                chapters.replace_self(self.drawn(chapters))

    def drawn(self, chapters):
        names = filter(is_chapter, sorted(self.env.found_docs))
        pages = {chapter_number(name): Path(self.env.doc2path(name)) for name in names}
        if list(pages) != list(range(1, len(chapters.children) + 1)):
            got = f"{len(chapters.children)} items for the chapters {', '.join(map(str, pages))}"
            raise ExtensionError(f"{self.env.docname}: the outline has {got}; expected an item each")
        needs = {number: needed(path.read_text("utf8")) for number, path in pages.items()}
        told = {number: item.children for number, item in enumerate(chapters.children, 1)}
        place, columns = cells(needs)
        minutes = {chapter_number(name): t["everything"] for name, t in times_of_chapters(self.env).items()}
        stops = [
            Stop("", *told[n], number=n, needs=in_words(needs[n]), cell=place[n], time=said(minutes[n]))
            for n in sorted(needs)
        ]
        paths = "".join(f'<path d="{path(place[a], place[b])}"/>' for a, b in lines(needs))
        rows = max(row for row, _ in place.values())
        return Outline("", *stops, paths=paths, columns=columns, rows=rows)


OUTLINE = (
    '<div class="outline" style="--columns: {columns}"><svg viewBox="0 0 {columns} {rows}" '
    'preserveAspectRatio="none" aria-hidden="true">{paths}</svg>\n<ol role="list">\n',
    "</ol></div>\n",
)
STOP = (
    '<li style="grid-area: {cell[0]} / {cell[1]} / auto / span 2"><div><span class="number">{number}</span>',
    '<p class="needs">{needs}</p><p class="time">{time}</p></div></li>\n',
)


def path(start, end):
    """A line from the middle of one cell to that of another; past the rows between, beside their boxes."""
    (row, column), (below, right) = start, end
    top, bottom = row - 0.5, below - 0.5
    if below == row + 1:
        return f"M{column} {top:g}C{column} {row} {right} {row} {right} {bottom:g}"
    return f"M{column} {top:g}V{below - 1}Q{column} {bottom:g} {right} {bottom:g}"


def in_words(needs):
    """What a chapter builds on, in a sentence."""
    return f"Builds on {joined(sorted(needs))}." if needs else "Assumes no other chapter."


def joined(numbers):
    """`1`, `1 and 3`, `2, 3 and 5`, `1 to 4`."""
    *most, last = numbers
    if len(most) > 1 and last - most[0] == len(most):
        return f"{most[0]} to {last}"
    return f"{', '.join(map(str, most))} and {last}" if most else str(last)


def pages_out_of_date(app, env):
    """The landing page, in every build: it shows the prerequisites of all chapters.

    If no page were written, Sphinx would not go on to what stands beside pages, as pictures.
    """
    return [app.config.root_doc]


def setup(app):
    app.add_node(Outline, html=tags(*OUTLINE))
    app.add_node(Stop, html=tags(*STOP))
    app.add_post_transform(DrawOutline)
    app.connect("env-updated", pages_out_of_date)
