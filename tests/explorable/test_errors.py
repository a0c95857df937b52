"""The error of a figure: what it says, and what a notebook shows of it."""

from explorable.errors import ExplorableError, figure_error, running_cell, running_shell


def test_an_error_names_figure_values_problem_and_next_step():
    error = figure_error("a-line", "it raised", values={"a": 1, "kind": "u"}, remedy="draw less")
    assert isinstance(error, ValueError)
    assert str(error) == "explorable 'a-line' at a=1, kind='u': it raised; draw less"
    assert str(figure_error("a-line", "it raised")) == "explorable 'a-line': it raised"


def test_a_notebook_shows_the_author_s_lines_and_the_error():
    assert ExplorableError("wrong")._render_traceback_() == ["ExplorableError: wrong"]


def test_outside_a_notebook_there_is_no_cell():
    assert running_shell() is None
    assert running_cell() == ""
