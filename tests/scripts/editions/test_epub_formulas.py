"""Formulas in the EPUB: their text, the attributes that are left, a size that fits a phone."""

import pytest

from scripts.editions.epub_formulas import WIDTH, signs, spell
from scripts.editions.site import fragment


def spelt(markup):
    """The formulas of a paragraph or display as they stand in the EPUB."""
    body = fragment(markup)
    for formula in body.select("math"):
        spell(formula)
    return body.select("math")


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ('<math data-tex="$x$"><mi>x</mi></math>', ["x"]),
        ('<math data-tex="$$a=b$$"><mi>a</mi></math><wbr/><math><mo>=</mo></math>', ["a", "="]),
        ('<math data-tex="$a$"><mi>a</mi></math> or <math data-tex="$b$"><mi>b</mi></math>', ["a", "b"]),
        ('<math data-tex="\\frac12" aria-label="x" role="img"><mi>x</mi></math>', ["\\frac12"]),
    ],
)
def test_formulas_have_their_tex_or_what_is_seen_of_a_piece(markup, texts):
    formulas = spelt(f"<p>{markup}</p>")
    assert [formula["alttext"] for formula in formulas] == texts
    assert all(set(formula.attrs) == {"xmlns", "alttext"} for formula in formulas)


@pytest.mark.parametrize(
    ("markup", "count"),
    [
        ("<mi>x</mi><mo>=</mo><mn>12</mn>", 5),
        ("<mfrac><mn>1</mn><mn>234</mn></mfrac>", 3),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>10</mn></msubsup>", 2.5),
        ("<mi>x</mi><mspace width='1em'></mspace>", 2.6),
        ("<mi>x</mi><mspace width='0pt'></mspace>", 1),
    ],
)
def test_signs_side_by_side(markup, count):
    assert signs(fragment(f"<math>{markup}</math>")) == count


def test_columns_are_as_wide_as_their_widest_cells():
    rows = (("aa", "b"), ("c", "ddd"), ("e",))
    cells = ("".join(f"<mtd><mi>{cell}</mi></mtd>" for cell in row) for row in rows)
    table = "".join(f"<mtr>{row}</mtr>" for row in cells)
    assert signs(fragment(f"<math><mtable>{table}</mtable></math>")) == 5


def test_only_wide_formulas_on_their_own_are_smaller():
    wide = f"<math><mtext>{'x' * 2 * WIDTH}</mtext></math>"
    fits = f"<math><mtext>{'x' * WIDTH}</mtext></math>"
    assert spelt(f'<div class="math">{wide}</div>')[0]["style"] == "font-size: 0.50em"
    assert "style" not in spelt(f'<div class="math">{fits}</div>')[0].attrs
    assert "style" not in spelt(f"<p>{wide}</p>")[0].attrs
