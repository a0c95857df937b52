"""Mutants: every kind of slip is made, one at a time, and named by the lines that it changes."""

import numpy as np
import pytest

from tests.margins_course.exercises import agree
from tests.margins_course.slips import mutants


@pytest.mark.parametrize(
    ("line", "slips"),
    [
        ("a - b", {"a + b", "a", "b - a"}),
        ("a @ b", {"a", "b @ a"}),
        ("a * b + c", {"a / b + c", "a + c", "b + c", "a * b - c", "a * b", "c"}),
        ("a < b", {"a <= b", "a > b"}),
        ("a is None", {"a is not None"}),
        ("a and b", {"a or b", "a", "b"}),
        ("-a", {"a"}),
        ("x[3]", {"x[4]", "x[2]"}),
        ("0.5 * a", {"1.0 * a", "0.5 / a", "0.5", "a"}),
        ("1e-09", set()),
        ("f(a, b)", {"a", "f(b, a)"}),
        ("max(a, b)", {"a", "min(a, b)"}),
        ("x.sum(axis=0)", {"x", "x.sum()", "x.sum(axis=1)", "x.mean(axis=0)"}),
        ("a if b else c", {"a", "c"}),
        ("[a for a in b if a]", {"[a for a in b]"}),
        ("'text'", set()),
    ],
)
def test_slips_of_an_expression(line, slips):
    made = {mutant for _, mutant in mutants(f"def f(x):\n    return {line}")}
    assert made == {f"def f(x):\n    return {slip}" for slip in slips}


def test_slips_of_statements_and_their_names():
    source = "def f(x):\n    for a in x:\n        if a:\n            continue\n        x += a\n    return x"
    assert dict(mutants(source)).keys() == {
        "if a: -> if True:",
        "if a: -> if False:",
        "continue -> pass",
        "x += a -> pass",
        "x += a -> x -= a",
    }


def test_agreement_is_up_to_rounding_and_sees_kinds_shapes_and_errors():
    assert agree([np.ones(2), None], [np.ones(2) + 1e-12, None])
    assert agree(float("nan"), np.nan)
    assert agree(ValueError, ValueError)
    assert agree({"a": 1.0}, {"a": 1.0})
    for other in (None, ValueError, np.ones(3), np.ones((1, 2)), np.array([1.0, 1.1]), "one"):
        assert not agree(np.ones(2), other)
    assert not agree(ValueError, TypeError)
    assert not agree({"a": 1.0}, {"b": 1.0})
