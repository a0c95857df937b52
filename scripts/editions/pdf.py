"""`make pdf`: the book as two tagged PDFs with bookmarks, lectures and everything, printed by Chromium.

Each is printed until the page numbers in it are true, for only a printing shows where things stand.
"""

import sys
import time

from pypdf import PdfReader

from margins_course import CourseProblem
from margins_course.pages.finished_pdf import finish
from margins_course.pages.printing import chromium, print_address
from scripts.editions import archive, site
from scripts.editions.site import EDITIONS
from scripts.editions.whole_book import authors, one_document
from scripts.serving import serve

WHOLE = "whole-book.html"  # lives in the site's root while it is printed
PRINTINGS = 4


def print_book(book, target, browser):
    """The PDF of a whole book, by a local server and a headless browser."""
    try:
        with serve(site.SITE) as address:
            for _ in range(PRINTINGS):
                (site.SITE / WHOLE).write_text(str(book), "utf8")
                print_address(browser, f"{address}/{WHOLE}", target)
                if not write_numbers(book, places(target)):
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


def main():
    try:
        with chromium() as browser:
            for edition in EDITIONS:
                began = time.monotonic()
                print_edition(edition, edition.pages(), edition.target, browser)
                size, took = edition.target.stat().st_size / 1e6, time.monotonic() - began
                print(f"{edition.name}: {edition.target} ({size:.1f} MB, printed in {took:.0f} seconds)")
    except CourseProblem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
