"""A small book printed as both editions: contents, bookmarks, tags, fonts, and twice the same bytes."""

import re

import pikepdf
import pytest
from pypdf import PdfReader

from scripts.editions import archive
from scripts.editions import site as editions_site
from scripts.editions.pdf import WHOLE, print_edition
from scripts.editions.site import EDITIONS, EVERYTHING, LECTURES
from tests.scripts.editions.pdf_reading import bookmarks, lonely_headings

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def printed(browser, small_site, tmp_path_factory):
    """The small site as each edition."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(editions_site, "SITE", small_site)
        editions_site.home.cache_clear()
        targets = {}
        for edition in EDITIONS:
            targets[edition] = tmp_path_factory.mktemp("pdf") / edition.file
            print_edition(edition, edition.pages(), targets[edition], browser)
    editions_site.home.cache_clear()
    assert not (small_site / WHOLE).exists()
    return targets


@pytest.fixture(params=EDITIONS, ids=lambda edition: edition.name)
def edition(request):
    return request.param


def text_of(page):
    return " ".join(page.extract_text().split())


def test_the_title_page_says_which_edition_it_is(printed, edition):
    reader = PdfReader(printed[edition])
    first = text_of(reader.pages[0])
    assert edition.name in first
    assert edition.about in first
    assert ("leaves out" in first) == (edition is LECTURES)
    assert reader.metadata.title == f"Margins of Attention: {edition.name.lower()}"
    assert reader.trailer["/Root"]["/Lang"] == "en"


def test_the_contents_name_the_pages_on_which_things_stand(printed, edition):
    reader = PdfReader(printed[edition])
    marks, contents = bookmarks(reader), text_of(reader.pages[1])
    titles = ["1. Small", "The spine", "Quiz", "Exercises", "Glossary", "Solutions"]
    for title in [*titles, *(["Claims", "1.A Beyond"] if edition is EVERYTHING else [])]:
        assert re.search(rf"{re.escape(title)} {marks[title]}\b", contents), (title, contents)
        assert title in text_of(reader.pages[marks[title] - 1])
    assert ("Beyond" in contents) == (edition is EVERYTHING)
    assert lonely_headings(reader) == []


def test_solutions_are_found_by_the_page_that_the_question_names(printed, edition):
    reader = PdfReader(printed[edition])
    (page,) = {int(number) for number in re.findall(r"Solution on page (\d+)", all_text(reader))}
    assert "THE SOLUTION" in text_of(reader.pages[page - 1])


def all_text(reader):
    return " ".join(map(text_of, reader.pages))


def test_every_font_is_embedded(printed, edition):
    with pikepdf.open(printed[edition]) as book:
        fonts = [font for page in book.pages for font in page.Resources.Font.values()]
        names = {str(font.get("/BaseFont")).partition("+")[2] for font in fonts}
        assert all(is_embedded(font) for font in fonts)
    assert "SourceSerif4-Regular" in names, "the text is set in another font, or as drawings of its letters"


def is_embedded(font):
    """Whether a font's letters are in the file: as a font, or as drawings of them."""
    if font.Subtype == "/Type3":
        return len(font.CharProcs) > 0
    described = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    return bool({"/FontFile", "/FontFile2", "/FontFile3"} & set(described.FontDescriptor.keys()))


def test_links_lead_to_places_in_it_or_to_published_pages(printed, edition):
    reader = PdfReader(printed[edition])
    links = [link.get_object() for page in reader.pages for link in page.get("/Annots", ())]
    inside = {str(link["/Dest"]) for link in links if "/Dest" in link}
    assert len(inside) > 6
    assert inside <= reader.named_destinations.keys()
    assert all(str(link["/A"]["/URI"]).startswith("https://") for link in links if "/A" in link)


def test_it_is_packed_and_keeps_its_tags(printed, edition):
    """A page of formulas has hundreds of tags, twice the size of all the rest if nobody packs them."""
    assert b"/ObjStm" in printed[edition].read_bytes()
    root = PdfReader(printed[edition]).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/StructTreeRoot"]["/K"]


def test_two_prints_are_the_same_bytes(printed, browser, site, tmp_path):
    again = tmp_path / "again.pdf"
    print_edition(LECTURES, LECTURES.pages(), again, browser)
    assert again.read_bytes() == printed[LECTURES].read_bytes()
    assert PdfReader(again).metadata.creation_date == archive.date()
