"""The times of a small chapter, wherever a page tells them: card, contents, table for teachers, routes."""

from types import SimpleNamespace

import pytest

from extensions.pages.chapter_times import lecture, reading
from tests.small_book import NOTEBOOK, SmallSite, said

pytestmark = pytest.mark.full  # in `make test` the built site is looked at
WORDS = "word " * 1500 + "\n\n"  # ten minutes
EXERCISE = "```{{exercise-start}} {} · prove {}\n:label: {}\n```\nDo it.\n```{{exercise-end}}\n```\n\n"
CHAPTER = (
    NOTEBOOK
    + WORDS
    + """:::{admonition} In this chapter
:class: card
*Before you start:* nothing. *Running:* a second.
:::

## First part

"""
    + WORDS * 2
    + ":::{prf:lemma} Long\n:label: long\n\n"
    + WORDS
    + ":::\n\n## Exercises\n\n"
    + EXERCISE.format("One", "★", "one")
    + EXERCISE.format("Open", "★★★★", "open")
    + "(apart)=\n## Aside\n\n```{excursion} A\n```\n\n"
    + WORDS * 3
    + EXERCISE.format("Two", "★★", "two")
)
TEACHING = """
{chapter-times}`06_small`

{reading-time}`chapters`

```{route}
The start: 06#opening 06#first-part
06
```

```{route}
Apart: 06#first-part 06#apart
```
"""


@pytest.fixture(scope="module")
def site(small_book):
    return SmallSite(small_book, {"chapters/06_small": CHAPTER}).build(NOTEBOOK + TEACHING)


@pytest.fixture(scope="module")
def page(site):
    return site.parsed("page")


DEPTHS = "chapter 40 min, everything 1 h 10 min"
READING = f"{DEPTHS}; exercises 30 min, with excursions another 1 h 30 min"


def test_the_card_tells_what_the_switch_tells(chapter):
    switch = [said(button) for button in chapter.select("header.book .depth button")]
    assert switch == ["Chapter 40 min", "Everything 1 h 10 min"]
    card = said(chapter.select_one(".card p:last-child"))
    assert card == f"Before you start: nothing. Reading: {READING}. Running: a second."


def test_the_head_of_an_excursion_and_both_contents_tell_the_same_minutes(chapter):
    assert said(chapter.select_one(".excursion-head")).startswith("30 min.")
    for contents in (".on-this-page", "header.book nav"):
        assert [said(item.a) for item in chapter.select(f"{contents} li.excursion")] == ["6.A Aside 30 min"]


def test_another_page_tells_the_times_of_a_chapter_and_of_all(page):
    told = [said(paragraph) for paragraph in page.select("main p")]
    assert f"Lecture: 155 min. Reading: {READING}." in told
    assert "1 hours" in told


def test_a_route_adds_up_its_sittings(page):
    first, second = page.select("main ol")
    assert [said(item) for item in first.find_all("li")] == [
        "The start: the opening of chapter 6, First part (40 min)",
        "Chapter 6, A page (40 min)",
    ]
    assert said(first.find_next_sibling("p")) == "Together 1 h 20 min."
    assert [link["href"] for link in first.select("a")] == [
        "chapters/06_small.html",
        "chapters/06_small.html#first-part",
        "chapters/06_small.html",
    ]
    assert said(second.li) == "Apart: First part, 6.A Aside (1 h)"
    assert said(second.find_next_sibling("p")) == "Together 1 h."


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("`06_small`", "`07_small`", "chapter-times: there is no page 'chapters/07_small'"),
        ("06#apart", "06#nowhere", "route: there is no place '06#nowhere'"),
    ],
)
def test_a_place_without_a_time_ends_the_build(site, before, after, told):
    assert told in site.refusal("page", before, after)


def test_times_without_exercises_end_with_the_depths():
    times = {"chapter": 20, "everything": 30, "exercises": 0, "exercises_aside": 0}
    assert reading(times) == "chapter 20 min, everything 30 min"


def metadata(name, words):
    told = {f"chapters/{name}": {"spine_words": words}, "book/page": {}}
    return SimpleNamespace(metadata=told, doc2path=lambda page: f"{page}.md")


def test_a_lecture_has_39_words_a_minute():
    env = metadata("06_attention_svm", 3510)
    assert lecture(env, "chapters/06_attention_svm") == 90
    assert lecture(env, "book/page") is None
