"""What is made of TeX: spaces where TeX has them, and the TeX itself for who copies it."""

import html
import re
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from extensions.mathematics.mathml import BREAK, as_written, formula
from margins_book.formulas.temml import render

THIN = "0.1667em"


def operators(tex, display):
    """The operators of a formula with their attributes, in order."""
    formula = BeautifulSoup(render(tex, display, "{}"), "html.parser")
    return [(found.get_text(), found.attrs) for found in formula.find_all("mo")]


def operator(tex, sign, *, display=False):
    """The attributes of the last `sign` in a formula."""
    return [attributes for found, attributes in operators(tex, display) if found == sign][-1]


JOINING = ["a-b", r"x'-1", r"f(x)-1", r"\lVert x\rVert-1", r"\bigl(x\bigr)-1", r"n!-1"]
ALONE = [r"(1,\,-1)", r"(0,\ -1)", r"\sum_i -x_i", r"\bigl(-x\bigr)", r"=\,-1"]


@pytest.mark.parametrize("tex", [*JOINING, *ALONE])
def test_a_sign_keeps_its_spaces_between_two_things_alone(tex):
    found = operator(tex, "−")
    assert found.get("form") == ("prefix" if tex in ALONE else None)
    assert tex in ALONE or "lspace" not in found


@pytest.mark.parametrize(
    ("tex", "before", "behind"),
    [
        (r"w=\sum_i x_i", "0em", THIN),
        (r"w-\sum_i x_i", "0em", THIN),
        (r"w\sum_i x_i", THIN, THIN),
        (r"f(x)\sum_i x_i", THIN, THIN),
        (r"\max_i\sum_j x_{ij}", "0em", THIN),
        (r"\sum_i\int_0^1 x\,dx", "0em", THIN),
        (r"\prod_i(1+x_i)", "0em", "0em"),
        (r"1,\dots,n", "0em", THIN),
        (r"x_1+\dots+x_n", "0em", "0em"),
        (r"x_1\cdots x_n", THIN, THIN),
    ],
)
@pytest.mark.parametrize("display", [False, True])
def test_large_operators_and_dots_have_the_spaces_of_tex(tex, before, behind, display):
    sign = next(sign for sign in "∑∏…⋯" if any(sign == found for found, _ in operators(tex, display)))
    found = operator(tex, sign, display=display)
    assert (found["lspace"], found["rspace"]) == (before, behind)


def leads(tex, name):
    """Whether the last `name` in a formula has a thin space of its own before it."""
    before = render(tex, False, "{}").rpartition(f"<mi>{name}</mi>")[0]
    return re.search(rf'<mspace width="{THIN}"></mspace>(<[a-z]+>)*$', before) is not None


BEHIND = [
    r"(x)\log y", r"\bigl(x\bigr)\log y", r"\lVert x\rVert_2\log y", r"x_i\log y", r"x^2\log y",
    r"\frac12\log y", r"\sqrt2\log y", r"2\log y", r"\langle x\rangle\log_2 y", r"\log(x)\log y",
]  # fmt: skip
FIRST = [r"(\log y", r"\bigl|\log y", r"a-\log y", r"a=\log y", r"\log y", r"\frac{\log y}2"]


@pytest.mark.parametrize("tex", [*BEHIND, *FIRST])
def test_a_name_keeps_its_distance_from_what_ends_before_it_and_from_nothing_else(tex):
    assert leads(tex, "log") == (tex in BEHIND)


@pytest.mark.parametrize("tex", [r"\ge0", "=1", r"\approx_n 1.44", r"\ge x_1+x_2+x_3+x_4+x_5+x_6+x_7"])
def test_a_relation_that_begins_a_formula_has_no_space_before_it(tex):
    found = operators(tex, False)
    assert found[0][1]["lspace"] == "0em"
    assert "rspace" not in found[0][1]


LOW = [r"\sqrt m", r"\sqrt{m}", r"\frac1{\sqrt\sigma}", r"\sqrt{\sigma_k}"]
HIGH = [r"\sqrt d", r"\sqrt2", r"\sqrt{n-1}", r"\sqrt{\sigma^2}"]


@pytest.mark.parametrize("tex", [*LOW, *HIGH])
def test_a_root_of_low_letters_is_as_high_as_one_of_others(tex):
    assert ('<msqrt><mpadded height="0.7em">' in render(tex, False, "{}")) == (tex in LOW)


def test_indices_are_tight_and_brackets_commas_and_numbers_say_no_more_than_needed():
    for tex in (r"\sum_{i=1}^n x", "x^{a=b}", r"\tfrac{a=b}{2}"):
        assert operator(tex, "=")["lspace"] == operator(tex, "=")["rspace"] == "0em"
    assert "lspace" not in operator(r"\dfrac{a=b}{2}", "=")
    assert "lspace" not in operator("a_i=b", "=")
    assert operator("f(x,y)", "(") == operator("f(x,y)", ")") == {"stretchy": "false"}
    assert operator("f(x,y)", ",") == {}
    assert [operator(r"\lVert x\rVert", "‖")["form"], operator("-x", "−")["form"]] == ["postfix", "prefix"]
    assert render("(0,1)", False, "{}").count("<mn>") == 2
    assert "<mn>65,536</mn>" in render("65{,}536", False, "{}")


@pytest.mark.parametrize(
    ("tex", "count"),
    [
        (r"w=\alpha_1+2\alpha_2+3\alpha_3-\alpha_4-5\alpha_5", 6),
        (r"\frac{Z_1f_1+cZ_2f_2}{Z_1+cZ_2}", 1),
        (r"\dfrac{2\gamma}{\gamma^2+\omega_k^2}", 1),
        (r"f=\frac{(\kappa-1)\alpha_2+1}{2\alpha_1+\alpha_3}+\sqrt{x_1+x_2+x_3}", 3),
    ],
)
def test_a_long_formula_breaks_between_its_parts_and_none_of_them_is_torn(tex, count):
    parts = render(tex, False, "{}").split(BREAK)
    assert [ElementTree.fromstring(part).tag for part in parts] == ["math"] * count


@pytest.mark.parametrize(
    "tex", [r"\sum_jp_j(v_j-F)+\bigl(g_j+(a+b+c+d)\bigr)", r"\alpha_1+2\alpha_2+\langle u+v+w,x+y+z\rangle"]
)
def test_no_line_ends_with_a_bracket_that_opens(tex):
    parts = render(tex, False, "{}").split(BREAK)
    texts = ["".join(ElementTree.fromstring(part).itertext()) for part in parts]
    assert len(texts) > 2
    assert not [text for text in texts if text[-1] in "([{⟨"]


LOSS = (
    r"f(X,z)=\langle v,X^\top s\rangle,\quad s=\operatorname{softmax}(XWz),\qquad "
    r"\mathcal{L}(W)=\frac1n\sum_{i=1}^n\ell_i."
)
CHAIN = (
    r"\lVert K\rVert_F^2+\lVert Q\rVert_F^2-2\lVert W\rVert_\star\le\lVert P-R\rVert_F^2"
    r"\le\lVert P^2-R^2\rVert_\star=\lVert B\rVert_\star"
)
HELD = (
    r"C^*=\min\bigl\{\max_i\alpha_i:\alpha=\beta+\gamma+\delta+\epsilon+\zeta+\eta\le\theta\bigr\}"
    r"+\sum_{i=1}^n(a_i=b_i)"
)


@pytest.mark.parametrize(
    ("tex", "starts"),
    [
        (LOSS, ["f", "s", "ℒ"]),  # at wide spaces; a short left side stays with its right side
        (CHAIN, ["‖", "≤", "≤", "="]),  # before relations, behind a long left side
        (HELD, ["C", "+"]),  # in a long sum, and not inside of brackets
        (r"x=y\le z\quad\text{or not}", ["x"]),  # what is short fits
        (r"\begin{aligned}a+b+c+d+e+f+g+h&=i+j+k+l+m+n\\&\le o+p\end{aligned}", ["a"]),
    ],
)
def test_a_long_equation_breaks_at_wide_spaces_and_before_relations(tex, starts):
    parts = re.findall(r"<math.*?</math>", render(tex, True, "{}"))
    assert ["".join(ElementTree.fromstring(part).itertext())[0] for part in parts] == starts


def test_a_sign_that_begins_a_line_of_a_sum_and_the_space_at_a_break_keep_their_room():
    assert operator(r"a_1b_1c_1d_1e_1f_1g_1h_1i_1-j_1k_1l_1m_1", "−", display=True)["form"] == "infix"
    gaps = re.findall(r'word-spacing:([\d.]+)em"> </span>', render(LOSS, True, "{}"))
    assert [float(gap) + 0.25 for gap in gaps] == [1, 2]


@pytest.mark.parametrize(
    ("tex", "display", "written"),
    [
        ("x_i", False, "$x_i$"),
        ("x_i", True, "$$x_i$$"),
        (r"\begin{align*}x\end{align*}", True, r"\begin{align*}x\end{align*}"),
    ],
)
def test_tex_is_kept_with_its_dollars(tex, display, written):
    assert as_written(tex, display) == written


def test_tex_is_escaped_where_it_is_kept():
    translator = SimpleNamespace(config=SimpleNamespace(mathml_macros={}), attval=html.escape)
    made = formula(translator, nodes.math(text=TEX), display=False)
    assert ElementTree.fromstring(made).get("data-tex") == f"${TEX}$"


TEX = r'a<b\text{ "c"}'
