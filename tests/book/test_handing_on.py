"""What a reader hands on from a page: a report of an error, the page as Markdown, how it is cited."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import yaml
from PIL import Image
from playwright.sync_api import expect

from tests.book.conftest import EVERY, ROOT, SITE

PAGE, STORY = "chapters/03_softmax_kernel.html", "stories/03_softmax_kernel.html"
LARGEST_PREVIEW = 40_000  # bytes
PREVIEW = '<meta property="og:image" content="([^"]+)"'
SELECT = """selector => {
    const paragraph = document.querySelector(selector);
    paragraph.scrollIntoView({ block: "center", behavior: "instant" });
    getSelection().selectAllChildren(paragraph);
}"""
TOUCH = """() => { // figures that a reader has moved do not follow the text
    for (const { view } of document.querySelectorAll("figure[data-source]")) view.move(view.start);
}"""
READY = '() => [...document.querySelectorAll("figure[data-source]")].every(figure => figure.view)'
MOVE = """() => {
    const { view } = document.querySelector("figure.explorable"), [{ name, position }] = view.spec.parameters;
    view.move({ [name]: position ? 0 : 1 });
}"""
FIGURE_TOLD = """() => { // the figure comes beside the passage a moment after it is scrolled to
    const link = document.querySelector(".report-passage");
    link.dispatchEvent(new Event("focus"));
    return link.href.includes("Figure");
}"""


def filled_in(link):
    """What the forge's form would have been filled in with."""
    address = link.get_attribute("href")
    assert len(address) < 2500
    (body,) = parse_qs(urlsplit(address).query)["body"]
    return body


def test_a_reader_reports_copies_and_cites(visit):
    with visit(PAGE, permissions=["clipboard-read", "clipboard-write"]) as page:
        reports_a_passage(page)
        reports_what_a_figure_shows(page)
        copies_markdown(page)
        cites(page)


def reports_a_passage(page):
    page.wait_for_function(READY)
    page.evaluate(TOUCH)
    page.evaluate(SELECT, "section section > p")
    link = page.locator(".report-passage")
    expect(link).to_be_visible()
    body, version = filled_in(link), yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    said = " ".join(page.evaluate("getSelection().toString()").split())
    assert f"\nVersion: {version}\n" in body
    assert f"/{PAGE}#" in body.partition("Section: ")[2].partition("\n")[0]
    assert f"\n> {said[:20]}" in body
    assert "Figure: " not in body
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.evaluate("getSelection().empty(), document.activeElement.blur()")
    expect(link).to_have_count(0)


def reports_what_a_figure_shows(page):
    page.evaluate(MOVE)
    page.evaluate(SELECT, "article > section > p")
    link = page.locator(".report-passage")
    expect(link).to_be_visible()
    page.wait_for_function(FIGURE_TOLD)
    assert "#ex-" in filled_in(link).partition("Figure: ")[2].partition("?")[0]
    page.keyboard.press("Escape")
    expect(link).to_have_count(0)


def copies_markdown(page):
    page.locator("details.run-it summary").click()
    page.locator(".run-it").get_by_role("button", name="Copy as Markdown").click()
    expect(page.locator(".run-it").get_by_role("button", name="Copied")).to_be_visible()
    twin = (SITE / PAGE).with_suffix(".md").read_text()
    assert page.evaluate("navigator.clipboard.readText()") == twin


def cites(page):
    page.get_by_role("link", name="Cite this chapter").click()
    expect(page.locator("#cite pre")).to_be_visible()
    page.get_by_role("button", name="Copy BibTeX").click()
    expect(page.locator("#cite").get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@incollection{")


def test_every_page_has_a_small_preview():
    """`make pictures` takes them; a plan has that of its chapter."""
    texts = {page: (SITE / page).read_text("utf8") for page in EVERY}
    shown = {page: re.search(PREVIEW, text)[1] for page, text in texts.items()}
    for address in {*shown.values()}:
        file = SITE / "_images" / Path(address.partition("/_images/")[2])
        assert file.stat().st_size <= LARGEST_PREVIEW
        assert Image.open(file).size == (1200, 630)
    own = [page for page, address in shown.items() if address.endswith(page.replace(".html", ".png"))]
    assert {"index.html", "book/library/gallery.html", PAGE, STORY} <= {*own}
    assert shown["book/sessions/03_softmax_kernel.html"] == shown[PAGE]
