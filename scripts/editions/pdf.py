"""`make pdf`: the book as two tagged PDFs with bookmarks, lectures and everything, printed by Chromium."""

import time

from scripts.editions import archive
from scripts.editions.edition import EDITIONS
from scripts.editions.finished_pdf import finish
from scripts.editions.front_matter import authors
from scripts.editions.printing import chromium, print_book
from scripts.editions.whole_book import one_document


def print_edition(edition, pages, target, browser):
    """The PDF of pages as an edition, dated by the commit, so that two prints are the same bytes."""
    print_book(one_document(edition, pages), target, browser)
    finish(target, authors(), archive.date())


def main():
    with chromium() as browser:
        for edition in EDITIONS:
            began = time.monotonic()
            print_edition(edition, edition.pages(), edition.target, browser)
            size, took = edition.target.stat().st_size / 1e6, time.monotonic() - began
            print(f"{edition.name}: {edition.target} ({size:.1f} MB, printed in {took:.0f} seconds)")


if __name__ == "__main__":
    main()
