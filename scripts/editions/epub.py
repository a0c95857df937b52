"""`make epub`: the built site as one EPUB 3, for readers on phones, tablets and electronic paper.

Articles and solutions are those of the printed book; `epub_pages` cuts them into documents and leads their
links, `epub_markup` changes what such readers have no means for, `epub_cover` and `epub_package` add the
rest. The same site at the same commit gives the same bytes.
"""

import posixpath
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from urllib.parse import urljoin

from scripts.editions.epub_cover import cover
from scripts.editions.epub_package import write
from scripts.editions.epub_pages import book_of, entries, home, navigation, pages_of_book
from scripts.editions.site import EVERYTHING, ROOT, SITE, TITLE, Edition
from scripts.editions.whole_book import authors, citation, title_page

STYLE = ROOT / "scripts" / "editions" / "epub.css"
FONTS = SITE / "_static" / "fonts"
LICENCES = ROOT / "book" / "frontend" / "node_modules"
FONT_LICENCES = {  # both are the SIL Open Font License, each with its own copyright
    "fonts/Source-Serif-licence.txt": "@fontsource-variable/source-serif-4/LICENSE",
    "fonts/STIX-Two-Math-licence.txt": "@fontsource/stix-two-math/LICENSE",
}
EDITION = Edition(
    "For e-readers",
    EVERYTHING.about,
    "In this edition figures stand still and solutions stand at the end. "
    "Where the text speaks of moving, running or pressing something, it speaks of the site.",
    "margins-of-attention.epub",
    True,
)
PAGE = (
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
    'lang="en" xml:lang="en">'
    '<head><title>{title}</title><link rel="stylesheet" type="text/css" href="book.css"/></head>'
    "<body>{body}</body></html>\n"
).format

PROGRAM = "epubcheck"
START_OF_ZIP = b"PK"
SOON = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")  # half the time for a program that runs for seconds


def page(title, body):
    """A document of the EPUB as bytes."""
    return PAGE(title=escape(title), body=body).encode("utf8")


def pictures(parts):
    """The pictures of the pages, whose places in the EPUB are written into the pages."""
    found = {}
    for part in parts:
        for document in part.documents:
            for picture in document.body.select("img"):
                path = urljoin(part.page, picture["src"])
                picture["src"] = f"images/{posixpath.basename(path)}"
                found[picture["src"]] = (SITE / path).read_bytes()
    return found


def front():
    """The cover, its page and the title page."""
    subtitle = citation()["title"].partition(": ")[2]
    title = title_page(EDITION)
    for link in title.select("a"):
        link["href"] = urljoin(home(), link["href"])
    return {
        "cover.png": cover(FONTS, TITLE, subtitle[0].upper() + subtitle[1:], authors()),
        "cover.xhtml": page(
            TITLE, f'<section epub:type="cover" class="cover"><img src="cover.png" alt="{TITLE}"/></section>'
        ),
        "title.xhtml": page(TITLE, str(title)),
    }


def write_epub(pages, target):
    """Writes the EPUB of these pages of the site."""
    parts, solutions = book_of(pages)
    documents = [document for part in parts + solutions for document in part.documents]
    files = {
        **front(),
        "nav.xhtml": page("Contents", navigation(entries(parts, solutions))),
        "book.css": STYLE.read_bytes(),
        **{f"fonts/{font.name}": font.read_bytes() for font in FONTS.glob("*.woff2")},
        **{name: (LICENCES / path).read_bytes() for name, path in FONT_LICENCES.items()},
        **pictures(parts),
        **{document.name: page(document.title, str(document.body)) for document in documents},
    }
    spine = ["cover.xhtml", "title.xhtml", "nav.xhtml", *(document.name for document in documents)]
    write(target, home(), files, spine)


def command():
    """How epubcheck is called: Debian gives the Java archive its name, which few systems can run."""
    path = shutil.which(PROGRAM)
    with Path(path).open("rb") as program:
        is_archive = program.read(2) == START_OF_ZIP
    return ["java", *SOON, "-jar", path] if is_archive else [path]


def complaints(target):
    """The errors and warnings of epubcheck, one a line; empty if there are none."""
    result = subprocess.run([*command(), "--failonwarnings", target], capture_output=True, text=True)
    return (result.stdout + result.stderr).strip() if result.returncode else ""


def main():
    write_epub(pages_of_book(), EDITION.target)
    print(f"The book as an EPUB: {EDITION.target} ({EDITION.target.stat().st_size / 1e6:.1f} MB)")
    if not shutil.which(PROGRAM):
        print(f"It was not checked: {PROGRAM} is missing. What to do: apt-get install {PROGRAM}")
    elif found := complaints(EDITION.target):
        sys.exit(f"{PROGRAM} finds faults in it:\n{found}")


if __name__ == "__main__":
    main()
