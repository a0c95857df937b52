"""What tests read out of a PDF: bookmarks, what stands below a place, fonts."""

from pypdf import PdfReader

FOOT = 62  # points: below stands the number of the page
LINES = 18  # points of a heading itself, from the upper edge of its box


def flat(outline):
    """The entries of an outline, those of its lower levels too."""
    for entry in outline:
        yield from flat(entry) if isinstance(entry, list) else [entry]


def bookmarks(reader):
    """The page on which each title of the outline stands, or stands first."""
    marks = reversed(list(flat(reader.outline)))
    return {mark.title: reader.get_destination_page_number(mark) + 1 for mark in marks}


def lonely_headings(reader: PdfReader):
    """The titles of bookmarks below which their page has nothing but its number."""
    return [mark.title for mark in flat(reader.outline) if not stands_over_something(reader, mark)]


def stands_over_something(reader, mark):
    page = reader.pages[reader.get_destination_page_number(mark)]
    return any(FOOT < y < float(mark.top) - LINES for y in heights(page))


def heights(page):
    """Where the pieces of text of a page stand, in points from its foot."""
    found = []

    def note(text, matrix, placed, *_):
        if text.strip():
            found.append(placed[4] * matrix[1] + placed[5] * matrix[3] + matrix[5])

    page.extract_text(visitor_text=note)
    return found
