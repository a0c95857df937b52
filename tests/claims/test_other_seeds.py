"""Chapters with other random numbers: what their cells assert does not hang on the seeds of a page.

Of the shifts 1 to 20 chapter 1 holds with all but four, in which the draws are not what the page says they
are: in 1, 4 and 11 no line separates some of those that shall be separable, in 17 the clouds that shall
overlap hardly do, and descent needs more steps to its minimum. Three stand for the sixteen.
"""

from pathlib import Path

import numpy as np
import pytest

from tests.coursework import chapter_cells

CHAPTERS = Path(__file__).parents[2] / "chapters"
SHIFTS = {
    "01_svm_duality": (2, 7, 16),
    "02_kernels": (1, 2),
    "03_softmax_kernel": (1, 2),
}


@pytest.mark.parametrize(("chapter", "shift"), [(name, s) for name, shifts in SHIFTS.items() for s in shifts])
def test_every_assertion_and_reference_holds_with_other_seeds(chapter, shift, monkeypatch):
    generator = np.random.default_rng

    def shifted(seed=None):  # libraries pass generators, and none at all
        return generator(seed + 1000 * shift if isinstance(seed, int) else seed)

    monkeypatch.setattr(np.random, "default_rng", shifted)
    setup, exercises = chapter_cells.read(CHAPTERS / f"{chapter}.md")
    names = chapter_cells.namespace(setup)
    for exercise in exercises.values():
        assert chapter_cells.failures(exercise.solution, exercise, names) == [None] * len(exercise.checks)
