"""What the notebooks of the book's chapters show of exercises: never a marker or a hidden check."""

from pathlib import Path
from types import SimpleNamespace

import jupytext
import pytest
from docutils import nodes

from extensions.coursework.exercise_cells import withhold_solutions
from extensions.coursework.notebook_parts import parted

CHAPTERS = sorted((Path(__file__).parents[3] / "chapters").glob("*.md"))


def tags_of(cell):
    return cell.metadata.get("tags", [])


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("shown", ["solutions.ipynb", ""])
def test_no_marker_no_hidden_check_and_no_solution_stands_in_a_chapter(chapter, shown):
    cells = jupytext.read(chapter).cells
    hidden, checks = ([c.source for c in cells if tag in tags_of(c)] for tag in ("hidden-check", "check"))
    parts = parted(cells, chapter.stem, shown)
    text = "\n".join(cell.source for cell in [*parts.spine, *parts.excursions])
    for words in ("### BEGIN", "### END", "solution-start", "solution-end", *hidden):
        assert words not in text
    assert text.count("raise NotImplementedError") >= len(checks)
    assert text.count("{exercise-start}") == text.count("{exercise-end}")
    assert bool(parts.solutions) is bool(shown)


class solution_node(nodes.Element):  # noqa: N801  (as sphinx-exercise names its own)
    pass


def test_solutions_that_are_withheld_leave_the_page_also_where_two_follow_each_other():
    page = nodes.section("", solution_node(), solution_node(), nodes.paragraph("", "after"), solution_node())
    withhold_solutions(SimpleNamespace(config=SimpleNamespace(coursework_show_solutions=False)), page)
    assert [type(part) for part in page.children] == [nodes.paragraph]
