"""Marks of code that no style colours are left out; printed lines wrap if they stand in no columns."""

import re
from pathlib import Path

import pytest

from extensions.pages.typography import COLOUR, COLOURED, UNCOLOURED, drop_marks, has_columns

ROOT = Path(__file__).parents[3]


def test_words_stay_and_only_coloured_marks_do_one_for_neighbours():
    html = (
        '<pre><span></span><span class="n">a</span> <span class="o">=</span> <span class="mi">1</span></pre>'
    )
    assert drop_marks(html) == '<pre><span></span>a = <span class="mi">1</span></pre>'
    html = (
        '<span class="sa">f</span><span class="s2">"a </span><span class="si">{</span>b'
        '<span class="si">}</span><span class="s2">"</span> '
        '<span class="ow">is</span> <span class="ow">not</span>'
    )
    assert drop_marks(html) == (
        '<span class="s2">f"a {</span>b<span class="s2">}"</span> <span class="k">is not</span>'
    )
    html = '<span class="n other">a</span><span class="nowrap">b</span><span class="n"><b>c</b></span>'
    assert drop_marks(html) == html


def test_no_style_colours_what_is_dropped():
    styles = "".join(
        file.read_text("utf8") for file in (ROOT / "book" / "theme" / "margins" / "css").glob("*.css")
    )
    coloured = {name for name in [*UNCOLOURED, *COLOUR] if re.search(rf"\.{name}(?![\w-])", styles)}
    assert coloured == set(COLOURED)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("size  sum\n   2    4", True),
        ("a sentence, and its number 4\n  indented", False),
        ("distances [0.0156 0.004  0.0016]", False),
        ("", False),
    ],
)
def test_columns_are_gaps_in_several_lines(text, columns):
    assert has_columns(text) == columns
