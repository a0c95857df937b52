"""Markdown that any notebook program shows, for the directives of this book that none of them knows.

A signpost becomes a sentence, the words of a statement another, the head of an excursion its line; what
results declare to use is left out. Excursions stand last, their headings collapsed, their cells tagged.
"""

import re

import nbformat
from docutils import nodes

from extensions.pages.excursions import LABEL, NAME, place_of
from extensions.pages.quoted_sources import for_notebook

HEADING = re.compile(r"^(?:\([\w-]+\)=\n)*## ", re.MULTILINE)
HEAD = re.compile(
    r"^((?:\([\w-]+\)=\n)*)## (.+)\n+```\{excursion\} *([A-Z])\n(?::uses: *(.*)\n)?```\n*", re.MULTILINE
)
SIGNPOST = re.compile(r"^```\{signpost\} *(\S+)\n((?:.*\n)*?)```$", re.MULTILINE)
USES = re.compile(r"^% uses:.*\n", re.MULTILINE)
WORDS = re.compile(r"^:words: *(.+)\n((?::[\w-]+:.*\n)*)", re.MULTILINE)
TAG, COLLAPSED = "excursion", "jp-MarkdownHeadingCollapsed"


def for_programs(env, pagename, cells):
    """The cells of a page's notebook: the spine, then the excursions, in Markdown that programs know."""
    parts = list(sections(cells))
    aside = [part for part in parts if is_excursion(part)]
    for part in [part for part in parts if not is_excursion(part)]:
        yield from plain_cells(env, pagename, part)
    for heading, *below in aside:
        yield from excursion_cells(env, pagename, heading, below)


def sections(cells):
    """The cells in groups that begin with a heading of the second level; before the first, what is there."""
    part = []
    for cell in cells:
        for start, source in pieces(cell):
            if start and part:
                yield part
                part = []
            part.append(cell if source == cell.source else markdown_cell(source, cell.metadata))
    if part:
        yield part


def pieces(cell):
    """The source of a cell cut before its headings, each piece with whether it begins with one."""
    if cell.cell_type != "markdown":
        return [(False, cell.source)]
    starts = [found.start() for found in HEADING.finditer(cell.source)]
    ends = [*starts, len(cell.source)]
    before = [(False, cell.source[: ends[0]])] if cell.source[: ends[0]].strip() else []
    return before + [(True, cell.source[start:end]) for start, end in zip(starts, ends[1:], strict=True)]


def markdown_cell(source, metadata=None):
    return nbformat.v4.new_markdown_cell(source.rstrip("\n"), metadata=dict(metadata or {}))


def is_excursion(part):
    return part[0].cell_type == "markdown" and HEAD.match(part[0].source) is not None


def plain_cells(env, pagename, cells):
    """The cells with their Markdown made plain."""
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = plain(env, pagename, cell.source)
        yield cell


def excursion_cells(env, pagename, first, below):
    """The cells of an excursion: its heading alone, which is collapsed, and all that it then hides."""
    head = HEAD.match(first.source)
    labels, title, letter, uses = head.groups()
    name = f"{number_of(pagename)}.{letter}"
    told = needs(env, pagename, name, re.findall(LABEL, uses or ""))
    line = f"*Excursion {name}. {told} Nothing in the spine uses it.*"
    heading = markdown_cell(f"{labels}## {name} {title}\n\n{line}", {COLLAPSED: True})
    rest = first.source[head.end() :]
    hidden = [markdown_cell(rest)] if rest.strip() else []
    for cell in [heading, *plain_cells(env, pagename, [*hidden, *below])]:
        cell.metadata["tags"] = [*cell.metadata.get("tags", []), TAG]
        yield cell


def number_of(pagename):
    """The number of a chapter by the name of its page, `chapters/06_attention_svm`."""
    return int(pagename.rpartition("/")[2].partition("_")[0])


def plain(env, pagename, source):
    """Markdown with sentences in place of what only this book's site knows."""
    source = WORDS.sub(in_italics, USES.sub("", for_notebook(source)))
    return SIGNPOST.sub(lambda found: signpost(env, pagename, *found.groups()), source)


def in_italics(found):
    """The words of a statement below its options."""
    words, options = found.groups()
    mark = "_" if "*" in words else "*"
    return f"{options}\n{mark}{words}{mark}\n"


def signpost(env, pagename, target, content):
    """`**6.D** What rounding does. 10 min, uses Theorem 6.1.`"""
    times = env.metadata[pagename]["times"]
    name, title = NAME.match(times["sections"][nodes.make_id(target)][0]).groups()
    said = " ".join(content.split()) or title
    end = "" if said.rstrip("$*").endswith((".", "?")) else "."
    return f"**{name}** {said}{end} {needs(env, pagename, name, times['uses'][name])}"


def needs(env, pagename, name, uses):
    """`10 min, uses Theorem 6.1 and Excursion 6.A.`"""
    time = env.metadata[pagename]["times"]["excursions"][name]
    *most, last = [place_of(env, label)[2] for label in uses] or [""]
    named = f"{', '.join(most)} and {last}" if most else last
    return f"{time} min, uses {named}." if named else f"{time} min."
