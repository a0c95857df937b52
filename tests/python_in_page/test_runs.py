"""A cell run after those that it needs: what of these cannot run is passed over, and said if it matters."""

from in_page.runs import prepare, run

BROKEN = "from in_page.missing import Missing\ncvx = Missing('cvxpy')\n"


def test_what_the_cells_before_print_is_not_shown(capsys):
    assert run(["x = 2\nprint('before')"], "print(x)\nx + 1")["verdict"] == "ran"
    assert capsys.readouterr().out == "2\n3\n"


def test_an_error_shows_the_lines_of_both(capsys):
    told = run(["def halve(x):\n    return x / 0"], "halve(1)")
    assert told["verdict"] == "error"
    assert told["text"] == "ZeroDivisionError: division by zero"
    assert told["detail"].splitlines()[:4] == [
        "  this cell, line 1",
        "    halve(1)",
        "  a cell before this one, line 2, in halve",
        "    return x / 0",
    ]


def test_a_statement_that_cannot_run_is_passed_over():
    space = {"machine": "of an earlier cell", "kept": 1}
    said = prepare([f"{BROKEN}machine = cvx.Variable()\nafter = kept + 1"], space)
    assert said == "cvxpy.Variable is not in the page; open the chapter as a notebook to use it"
    assert "machine" not in space
    assert space["after"] == 2


def test_the_cell_says_what_was_passed_over_where_it_matters():
    before = [f"{BROKEN}machine = cvx.Variable()"]
    told = run(before, "print(machine)")
    assert told["text"] == (
        "NameError: name 'machine' is not defined (a cell before this one says: "
        "cvxpy.Variable is not in the page; open the chapter as a notebook to use it)"
    )
    assert run(before, "print(1)")["verdict"] == "ran"
