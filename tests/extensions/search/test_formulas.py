"""Formulas in the text of a place: what can be searched for, and what the browser shows."""

import pytest
from docutils import nodes

from extensions.search.formulas import END, FIRST, LONGEST, Formulas, letters, plain


@pytest.mark.parametrize(
    ("tex", "typed"),
    [
        (r"\alpha", "α"),
        (r"\varepsilon", "ε"),
        (r"\Lambda", "Λ"),
        ("d_k", "d_k"),
        (r"\frac12", ""),
        ("x^\\top y", ""),
        ("a+b+c+d+e+f", ""),
    ],
)
def test_a_short_formula_can_be_typed(tex, typed):
    assert letters(tex) == typed
    assert plain(nodes.math(tex, tex)) == (typed or "…")


def test_signs_stand_for_the_formulas_of_a_place_in_their_order_and_marks_stay_with_them():
    formulas = Formulas({})
    said = [formulas(nodes.math(tex, tex)).split() for tex in ("d_k", r"\sqrt{d_k}")]
    assert said == [[chr(FIRST), "d_k", END], [chr(FIRST + 1), END]]
    assert ["<math" in mathml for mathml in formulas.mathml] == [True, True]
    assert "<msqrt>" not in formulas.mathml[0]
    assert "<msqrt>" in formulas.mathml[1]
    node = nodes.math("n", "n", before="(", after="),")
    assert Formulas({})(node) == f"({chr(FIRST)} n {END}),"
    assert plain(node) == "(n),"
    formulas = Formulas({r"\R": r"\mathbb{R}"})
    formulas(nodes.math(r"\R^n", r"\R^n"))
    assert "ℝ" in formulas.mathml[0]


@pytest.mark.parametrize(
    "tex", [f"x={'1+' * (LONGEST // 2)}1", r"\begin{aligned}a&=b\end{aligned}", r"a\\b", r"\frac{1}{"]
)
def test_what_is_long_or_cannot_be_set_is_left_out(tex):
    formulas = Formulas({})
    assert formulas(nodes.math_block(tex, tex)) == "…"
    assert not formulas.mathml
