"""`make pdf`: tagged PDFs with bookmarks, printed by Chromium: the lectures, everything, and slides.

Only a printing shows where things stand. So the book is printed until the text fills the pages before figures
that do not fit there, and the page numbers are true.
"""

import contextlib
import shutil
import sys
import time

import pikepdf
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from scripts.editions import archive, site
from scripts.editions.figures_in_text import let_text_go_on
from scripts.editions.finished_pdf import finish
from scripts.editions.site import EDITIONS, slides_of, stories
from scripts.editions.whole_book import authors, fonts_in_print, one_document
from scripts.serving import serve
from scripts.setup import BROWSERS

WHOLE = "whole-book.html"  # lives in the site's root while it is printed
MOVES, PRINTINGS = 3, 6  # after so many printings text moves, and so many there are at most


@contextlib.contextmanager
def chromium():
    """Chromium, running without a window; the end, with what to install, where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit(f"printing needs Chromium: apt-get install {BROWSERS[0]}, then run this again")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def print_address(browser, address, target, style=""):
    """The PDF of what is at an address: tagged, with bookmarks, on pages as its style and more style ask."""
    with browser.new_page(color_scheme="light", bypass_csp=True) as page:  # which forbids fonts in a style
        page.set_default_timeout(0)  # a whole book takes minutes
        page.goto(address)
        if style:
            page.add_style_tag(content=style)
        page.evaluate("document.fonts.ready.then(() => true)")
        page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)


def print_book(book, target, browser):
    """The PDF of a whole book, by a local server and a headless browser."""
    try:
        with serve(site.SITE) as address:
            for printing in range(PRINTINGS):
                (site.SITE / WHOLE).write_text(str(book), "utf8")
                print_address(browser, f"{address}/{WHOLE}", target)
                moved = printing < MOVES and let_text_go_on(book, target)
                if not write_numbers(book, places(target)) and not moved:
                    return
    finally:
        (site.SITE / WHOLE).unlink(missing_ok=True)
    raise RuntimeError(f"{target}: after {PRINTINGS} printings the numbers of pages still change")


def places(target):
    """The number of the page of every place in a PDF that a link leads to."""
    reader = PdfReader(target)
    found = reader.named_destinations
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1 for name, place in found.items()
    }


def write_numbers(book, numbers):
    """Writes the numbers of pages into a document; says whether one was another before."""
    changed = False
    for place in book.select(".on-page"):
        number = str(numbers[place["data-of"]])
        changed |= place.get_text() != number
        place.string = number
    return changed


def print_edition(edition, pages, target, browser):
    """The PDF of pages as an edition, dated by the commit, so that two prints are the same bytes."""
    print_book(one_document(edition, pages), target, browser)
    finish(target, authors(), archive.date())


def print_slides(story, target, browser, style=""):
    """The PDF of a story's slides, one a page, with more style."""
    with serve(site.SITE) as address:
        print_address(browser, f"{address}/{story}?present", target, style)
    name_bookmarks(target, [heading["aria-label"] for heading in site.parsed(story).select(".scene > h2")])
    finish(target, authors(), archive.date())


def name_bookmarks(target, headings):
    """Names the bookmarks of slides: Chromium leaves out the spaces at which a heading's lines end."""
    with pikepdf.open(target, allow_overwriting_input=True) as slides:
        with slides.open_outline() as outline:
            for bookmark, heading in zip(outline.root, headings, strict=True):
                bookmark.title = heading
        slides.save()


def say(name, target, began):
    size, took = target.stat().st_size / 1e6, time.monotonic() - began
    print(f"{name}: {target} ({size:.1f} MB, printed in {took:.0f} seconds)")


def main():
    with chromium() as browser:
        for edition in EDITIONS:
            began = time.monotonic()
            print_edition(edition, edition.pages(), edition.target, browser)
            say(edition.name, edition.target, began)
        fonts = fonts_in_print()
        for story in stories():
            began = time.monotonic()
            print_slides(story, slides_of(story), browser, fonts)
            say("Slides", slides_of(story), began)


if __name__ == "__main__":
    main()
