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
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import clean_astext

from extensions.pages.chapter_times import OPENING, times_of_chapters
from extensions.pages.depths import CHAPTER
from extensions.pages.reading_time import short
from extensions.pages.tree import link_to, note_page


class RoutePlace(nodes.General, nodes.Element):
    """The place of a route; `sittings` are pairs of words and places."""


class Route(SphinxDirective):
    """`{route}`: a sitting a line."""

    has_content = True

    def run(self):
        note_page(self.env)
        sittings = []
        for line in filter(str.strip, self.content):
            words, _, places = line.rpartition(":")
            sittings.append((words.strip(), places.split()))
        place = RoutePlace(sittings=sittings)
        self.set_source_info(place)
        return [place]


class WriteRoutes(SphinxPostTransform):
    """Writes each route as a list, with the minutes of each sitting, and of all below it."""

    default_priority = 967

    def run(self):
        for place in list(self.document.findall(RoutePlace)):
            times = [sum(self.found(place, name)[2] for name in names) for _, names in place["sittings"]]
            items = [
                self.item(place, *sitting, time)
                for sitting, time in zip(place["sittings"], times, strict=True)
            ]
            total = nodes.paragraph("", f"Together {short(sum(times))}.")
            place.replace_self(
                [nodes.enumerated_list("", *items, enumtype="arabic", classes=["route"]), total]
            )

    def item(self, place, words, names, time):
        """One sitting: what it is about, its places as links, its minutes."""
        links = []
        for name in names:
            links += [nodes.Text(", " if links else " "), self.link(place, name)]
        start = [nodes.strong("", f"{words}:")] if words else []
        return nodes.list_item("", nodes.paragraph("", "", *start, *links, nodes.Text(f" ({short(time)})")))

    def link(self, place, name):
        page, title, _ = self.found(place, name)
        _, _, section = name.partition("#")
        number = "" if section else f"Chapter {int(name)}, "
        if section == OPENING:
            return link_to(self, page, "", f"{title} of chapter {int(name[:2])}")
        return link_to(self, page, section, f"{number}{title}")

    def found(self, place, name):
        """The page of a place, its title, its minutes."""
        number, _, section = name.partition("#")
        for page, times in times_of_chapters(self.env).items():
            if page.startswith(f"chapters/{number}_"):
                if not section:
                    return page, clean_astext(self.env.titles[page]), times[CHAPTER]
                if section in times["sections"]:
                    title, minutes = times["sections"][section]
                    return page, title, minutes[CHAPTER]
        raise ExtensionError(f"{place.source}:{place.line}: route: there is no place {name!r}")


def setup(app):
    app.add_node(RoutePlace)
    app.add_directive("route", Route)
    app.add_post_transform(WriteRoutes)
