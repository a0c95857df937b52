"""Tags of a PDF: none without a meaning, none of what they hold lost, the same names each time."""

import pikepdf
import pytest

from scripts.editions.finished_pdf import name_cells, simplify_tags
from scripts.editions.pdf import print_address

PAGE = """<!DOCTYPE html><html lang="en"><title>Tags</title><h1>Tags</h1>
<div><div><p>One <em>two</em> <span>three</span>.</p></div></div>
<p>A formula <math role="img" aria-label="x over y"><mfrac><mi>x</mi><mi>y</mi></mfrac></math>.</p>
<table><tr><th scope="col" id="a">a<th id="b">b<tr><td headers="a">1<td headers="b">2</table>
<p><a href="#end">There</a></p>
<p style="break-before: page" id="end">The end, <span>on the next page</span>.</p>
<p style="height: 265mm"><span>long</span></p>"""


@pytest.fixture
def book(browser, tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    print_address(browser, (tmp_path / "page.html").as_uri(), tmp_path / "page.pdf")
    with pikepdf.open(tmp_path / "page.pdf") as opened:
        yield opened


def tags(book):
    """All tags, from the top, in the order of reading."""

    def inside(tag):
        yield tag
        for kid in kids(tag):
            if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
                yield from inside(kid)

    top = book.Root.StructTreeRoot.K
    return [tag for first in (top if isinstance(top, pikepdf.Array) else [top]) for tag in inside(first)]


def kids(tag):
    found = tag.get("/K", [])
    return list(found) if isinstance(found, pikepdf.Array) else [found]


def pieces(book):
    """The pieces of pages that the tags hold, in the order of reading."""
    found = []
    for tag in tags(book):
        for kid in kids(tag):
            if isinstance(kid, int):
                found.append((tag.Pg.objgen, kid))
            elif "/MCID" in kid:
                found.append((kid.Pg.objgen, kid.MCID))
    return found


def test_tags_without_a_meaning_go_and_what_they_held_stays(book):
    before, meant = pieces(book), [tag.S for tag in tags(book) if tag.S != "/NonStruct"]
    assert len(meant) < len(tags(book))
    simplify_tags(book)
    assert [tag.S for tag in tags(book)] == meant
    assert sorted(pieces(book)) == sorted(before)
    assert len(before) > 8


def test_each_piece_of_a_page_knows_the_tag_that_holds_it(book):
    simplify_tags(book)
    holders = {}
    for tag in tags(book):
        for kid in kids(tag):
            if isinstance(kid, int):
                holders[tag.Pg.objgen, kid] = tag.objgen
            elif "/MCID" in kid:
                holders[kid.Pg.objgen, int(kid.MCID)] = tag.objgen
    known = pikepdf.NumberTree(book.Root.StructTreeRoot.ParentTree)
    for page in book.pages:
        for number, tag in enumerate(known[int(page.StructParents)]):
            if (page.objgen, number) in holders:
                assert tag.objgen == holders[page.objgen, number]


def test_a_formula_is_one_thing_with_its_words(book):
    simplify_tags(book)
    (formula,) = [tag for tag in tags(book) if tag.S == "/Figure"]
    assert str(formula.Alt) == "x over y"
    assert all(isinstance(kid, int) for kid in kids(formula))


def test_cells_are_named_in_their_order_and_know_their_heads(book):
    name_cells(book)
    heads = [tag for tag in tags(book) if tag.S == "/TH"]
    assert [str(head.ID) for head in heads] == ["cell-000001", "cell-000002"]
    cells = [tag for tag in tags(book) if tag.S == "/TD"]
    named = [str(name) for cell in cells for part in cell.A if "/Headers" in part for name in part.Headers]
    assert named == ["cell-000001", "cell-000002"]
    tree = pikepdf.NameTree(book.Root.StructTreeRoot.IDTree)
    assert [str(name) for name in tree] == ["cell-000001", "cell-000002"]
