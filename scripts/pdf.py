"""`make pdf`: the built site as one tagged PDF with bookmarks, printed by Chromium from a single page.

It is printed twice, for only the first printing tells on which pages things stand.
"""

import shutil
import sys

import pikepdf
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from scripts.serving import serve
from scripts.whole_book import ROOT, SITE, one_document, pages_in_order

TARGET = ROOT / "_build" / "margins-of-attention.pdf"
WHOLE = "whole-book.html"  # lives in the site's root while it is printed


def places(target):
    """The number of the page of every place in a PDF that a link leads to."""
    reader = PdfReader(target)
    found = reader.named_destinations
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1 for name, place in found.items()
    }


def print_pages(pages, target, browser):
    """The PDF of the pages, by a local server and a headless browser."""
    book = one_document(pages)
    try:
        with serve(SITE) as address, browser.new_page(color_scheme="light") as page:
            print_document(page, f"{address}/{WHOLE}", book, target)
            numbers = places(target)
            for place in book.select(".on-page"):
                place.string = str(numbers[place["data-of"]])
            print_document(page, f"{address}/{WHOLE}", book, target)
    finally:
        (SITE / WHOLE).unlink(missing_ok=True)
    pack(target)


def pack(target):
    """The same PDF, its objects in compressed streams: Chromium writes each of 200,000 tags in full."""
    with pikepdf.open(target, allow_overwriting_input=True) as book:
        book.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def print_document(page, address, book, target):
    """The PDF of a document that is served at an address."""
    (SITE / WHOLE).write_text(str(book), "utf8")
    page.goto(address)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)


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
