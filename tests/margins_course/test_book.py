"""Chapters are found by number and name."""

from margins_course.book import find_chapter
from tests.margins_course.assignments.test_release import CHAPTERS


def test_chapters_are_found_by_number_and_name():
    first = CHAPTERS[0]
    number = first.stem.split("_")[0]
    assert find_chapter(number) == find_chapter(number.lstrip("0")) == find_chapter(first.stem) == first
