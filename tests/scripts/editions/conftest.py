"""A small site in the style of the real one, for tests that print it or cut it."""

import shutil

import pytest

from extensions.pages.fonts_and_styles import ITALIC_FONT, MATH_FONT, TEXT_FONT, stylesheet
from scripts.editions import site as editions_site

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="description" content="A book of two pages.">
<link rel="canonical" href="https://book.example/{path}">
<link rel="stylesheet" href="{root}_static/margins.css">
</head><body><header class="book"><nav aria-label="Book"><ul></ul>
<p class="caption">Chapters</p><ul><li><a href="chapters/01_small.html">1. Small</a></li></ul>
<p class="caption">Around the book</p><ul><li><a href="book/claims.html">Claims</a></li>
<li><a href="book/glossary.html">Glossary</a></li></ul></nav></header>
<div class="page"><main><article>{body}</article></main></div>
<footer class="colophon"><p>Text CC BY 4.0.</p></footer></body></html>"""
CHAPTER = """<section id="small"><h1>1. Small<a class="headerlink" href="#small">#</a></h1>
<p class="run-it">Run</p>
<section id="spine"><h2>The spine</h2>
<div class="proof theorem admonition" id="thm-one"><p class="admonition-title">Theorem 1.1</p>
<p>It holds.</p></div>
<details class="fold proof dropdown deep">
<summary>Proof<span class="tells">, 7 lines</span></summary>
<p>A LONG PROOF, with a formula: <math><mi>x</mi></math>.</p></details>
<p>A SHORT PROOF.</p>
<details class="deep check-fold"><summary>Check: passed</summary>
<pre id="checked">THE CODE OF A CHECK</pre></details>
<p class="signpost"><a class="reference" href="#beyond">1.A</a> Beyond.</p>
<p>See <a class="reference" href="#thm-two">Theorem 1.2</a>, <a href="#thm-one">Theorem 1.1</a>,
<a href="../book/claims.html#c1">C1</a>, <a href="../book/glossary.html#kerb">kerb</a>,
<a class="external" href="https://elsewhere.example/">a work</a>.</p></section>
<section id="quiz"><h2>Quiz</h2><fieldset class="quiz"><legend>Why?</legend><label><span>So.</span></label>
<details><summary>Answers</summary><p>THE ANSWER.</p></details></fieldset></section>
<section id="exercises"><h2>Exercises</h2><div class="exercise admonition" id="ex-one">
<p class="admonition-title"><span class="caption-number">Exercise 1.1 </span></p><p>Prove it.</p></div>
<details class="fold solution"><summary>Solution</summary><p>THE SOLUTION.</p></details></section>
<section class="excursion" id="beyond"><h2>1.A Beyond</h2>
<details class="deep excursion-fold"><summary>Excursion 1.A</summary>
<div class="proof theorem admonition" id="thm-two"><p>Theorem 1.2 IN AN EXCURSION.</p></div>
</details></section>
</section>"""
CLAIMS = """<section id="claims"><h1>Claims</h1>
<p id="c1">C1 of <a href="../chapters/01_small.html#thm-two">1.2</a></p></section>"""
GLOSSARY = '<section id="glossary"><h1>Glossary</h1><p id="kerb">A kerb.</p></section>'
PAGES = {
    "index.html": ("Margins of Attention", "<section><h1>Margins of Attention</h1><p>Begin.</p></section>"),
    "chapters/01_small.html": ("Small", CHAPTER),
    "book/claims.html": ("Claims", CLAIMS),
    "book/glossary.html": ("Glossary", GLOSSARY),
}


@pytest.fixture(scope="session")
def small_site(tmp_path_factory):
    """The folder of a site of four pages, with the style and the fonts of the real one."""
    folder = tmp_path_factory.mktemp("site")
    for path, (title, body) in PAGES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(
            PAGE.format(title=title, path=path, root="../" * path.count("/"), body=body)
        )
    fonts = folder / "_static" / "fonts"
    fonts.mkdir(parents=True)
    (folder / "_static" / "margins.css").write_text(stylesheet())
    for font, name in ((TEXT_FONT, "serif"), (ITALIC_FONT, "serif-italic"), (MATH_FONT, "math")):
        shutil.copyfile(font, fonts / f"{name}.woff2")
    return folder


@pytest.fixture
def site(small_site, monkeypatch):
    """The small site in the place of the built one."""
    monkeypatch.setattr(editions_site, "SITE", small_site)
    editions_site.home.cache_clear()
    yield small_site
    editions_site.home.cache_clear()
