"""The contents of the EPUB as a tree, as its page nav.xhtml and as the list toc.ncx of older readers."""

from dataclasses import dataclass, field
from html import escape

from scripts.editions.site import contents_of_site


@dataclass
class Entry:
    """A line of the contents: its words, where it leads (nowhere for a heading), what stands below it."""

    title: str
    href: str = ""
    below: list["Entry"] = field(default_factory=list)

    @property
    def target(self):
        """Where the line leads; a heading leads to the first line below it."""
        return self.href or self.below[0].target


def entries(parts, solutions):
    """The contents: chapters with the spine's sections, then the excursions; other pages; solutions."""
    lines, captions, below = [], captions_of_pages(), []
    for part in parts:
        line = entry_of(part)
        if part.page in captions:
            level(lines, part.page, captions[part.page]).append(line)
            below = line.below
        else:  # the site's contents have it below the page before it
            below.append(line)
    if solutions:
        lines.append(Entry("Solutions", below=[entry_of(part) for part in solutions]))
    return lines


def level(lines, page, caption):
    """The lines among which a page stands; chapters stand in no group, which readers show shut."""
    if not caption or page.startswith("chapters/"):
        return lines
    if lines[-1].title != caption:
        lines.append(Entry(caption))
    return lines[-1].below


def captions_of_pages():
    """By page the caption under which the site's contents have it."""
    captions, caption = {"index.html": ""}, ""
    for block in contents_of_site().find_all(["p", "ul"], recursive=False):
        if block.name == "p":
            caption = block.get_text()
        else:
            captions |= {link["href"]: caption for link in block.select("a")}
    return captions


def entry_of(part):
    """A part's line; below it its sections, then its excursions under a heading of their own."""
    spine = [Entry(document.title, document.name) for document in part.others if not document.is_excursion]
    aside = [Entry(document.title, document.name) for document in part.others if document.is_excursion]
    excursions = [Entry("Excursions", below=aside)] if aside else []
    return Entry(part.first.title, part.first.name, spine + excursions)


def as_list(lines):
    """The nested list of nav.xhtml."""
    return f"<ol>{''.join(map(as_item, lines))}</ol>"


def as_item(line):
    title = escape(line.title)
    shown = f'<a href="{line.href}">{title}</a>' if line.href else f"<span>{title}</span>"
    return f"<li>{shown}{as_list(line.below) if line.below else ''}</li>"


def navigation(lines):
    """The body of nav.xhtml: the contents, and the places that readers have buttons for."""
    return (
        f'<nav epub:type="toc" id="toc" role="doc-toc"><h1>Contents</h1>{as_list(lines)}</nav>'
        '<nav epub:type="landmarks" hidden=""><h2>Places</h2><ol>'
        '<li><a epub:type="cover" href="cover.xhtml">Cover</a></li>'
        '<li><a epub:type="toc" href="nav.xhtml">Contents</a></li>'
        f'<li><a epub:type="bodymatter" href="{lines[0].target}">Text</a></li></ol></nav>'
    )


def depth(lines):
    """How many levels the contents have."""
    return 1 + max((depth(line.below) for line in lines if line.below), default=0)


def points(lines):
    """The nested points of toc.ncx, without the numbers of their order, which EPUB 3 does not ask for."""
    return "".join(
        f'<navPoint id="point-{id_of(line)}"><navLabel><text>{escape(line.title)}</text></navLabel>'
        f'<content src="{line.target}"/>{points(line.below)}</navPoint>'
        for line in lines
    )


def id_of(line):
    """A name for a line: that of its document, or its own if it is a heading."""
    return line.href.removesuffix(".xhtml") or f"above-{line.target.removesuffix('.xhtml')}"


def older_contents(lines, title, identifier):
    """toc.ncx as a whole."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="en"><head>'
        f'<meta name="dtb:uid" content="{identifier}"/><meta name="dtb:depth" content="{depth(lines)}"/>'
        '<meta name="dtb:totalPageCount" content="0"/><meta name="dtb:maxPageNumber" content="0"/></head>'
        f"<docTitle><text>{escape(title)}</text></docTitle><navMap>{points(lines)}</navMap></ncx>\n"
    )
