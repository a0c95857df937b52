"""Parts of the EPUB: contents, formulas, and what becomes of folds, quizzes, code and tables."""

import pytest

from scripts.editions.epub_markup import WIDTH, for_readers, signs, spell
from scripts.editions.epub_pages import Document, Entry, Part, as_list, entry_of
from scripts.editions.site import fragment

BOOK = Part(
    "chapters/01.html",
    [
        Document("a.xhtml", "A & B", None),
        Document("a-01.xhtml", "Spine", None),
        Document("a-02.xhtml", "1.A Aside", None, is_excursion=True),
    ],
)


def test_excursions_stand_below_a_heading():
    assert entry_of(BOOK) == Entry(
        "A & B",
        "a.xhtml",
        [Entry("Spine", "a-01.xhtml"), Entry("Excursions", "", [Entry("1.A Aside", "a-02.xhtml")])],
    )


def test_a_heading_is_no_link():
    assert as_list([entry_of(BOOK)]) == (
        '<ol><li><a href="a.xhtml">A &amp; B</a><ol><li><a href="a-01.xhtml">Spine</a></li>'
        '<li><span>Excursions</span><ol><li><a href="a-02.xhtml">1.A Aside</a></li></ol></li></ol></li></ol>'
    )


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


def changed(markup):
    """An article of that content as it stands in the EPUB."""
    body = fragment(f"<article>{markup}</article>")
    for_readers(body)
    return body


FOLDS = (
    '<details class="deep excursion-fold" open=""><summary>S</summary><p>1</p></details>'
    '<details class="deep" open=""><summary>C</summary><p>2</p></details>'
)
ROW = "<tr><th>first</th><td>2</td><td> </td></tr>"


@pytest.mark.parametrize(
    ("markup", "there"),
    [
        (FOLDS, '<p>1</p><details class="deep"><summary>C</summary><p>2</p></details>'),
        ("<ul><li>a<li>b<li>c</li></li></li></ul>", "<ul><li>a</li><li>b</li><li>c</li></ul>"),
        (
            f'<table class="listed">{ROW}</table><table>{ROW}</table>',
            f'<table class="rows"><tr><th>first</th><td>2</td></tr></table><table>{ROW}</table>',
        ),
    ],
)
def test_folds_items_without_end_tags_and_wide_tables(markup, there):
    assert str(changed(markup)) == f"<article>{there}</article>"


def test_a_question_is_a_list():
    label = '<label><input name="q" type="radio"/> <span>{}</span></label>'
    body = changed(
        f'<fieldset class="quiz"><legend>Why?</legend>{label.format("A")}{label.format("B")}</fieldset>'
    )
    assert body.select_one(".question").get_text() == "Question 1. Why?"
    assert [item.get_text().strip() for item in body.select("div.quiz > ol > li")] == ["A", "B"]


def test_lines_of_code_keep_their_words_and_know_how_deep_they_are():
    code = '<span class="k">def</span> f():\n    <span class="sd">"""a\n    b"""</span>\n'
    body = changed(f"<pre><span></span>{code}</pre>")
    assert body.pre.get_text() == 'def f():\n    """a\n    b"""\n'
    assert [line["class"] for line in body.select(".line")] == ["line in0", "line in1", "line in1"]
    assert [body.b.string, *(part.string for part in body.select("i"))] == ["def", '"""a', '    b"""']
