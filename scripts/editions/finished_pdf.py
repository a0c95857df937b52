"""What is done to a printed PDF: it is named, dated and packed, so that two prints are the same bytes."""

from datetime import datetime
from pathlib import Path

import pikepdf

from scripts.editions.pdf_tags import name_cells, simplify_tags

DATES = ("/CreationDate", "/ModDate")


def finish(target: Path, author: str = "", date: datetime | None = None) -> None:
    """Names the author of a printed PDF and gives it a date, or none; its /ID follows from what is in it.

    Its objects go into compressed streams: Chromium writes each tag in full.
    """
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(target, allow_overwriting_input=True) as book:
        for key in DATES:
            del book.docinfo[key]
            if date:
                book.docinfo[key] = date.strftime("D:%Y%m%d%H%M%SZ")
        if author:
            book.docinfo["/Author"] = author
        _name_bookmarks(book)
        simplify_tags(book)
        name_cells(book)
        packed = pikepdf.ObjectStreamMode.generate
        book.save(target, object_stream_mode=packed, recompress_flate=True, deterministic_id=True)


def _name_bookmarks(book: pikepdf.Pdf) -> None:
    """Takes back what Chromium names twice: a heading that it tries on one page and sets on the next."""
    for item in book.objects:
        if isinstance(item, pikepdf.Dictionary) and "/Title" in item and "/Parent" in item:
            title = str(item.Title)
            half = title[: len(title) // 2]
            if title == half + half:
                item.Title = pikepdf.String(half)
