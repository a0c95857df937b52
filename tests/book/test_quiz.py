"""The quiz of every chapter: enough questions, and answers that are said when they are asked for."""

import pytest

from tests.book.conftest import CHAPTERS, parsed


@pytest.mark.parametrize("path", CHAPTERS)
def test_chapter_has_a_quiz_before_its_exercises(path):
    sections = [heading.text.rstrip("#").strip() for heading in parsed(path).select("main h2")]
    places = [number for number, title in enumerate(sections) if title.endswith("Quiz")]
    assert places, f"no section Quiz among {sections}"
    assert sections[places[0] + 1].endswith("Exercises")
    questions = parsed(path).select("fieldset.quiz")
    assert 3 <= len(parsed(path).select("#quiz fieldset.quiz")) <= 5  # excursions ask theirs
    groups = [{choice["name"] for choice in question.select("input")} for question in questions]
    assert len(set().union(*groups)) == len(questions), "a group of radio buttons for each question"
