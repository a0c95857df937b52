"""What ran for this site: pages by title, with their cells, claims and times; versions.

Neither times nor dates of runs: two builds of one commit give the same page.
"""

import platform
import re
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util.docutils import SphinxDirective

from extensions.pages.depths import CHAPTER, chapter_number, is_chapter
from extensions.pages.tree import TEXT, Later, link_to, note_page
from margins_book.ledger import chapter_of, read_ledger

PACKAGES = ("numpy", "scipy", "scikit-learn", "cvxpy", "matplotlib")
HEADINGS = (
    "Page",
    "Code cells",
    "Claims tested",
    "Words of the spine",
    "Minutes of the spine",
    "Minutes of excursions",
)
CELL = re.compile(r"^(?:`{3,}|:{3,})\{code-cell\}", re.MULTILINE)


class RunStatusTable(SphinxDirective):
    """`{run-status}`: the table, made when all pages have been read."""

    def run(self):
        note_page(self.env)
        return [Later(write=write, at=TEXT)]


def write(transform, place):
    """The table, and behind it the versions that the pages ran with, as this build did."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    python, system = platform.python_version(), platform.system()
    ran = f"They ran with Python {python}, {packages}, on {system}, one thread each."
    return [table(transform), nodes.paragraph("", ran)]


def executed(env):
    """The names of the pages with code, in the order of the book."""
    noted = NbMetadataCollector.get_doc_data(env)
    order = [env.config.root_doc, *env.toctree_includes.get(env.config.root_doc, [])]
    return [name for name in order if noted.get(name, {}).get("exec_data")]


def table(transform):
    """A row for each page with code, and one for their sums."""
    names = executed(transform.env)
    counts = [figures(transform.env, name) for name in names]
    titles = {name: transform.env.titles[name].astext() for name in names}
    titles[transform.env.config.root_doc] = "The landing page"  # its title is that of the book
    links = [link_to(transform, name, "", titles[name]) for name in names]
    rows = [[link, *written(*numbers)] for link, numbers in zip(links, counts, strict=True)]
    rows.append([nodes.Text("All pages"), *written(*map(sum, zip(*counts, strict=True)))])
    return filled(rows)


def figures(env, name):
    """The numbers behind a page's title: of cells and claims, of the words and minutes of both tracks."""
    cells = len(CELL.findall(Path(env.doc2path(name)).read_text("utf8")))
    tested = Counter(chapter_of(claim) for claim in read_ledger().claims if claim["tests"])
    return cells, tested[chapter_number(name)] if is_chapter(name) else 0, *tracks(env, name)


def tracks(env, name):
    """The words of a chapter's spine, the minutes of it at the depth "Chapter", those of all excursions."""
    told = env.metadata[name]
    if "times" not in told:
        return 0, 0, 0
    return told.get("spine_words", 0), told["times"][CHAPTER], sum(told["times"]["excursions"].values())


def written(count, *others):
    """The columns behind a page's title; where there is nothing to count, they are empty."""
    return [nodes.Text(str(count)), *(nodes.Text(f"{number:,}" if number else "") for number in others)]


def filled(rows):
    """A table of these rows under the headings."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in HEADINGS), cols=len(HEADINGS))
    group += nodes.thead("", row([nodes.Text(heading) for heading in HEADINGS]))
    group += nodes.tbody("", *map(row, rows))
    return nodes.table("", group, classes=["colwidths-auto", "run-status"])


def row(contents):
    """A title, and numbers that stand below each other."""
    title, *numbers = (nodes.paragraph("", "", content) for content in contents)
    return nodes.row(
        "", nodes.entry("", title), *(nodes.entry("", n, classes=["text-right"]) for n in numbers)
    )


def setup(app):
    app.add_directive("run-status", RunStatusTable)
