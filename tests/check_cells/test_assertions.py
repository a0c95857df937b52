"""A watcher is told what assertions compare and which fail, and nothing else of a cell changes."""

import ast

import numpy as np
import pytest

from tests.check_cells.assertions import WATCHER, Watcher, comparisons, watched


def watch(source, **names):
    """The watcher of a cell that ran, and the names after it."""
    watcher = Watcher()
    names |= {WATCHER: watcher, "np": np}
    for _, statement in watched(source, "x-1", watcher):
        exec(compile(ast.Module([statement], []), "cell", "exec"), names)
    return watcher, names


def denied(source, **names):
    return {assertion.text: values for assertion, values in watch(source, **names)[0].denials.items()}


def test_conditions_are_told_apart_and_the_cell_goes_on():
    source = "assert 1 < 2 and a > 4 and missing\nassert a == 4\nb = 2 * a"
    watcher, names = watch(source, a=3)
    assert [one.text for one in watcher.assertions] == ["1 < 2", "a > 4", "missing", "a == 4"]
    assert {one.text: values for one, values in watcher.denials.items()} == {
        "a > 4": "3, 4",
        "a == 4": "3, 4",
    }
    assert names["b"] == 6


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("all(v < 3 for v in [1, 2, 5, 7])", "5, 3"),
        ("(x > 0).all()", "(3,) from -1 to 1, 0"),
        ("np.all(x[x > -1] > 0)", "(2,) from 0 to 1, 0"),
        ("not (x > 0).any()", "(3,) from -1 to 1, 0"),
        ("np.allclose(x, x + 1)", "(3,) from -1 to 1, (3,) from 0 to 2, False"),
        ("0 < x.sum() < 1", "0, 0"),
        ("x.size > 5 if x.all() else x[0] > 0", "-1, 0"),
        ("False", "False"),
    ],
)
def test_what_failed_is_told_with_what_it_compared(condition, values):
    assert denied(f"assert {condition}, 'words'", x=np.array([-1, 0, 1])) == {condition: values}


def test_assertions_in_loops_and_functions_are_watched():
    source = "def half(v):\n    assert v % 2 == 0\n    return v // 2\nfor v in (2, 3, 5):\n    half(v)"
    assert denied(source) == {"v % 2 == 0": "1, 0"}


def test_a_bound_with_a_declared_slack_is_an_assertion():
    source = "from margins_book.checking.bounds import bounded\nbounded(1.0, bound, slack=2, what='one')"
    assert denied(source, bound=1.5) == {}
    assert denied(source, bound=0.5) == {"bounded(1.0, bound, slack=2, what='one')": "1, 0.5"}
    assert denied(source, bound=2.5) == {"bounded(1.0, bound, slack=2, what='one')": "1, 2.5"}


def test_a_comparison_in_an_index_or_an_argument_is_not_asserted():
    condition = ast.parse("(x[y > 0] < 1).all() and norm(z == 1) and (a <= b) & (c <= d)", mode="eval").body
    assert [ast.unparse(found) for found in comparisons(condition)] == ["x[y > 0] < 1", "a <= b", "c <= d"]
