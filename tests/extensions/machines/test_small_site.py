"""What a small site hands to other programs: twins, lists, heads, citations, cards."""

import shutil
import xml.etree.ElementTree as ElementTree
from urllib.parse import parse_qs, urlsplit

import pytest

from extensions.coursework.notebook_names import CODE
from tests.raw_markdown import raw_in
from tests.small_book import CELL, IMPORT, NOTEBOOK, SmallSite

COMPUTED = """```{code-cell} python
:tags: [remove-input]
:mystnb: {markdown_format: myst}

from IPython.display import Markdown

Markdown("**Two** rows:\\n\\n| name | *n* |\\n|---|--:|\\n| a | 1 |\\n| b | 2 |")
```

"""
CHAPTER = (
    NOTEBOOK
    + IMPORT
    + "## First part\n\n"
    + CELL.format("figures.hidden_factor")
    + """:::{prf:theorem} A sum
:label: sum
$1+1=2$, which {numref}`ex-hidden-factor` does not show.
:::

"""
    + CELL.format("print(1 + 1)")
    + COMPUTED
    + """## Questions

::::{admonition} Is $1<2$ so?
:class: quiz

1. No.
2. It *is*.

:::{admonition} Answers
:class: dropdown

1. Wrong, because counting says otherwise.
2. Right, by {prf:ref}`sum` and counting.
:::
::::

## Exercises

:::{exercise-start} Do it · prove ★
:label: do-it
:::
Prove that $2>1$.
:::{exercise-end}
:::

:::{solution-start} do-it
:class: dropdown
:::
The secret is counting.
:::{solution-end}
:::
"""
)
STORY = (
    NOTEBOOK.partition("# A page")[0]
    + "# Chapter 6 in 5 minutes: What is hidden?\n\n"
    + IMPORT
    + "## A factor is hidden\n\n"
    + CELL.format("figures.hidden_factor.at(factor=10)")
    + "Words of a scene.\n\n```{in-chapter} first-part\n```\n"
)
GLOSSARY = """# Glossary

The terms of this small book, each of them in a sentence.

```{glossary}
sum
  What $1+1$ is: {prf:ref}`sum`.
```
"""
CITED = """title: "A small book: with a subtitle"
authors:
  - name: A. One
  - name: The Others
version: 1.2.3
date-released: 2026-01-02
"""
BASE = "https://margins-of-attention.github.io/margins-of-attention"
PAGES = {"chapters/06_small": CHAPTER, "stories/06_small": STORY, "book/glossary": GLOSSARY}


@pytest.fixture(scope="module")
def site(small_book):
    (small_book / "CITATION.cff").write_text(CITED)
    return SmallSite(small_book, PAGES).build()


@pytest.fixture(scope="module")
def twin(site):
    """The Markdown twin of the chapter."""
    return site.read("chapters/06_small.md")


def test_a_twin_has_text_formulas_code_what_it_printed_figures_and_solutions_at_its_end(twin):
    assert twin.startswith(f"# 1. A page\n\n*From [Margins of Attention]({BASE}/chapters/06_small.html)")
    assert "**Theorem 1.1 (A sum).**\n\n$1+1=2$, which Figure 1.1 does not show. ◁" in twin
    assert "```python\nprint(1 + 1)\n```\n\n```text\n2\n```" in twin
    assert not raw_in(CODE.sub(" ", twin))
    assert "\n\n**Two** rows:\n\n| name | *n* |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n\n" in twin
    (line,) = (line for line in twin.splitlines() if line.startswith("**Figure 1.1.** "))
    assert "*The numbers are" in line
    assert line.endswith(f"]({BASE}/chapters/06_small.html#ex-hidden-factor)")
    assert "figures.hidden_factor" not in twin
    before, solutions = twin.split("## Solutions\n")
    assert "The secret" not in before
    assert "[A solution](#solutions)" in before
    assert "### Exercise 1.1: Do it" in solutions
    assert "The secret is counting." in solutions


def test_a_story_has_scenes_without_code_and_a_glossary_a_paragraph_for_each_term(site):
    twin = site.read("stories/06_small.md")
    assert "## A factor is hidden\n\n**Figure.** " in twin
    assert "The numbers are 10, 20, 40" in twin
    assert f"In the chapter: [First part]({BASE}/chapters/06_small.html#first-part)" in twin
    assert "```" not in twin
    link = f"[Theorem 1.1]({BASE}/chapters/06_small.html#sum)"
    assert f"**sum**: What $1+1$ is: {link}." in site.read("book/glossary.md")


def test_language_models_find_all_twins_by_part(site):
    lines = site.read("llms.txt").splitlines()
    assert lines[0] == "# Margins of Attention"
    assert lines[2] == "> A first paragraph that is long enough to describe the page."
    assert [line for line in lines if line.startswith("## ")] == [
        "## The book", "## Chapters", "## In an evening", "## Around",
    ]  # fmt: skip
    items = [line for line in lines if line.startswith("- ")]
    assert items[1].startswith(f"- [1. A page]({BASE}/chapters/06_small.md): A first paragraph")
    for item in items:
        twin = item.partition("](")[2].partition(")")[0].removeprefix(f"{BASE}/")
        assert site.read(twin)


def test_search_engines_find_all_pages(site):
    places = ElementTree.fromstring(site.read("sitemap.xml").encode()).iter()
    listed = [place.text for place in places if place.tag.endswith("loc")]
    pages = ("book/glossary", "chapters/06_small", "page", "stories/06_small")
    assert listed == [f"{BASE}/{page}.html" for page in pages]
    for page in pages:
        head = site.parsed(page).head
        assert head.select_one("link[rel=canonical]")["href"] == f"{BASE}/{page}.html"


def test_a_chapter_is_cited_as_the_file_says(site, chapter):
    names = ("title", "author", "publication_date", "book_title", "public_url")
    found = [[one["content"] for one in chapter.select(f"meta[name=citation_{name}]")] for name in names]
    address = f"{BASE}/chapters/06_small.html"
    book = "A small book: with a subtitle"
    assert found == [["A page"], ["A. One", "The Others"], ["2026/01/02"], [book], [address]]
    cite = chapter.select_one("details#cite")
    assert cite.p.text == f"A. One, The Others (2026). A page. In: {book}, version 1.2.3. {address}"
    assert "author = {{A. One} and {The Others}}" in cite.pre.text
    assert "booktitle = {{A small book: with a subtitle}}" in cite.pre.text
    assert not site.parsed("book/glossary").select("#cite")


def test_the_form_for_errors_knows_page_and_version(chapter):
    address = urlsplit(chapter.select_one(".colophon a.report")["href"])
    assert address.netloc + address.path == "github.com/margins-of-attention/margins-of-attention/issues/new"
    filled_in = parse_qs(address.query)
    assert filled_in["title"] == ["Error: A page"]
    assert filled_in["body"] == [f"Page: {BASE}/chapters/06_small.html\nVersion: 1.2.3\n\nWhat is wrong: "]


def test_cards_are_terms_and_questions_in_the_form_of_anki(site):
    lines = site.read("cards.txt").splitlines()
    cards = [line.split("\t") for line in lines if not line.startswith("#")]
    assert lines[:2] == ["#separator:tab", "#html:true"]
    term, question = cards
    assert term[0] == "sum"
    assert term[1].startswith(r"What \(1+1\) is: <a href=")
    assert term[2] == "glossary"
    assert question[0].startswith(
        r"<p>Is \(1&lt;2\) so?</p> <ol> <li>No.</li> <li>It <em>is</em>.</li> </ol>"
    )
    assert question[1].startswith("<p><strong>2.</strong> Right, by ")
    assert question[1].endswith("<p><strong>1.</strong> Wrong, because counting says otherwise.</p>")
    assert question[2] == "chapter-06"


def test_withheld_solutions_are_in_no_twin_and_in_no_notebook(site):
    config = site.folder / "_config.yml"
    kept = config.read_text()
    config.write_text(kept.replace("coursework_show_solutions: true", "coursework_show_solutions: false"))
    notebooks = site.folder / "_build/html/notebooks"
    shutil.rmtree(notebooks)
    site.build()
    for name in ("chapters/06_small.md", "notebooks/06_small.ipynb"):
        told = site.read(name)
        assert "Prove that $2>1$." in told
        assert "secret" not in told
        assert "A solution" not in told
    assert sorted(file.name for file in notebooks.iterdir()) == ["06_small.ipynb", "page.ipynb"]
