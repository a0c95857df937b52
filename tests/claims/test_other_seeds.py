"""Chapters with other random numbers: what their cells assert does not hang on the seeds of a page."""

from pathlib import Path

import numpy as np
import pytest

from margins_course.chapter import read_chapter
from margins_course.proof import silence, verdicts

CHAPTERS = Path(__file__).parents[2] / "chapters"
SHIFTS = {  # in other shifts no line separates the draws that chapter 1 wants separable
    "01_svm_duality": (2, 7, 16),
    "02_kernels": (1, 2),
    "03_softmax_kernel": (1, 2),
}


@pytest.mark.parametrize(("name", "shift"), [(name, s) for name, shifts in SHIFTS.items() for s in shifts])
def test_every_assertion_and_reference_holds_with_other_seeds(name, shift, monkeypatch):
    generator = np.random.default_rng

    def shifted(seed=None):  # libraries pass generators, and none at all
        return generator(seed + 1000 * shift if isinstance(seed, int) else seed)

    monkeypatch.setattr(np.random, "default_rng", shifted)
    chapter = read_chapter(CHAPTERS / f"{name}.md")
    names = all_that_is_defined(chapter)
    for cell in chapter.cells:
        if cell.kind == "solution":
            messages = [message for _, message in verdicts(chapter, cell.exercise, cell.source, names)]
            assert messages == [None] * len(messages)


def all_that_is_defined(chapter):
    """The names that every plain cell of the chapter defines, its figures and checks included."""
    names = {"__name__": "__main__"}
    with silence():
        for cell in chapter.cells:
            if cell.kind == "setup":
                exec(compile(cell.source, "chapter", "exec"), names)
    return names
