"""A page's cells run in order; what fails is named with its line and both sides."""

import pytest

from margins_book.page.run import PageRun

HEAD = "---\nkernelspec:\n  display_name: Python 3\n  language: python\n  name: python3\n---\n\n# Small\n\n"


def cell(*lines):
    return "\n".join(["```{code-cell} ipython3", *lines, "```", "", "Words.", ""])


def ran(folder, *cells, wanted=None):
    page = folder / "small.md"
    page.write_text(HEAD + "\n".join(cells), "utf8")
    return PageRun(page).run(wanted)


def line_of(run, code):
    return run.page.read_text("utf8").split("\n").index(code) + 1


def test_a_failed_assertion_is_named_with_line_and_both_sides(tmp_path):
    run = ran(
        tmp_path, cell("x = 2"), cell(":tags: [hide-input]", "", "y = x + 1", "assert y == 4"), cell("z = 1")
    )
    assert f"small.md:{line_of(run, 'assert y == 4')}: AssertionError: assert 3 == 4" in str(run.failure)
    assert list(run.kept) == [-1, 0]  # cells that ran


@pytest.mark.parametrize(("code", "expected"), [("1 / 0", "ZeroDivisionError"), ("np.ones(2)", "NameError")])
def test_other_errors_are_named_too(tmp_path, code, expected):
    run = ran(tmp_path, cell("x = 2", code))
    assert f"small.md:{line_of(run, code)}: {expected}" in str(run.failure)


def test_values_are_kept_as_they_were_behind_a_cell(tmp_path):
    run = ran(tmp_path, cell("x = [1]"), cell("x.append(2)"), wanted={0: {"x", "y"}, 1: {"x"}})
    assert run.failure is None
    assert run.kept[0] == {"x": [1]}
    assert run.kept[1] == {"x": [1, 2]}


def test_a_hidden_check_sees_the_page_s_names_and_changes_none(tmp_path):
    code = ("def f():", "    ### BEGIN SOLUTION", "    return x", "    ### END SOLUTION")
    solution = cell(":tags: [solution]", ":exercise: one", "", *code)
    check = cell(":tags: [check]", ":exercise: one", ":points: 1", "", "assert f() == 2")
    statement = ":::{exercise-start} One · code ★\n:label: one\n:::\n\nDo.\n\n:::{exercise-end}\n:::\n"
    hidden = tmp_path / "exercises" / "one" / "hidden.py"
    hidden.parent.mkdir(parents=True)
    hidden.write_text("# points: 1\n\nassert x == 2\nx = 7\n", "utf8")
    run = ran(tmp_path, cell("x = 2"), statement, solution, check, cell("y = x"), wanted={3: {"x", "y"}})
    assert run.failure is None
    assert run.kept[3] == {"x": 2, "y": 2}
