"""`make pdf`: the built site as one tagged PDF with bookmarks, printed by Chromium from a single page."""

import functools
import http.server
import posixpath
import shutil
import sys
import threading
from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "margins-of-attention.pdf"
WHOLE = "whole-book.html"  # lives in the site's root while it is printed
FOOTER = '<div style="font-size:8px;width:100%;text-align:center"><span class="pageNumber"></span></div>'


def parsed(page):
    return BeautifulSoup((SITE / page).read_text("utf8"), "html.parser")


def pages_in_order():
    """The site's pages as the book's contents list them, the landing page first."""
    links = parsed("index.html").select('nav[aria-label="Book"] a')
    return [
        "index.html",
        *dict.fromkeys(urldefrag(link["href"]).url for link in links if link["href"] != "#"),
    ]


def anchor(page, fragment=""):
    """The id, in the whole book, of a place on a page."""
    return f"{page.removesuffix('.html').replace('/', '-')}--{fragment}"


def chapter(page, pages):
    """A page's article: ids made unique, links between pages made links inside the book, scripts gone."""
    article = parsed(page).find("article")
    for gone in article.select(
        "script, .run-it, .headerlink, .explorable-controls, [data-handle], details.hide, button"
    ):
        gone.decompose()
    for element in article.select("[id]"):
        if not element.find_parent("svg"):  # drawings refer to their own ids, which are unique already
            element["id"] = anchor(page, element["id"])
    for link in article.select("a[href]"):
        target, fragment = urldefrag(link["href"])
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
        if inside in pages:
            link["href"] = f"#{anchor(inside, fragment)}"
    for fold in article.select("details"):
        fold["open"] = ""
    article["id"] = anchor(page)
    return article


def one_document(pages):
    """The articles of the pages as one, with the site's stylesheet."""
    book = parsed("index.html")
    for gone in book.select("script, meta[http-equiv], header, footer, nav"):
        gone.decompose()
    main = book.find("main")
    main.clear()
    main.extend(chapter(page, set(pages)) for page in pages)
    style = book.new_tag("style")
    style.string = "article + article { break-before: page }"
    book.head.append(style)
    return str(book)


def print_pages(pages, target, browser):
    """The PDF of the pages, by a local server and a headless browser."""
    (SITE / WHOLE).write_text(one_document(pages), "utf8")
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with browser.new_page(color_scheme="light") as page:
            print_document(page, f"http://127.0.0.1:{server.server_port}/{WHOLE}", target)
    finally:
        server.shutdown()
        (SITE / WHOLE).unlink()


def print_document(page, address, target):
    """The PDF of what stands at an address."""
    page.goto(address)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.pdf(
        path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True,
        display_header_footer=True, header_template="<span></span>", footer_template=FOOTER,
    )  # fmt: skip


def main():
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser_path:
        sys.exit("Printing needs Chromium, which is missing: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"]
        )
        print_pages(pages_in_order(), TARGET, browser)
    print(f"The book as a PDF: {TARGET} ({TARGET.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
