"""The site's pages as documents of the EPUB, long ones cut at their sections; their links and contents."""

from dataclasses import dataclass, field
from html import escape
from urllib.parse import urldefrag, urljoin

from bs4 import Tag

from scripts.editions.articles import SOLUTIONS, article_of, link_up, take_solutions
from scripts.editions.epub_markup import for_readers, still_figures
from scripts.editions.site import contents_of_site, home, pages_in_order, parsed

LONG = 100_000  # characters of a page that is cut: a reader lays out a whole document before it shows a part


@dataclass
class Document:
    """One XHTML file of the EPUB."""

    name: str
    title: str
    body: Tag
    is_excursion: bool = False


@dataclass
class Part:
    """A page of the site, or the solutions of a chapter: its documents."""

    page: str
    documents: list[Document]


def pages_of_book():
    """All pages in reading order, those too that the contents show only on the page above them."""
    pages = []
    for page in pages_in_order():
        below = parsed(page).select('nav[aria-label="Book"] li.current li > a')
        links = [urldefrag(urljoin(page, link["href"])).url for link in below]
        pages += [page, *(link for link in links if link != page)]
    return list(dict.fromkeys(pages))


def title_of(element):
    """The heading of an element, in words."""
    return element.find(["h1", "h2"])["aria-label"]


def cut(article):
    """The sections of a page that are documents of their own: the spine, then the excursions."""
    if len(str(article)) < LONG:
        return []
    sections = [part.extract() for part in article.section.find_all("section", recursive=False)]
    return sorted(sections, key=is_excursion)


def is_excursion(section):
    return "excursion" in section.get("class", [])


def part_of(page, article):
    """The documents of one page."""
    title, name = title_of(article), article["id"].rstrip("-")
    others = [
        Document(f"{name}-{number:02}.xhtml", title_of(section), section, is_excursion(section))
        for number, section in enumerate(cut(article), 1)
    ]
    return Part(page, [Document(f"{name}.xhtml", title, article), *others])


def solutions_of(page, article):
    """The document of a page's solutions, if it has any."""
    section = take_solutions(article)
    if section is None:
        return None
    heading = section.h2
    section["id"], title = f"{SOLUTIONS}-{article['id']}", title_of(article)
    heading.name, heading.string = "h1", f"Solutions: {title}"
    for question in section.select("h3"):
        question.name = "h2"
    for link in article.select(".answer-there a"):
        link.string = "Solution"
    return Part(page, [Document(f"{section['id'].rstrip('-')}.xhtml", title, section)])


def book_of(pages):
    """The parts that pages make, and after them the parts of their solutions."""
    parts, solutions, articles = [], [], {page: article_of(page) for page in pages}
    link_up(articles)
    for page, article in articles.items():
        answers = solutions_of(page, article)
        parts.append(part_of(page, article))
        for part in filter(None, [parts[-1], answers]):
            for document in part.documents:
                still_figures(document.body, page, urljoin(home(), page))
                for_readers(document.body)
        solutions += [answers] if answers else []
    lead_links([document for part in parts + solutions for document in part.documents])
    return parts, solutions


def lead_links(documents):
    """Links inside the book get the names of documents, and folds open to whose inside one leads."""
    elements = {
        element["id"]: (document, element)
        for document in documents
        for element in [document.body, *document.body.select("[id]")]
    }
    for document in documents:
        for link in document.body.select('a[href^="#"]'):
            target = link["href"][1:]
            if target not in elements:
                raise LookupError(
                    f"{document.name} has a link to #{target}, which no document of the EPUB holds: "
                    "expected the id of an element that scripts/editions keeps; see `for_readers`"
                )
            link["href"] = lead_to(*elements[target], document)


def lead_to(document, element, start):
    """The address of an element in a document, from a document on."""
    for fold in element.find_parents("details"):
        fold["open"] = ""
    if element is document.body and document is not start:
        return document.name
    return f"{'' if document is start else document.name}#{element['id']}"


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
    first, *others = part.documents
    spine = [Entry(document.title, document.name) for document in others if not document.is_excursion]
    aside = [Entry(document.title, document.name) for document in others if document.is_excursion]
    excursions = [Entry("Excursions", below=aside)] if aside else []
    return Entry(first.title, first.name, spine + excursions)


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
