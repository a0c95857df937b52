"""Numbers of figures, and what refers to what: from the text to figures and works, and back again."""

import re
from functools import cache
from urllib.parse import unquote, urldefrag

import pytest

from tests.book.conftest import CHAPTERS, PAGES, ROOT, parsed

CHINESE = re.compile(r"[\u3400-\u9fff]")
LOOSE_UNIT = re.compile(r"\d (?:ms|s|kB|MB|GB|%)(?!\w)")
HEADING = re.compile("h[1-4]")
NOTED = re.compile(f"{CHINESE.pattern}|{LOOSE_UNIT.pattern}")


@cache
def numbers(path):
    """By the id of each figure of a page, in their order, the number before its caption."""
    captions = parsed(path).select("main figure:is(.explorable, .figure) > figcaption:has(.caption-number)")
    return {caption.parent["id"]: caption.select_one(".caption-number").text.strip() for caption in captions}


@pytest.mark.parametrize("path", CHAPTERS)
def test_figures_of_a_chapter_are_numbered_in_their_order_and_named_by_their_numbers(path):
    chapter = int(path[9:11])
    found = list(numbers(path).values())
    source = (ROOT / path.replace(".html", ".md")).read_text("utf8")
    assert len(found) == len(re.findall(r"^figures\.\w+", source, re.MULTILINE)) > 0
    assert found == [f"Figure {chapter}.{k}" for k in range(1, len(found) + 1)]
    for link in parsed(path).select("a:is([href*='#ex-'], [href*='#fig-']):has(> .std-numref)"):
        page, name = urldefrag(link["href"])
        number = numbers(f"chapters/{page}" if page else path)[name]
        assert link.text == number.replace(" ", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize("path", [page for page in PAGES if not page.startswith("stories/")])
def test_caption_stands_under_the_drawing_with_a_permalink_and_prompts_after_it(path):
    for figure in parsed(path).select("main figure:is(.explorable, .figure)"):
        *drawing, caption = figure.find_all(recursive=False)
        assert drawing
        assert caption.name == "figcaption"
        assert caption.select_one(".headerlink")["href"] == f"#{figure['id']}"
        assert not figure.select(".explorable-prompts")
        if figure["class"] == ["explorable"]:
            assert figure.find_next_sibling()["class"] == ["explorable-prompts"]


def works():
    return {work["id"]: work for work in parsed("book/references.html").select("div.citation")}


@pytest.mark.parametrize("path", PAGES)
def test_a_work_leads_back_to_every_page_that_cites_it(path):
    """The first citation in each section, under the name of that section."""
    listed = works()
    for citation in parsed(path).select(".bibtex-citation"):
        heading = citation.find_parent(lambda tag: tag.find(HEADING, recursive=False)).find(HEADING)
        title = re.sub(r"^[\d.]+ |#$", "", heading.get_text())
        for link in citation.select("a[href*='references.html#']"):
            back = listed[unquote(link["href"].partition("#")[2])].select(".cited-in a")
            pages = {(a["href"].partition("#")[0].removeprefix("../"), a.text) for a in back}
            assert ((path if path.startswith("chapters/") else path.removeprefix("book/")), title) in pages


def test_works_have_addresses_that_stay_and_nearly_all_lead_to_their_text():
    found = works()
    assert "tarzanagh2023" in found
    linked = [work for work in found.values() if work.select("a[href*='arxiv.org'], a[href*='doi.org']")]
    assert len(linked) >= 0.75 * len(found)
    assert found["bochner1933"].select_one("[lang=de]").text.startswith("Monotone Funktionen")


def test_chinese_is_marked_as_such_and_units_stay_with_their_numbers():
    marked = 0
    for path in PAGES:
        for text in parsed(path).main.find_all(string=NOTED):
            if text.find_parent(["code", "pre", "svg", "script", "math"]):
                continue
            assert not LOOSE_UNIT.search(text), f"{path}: {text}"
            assert text.find_parent(lang="zh"), f"{path}: {text}"
            marked += 1
    assert marked > 5
