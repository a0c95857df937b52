"""A cell run after those that it needs: what of these cannot run is passed over, and said if it matters."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from explorable import live
from in_page import figures
from in_page.runs import prepare, run

STAND_IN = Path(__file__).parents[2] / "book/python_in_page/stand_ins/explorable/live.py"

BROKEN = "from in_page.missing import Missing\ncvx = Missing('cvxpy')\n"


def test_what_the_cells_before_print_is_not_shown(capsys):
    assert run(["x = 2\nprint('before')"], "print(x)\nx + 1")["verdict"] == "ran"
    assert capsys.readouterr().out == "2\n3\n"


def test_an_error_shows_the_lines_of_both():
    told = run(["def halve(x):\n    return x / 0"], "halve(1)")
    assert told["verdict"] == "error"
    assert told["text"] == "ZeroDivisionError: division by zero"
    assert told["detail"].splitlines()[:4] == [
        "  this cell, line 1",
        "    halve(1)",
        "  a cell before this one, line 2, in halve",
        "    return x / 0",
    ]


def test_a_statement_that_cannot_run_is_passed_over_and_the_cell_says_so_where_it_matters():
    space = {"machine": "of an earlier cell", "kept": 1}
    said = prepare([f"{BROKEN}machine = cvx.Variable()\nafter = kept + 1"], space)
    assert said == "cvxpy.Variable is not in the page; open the chapter as a notebook to use it"
    assert "machine" not in space
    assert space["after"] == 2
    before = [f"{BROKEN}machine = cvx.Variable()"]
    told = run(before, "print(machine)")
    assert told["text"] == (
        "NameError: name 'machine' is not defined (a cell before this one says: "
        "cvxpy.Variable is not in the page; open the chapter as a notebook to use it)"
    )
    assert run(before, "print(1)")["verdict"] == "ran"


FIGURE = """from explorable import Drawing, explore, slider

def query(limit):
    @explore(x=slider(0, limit, steps=3), caption="A figure.")
    def query(x):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, limit), ylim=(0, 1))
        return drawing, f"x is {x:g}."
    return query
"""


@pytest.fixture
def of_the_page(monkeypatch):
    """The page's stand-in for the widgets of notebooks."""
    stand_in = SimpleNamespace(**runpy.run_path(str(STAND_IN)))
    monkeypatch.setattr(live, "view", stand_in.view)
    monkeypatch.setattr(figures, "live", stand_in)


@pytest.mark.usefixtures("of_the_page")
def test_a_figure_that_a_cell_only_ends_with_is_shown_once(capsys):
    (figure,) = run([FIGURE], "query(2)")["figures"]
    assert figure["name"] == "query"
    assert capsys.readouterr().out == ""
    assert len(run([FIGURE], "own = query(2)\nown")["figures"]) == 1
    assert run([FIGURE, "own = query(2)"], "1")["figures"] == []
