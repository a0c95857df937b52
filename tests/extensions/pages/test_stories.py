"""The story of a small chapter: its scenes, where their figures start, its links, and what ends the build."""

import json
import re

import pytest

from tests.small_book import CELL, IMPORT, NOTEBOOK, SmallSite, said

pytestmark = pytest.mark.full  # in `make test` the built site is looked at
CHAPTER = (
    NOTEBOOK + IMPORT + "## First part\n\n" + CELL.format("figures.hidden_factor") + "### Its end\n\nWords.\n"
)


def scene(heading, state, formula, section):
    """A scene as it is written."""
    cell = CELL.format(f"figures.hidden_factor.at({state})")
    words = f"The first paragraph.\n\n$$\n{formula}\n$$\n\nThe second one."
    return f"## {heading}\n\n{cell}{words}\n\n```{{in-chapter}} {section}\n```\n\n"


STORY = (
    NOTEBOOK.partition("# A page")[0]
    + "# Chapter 6 in 5 minutes: What is hidden?\n\n"
    + IMPORT
    + scene("A factor is hidden", "factor=10", "x=y", "first-part")
    + scene("A half is hidden, too", "factor=0.5, asks='Set the factor'", "y=z", "its-end")
)


@pytest.fixture(scope="module")
def site(small_book):
    return SmallSite(small_book, {"chapters/06_small": CHAPTER, "stories/06_small": STORY}).build()


@pytest.fixture(scope="module")
def story(site):
    return site.parsed("stories/06_small")


def test_a_section_is_sorted_into_figure_text_formula_and_link(story):
    scenes = story.select("section.scene")
    assert [said(scene.h2).rstrip("#") for scene in scenes] == ["A factor is hidden", "A half is hidden, too"]
    for scene in scenes:
        boxes = scene.find_all(["div", "p"], recursive=False)
        kinds = [name for box in boxes for name in box["class"] if name.startswith("scene-")]
        assert kinds == ["scene-figure", "scene-text", "scene-formula", "scene-link"]
        figure, text, formula, _ = boxes
        assert len(figure.select("figure.explorable")) == 1
        assert [said(part) for part in text.select("p")] == ["The first paragraph.", "The second one."]
        assert len(formula.select("math")) == 1


def test_each_figure_starts_in_its_state_and_has_the_table_of_the_chapter(story, chapter):
    figures = story.select("figure.explorable")
    specs = [json.loads(figure.script.string) for figure in figures]
    starts = [spec["parameters"][0]["values"][spec["parameters"][0]["position"]] for spec in specs]
    assert starts == [10, 0.5]
    assert ["The numbers are 10, 20, 40" in said(figure.output) for figure in figures] == [True, False]
    original = chapter.select_one("figure.explorable")
    assert {figure["data-frames"] for figure in figures} == {original["data-frames"]}
    assert not {figure["id"] for figure in figures} & {original["id"]}
    assert not story.select(".caption-number")


def test_a_story_has_no_code_and_no_notebook(site, story):
    assert not story.select(".cell, details.hide, .in-page, .run-it")
    assert "hidden_factor.at" not in site.read("notebooks/06_small.ipynb")


def test_a_question_stands_below_the_figure_of_the_scene_that_asks_it(story):
    first, second = story.select("section.scene")
    assert not first.select(".explorable-prompts")
    (asked,) = second.select(".scene-figure > figure.explorable + .explorable-prompts > li")
    assert said(asked.p).startswith("Set the factor to 10.")
    assert "shares depend on ratios alone" in said(asked.select_one("details:not([open])"))


def test_a_story_alone_can_be_presented(story, chapter):
    scripts = [script["src"].rpartition("/")[2].partition("?")[0] for script in story.select("script[src]")]
    assert scripts[-2:] == ["explorable.js", "present.js"]
    assert said(story.select_one("h1 + button.present")) == "Present"
    assert not chapter.select("button.present, script[src*='present.js']")


def test_story_and_chapter_lead_to_each_other(story, chapter):
    head, way = story.select_one(".story-head"), chapter.select_one(".to-story")
    assert said(head) == "5 minutes. The whole, with proofs: Chapter 6, A page (5 min)."
    assert head.a["href"] == "../chapters/06_small.html"
    assert said(way) == "The story: Chapter 6 in 5 minutes"
    assert way.a["href"] == "../stories/06_small.html"
    links = [(said(link), link.a["href"]) for link in story.select(".scene-link")]
    assert links == [
        ("In the chapter: First part", "../chapters/06_small.html#first-part"),
        ("In the chapter: Its end", "../chapters/06_small.html#its-end"),
    ]


def test_a_search_finds_scenes_behind_the_chapter(site):
    told = (site.folder / "_build/.doctrees/search/stories/06_small/a-factor-is-hidden.html").read_text()
    assert "The second one." in told
    assert "all multiplied by one factor" not in told  # the figure itself is found in the chapter
    assert re.findall(r'data-pagefind-weight="([\d.]+)"', told) == ["0.6"]


WRONG = [
    ("The first paragraph.", "$$\na=b\n$$", "'A factor is hidden' has 1 of figure, 1 of text, 2 of formula"),
    ("```{in-chapter} first-part\n```", "", "0 of link; expected one figure, text, one formula at most"),
    ("in 5 minutes", "in 20 minutes", "expected 'Chapter 6 in 5 minutes: ', which it takes to read"),
    ("{in-chapter} its-end", "{in-chapter} end", "has no section 'end'; it has first-part, its-end, opening"),
    ("figures.hidden_factor.at(factor=10)", "figures.tied.at(t=1)", "tied-1 shows what no figure of"),
]


@pytest.mark.parametrize(("before", "after", "message"), WRONG)
def test_what_is_wrong_ends_the_build(site, before, after, message):
    assert message in site.refusal("stories/06_small", before, after)
