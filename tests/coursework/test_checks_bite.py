"""Every graded exercise: the reference passes, the stub fails every check, each known mistake some check."""

from functools import cache
from pathlib import Path

import pytest

from tests.coursework import chapter_cells

ROOT = Path(__file__).parents[2]
WRONG = Path(__file__).parent / "wrong"
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.md"))


@cache
def chapter(path):
    setup, exercises = chapter_cells.read(path)
    return chapter_cells.namespace(setup), exercises


def coded_exercises():
    return [(path, label) for path in CHAPTERS for label in chapter_cells.read(path)[1]]


def variants(label):
    """The mistaken solutions of an exercise, by what is wrong with them."""
    parts = (WRONG / f"{label}.py").read_text(encoding="utf-8").split("\n# wrong: ")
    return {title: parts[0] + "\n" + code for title, _, code in (part.partition("\n") for part in parts[1:])}


def cases():
    return [(path, label, title) for path, label in coded_exercises() for title in variants(label)]


def name(value):
    return getattr(value, "stem", value)


each_exercise = pytest.mark.parametrize(("path", "label"), coded_exercises(), ids=name)


@each_exercise
def test_reference_passes_and_stub_fails_every_check(path, label):
    names, exercises = chapter(path)
    exercise = exercises[label]
    assert len(exercise.checks) >= 2, "a visible and a hidden check"
    assert chapter_cells.failures(exercise.solution, exercise, names) == [None] * len(exercise.checks)
    messages = chapter_cells.failures(chapter_cells.stub(exercise.solution), exercise, names)
    assert None not in messages
    assert "Nothing is written here yet" in messages[0]


@each_exercise
def test_three_mistakes_are_known(path, label):
    assert len(variants(label)) >= 3


@pytest.mark.parametrize(("path", "label", "title"), cases(), ids=name)
def test_known_mistake_fails_a_check(path, label, title):
    names, exercises = chapter(path)
    messages = chapter_cells.failures(variants(label)[title], exercises[label], names)
    assert any(messages), "every check passes"
    assert not any(message and message.startswith(("NameError", "SyntaxError")) for message in messages)
