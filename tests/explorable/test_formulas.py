"""Formulas of captions as MathML, and captions as HTML."""

from xml.dom.minidom import parseString

import pytest

from explorable.formulas import markdown_to_html, mathml
from tests.explorable.samples import refused


@pytest.mark.parametrize(
    ("tex", "inside"),
    [
        (r"\frac14", "<mfrac><mn>1</mn><mn>4</mn></mfrac>"),
        (r"\frac1{64}", "<mfrac><mn>1</mn><mn>64</mn></mfrac>"),
        (r"\mathbb{R}^d", '<msup><mi mathvariant="normal">ℝ</mi><mi>d</mi></msup>'),
        ("x_1", "<msub><mi>x</mi><mn>1</mn></msub>"),
        ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        ("x'", "<msup><mi>x</mi><mo>′</mo></msup>"),
        (r"\sqrt9", "<msqrt><mn>9</mn></msqrt>"),
        ("65{,}536", "<mn>65,536</mn>"),
        ("-1", '<mrow><mo form="prefix">−</mo><mn>1</mn></mrow>'),
        ("x-1", "<mrow><mi>x</mi><mo>−</mo><mn>1</mn></mrow>"),
        ("(-1", '<mrow><mo>(</mo><mo form="prefix">−</mo><mn>1</mn></mrow>'),
        (r"\Gamma", '<mi mathvariant="normal">Γ</mi>'),
        (r"\max", "<mi>max</mi>"),
        (r"\bar x", '<mover accent="true"><mi>x</mi><mo>¯</mo></mover>'),
        (r"\mathbf 1", '<mi mathvariant="normal">𝟏</mi>'),
        (r"\operatorname{rank}", '<mi mathvariant="normal">rank</mi>'),
        ("x<1", "<mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow>"),
    ],
)
def test_a_formula_is_set(tex, inside):
    assert mathml(tex) == f'<math class="explorable-math">{inside}</math>'


@pytest.mark.parametrize(
    "tex",
    [
        r"\lVert X-\mathbf 1\bar x^\top\rVert/\lVert X\rVert",
        r"1-\lVert W_\star\rVert_F/\lVert W_\star\rVert_\star",
        r"|\kappa_M(x,x')-\kappa_M(x',x)|",
        r"\left(\tfrac{a+b}{2}\right)\,e^{\langle q,k\rangle}",
    ],
)
def test_formulas_of_captions_are_whole_elements(tex):
    parseString(mathml(tex))


@pytest.mark.parametrize("tex", ["{a", "a}", "a^", r"\nothing"])
def test_what_cannot_be_set_is_named(tex):
    with refused("cannot be set"):
        mathml(tex)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("*so*, **B**, `a<b`", "<em>so</em>, <strong>B</strong>, <code>a&lt;b</code>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("{ref}`the dual <dual>` and [this](page.md)", "the dual and this"),
        ("*at $x$*", '<em>at <math class="explorable-math"><mi>x</mi></math></em>'),
        (r"$\nothing$", "nothing"),
    ],
)
def test_a_caption_becomes_html(markdown, html):
    assert markdown_to_html(markdown) == html
