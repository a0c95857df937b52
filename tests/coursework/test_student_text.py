"""Students' text in a page: it is readable, it does nothing, and it takes no longer than it may."""

import base64
import itertools
import json
import os
import random
import re
import time
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from margins_course.grading.results import Piece, Work
from margins_course.pages import formula_box, student_text
from margins_course.pages.answers import answer_html, picture_html
from margins_course.pages.formula_box import FormulaBox, can_set_formulas
from margins_course.pages.student_text import (
    authors_html,
    code_html,
    error_html,
    markdown_html,
    output_html,
    words_html,
)
from margins_course.pages.visible import as_plain_text, visible
from margins_course.pages.whitelist import FORMULAS, LENGTHS, TABLES, TEXT, WORDS
from tests.coursework.feedback_samples import png
from tests.coursework.hostile_text import mutations, vectors
from tests.coursework.watched_page import listening

NOWHERE = SimpleNamespace(port=9, canary="/nowhere")


@pytest.fixture
def typeset():
    """A machine on which students' formulas can be set."""
    if not can_set_formulas():
        assert os.environ.get("CI") != "true", "with CI=true formulas must be set: run `make book`"
        pytest.skip("node, Temml or bubblewrap is missing: run `make book`, install bubblewrap")


def test_links_become_text_and_pictures_their_alternative_text():
    html = markdown_html(
        "[a *b*](http://h.example/x) ![c](http://h.example/y) <http://h.example/z> [r]\n\n[r]: /s"
    )
    assert 'a <em>b</em> <span class="address">(http://h.example/x)</span>' in html
    assert "[picture: c]" in html
    assert "http://h.example/y" not in html
    assert 'r <span class="address">(/s)</span>' in html
    assert not re.search("<a|<img|href|src", html)


def test_what_students_format_stays_formatted():
    table, code = "| x | y |\n|---|---|\n| 1 | 2 |", "```python\ncode\n```"
    text = f"# T\n\n1. *a* **b** ~~c~~ `d`\n\n> q\n\n{table}\n\n{code}\n\n---\n"
    soup = BeautifulSoup(markdown_html(text), "html.parser")
    for tag in ("ol", "li", "em", "strong", "s", "code", "blockquote", "table", "th", "td", "pre", "hr"):
        assert soup.find(tag), tag
    assert soup.find("p", class_="heading").get_text() == "T"


def test_html_in_markdown_is_shown_as_it_was_typed():
    assert markdown_html("a <b onclick='x'>b</b> <!-- c -->") == (
        "<p>a &lt;b onclick='x'&gt;b&lt;/b&gt; &lt;!-- c --&gt;</p>\n"
    )


FORMS = ["So $x^2$.", "So $$x^2$$.", "$$\nx^2\n$$", "\\begin{align}\na &= x^2\n\\end{align}"]


@pytest.mark.parametrize("text", FORMS)
def test_formulas_of_students_are_set(typeset, text):
    html = markdown_html(text)
    assert "<math" in html
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in html


def test_the_books_own_commands_are_known_to_students_formulas(typeset):
    assert "<mi>ℝ</mi>" in markdown_html("$x \\in \\R^n$")


def test_a_formula_that_reaches_out_or_cannot_be_set_is_shown_as_tex(typeset):
    for tex in (
        r"\href{javascript:x}{y}",
        r"\includegraphics{http://h}",
        r"\style{color:red}{x}",
        r"\nosuch",
        "{",
    ):
        assert markdown_html(f"${tex}$") == f'<p><code class="tex">${words_html(tex)}$</code></p>\n'


def test_a_formula_covers_nothing_and_hides_nothing(typeset):
    html = markdown_html(r"$\rule{9999em}{9999em} \color{white}x \hspace{-9999em} y \raisebox{999em}{z}$")
    assert "<mi>x</mi>" in html
    assert not re.search(r" style=|color|background|\d{3,}em", html)


def test_a_formula_that_takes_long_costs_only_itself(typeset, monkeypatch):
    with FormulaBox() as box:
        assert "<math" in box.mathml("x", False)
        with monkeypatch.context() as late:  # nothing has come when the time is over
            late.setattr(formula_box.select, "select", lambda *_: ([], [], []))
            assert box.mathml("y", False) is None
            assert box.process is None
        monkeypatch.setattr(formula_box, "SECONDS", 2.0)
        assert "<mi>z</mi>" in box.mathml("z", False)
        box.left = 0.0
        assert box.mathml("z", False) is None


SPY = """
import { createInterface } from "node:readline";
import * as fs from "node:fs";
import * as net from "node:net";
import * as children from "node:child_process";
const [canary, port] = JSON.parse(process.argv[3]);
const tried = {};
const attempt = (name, act) => {
  try { act(); tried[name] = "done"; } catch (error) { tried[name] = error.code ?? "failed"; }
};
for await (const line of createInterface({ input: process.stdin })) {
  attempt("read", () => fs.readFileSync(canary));
  attempt("write", () => fs.writeFileSync("/stolen", "x"));
  attempt("run", () => { if (children.spawnSync("/bin/sh").status !== 0) throw new Error(); });
  attempt("compile", () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
  await new Promise(done => net.connect(port, "127.0.0.1", () => { tried.call = "done"; done(); })
    .on("error", error => { tried.call = error.code; done(); }));
  tried.environment = Object.keys(process.env).join();
  console.log(JSON.stringify({ html: JSON.stringify(tried) }));
}
"""


def test_the_box_of_formulas_has_no_network_no_files_and_no_programs(typeset, monkeypatch, tmp_path):
    (tmp_path / "canary").write_text("unread")
    with listening() as listener, FormulaBox() as box:
        monkeypatch.setattr(formula_box, "_program", lambda: {"/temml_server.mjs": SPY.encode()})
        aims = json.dumps([str(tmp_path / "canary"), listener.port])
        monkeypatch.setattr(formula_box, "formula_macros", lambda: aims)
        tried = json.loads(box.mathml("x", False))
        assert "done" not in tried.values(), tried
        assert tried["read"] == "ENOENT"
        assert tried["environment"] in ("", "PWD")
        assert listener.heard == []


@pytest.mark.parametrize(
    "say", ["console.log('{')", "process.exit(1)", "console.log('x'.repeat(9e5))", "for (;;) {}"]
)
def test_a_box_that_talks_nonsense_is_thrown_away(typeset, monkeypatch, say):
    monkeypatch.setattr(formula_box, "_program", lambda: {"/temml_server.mjs": f"{say};".encode()})
    with FormulaBox() as box:
        assert box.mathml("x", False) is None
        assert box.process is None


def test_without_bubblewrap_formulas_are_shown_as_tex(monkeypatch):
    monkeypatch.setattr(formula_box, "can_set_formulas", lambda: False)
    assert '<code class="tex">$x^2$</code>' in markdown_html("$x^2$")


def test_authors_have_links_and_folds_but_no_scripts():
    html = authors_html(
        "[x](https://b.example/c) <details><summary>Hint</summary>h</details> <script>s</script> [y](http://z)"
    )
    assert '<a href="https://b.example/c"' in html
    assert "<details><summary>Hint</summary>" in html
    assert "script" not in html
    assert "http://z" not in html


def test_characters_that_hide_or_turn_others_are_named():
    assert visible("a\u202eb\u200bc\x00\ud800\r\nd") == "a[U+202E]b[U+200B]c[U+0000][U+D800]\nd"
    assert visible("e" + "\u0301" * 500 + "f") == "e" + "\u0301" * 3 + "f"
    assert visible("Žižek, 數學, שלום\t\n") == "Žižek, 數學, שלום\t\n"
    assert output_html("\x1b[31mred\x1b[0m \x1b]8;;http://h\x07x") == '<pre class="printed">red x</pre>'


def test_code_is_coloured_and_complete():
    source = "def f(x):\n    '''d'''\n    return x < 2  # <b>\n\n"
    html = code_html(source)
    assert '<span class="k">def</span> <span class="f">f</span>' in html
    assert BeautifulSoup(html, "html.parser").get_text() == source
    assert '<pre class="error">ValueError: a &lt; b</pre>' in error_html("ValueError", "a < b")


SLOW = ["<b>" * 99_000, "*a " * 33_000, "[" * 100_000, "![" * 50_000, "[a]: <b>\n" * 11_000, "x" * 1_000_000]
SLOW += ["$x$ " * 20_000, "\u202e" * 100_000, "|a" * 300 + "\n" + "|-" * 300 + ("\n" + "|b" * 300) * 150]


@pytest.mark.slow
def test_no_cell_takes_longer_than_it_may(monkeypatch):
    for shown in (markdown_html, code_html):
        monkeypatch.setattr(shown, "__defaults__", (1.0, *shown.__defaults__[1:]))
    for text, shown in itertools.product(SLOW, (markdown_html, code_html, output_html)):
        began = time.monotonic()
        assert len(shown(text)) < 1_500_000
        assert time.monotonic() - began < 3, text[:20]


def test_what_is_cut_or_not_formatted_says_so(monkeypatch):
    assert "Cut here: 100000 characters and 4000 lines are shown at most." in markdown_html(
        "a\n\n" * 50_000, 0.0
    )
    assert "to format it takes longer than 5 seconds" in markdown_html("*a*", 0.0)
    monkeypatch.setattr(student_text, "rendered", lambda *_: 1 / 0)
    assert markdown_html("*a* <b>") == (
        '<pre class="plain">*a* &lt;b&gt;</pre>'
        '<p class="note">This is shown as it was written: it could not be formatted.</p>'
    )


def test_an_answer_of_many_slow_cells_is_shown_in_time():
    cells = tuple(Piece("markdown", "*a " * 33_000) for _ in range(40))
    began = time.monotonic()
    html = answer_html(Work(cells), seconds=1.0)
    assert time.monotonic() - began < 3
    assert html.count("as it was written") == 40
    assert "70 more cells are not shown" in answer_html(Work(tuple(Piece("code", "x") for _ in range(170))))


def test_pictures_are_shown_if_they_are_png():
    assert f'src="data:image/png;base64,{png()}"' in picture_html(png())
    svg = base64.b64encode(b"<svg onload=x>").decode()
    for content in (
        svg,
        png() + '"onerror="x',
        "%%%",
        png(4001, 1),
        "\u202e",
        base64.b64encode(b"\x89PNG\r\n\x1a\n" * 9).decode(),
    ):
        assert (
            picture_html(content) == '<p class="note">A picture is not shown: it is no PNG, or too large.</p>'
        )


def test_an_empty_answer_says_so():
    assert "Nothing is written here." in answer_html(Work((Piece("code", " \n"),)))
    assert "Nothing is written here." in answer_html(Work())


def test_plain_text_for_other_tools_is_one_block_of_code_whatever_is_in_it():
    texts = [
        *vectors(NOWHERE).values(),
        *mutations(NOWHERE, 20260801, 500),
        "``````",
        "a\n```\nb",
        "`" * 50 + "\n~~~",
    ]
    for text in texts:
        tokens = MarkdownIt().parse(as_plain_text(text))
        assert [token.type for token in tokens] == ["fence"], text
        assert tokens[0].content == visible(text) + "\n"


def test_clean_html_has_no_element_or_attribute_beside_the_list():
    texts = random.Random(7).sample(list(vectors(NOWHERE).values()), 60) + mutations(NOWHERE, 11, 100)
    for text in texts:
        for element in BeautifulSoup(markdown_html(text), "html.parser").find_all(True):
            assert element.name in TEXT | TABLES | FORMULAS, (element.name, text)
            kept = set(element.attrs) - {"class", "start"} - (LENGTHS | WORDS)
            assert not kept, (element, text)
