"""What is done to a printed PDF: it is named, dated and packed, so that two prints are the same bytes.

Of its tags, from which readers read it aloud, the names are made to repeat, and no tag is without a meaning.
Chromium tags every box of a page and every letter of a formula, five of six as "no structure": a third of a
book's size.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, NameTree, NumberTree, Object, Pdf

DATES = ("/CreationDate", "/ModDate")
MEANINGLESS = {"/K", "/P", "/Pg", "/S", "/Type"}  # all that a tag has of which nothing is lost
Keepers = dict[tuple[int, int], Object]  # the tag that holds what one that is gone has held


def finish(target: Path, author: str, date: datetime) -> None:
    """Names the author of a printed PDF and gives it a date; its /ID follows from what is in it.

    Its objects go into compressed streams: Chromium writes each tag in full.
    """
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(target, allow_overwriting_input=True) as book:
        for key in DATES:
            book.docinfo[key] = date.strftime("D:%Y%m%d%H%M%SZ")
        book.docinfo["/Author"] = author
        _name_bookmarks(book)
        simplify_tags(book)
        name_cells(book)
        packed = pikepdf.ObjectStreamMode.generate
        book.save(target, object_stream_mode=packed, recompress_flate=True, deterministic_id=True)


def _name_bookmarks(book: Pdf) -> None:
    """Takes back what Chromium names twice: a heading that it tries on one page and sets on the next."""
    for item in book.objects:
        if isinstance(item, Dictionary) and "/Title" in item and "/Parent" in item:
            title = str(item.Title)
            half = title[: len(title) // 2]
            if title == half + half:
                item.Title = pikepdf.String(half)


def simplify_tags(book: Pdf) -> None:
    """Takes tags without a meaning out of a PDF; the tags around them hold what they held."""
    keepers: Keepers = {}
    pending = _as_list(book.Root.StructTreeRoot.K)
    while pending:
        tag = pending.pop()
        held = list(_held(tag, tag, keepers))
        _hold(tag, held)
        pending += [kid for _, kid in held if _is_tag(kid)]
    for _, tags in NumberTree(book.Root.StructTreeRoot.ParentTree).items():
        for place, tag in enumerate(tags) if isinstance(tags, Array) else ():
            if isinstance(tag, Dictionary) and tag.objgen in keepers:
                tags[place] = keepers[tag.objgen]


def _as_list(kids: object) -> list:
    return list(kids) if isinstance(kids, Array) else [] if kids is None else [kids]


def _is_tag(kid: object) -> bool:
    return isinstance(kid, Dictionary) and "/S" in kid


def _held(tag: Object, keeper: Object, keepers: Keepers) -> Iterator[tuple[Object | None, object]]:
    """What a tag holds, by page, and what the tags without a meaning inside it hold."""
    for kid in _as_list(tag.get("/K")):
        if _is_tag(kid) and Name.NonStruct == kid.S and not set(kid.keys()) - MEANINGLESS:
            keepers[kid.objgen] = keeper
            yield from _held(kid, keeper, keepers)
        else:
            yield tag.get("/Pg"), kid


def _hold(tag: Object, held: list[tuple[Object | None, object]]) -> None:
    """Gives a tag its kids: other tags, and pieces of pages, by number on the page of the first of them."""
    pages = [page for page, kid in held if isinstance(kid, int) and page is not None]
    if pages:
        tag.Pg = pages[0]
    kids = Array()
    for page, kid in held:
        if isinstance(kid, int) and page is not None and page.objgen != pages[0].objgen:
            kids.append(Dictionary(Type=Name.MCR, Pg=page, MCID=kid))
            continue
        if _is_tag(kid):
            kid.P = tag  # type: ignore[attr-defined]
        kids.append(kid)
    tag.K = kids


def name_cells(book: Pdf) -> None:
    """Names the tagged cells of tables in order: Chromium names them by what it happened to draw first."""
    tags = (item for item in book.objects if isinstance(item, Dictionary))
    cells = [tag for tag in tags if tag.get("/S") in ("/TH", "/TD")]
    named = [cell for cell in cells if "/ID" in cell]
    names = {str(cell.ID): f"cell-{number:06}" for number, cell in enumerate(named, 1)}
    tree = NameTree.new(book)
    for cell in named:
        cell.ID = pikepdf.String(names[str(cell.ID)])
        tree[str(cell.ID)] = cell
    for cell in cells:
        for attributes in cell.get("/A", []):
            if "/Headers" in attributes:
                attributes.Headers = Array([names[str(name)] for name in attributes.Headers])
    if named:
        book.Root.StructTreeRoot.IDTree = tree.obj
