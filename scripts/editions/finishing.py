"""What is done to a printed PDF: it is named, dated and packed, so that two prints are the same bytes."""

import subprocess
from datetime import UTC, datetime

import pikepdf

from scripts.editions.site import ROOT


def date_of_commit():
    """When the book was last changed: the date of the commit that is checked out."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    seconds = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return datetime.fromtimestamp(int(seconds), UTC)


def finish(target, title, author, date):
    """A printed PDF with its title, its author and a date; its /ID follows from what is in it.

    Its objects go into compressed streams: Chromium writes each of 200,000 tags in full.
    """
    stamp = date.strftime("D:%Y%m%d%H%M%SZ")
    with pikepdf.open(target, allow_overwriting_input=True) as book:
        book.docinfo["/Title"], book.docinfo["/Author"] = title, author
        book.docinfo["/CreationDate"] = book.docinfo["/ModDate"] = stamp
        name_elements(book)
        packed = pikepdf.ObjectStreamMode.generate
        book.save(target, object_stream_mode=packed, recompress_flate=True, deterministic_id=True)


def name_elements(book):
    """Names the tagged cells of tables in order: Chromium names them by what it happened to draw first."""
    cells = [item for item in book.objects if is_cell(item)]
    titled = [cell for cell in cells if "/ID" in cell]
    names = {str(cell.ID): f"cell-{number:06}" for number, cell in enumerate(titled, 1)}
    tree = pikepdf.NameTree.new(book)
    for cell in titled:
        cell.ID = pikepdf.String(names[str(cell.ID)])
        tree[str(cell.ID)] = cell
    for cell in cells:
        for attributes in cell.get("/A", []):
            if "/Headers" in attributes:
                attributes.Headers = pikepdf.Array([names[str(name)] for name in attributes.Headers])
    book.Root.StructTreeRoot.IDTree = tree.obj


def is_cell(item):
    return isinstance(item, pikepdf.Dictionary) and item.get("/S") in ("/TH", "/TD")
