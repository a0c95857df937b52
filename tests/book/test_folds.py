"""What the chapters fold at their first depth: each part to a line that says what is inside."""

import re

import pytest

from tests.book.conftest import CHAPTERS, PAGES, parsed, said

each_chapter = pytest.mark.parametrize("path", CHAPTERS)
ASSERTS = re.compile(r"^\s*(assert\b|bounded\()", re.M)


def line_of(fold):
    """The words of a fold's line that an author did not write, as a pattern."""
    kinds = fold["class"]
    if "check-fold" in kinds:
        return r"Checked(.*[^.])?"
    if "printed-fold" in kinds:
        title = said(fold.select_one(".erratum .admonition-title"))
        return re.escape(re.sub(r"^Erratum:? *", "Often printed otherwise: ", title))
    if "excursion-fold" in kinds:
        return re.escape(f"Excursion {said(fold.parent.h2).split()[0]}") + r", \d+ lines?"
    return r"Proof.*, \d+ lines?" if "proof" in kinds else r"Code, \d+ lines?"


@each_chapter
def test_each_part_is_folded_to_a_line_that_says_what_is_inside(path):
    """The page is built open, so that it needs no script."""
    page = parsed(path)
    for fold in page.select("details.deep"):
        assert re.fullmatch(line_of(fold), said(fold.summary)), fold.summary
        assert fold.has_attr("open")
    for box in page.select(".erratum.admonition"):
        assert "printed-fold" in box.parent["class"], box.p
    for cell in page.select(".cell:has(.cell_input)"):
        if ASSERTS.search(cell.select_one(".cell_input").text) and not cell.find_parent(id="exercises"):
            fold = cell.find_parent("details", class_="deep") or cell.select_one("details.check-fold")
            is_tagged = any(name.startswith("tag_") for name in cell["class"])
            assert is_tagged or fold, cell.select_one(".cell_input").text
    announcing = [said(words) for words in page.select("p:has(+ details.check-fold)")]
    assert not [words for words in announcing if words.endswith(":")], "what is announced is folded"
    assert not page.select(".exercise details.deep")
    assert all("\N{NO-BREAK SPACE}★" in title.text for title in page.select(".exercise .admonition-title"))


@each_chapter
def test_words_stand_before_their_statement_and_signposts_lead_to_excursions(path):
    page = parsed(path)
    for words in page.select(".in-words"):
        assert "admonition-title" in words.find_previous_sibling()["class"]
        assert said(words.find_next_sibling("section"))
    for excursion in page.select("section.excursion"):
        assert excursion.select_one(".excursion-head").text.endswith(" Nothing in the spine uses it.")
        assert {part.name for part in excursion.find_all(recursive=False)} <= {"span", "h2", "p", "details"}
    for line in page.select(".signpost"):
        there = page.select_one(line.a["href"])
        assert said(there.h2).startswith(f"{line.a.text} ")
        needs = said(there.select_one(".excursion-head")).removesuffix(" Nothing in the spine uses it.")
        assert said(line).startswith(f"{line.a.text} ")
        assert said(line).endswith(needs)


@pytest.mark.parametrize("path", PAGES)
def test_chapters_alone_have_a_switch_of_depths(path):
    page = parsed(path)
    groups = page.select("header.book .depth")
    assert len(groups) == len(page.select("script[src*='chapter.js']")) == (path in CHAPTERS)
    for group in groups:
        assert group["aria-label"] == "How much of the page is open"
        pressed = {button["value"]: button["aria-pressed"] for button in group.find_all("button")}
        assert pressed == {"chapter": "true", "everything": "false"}
