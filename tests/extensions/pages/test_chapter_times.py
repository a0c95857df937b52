"""The times of a chapter in words, those of routes, and places without a time, which end the build."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from extensions.pages.chapter_times import lecture, reading, write_one
from extensions.pages.routes import found


@pytest.mark.parametrize(
    ("exercises", "aside", "said"),
    [
        (0, 0, "chapter 20 min, everything 30 min"),
        (30, 90, "chapter 20 min, everything 30 min; exercises 30 min, with excursions another 1 h 30 min"),
    ],
)
def test_times_are_told_by_depth_and_those_of_exercises_behind(exercises, aside, said):
    times = {"chapter": 20, "everything": 30, "exercises": exercises, "exercises_aside": aside}
    assert reading(times) == said


def test_a_lecture_has_39_words_a_minute():
    env = SimpleNamespace(metadata={"chapters/06_attention_svm": {"spine_words": 3510}})
    assert lecture(env, "chapters/06_attention_svm") == 90


TIMES = {"chapter": 40, "sections": {"aside": ("6.A Aside", {"chapter": 60, "everything": 70})}}
ENV = SimpleNamespace(
    docname="page",
    found_docs=["chapters/06_small"],
    metadata={"chapters/06_small": {"times": TIMES}},
    titles={"chapters/06_small": nodes.title("", "A page")},
)


@pytest.mark.parametrize(("place", "told"), [("06", ("A page", 40)), ("06#aside", ("6.A Aside", 60))])
def test_a_route_counts_what_the_depth_of_a_chapter_has_open(place, told):
    assert found(ENV, None, place) == ("chapters/06_small", *told)


def test_a_place_without_a_time_ends_the_build():
    with pytest.raises(ExtensionError, match="page: chapter-times: there is no page 'chapters/07_small'"):
        write_one(SimpleNamespace(env=ENV), {"text": "07_small"})
    with pytest.raises(ExtensionError, match="a:3: route: there is no place '06#nowhere'"):
        found(ENV, SimpleNamespace(source="a", line=3), "06#nowhere")
