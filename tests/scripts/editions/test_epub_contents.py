"""The contents of a small book: the spine, then the excursions; the same lines for old readers."""

from xml.etree import ElementTree

from scripts.editions.epub_contents import Entry, as_list, entry_of, older_contents
from scripts.editions.epub_pages import Document, Part

BOOK = Part(
    "chapters/01.html",
    Document("a.xhtml", "A & B", None),
    [Document("a-01.xhtml", "Spine", None), Document("a-02.xhtml", "1.A Aside", None, is_excursion=True)],
)


def test_excursions_stand_below_a_heading():
    assert entry_of(BOOK) == Entry(
        "A & B",
        "a.xhtml",
        [Entry("Spine", "a-01.xhtml"), Entry("Excursions", "", [Entry("1.A Aside", "a-02.xhtml")])],
    )


def test_a_heading_is_no_link():
    assert as_list([entry_of(BOOK)]) == (
        '<ol><li><a href="a.xhtml">A &amp; B</a><ol><li><a href="a-01.xhtml">Spine</a></li>'
        '<li><span>Excursions</span><ol><li><a href="a-02.xhtml">1.A Aside</a></li></ol></li></ol></li></ol>'
    )


def test_old_readers_find_the_first_excursion_at_the_heading():
    tree = ElementTree.fromstring(older_contents([entry_of(BOOK)], "Title", "urn:x").encode("utf8"))
    name = "{http://www.daisy.org/z3986/2005/ncx/}"
    sources = [content.get("src") for content in tree.iter(f"{name}content")]
    assert sources == ["a.xhtml", "a-01.xhtml", "a-02.xhtml", "a-02.xhtml"]
    assert len({point.get("id") for point in tree.iter(f"{name}navPoint")}) == 4
    assert tree.find(f".//{name}meta[@name='dtb:depth']").get("content") == "3"
