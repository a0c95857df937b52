"""An edition as one HTML document to be printed: title page, contents, articles, solutions at the end.

The text's fonts stand in the document, one a weight: Chromium writes a variable font into a PDF as drawings
of its letters (Type 3), which readers draw badly, and does not wait for fonts that the site calls optional.
"""

import base64
import io
from html import escape
from pathlib import Path

import yaml
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from scripts.editions import site
from scripts.editions.articles import SOLUTIONS, article_of, last_chapter, leave_out, link_up, on_page
from scripts.editions.site import ROOT, TITLE, anchor, contents_of_site, fragment, home, parsed

FAMILY = "Serif in Print"
WEIGHTS = (200, 400, 600, 700)


def fonts_in_print():
    """The rules of style that bring the fonts and set the text in them."""
    upright = [rule("normal", weight, at_weight(weight)) for weight in WEIGHTS]
    italic = rule("italic", 400, font_file("serif-italic").read_bytes())
    return "\n".join([*upright, italic, f':root {{ --serif: "{FAMILY}", serif; }}'])


def font_file(name):
    return site.SITE / "_static" / "fonts" / f"{name}.woff2"


def at_weight(weight):
    """The variable font of the text as a font of one weight."""
    font = TTFont(font_file("serif"), recalcTimestamp=False)
    instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
    content = io.BytesIO()
    font.flavor = None
    font.save(content)
    return content.getvalue()


def rule(style, weight, content):
    address = f"data:font;base64,{base64.b64encode(content).decode()}"
    return (
        f'@font-face {{ font-family: "{FAMILY}"; font-style: {style}; font-weight: {weight}; '
        f"src: url({address}); font-display: block; }}"
    )


def citation():
    """How the book is cited: authors, version, date."""
    return yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))


def authors():
    return ", ".join(author["name"] for author in citation()["authors"])


def title_page(edition):
    """Title, edition, authors and version; the book's address, and what one may do with it."""
    cited, landing = citation(), parsed("index.html")
    page = fragment(
        f'<section class="title-page"><p class="title">{TITLE}</p>'
        f"<p>{landing.find('meta', attrs={'name': 'description'})['content']}</p>"
        f'<p class="edition">{edition.name}</p><p>{edition.about}</p>'
        f"<p>{authors()}</p>"
        f"<p>Version {cited['version']}, {cited['date-released']}</p></section>"
    )
    page.append(
        fragment(
            f'<p class="address">It moves, and opens as notebooks, at <a href="{home()}">{home()}</a></p>'
        )
    )
    page.append(fragment(f"<p>{edition.elsewhere}</p>"))
    page.append(landing.select_one(".colophon p"))
    return page


def contents(articles):
    """The contents of the printed book: the site's, with the chapters' sections and the numbers of pages."""
    lines = contents_of_site()
    lines["class"], lines["aria-label"] = "contents-of-book", "Contents"
    for line in lines.select("li"):
        if line.a["href"] in articles:
            write_line(line, articles[line.a["href"]])
        else:
            line.decompose()
    for caption in lines.select(".caption"):
        if not caption.find_next_sibling("ul").li:
            caption.decompose()
    lines.insert(0, fragment("<h1>Contents</h1>"))
    lines.append(fragment(f"<ul><li>{link_to(SOLUTIONS, 'Solutions')}</li></ul>"))
    return lines


def write_line(line, article):
    """A page's line in the contents; below that of a chapter stand its sections."""
    page, title = line.a["href"], line.a.get_text()
    line.a.replace_with(fragment(link_to(anchor(page), title)))
    sections = article.select("section > section > h2") if page.startswith("chapters/") else []
    if sections:
        listed = (f"<li>{link_to(heading.parent['id'], heading.get_text())}</li>" for heading in sections)
        line.append(fragment(f'<ul class="sections">{"".join(listed)}</ul>'))


def link_to(name, title):
    """A line of the contents: a title, and the page on which the element of that id stands."""
    return f'<a href="#{name}"><span>{escape(title)}</span>{on_page(name)}</a>'


STYLE = Path(__file__).with_name("whole_book.css")


def one_document(edition, pages):
    """Pages of the site as an edition, as one tree with the site's stylesheet."""
    articles = {page: article_of(page) for page in pages}
    if not edition.is_whole:
        for page, article in articles.items():
            leave_out(article, page)
    link_up(articles)
    last = last_chapter(articles.values())
    book = empty_page(edition)
    parts = [*articles.values(), last]
    book.find("main").extend([title_page(edition), contents(articles), *parts])
    style = book.new_tag("style")
    style.string = "\n".join([fonts_in_print(), STYLE.read_text("utf8"), running_heads(parts)])
    book.head.append(style)
    return book


def empty_page(edition):
    """The site's landing page under the edition's title, without scripts and with nothing to read."""
    book = parsed("index.html")
    for gone in book.select("script, meta[http-equiv], header, footer, nav"):
        gone.decompose()
    book.title.string = edition.title
    book.find("main").clear()
    return book


def running_heads(articles):
    """A style for each article, so that its pages bear its title."""
    rules = (
        f"article:nth-of-type({number}) {{ page: part-{number} }} @page part-{number} {{ @top-right {{ "
        f'content: "{article.h1.get_text().strip()}"; font: 8.5pt sans-serif; color: #5f5b55 }} }}'
        for number, article in enumerate(articles, 1)
    )
    return "\n".join(rules)
