"""What is at an address, printed as a PDF by Chromium: tagged, with bookmarks, on pages as its style asks.

(book: Teaching with this book, Release)
"""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from margins_course import CourseProblem
from margins_course.book import browser_names

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = ("--no-sandbox", "--disable-gpu")


def find_chromium() -> str:
    """The path of Chromium; a CourseProblem says what to install where there is none."""
    names = browser_names()
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise CourseProblem(
            f"printing needs Chromium, and this machine has none of {', '.join(names)}; "
            f"install it (apt-get install {names[0]}) and run this again"
        )
    return found


@contextlib.contextmanager
def chromium() -> Iterator["Browser"]:
    """Chromium, running without a window."""
    path = find_chromium()
    from playwright.sync_api import sync_playwright  # here: only who prints needs it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


def print_address(browser: "Browser", address: str, target: Path) -> None:
    """The PDF of what is at an address."""
    with browser.new_page(color_scheme="light") as page:
        page.set_default_timeout(0)  # a whole book takes minutes
        page.goto(address)
        page.evaluate("document.fonts.ready.then(() => true)")
        page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
