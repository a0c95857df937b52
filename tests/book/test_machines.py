"""What the site hands to other programs: Markdown twins, lists of pages, how to cite, flash cards."""

import re
import xml.etree.ElementTree as ElementTree
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from extensions.coursework.notebook_names import CODE
from scripts.editions.site import settings
from tests.book.conftest import CHAPTERS, EVERY, PAGES, ROOT, SITE, parsed, said
from tests.raw_markdown import raw_in

BASE = settings()["html"]["baseurl"]
STORIES = [path for path in PAGES if path.startswith("stories/")]
SOLUTION = re.compile(r"\{solution-start\}.*?\n:class: dropdown\n[:`]+\n+(.+)")


def twin_of(path):
    return (SITE / path).with_suffix(".md").read_text("utf8")


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_twin_has_text_code_what_it_printed_figures_and_solutions_at_its_end(path):
    page, twin = parsed(path), twin_of(path)
    assert twin.startswith(f"# {said(page.h1)}\n\n*From [Margins of Attention]({BASE}{path})")
    assert [box for box in page.select(".proof .caption-number") if f"**{said(box)}" not in twin] == []
    told = re.findall(r"^\*\*(Figure [\d.]+)\.\*\* .*\]\((\S+)\)$", twin, re.M)
    captions = page.select("figcaption .caption-number")
    assert told == [(said(one), f"{BASE}{path}#{one.find_parent('figure')['id']}") for one in captions]
    assert not re.search(r"^figures\.\w+$", twin, re.M)
    for printed in page.select(".cell_output .stream pre"):
        assert printed.text.strip().splitlines()[0] in twin
    before, solutions = twin.split("\n## Solutions\n")
    names = re.findall(r"^### (Exercise [\d.]+): ", solutions, re.M)
    assert before.count("[A solution](#solutions)") == len(names) == len(page.select("details.solution"))
    begins = SOLUTION.findall((ROOT / path.replace(".html", ".md")).read_text("utf8"))
    plain = [begin for begin in (re.split(r"[{$`*]", line)[0][:50] for line in begins) if len(begin) > 20]
    assert all(begin in solutions and begin not in before for begin in plain)


def test_the_twin_of_teaching_lists_the_exercises_that_its_cell_computes():
    page, twin = parsed("book/teaching.html"), twin_of("book/teaching.html")
    titles = [said(name) for name in page.select(".cell_output details.dropdown tbody th")]
    assert len(titles) > 100
    assert [title for title in titles if f"\n| {title} | " not in twin] == []


@pytest.mark.parametrize("path", STORIES)
def test_the_twin_of_a_story_has_scenes_without_code(path):
    scenes, twin = len(parsed(path).select("section.scene")), twin_of(path)
    assert len(re.findall(r"^## .+\n\n\*\*Figure\.\*\* ", twin, re.M)) == scenes
    links = re.findall(r"^In the chapter: \[.+\]\((.+)\)$", twin, re.M)
    assert links == [BASE + link["href"].removeprefix("../") for link in parsed(path).select(".scene-link a")]
    assert "```" not in twin


def test_the_glossary_and_the_quizzes_are_cards_in_the_form_of_anki():
    page = parsed("book/glossary.html")
    terms = sorted(said(term).replace("’", "'") for term in page.select("dl.glossary > dt"))
    assert sorted(re.findall(r"^\*\*(.+?)\*\*: ", twin_of("book/glossary.html"), re.M)) == terms
    lines = (SITE / "cards.txt").read_text("utf8").splitlines()
    assert lines[:2] == ["#separator:tab", "#html:true"]
    cards = [line.split("\t") for line in lines if not line.startswith("#")]
    assert sorted(front for front, _, tag in cards if tag == "glossary") == terms
    for path in CHAPTERS:
        asked = [card for card in cards if card[2] == f"chapter-{path[9:11]}"]
        assert len(asked) == len(parsed(path).select("fieldset.quiz"))
        assert all(re.match(r"<p><strong>\d\.</strong> Right", back) for _, back, _ in asked)
        assert all(front.count("<li>") == back.count("<strong>") for front, back, _ in asked)
    assert not [card for card in cards if "$" in "".join(card)]


def test_language_models_find_all_twins_by_part_and_search_engines_all_pages():
    text, contents = (
        (SITE / "llms.txt").read_text("utf8"),
        yaml.safe_load((ROOT / "_toc.yml").read_text("utf8")),
    )
    parts = ["The book", *dict.fromkeys(part.get("caption", "The book") for part in contents["parts"])]
    assert re.findall(r"^## (.+)$", text, re.M) == [*dict.fromkeys(parts)]
    listed = re.findall(r"^- \[(.+)\]\((.+)\.md\): (.+)$", text, re.M)
    assert {f"{address}.html" for _, address, _ in listed} == {BASE + page for page in EVERY} - {
        f"{BASE}search.html"
    }
    for title, address, described in listed:
        path = f"{address.removeprefix(BASE)}.html"
        page = parsed(path)
        assert raw_in(CODE.sub(" ", twin_of(path))) == [], "leftovers of its source"
        assert title == said(page.h1)
        assert described == page.find("meta", attrs={"name": "description"})["content"]
        assert page.head.select_one("link[rel=canonical]")["href"] == f"{address}.html"
    places = ElementTree.parse(SITE / "sitemap.xml").iter()
    found = [place.text for place in places if place.tag.endswith("loc")]
    assert found == sorted(f"{address}.html" for _, address, _ in listed)


@pytest.mark.parametrize("path", [*CHAPTERS, *STORIES, "book/glossary.html"])
def test_a_page_says_how_it_is_cited_and_the_form_for_errors_knows_it(path):
    page, source = parsed(path), yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))
    cite, number = page.select_one("details#cite"), re.compile(r"^\d+\. ")
    title = number.sub("", said(page.h1))
    assert bool(cite) == (path != "book/glossary.html")
    if cite:
        assert page.select_one("meta[name=citation_title]")["content"] == title
        assert said(cite.p).endswith(f"In: {source['title']}, version {source['version']}. {BASE}{path}")
        assert f"title = {{{{{title}}}}}" in cite.pre.text
    address = urlsplit(page.select_one(".colophon a.report")["href"])
    assert address.path.endswith("/issues/new")
    filled_in = parse_qs(address.query)
    assert filled_in["title"] == [f"Error: {title}"]
    begins = f"Page: {BASE}{path}\nVersion: {source['version']}\n\nWhat is wrong: "
    assert filled_in["body"] == [begins]
