"""Exercises with other random numbers: whether solutions pass and stubs fail hangs on no seed of a page.

What the cells of a page assert with other seeds is tried by `make check CHAPTER=02 DRAWS=5`.
"""

import pytest

from conftest import full
from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter
from margins_book.page.seeds import moved_seeds
from margins_book.page.solutions import stubbed
from margins_course.assignments.cells import label_of
from margins_course.book import page_of
from tests.margins_course.exercises import messages, reference_of
from tests.margins_course.sums_assignment import assignment


@pytest.mark.parametrize("draw", [1, *full(2, 3)])
@pytest.mark.parametrize("own", chapters(), ids=lambda own: own.page.stem)
def test_solutions_pass_and_stubs_fail_with_other_seeds(own, draw):
    with moved_seeds(draw):
        reference = reference_of(assignment(read_chapter(own.page), page_of(own.page)))
        for solution in reference.solutions:
            assert set(messages(reference, label_of(solution), solution.source)) == {None}
            assert None not in messages(reference, label_of(solution), stubbed(solution.source))
