"""The links of a printed book: to a place in it where there is one, to the published site otherwise."""

import posixpath
from urllib.parse import urldefrag, urljoin

from scripts.editions.site import anchor, home


def link_up(articles):
    """Sets the links of all articles, given by page; one to a part that the book does not have says so."""
    places = {element["id"] for article in articles.values() for element in article.select("[id]")}
    places |= {article["id"] for article in articles.values()}
    for page, article in articles.items():
        for link in article.select("a[href]:not(.elsewhere)"):
            set_link(link, page, articles.keys(), places)


def set_link(link, page, pages, places):
    target, place = urldefrag(link["href"])
    there = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
    if there in pages and anchor(there, place) in places:
        link["href"] = f"#{anchor(there, place)}"
        return
    published = urljoin(home(), page)
    if not urldefrag(urljoin(published, link["href"])).url.startswith(urljoin(home(), ".")):
        return
    link["href"] = urljoin(published, link["href"])
    link["class"] = [*link.get("class", ()), "elsewhere"]
