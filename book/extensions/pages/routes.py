"""Routes through the book: sittings with their sections as links, and how long they take.

A line of the directive `{route}` is a sitting. Before a colon stands what the reader is told of it, behind it
stand chapters and sections by the numbers of their pages and their places. What the depth "Chapter" has open
is counted.

    ```{route}
    The machine: 01#opening 01#the-primal 01#the-dual
    Attention: 04
    ```
"""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import clean_astext

from extensions.pages.chapter_times import OPENING, times_of_chapters
from extensions.pages.depths import CHAPTER
from extensions.pages.reading_time import short
from extensions.pages.tree import WORDS, Later, link_to, note_page


class Route(SphinxDirective):
    """`{route}`: a sitting a line."""

    has_content = True

    def run(self):
        note_page(self.env)
        sittings = []
        for line in filter(str.strip, self.content):
            words, _, places = line.rpartition(":")
            sittings.append((words.strip(), places.split()))
        place = Later(write=write, at=WORDS, sittings=sittings)
        self.set_source_info(place)
        return [place]


def write(transform, place):
    """A route as a list, with the minutes of each sitting, and of all below it."""
    items, together = [], 0
    for words, names in place["sittings"]:
        links, time = [], 0
        for name in names:
            page, title, minutes = found(transform.env, place, name)
            links += [nodes.Text(", " if links else " "), link(transform, name, page, title)]
            time += minutes
        start = [nodes.strong("", f"{words}:")] if words else []
        line = nodes.paragraph("", "", *start, *links, nodes.Text(f" ({short(time)})"))
        items.append(nodes.list_item("", line))
        together += time
    total = nodes.paragraph("", f"Together {short(together)}.")
    return [nodes.enumerated_list("", *items, enumtype="arabic", classes=["route"]), total]


def link(transform, name, page, title):
    """A link to a place of a sitting: a chapter, what stands before its sections, or a section."""
    number, _, section = name.partition("#")
    if section == OPENING:
        return link_to(transform, page, "", f"{title} of chapter {int(number)}")
    return link_to(transform, page, section, title if section else f"Chapter {int(number)}, {title}")


def found(env, place, name):
    """The page of a place, its title, its minutes."""
    number, _, section = name.partition("#")
    for page, times in times_of_chapters(env).items():
        if page.startswith(f"chapters/{number}_"):
            if not section:
                return page, clean_astext(env.titles[page]), times[CHAPTER]
            if section in times["sections"]:
                title, minutes = times["sections"][section]
                return page, title, minutes[CHAPTER]
    raise ExtensionError(f"{place.source}:{place.line}: route: there is no place {name!r}")


def setup(app):
    app.add_directive("route", Route)
