"""Students' text in a page: it is readable, it does nothing, and it takes no longer than it may."""

import itertools
import math
import random
import re
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from margins_course.grading.results import Piece, Work
from margins_course.pages import student_html
from margins_course.pages.formula_sandbox import FormulaProcess
from margins_course.pages.markdown import FORMULAS, LENGTHS, TABLES, TEXT, WORDS
from margins_course.pages.student_html import (
    answer_html,
    authors_html,
    code_html,
    error_html,
    markdown_html,
    output_html,
    picture_html,
)
from tests.margins_course.hostile_text import mutations, vectors
from tests.margins_course.review_class import png


def test_clean_html_has_no_element_or_attribute_beside_the_list():
    nowhere = SimpleNamespace(port=9, canary="/nowhere")
    texts = random.Random(7).sample(list(vectors(nowhere).values()), 60) + mutations(nowhere, 11, 100)
    with FormulaProcess() as box:
        box.left = math.inf  # for all texts
        for text in texts:
            html = markdown_html(text, setter=box.mathml)
            for element in BeautifulSoup(html, "html.parser").find_all(True):
                assert element.name in TEXT | TABLES | FORMULAS, (element.name, text)
                kept = set(element.attrs) - {"class", "start"} - (LENGTHS | WORDS)
                assert not kept, (element, text)


def test_links_and_html_become_text_and_pictures_their_alternative_text():
    html = markdown_html("[a *b*](http://h/x) ![c](http://h/y) <http://h/z> [r]\n\n[r]: /s")
    assert 'a <em>b</em> <span class="address">(http://h/x)</span>' in html
    assert "[picture: c]" in html
    assert "http://h/y" not in html
    assert 'r <span class="address">(/s)</span>' in html
    assert not re.search("<a|<img|href|src", html)
    html = markdown_html("a <b onclick='x'>b</b> <!-- c -->")
    assert html == "<p>a &lt;b onclick='x'&gt;b&lt;/b&gt; &lt;!-- c --&gt;</p>\n"


def test_what_students_format_stays_formatted():
    table, code = "| x | y |\n|---|---|\n| 1 | 2 |", "```python\ncode\n```"
    text = f"# T\n\n1. *a* **b** ~~c~~ `d`\n\n> q\n\n{table}\n\n{code}\n\n---\n"
    soup = BeautifulSoup(markdown_html(text), "html.parser")
    for tag in ("ol", "li", "em", "strong", "s", "code", "blockquote", "table", "th", "td", "pre", "hr"):
        assert soup.find(tag), tag
    assert soup.find("p", class_="heading").get_text() == "T"


def test_authors_have_links_and_folds_but_no_scripts():
    fold = "<details><summary>Hint</summary>h</details>"
    html = authors_html(f"[x](https://b/c) {fold} <script>s</script> [y](http://z)")
    assert '<a href="https://b/c"' in html
    assert fold in html
    assert "script" not in html
    assert "http://z" not in html


def test_the_command_sets_the_formulas_of_authors_as_the_site_does(tmp_path):
    """In a process of its own: tests know the folder of the site's extensions, the command does not."""
    asked = "from margins_course.pages.markdown import authors_mathml as m; print(m('\\\\R^n', False))"
    done = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("<math"), done.stderr


def test_code_is_coloured_and_complete():
    source = "def f(x):\n    '''d'''\n    return x < 2  # <b>\n\n"
    html = code_html(source)
    assert '<span class="k">def</span> <span class="f">f</span>' in html
    assert "&lt;" in html.partition("# ")[0]
    assert BeautifulSoup(html, "html.parser").get_text() == source


SLOW = ["<b>" * 99_000, "*a " * 33_000, "[" * 100_000, "![" * 50_000, "[a]: <b>\n" * 11_000, "x" * 1_000_000]
SLOW += ["$x$ " * 20_000, "\u202e" * 100_000, "|a" * 300 + "\n" + "|-" * 300 + ("\n" + "|b" * 300) * 150]


@pytest.mark.full
def test_no_cell_takes_longer_than_it_may(monkeypatch):
    for shown in (markdown_html, code_html):
        monkeypatch.setattr(shown, "__defaults__", (1.0, *shown.__defaults__[1:]))
    for text, shown in itertools.product(SLOW, (markdown_html, code_html, output_html)):
        began = time.process_time()
        assert len(shown(text)) < 1_500_000
        assert time.process_time() - began < 3, text[:20]


def test_what_is_cut_or_not_formatted_says_so(monkeypatch):
    said = "Cut here: 100000 characters and 4000 lines are shown at most."
    assert said in markdown_html("a\n\n" * 50_000, 0.0)
    assert "to format it takes longer than 5 seconds" in markdown_html("*a*", 0.0)
    monkeypatch.setattr(student_html, "render_markdown", lambda *_: 1 / 0)
    assert markdown_html("*a* <b>") == (
        '<pre class="plain">*a* &lt;b&gt;</pre>'
        '<p class="note">This is shown as it was written: it could not be formatted.</p>'
    )


def test_an_answer_of_many_slow_cells_is_shown_in_time():
    cells = tuple(Piece("markdown", "*a " * 33_000) for _ in range(40))
    began = time.process_time()
    html = answer_html(Work(cells), seconds=0.3)
    assert time.process_time() - began < 2
    assert html.count("as it was written") == 40
    assert "70 more cells are not shown" in answer_html(Work(tuple(Piece("code", "x") for _ in range(170))))


def test_what_code_showed_is_text_and_data_alone():
    assert output_html("<b>&\x1b[1m") == '<pre class="printed">&lt;b&gt;&amp;</pre>'
    assert '<pre class="error">E: &lt;b&gt;</pre>' in error_html("E", "<b>", "<i>")
    assert "&lt;i&gt;" in error_html("E", "<b>", "<i>")
    assert f'src="data:image/png;base64,{png()}"' in picture_html(png())
    assert picture_html('"onerror="x').count('"') == picture_html(png()).count('"')
    for work in (Work((Piece("code", " \n"),)), Work()):
        assert "Nothing is written here." in answer_html(work)


def test_a_picture_in_a_text_is_shown_below_it():
    work = Work((Piece("markdown", "See ![my proof](attachment:picture).", pictures=(png(), "")),))
    html = answer_html(work, setter=lambda *_: None)
    assert 'See <span class="picture">[picture: my proof]</span>' in html
    assert html.count('<img class="drawn" alt="A picture in this answer" src="data:image/png;base64,') == 1
    assert "it cannot be read, or is one too many" in html


def test_formatting_takes_no_more_memory_than_it_may(monkeypatch):
    """98 kB of opened emphasis took 840 MB of the process that writes the pages."""
    monkeypatch.setattr(student_html, "LARGEST_FORMATTING", 2 << 20)
    html = markdown_html("**a *b " * 5_000, 60.0, lambda *_: None)
    assert html.startswith('<pre class="plain">')
    assert student_html.NOT_FORMATTED in html
    assert markdown_html("*a*", 60.0, lambda *_: None) == "<p><em>a</em></p>\n"
    monkeypatch.setattr(student_html, "LARGEST_HTML", 100)
    assert student_html.NOT_FORMATTED in markdown_html("*a* " * 50, 60.0, lambda *_: None)
