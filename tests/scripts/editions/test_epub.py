"""The EPUB of some pages of the site: valid, the same each time, whole, and read in a reader on a phone."""

import os
import posixpath
import re
import shutil
import subprocess
import sys
import zipfile
from urllib.parse import urldefrag
from xml.etree import ElementTree

import pytest

from conftest import program
from scripts.editions.epub import PROGRAM, ROOT, SITE, complaints, write_epub
from scripts.serving import serve
from tests.node import PACKAGES

pytestmark = pytest.mark.full
CHAPTER = "chapters/01_svm_duality.html"
PAGES = [
    "index.html",
    "book/how_to_read.html",
    CHAPTER,
    "book/cheat_sheet.html",
    "book/teaching.html",
    "book/errata.html",
    "book/licences.html",
]
FEW = ["index.html", "book/glossary.html"]
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
MATH = "{http://www.w3.org/1998/Math/MathML}"
READER = PACKAGES / "node_modules" / "foliate-js"
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def epub(tmp_path_factory):
    """The EPUB of the pages above."""
    assert (SITE / "index.html").exists(), "the site is not built: run `make book` first"
    target = tmp_path_factory.mktemp("epub") / "some.epub"
    write_epub(PAGES, target)
    return target


@pytest.fixture(scope="module")
def documents(epub):
    """By name the XHTML of each document, as a tree."""
    with zipfile.ZipFile(epub) as archive:
        names = [name for name in archive.namelist() if name.endswith(".xhtml")]
        return {posixpath.basename(name): ElementTree.fromstring(archive.read(name)) for name in names}


def test_epubcheck_has_nothing_to_say(epub):
    program([PROGRAM], "tests of the EPUB")
    assert complaints(epub) == ""


def test_the_same_site_gives_the_same_bytes(tmp_path):
    """In another process too, where Python orders sets otherwise."""
    call = "import sys; from scripts.editions.epub import write_epub; write_epub(sys.argv[2:], sys.argv[1])"
    files = [tmp_path / f"{seed}.epub" for seed in "12"]
    for seed, file in zip("12", files, strict=True):
        own = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{ROOT / 'lib'}"}
        subprocess.run([sys.executable, "-c", call, file, *FEW], cwd=ROOT, env=own, check=True)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_type_is_first_and_plain(epub):
    with zipfile.ZipFile(epub) as archive:
        first, *others = archive.infolist()
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert [file.filename for file in others] == sorted(file.filename for file in others)
        assert len({file.date_time for file in archive.infolist()}) == 1


def test_links_lead_to_their_places(documents):
    ids = {name: {element.get("id") for element in tree.iter()} for name, tree in documents.items()}
    links = [(name, link.get("href")) for name, tree in documents.items() for link in tree.iter(f"{XHTML}a")]
    inside = [(name, href) for name, href in links if not re.match(r"https?:|mailto:", href)]
    assert len(inside) > 150
    for name, href in inside:
        target, place = urldefrag(href)
        assert (target or name) in ids, f"{name} links to {href}"
        assert not place or place in ids[target or name], f"{name} links to {href}"


def test_no_link_leads_into_a_shut_fold(documents):
    linked = {
        urldefrag(link.get("href")).fragment for tree in documents.values() for link in tree.iter(f"{XHTML}a")
    }
    shut = [
        element.get("id")
        for tree in documents.values()
        for fold in tree.iter(f"{XHTML}details")
        for element in list(fold.iter())[1:]
        if fold.get("open") is None and element.get("id") in linked
    ]
    assert shut == []


def test_each_figure_has_its_drawing_its_caption_and_its_sentence(documents):
    figures = [figure for tree in documents.values() for figure in tree.iter(f"{XHTML}figure")]
    assert len(figures) > 10
    for figure in figures:
        drawings = list(figure.iter(f"{SVG}svg"))
        said = [part for part in figure.iter(f"{XHTML}p") if part.get("class") == "sentence"]
        assert drawings, figure.get("id")
        assert all(drawing.get("aria-label") for drawing in drawings), figure.get("id")
        assert "".join(figure.find(f"{XHTML}figcaption").itertext()).strip(), figure.get("id")
        if figure.get("class") == "explorable":
            assert "".join(said[0].itertext()).strip(), figure.get("id")


def test_nothing_runs_and_nothing_is_pressed(documents):
    elements = [element for tree in documents.values() for element in tree.iter()]
    names = {element.tag.rpartition("}")[2] for element in elements}
    assert not names & {"script", "button", "input", "select", "form", "iframe", "object"}
    assert not [element for element in elements if any(name.startswith("on") for name in element.attrib)]


def test_formulas_have_their_text(documents):
    formulas = [formula for tree in documents.values() for formula in tree.iter(f"{MATH}math")]
    assert len(formulas) > 1000
    assert all(formula.get("alttext") for formula in formulas)


def test_contents_tell_the_spine_from_the_excursions(documents):
    contents = documents["nav.xhtml"].find(f".//{XHTML}nav")
    chapter = next(item for item in contents.iter(f"{XHTML}li") if item[0].text == "1. SVM duality")
    *spine, aside = chapter.find(f"{XHTML}ol")
    behind = ["Summary", "Quiz", "Exercises", "In the library", "Further reading"]
    assert [item[0].text for item in spine][-5:] == behind
    assert (aside[0].tag, aside[0].text) == (f"{XHTML}span", "Excursions")
    assert all(re.match(r"1\.[A-Z] ", item[0].text) for item in aside.find(f"{XHTML}ol"))
    opened = [documents[item[0].get("href")] for item in aside.find(f"{XHTML}ol")]
    assert all("excursion" in tree.find(f".//{XHTML}section").get("class") for tree in opened)


def test_solutions_are_linked_there_and_back(documents):
    name = "solutions-chapters-01_svm_duality.xhtml"
    headings = list(documents[name].iter(f"{XHTML}h2"))
    assert len(headings) > 5
    for heading in headings:
        back = urldefrag(heading.find(f"{XHTML}a").get("href"))
        asked = list(documents[back.url].iter())
        assert back.fragment in [element.get("id") for element in asked]
        assert f"{name}#{heading.get('id')}" in [element.get("href") for element in asked]


@pytest.fixture(scope="module")
def reader(browser, epub, tmp_path_factory):
    """The EPUB opened in foliate-js on a phone."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(READER, folder / "foliate")
    shutil.copy(epub, folder / "book.epub")
    with serve(folder) as address:
        page = browser.new_page(viewport=PHONE, bypass_csp=True)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("requestfailed", lambda request: page.faults.append(request.url))
        page.goto(f"{address}/foliate/reader.html?url=/book.epub")
        page.wait_for_function("globalThis.reader?.view?.renderer?.getContents?.().length")
        yield page
        assert page.faults == []
        page.close()


# What is wrong on the pages of the document that the reader has laid out in columns, each a page.
FAULTS = """async name => {
    const { view } = reader, { index } = view.resolveNavigation(`EPUB/${name}`)
    while (view.renderer.getContents()[0]?.index !== index) { // it goes nowhere while it turns a page
        await new Promise(requestAnimationFrame)
        await view.goTo(`EPUB/${name}`)
    }
    const { doc } = view.renderer.getContents()[0]
    await doc.fonts.ready
    await Promise.all([...doc.images].map(image => image.decode()))
    const pages = [...doc.body.getClientRects()]
    const fits = box => pages.some(page => box.left >= page.left - 2 && box.right <= page.right + 2)
    const parts = [...doc.querySelectorAll("math, math > *, img, svg, table, pre .line, p, li, h1, h2, h3")]
        .filter(part => part.checkVisibility())
    return { pages: pages.length,
        formulas: parts.filter(part => part.localName === "math").length,
        empty: parts.filter(part => /math|img|svg/.test(part.localName)
            && !(part.getBoundingClientRect().width > 0 && part.getBoundingClientRect().height > 0)).length,
        wide: parts.filter(part => ![...part.getClientRects()].every(fits))
            .map(part => `${part.localName} ${part.textContent.slice(0, 60)}`) }
}"""
SAMPLED = {  # documents, and how many formulas each has at least
    "cover.xhtml": 0,
    "nav.xhtml": 0,
    "chapters-01_svm_duality.xhtml": 1,
    "chapters-01_svm_duality-02.xhtml": 100,
    "chapters-01_svm_duality-05.xhtml": 50,
    "chapters-01_svm_duality-06.xhtml": 50,
    "chapters-01_svm_duality-09.xhtml": 50,
    "book-cheat_sheet-01.xhtml": 10,
    "book-teaching.xhtml": 0,
    "book-errata.xhtml": 0,
    "book-licences.xhtml": 0,
    "solutions-chapters-01_svm_duality.xhtml": 50,
}


@pytest.mark.parametrize(("name", "formulas"), SAMPLED.items())
def test_pages_on_a_phone(reader, name, formulas):
    found = reader.evaluate(FAULTS, name)
    assert (found["empty"], found["wide"]) == (0, [])
    assert found["formulas"] >= formulas
    assert found["pages"] > formulas / 50
