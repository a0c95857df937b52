"""What the site publishes of exercises: never a marker or a hidden check, solutions by the switch."""

import copy
import functools
from pathlib import Path

import jupytext
import pytest

from extensions.coursework.exercise_cells import public_cells

ROOT = Path(__file__).parents[3]

CHAPTERS = sorted((ROOT / "chapters").glob("*.md"))


@functools.cache
def cells_of(chapter):
    return jupytext.read(chapter).cells


def published(chapter, **options):
    return list(public_cells(copy.deepcopy(cells_of(chapter)), **options))


def sources(chapter, tag):
    return [cell.source for cell in cells_of(chapter) if tag in cell.metadata.get("tags", [])]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("show", [True, False])
def test_no_marker_and_no_hidden_check_is_published(chapter, show):
    text = "\n".join(cell.source for cell in published(chapter, show_solutions=show))
    assert "### BEGIN" not in text
    assert "### END" not in text
    hidden = sources(chapter, "hidden-check")
    assert hidden
    assert not any(check in text for check in hidden)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_withheld_solutions_leave_stubs_and_no_prose(chapter):
    text = "\n".join(cell.source for cell in published(chapter, show_solutions=False))
    assert text.count("raise NotImplementedError") >= len(sources(chapter, "solution"))
    assert "solution-start" not in text
    assert "solution-end" not in text
    assert text.count("{exercise-start}") == text.count("{exercise-end}")


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_shown_solutions_are_whole(chapter):
    text = "\n".join(cell.source for cell in published(chapter, show_solutions=True))
    for solution in sources(chapter, "solution"):
        lines = [line for line in solution.splitlines() if "### " not in line]
        assert "\n".join(lines).strip() in text
