"""Texts: simple mathematics on a drawing, and captions as plain text."""

import pytest

from explorable.text import markdown_to_text, text_runs, with_readable_numbers
from tests.explorable.samples import new_panel, refused


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("plain", (("plain", ""),)),
        ("$x_1$", (("x", "mi"), ("1", "mb"))),
        (r"multipliers $\alpha$", (("multipliers ", ""), ("α", "mi"))),
        ("$f=-1$", (("f", "mi"), ("=", "m"), ("\N{MINUS SIGN}", "m"), ("1", "m"))),
        ("$10^{-3}$", (("10", "m"), ("\N{MINUS SIGN}3", "mp"))),
        (r"$\Gamma$", (("Γ", "m"),)),
    ],
)
def test_simple_mathematics_is_set(text, letters):
    """Neighbours of one look may come in one piece or in several."""

    def looks(pieces):
        return [(letter, look) for text, look in pieces for letter in text]

    assert looks(text_runs(text)) == looks(letters)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"$\frac{1}{2}$", "sign .frac cannot be set"),
        ("$x_{a_b}$", "cannot be set"),
        ("5 $", "without its partner"),
    ],
)
def test_what_cannot_be_set_is_refused(text, words):
    with refused(words):
        new_panel()[1].annotate(text, (1, 1), key="a")


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("plain", "plain"),
        (r"$\alpha_i \le C$ and $\Lambda\lambda$", "α_i ≤ C and Λλ"),
        (r"$\frac{1}{2}\lVert w\rVert^2$", "1/2‖ w‖^2"),
        (r"$\frac14$ and $\frac1{64}$", "1/4 and 1/64"),
        (r"$\operatorname{rank}\,X$", "rank X"),
        ("**bold**, *leaning*, `code`", "bold, leaning, code"),
        ("{ref}`the dual <dual>` and [this](page.md)", "the dual and this"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_captions_are_readable_where_nothing_is_typeset(markdown, text):
    assert markdown_to_text(markdown) == text


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("left: 2.9e-01 and 6.9e-03.", "left: 0.29 and 0.0069."),
        ("2.4e-04", "0.00024"),
        ("off by 2.9e-06, at last 8e-15", "off by 2.9·10⁻⁶, at last 8·10⁻¹⁵"),
        ("below 1e-12", "below 10⁻¹²"),
        ("penalty 1e+02, then 2.5e+09", "penalty 100, then 2.5·10⁹"),
        ("nothing: 0.0e+00", "nothing: 0.0"),
        ("at -1.2e-07", "at -1.2·10⁻⁷"),
        ("(-0.00, -0.000) and -0", "(0.00, 0.000) and 0"),
        ("-0.05, -0.50, 3-0, x-0.0, step-0", "-0.05, -0.50, 3-0, x-0.0, step-0"),
        ("1e-5, size 2e, 0x1e-05, e-05", "1e-5, size 2e, 0x1e-05, e-05"),
    ],
)
def test_numbers_of_a_sentence_are_written_for_readers(said, read):
    assert with_readable_numbers(said) == read
