"""An edition as one HTML document to be printed: title page, contents, articles, solutions at the end."""

from pathlib import Path

from scripts.editions.articles import article_of
from scripts.editions.fonts import fonts_in_print
from scripts.editions.front_matter import contents, title_page
from scripts.editions.left_out import leave_out
from scripts.editions.links import link_up
from scripts.editions.site import parsed
from scripts.editions.solutions import last_chapter

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
