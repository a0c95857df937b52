"""Chapters with other random numbers: what their cells assert does not hang on the seeds of a page.

What no assertion and no exercise rests on, many of the figures, is left to the build, which runs all cells.
Of the shifts 1 to 20 chapter 1 holds with all but four, in which the draws are not what the page says they
are: in 1, 4 and 11 no line separates some of those that shall be separable, in 17 the clouds that shall
overlap hardly do, and descent needs more steps to its minimum. One stands for the sixteen. Of the shifts
1 to 5 chapter 11 holds with all but 1, in which one of thirteen problems without a spurious choice is an
exception within the steps that the page takes.
"""

import numpy as np
import pytest

from margins_book.chapters import chapters
from margins_course.assignments.chapter import read_chapter
from margins_course.assignments.check_cells import pieces
from margins_course.grading.reference import check_messages
from tests.check_cells.cells import run

SHIFTS = {"svm_duality": 2, "errata_and_open_questions": 2}  # of the others: 1


@pytest.mark.slow
@pytest.mark.parametrize("own", chapters(), ids=lambda own: own.page.stem)
def test_every_assertion_and_reference_holds_with_other_seeds(own, monkeypatch):
    generator, shift = np.random.default_rng, SHIFTS.get(own.topic, 1)

    def shifted(seed=None):  # libraries pass generators, and none at all
        if isinstance(seed, list | tuple):
            return generator([shift, *seed])
        return generator(seed + 1000 * shift if isinstance(seed, int) else seed)

    monkeypatch.setattr(np.random, "default_rng", shifted)
    chapter, names = read_chapter(own.page), {"__name__": "__main__"}
    assert list(run(pieces(own), names))
    for cell in chapter.cells:
        if cell.kind == "solution":
            messages = [message for _, message in check_messages(chapter, cell.exercise, cell.source, names)]
            assert messages == [None] * len(messages)
