"""`make epub`: the built site as one EPUB 3, for readers on phones, tablets and electronic paper.

Articles and solutions are those of the printed book; `epub_pages` cuts them into documents and leads their
links, `epub_figures` and `epub_markup` change what such readers have no means for, `epub_contents`,
`epub_cover` and `epub_package` add the rest. The same site at the same commit gives the same bytes.
"""

import posixpath
import shutil
import sys
from html import escape
from urllib.parse import urljoin

from scripts.editions.edition import TITLE, Edition
from scripts.editions.epub_contents import entries, navigation, older_contents
from scripts.editions.epub_cover import cover
from scripts.editions.epub_package import metadata, write
from scripts.editions.epub_pages import book_of, home, pages_of_book
from scripts.editions.epubcheck import PROGRAM, complaints
from scripts.editions.front_matter import citation, title_page
from scripts.editions.site import ROOT, SITE

STYLE = ROOT / "scripts" / "editions" / "epub.css"
FONTS = SITE / "_static" / "fonts"
LICENCES = ROOT / "book" / "frontend" / "node_modules"
FONT_LICENCES = {  # both are the SIL Open Font License, each with its own copyright
    "fonts/Source-Serif-licence.txt": "@fontsource-variable/source-serif-4/LICENSE",
    "fonts/STIX-Two-Math-licence.txt": "@fontsource/stix-two-math/LICENSE",
}
EDITION = Edition(
    "For e-readers",
    "Each chapter with its excursions, all proofs and the code of all checks; solutions, and all pages "
    "around the chapters.",
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


def front(about):
    """The cover, its page and the title page."""
    subtitle = citation()["title"].partition(": ")[2]
    title = title_page(EDITION)
    for link in title.select("a"):
        link["href"] = urljoin(about.source, link["href"])
    return {
        "cover.png": cover(FONTS, TITLE, subtitle[0].upper() + subtitle[1:], ", ".join(about.authors)),
        "cover.xhtml": page(
            TITLE, f'<section epub:type="cover" class="cover"><img src="cover.png" alt="{TITLE}"/></section>'
        ),
        "title.xhtml": page(TITLE, str(title)),
    }


def write_epub(pages, target):
    """Writes the EPUB of these pages of the site."""
    about = metadata(home())
    parts, solutions = book_of(pages)
    lines = entries(parts, solutions)
    documents = [document for part in parts + solutions for document in part.documents]
    files = {
        **front(about),
        "nav.xhtml": page("Contents", navigation(lines)),
        "toc.ncx": older_contents(lines, about.title, about.identifier).encode("utf8"),
        "book.css": STYLE.read_bytes(),
        **{f"fonts/{font.name}": font.read_bytes() for font in FONTS.glob("*.woff2")},
        **{name: (LICENCES / path).read_bytes() for name, path in FONT_LICENCES.items()},
        **pictures(parts),
        **{document.name: page(document.title, str(document.body)) for document in documents},
    }
    spine = ["cover.xhtml", "title.xhtml", "nav.xhtml", *(document.name for document in documents)]
    write(target, about, files, spine)


def main():
    write_epub(pages_of_book(), EDITION.target)
    print(f"The book as an EPUB: {EDITION.target} ({EDITION.target.stat().st_size / 1e6:.1f} MB)")
    if not shutil.which(PROGRAM):
        print(f"It was not checked: {PROGRAM} is missing. What to do: apt-get install {PROGRAM}")
    elif said := complaints(EDITION.target):
        sys.exit(f"{PROGRAM} finds faults in it:\n{said}")


if __name__ == "__main__":
    main()
