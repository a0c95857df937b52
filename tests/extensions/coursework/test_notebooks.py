"""The three notebooks of a page: what stands where, in which words, and that each runs by itself."""

import builtins
import types

import pytest
from sphinx.errors import ExtensionError

from extensions.coursework.notebook_code import CLOSED, imports_apart
from extensions.coursework.notebook_names import require_plain
from extensions.coursework.notebook_parts import parted
from extensions.coursework.notebooks import Page, with_ids
from tests.extensions.coursework.small_page import BASE, PAGE, application, cells

SOLUTIONS = "06_small-solutions.ipynb"


@pytest.fixture
def page():
    return Page(application(), PAGE, parted(cells(), PAGE, SOLUTIONS))


def text(made):
    return "\n\n".join(cell.source for cell in made if cell.cell_type == "markdown")


def code(made):
    return [cell.source for cell in made if cell.cell_type == "code"]


def test_a_chapter_begins_with_title_links_and_one_closed_cell_of_set_up(page):
    head, set_up, question, _, data, figure, *_ = page.chapter()
    assert head.source.startswith(f"# A page about $x$\n\n*[This page in the book]({BASE}{PAGE}.html).")
    assert "[excursions](06_small-excursions.ipynb) ([in Colab](https://c.org/github/" in head.source
    assert f"[solutions]({SOLUTIONS})" in head.source
    assert set_up.source.startswith("#@title Set-up")
    assert set_up.source.endswith("import math\nfrom small import checks, figures")
    assert set_up.metadata == CLOSED
    assert question.source.startswith("**How does it turn?**")
    assert (data.source, figure.source) == ("base = 1", "figures.turn  # Figure 6.3")
    assert not data.metadata


def test_figures_say_once_how_their_code_is_read(page):
    assert text(page.chapter()).count("`figures.turn??` in a cell shows the code of this figure") == 1


def test_references_are_numbers_of_the_book_names_and_links_into_it(page):
    old, works = f"[Lemma 5.2]({BASE}chapters/05_old.html#old)", f"{BASE}book/references.html"
    said = f"See Theorem 6.1, {old}, Figure 6.3 and [One (1964)]({works}#one1964), "
    said += f"([One, 1964]({works}#one1964); [A et al., 2020]({works}#many2020))."
    assert said in text(page.chapter())
    assert "**Theorem 6.1 (A sum).**\n\n*Twice $x$ is $x$ and $x$.*\n\nFor every $x$." in text(page.chapter())


def test_signposts_lead_to_the_notebook_of_excursions(page):
    shown = text(page.chapter())
    aside = "[6.A](06_small-excursions.ipynb)"
    assert f"**{aside}** How it turns. 11 min, uses Lemma 5.2 and Theorem 6.1." in shown
    assert "More. 4 min." in shown
    assert "Words aside" not in shown
    assert "## Summary" in shown


def test_a_solution_is_a_link_and_the_function_is_left_to_the_reader(page):
    chapter = page.chapter()
    assert f"Write `double(x)`.\n\n[A solution]({SOLUTIONS})" in text(chapter)
    assert "Add it to itself" not in text(chapter)
    (stub,) = (source for source in code(chapter) if "def double" in source)
    assert "raise NotImplementedError" in stub
    assert "\n# checks.double(double)  # take the first # away" in stub
    assert "step(x)" not in stub


def test_solutions_stand_below_the_names_of_their_exercises(page):
    head, _, name, words, solution, check = page.solutions()
    assert head.source.startswith("# Solutions: A page")
    assert name.source.startswith("## Exercise 6.1: Do it · code ★")
    assert words.source == "Add it to itself."
    assert solution.source == "def double(x):\n    return step(x)"
    assert check.source == "checks.double(double)"


def test_excursions_name_themselves_and_what_they_need(page):
    shown = text(page.excursions())
    line = "*Excursion 6.A. 11 min, uses Lemma 5.2 and Theorem 6.1. Nothing in the spine uses it.*"
    assert f"## 6.A Aside $x$\n\n{line}\n\nWords aside." in shown
    assert "## 6.B More\n\n*Excursion 6.B. 4 min. Nothing in the spine uses it.*" in shown


def test_notebooks_beside_the_chapter_run_by_themselves(page):
    for made in (page.excursions(), page.solutions()):
        set_up, *others = code(made)
        assert "unused" not in set_up
        kept = set_up.partition('@main"\n')[2]
        kept = kept.replace("from small import checks, figures", "")
        space = {"checks": types.SimpleNamespace(double=lambda f: f(2)), "print": builtins.print}
        for source in (kept, *others):
            exec(source, space)


def test_withheld_solutions_leave_no_link_no_notebook_and_no_hidden_check():
    page = Page(application(), PAGE, parted(cells(), PAGE))
    assert not page.parts.solutions
    everything = "\n".join(cell.source for cell in [*page.chapter(), *page.excursions()])
    for word in ("solution", "return step", "assert double", "### BEGIN"):
        assert word not in everything


def test_an_edit_changes_the_id_of_its_cell_alone(page):
    before = [cell.id for cell in with_ids(page.chapter())]
    assert len(set(before)) == len(before)
    edited = page.chapter()
    edited[2].source += "!"
    changed = [old != new.id for old, new in zip(before, with_ids(edited), strict=True)]
    assert changed == [place == 2 for place in range(len(before))]


def test_imports_are_told_from_the_rest_of_a_cell():
    assert imports_apart("import a\nx = 1\nfrom b import (\n    c,\n)\n\ny = 2") == (
        "import a\nfrom b import (\n    c,\n)",
        "x = 1\n\ny = 2",
    )


@pytest.mark.parametrize(
    "source",
    ["::: {note}", ":::", "```{note}\n```", "see {ref}`x`", "<!-- x -->", "(a)=", "% uses: x", "$$ (eq)"],
)
def test_what_a_program_would_show_raw_is_refused(source):
    with pytest.raises(ExtensionError, match="raw, in the line"):
        require_plain("page", f"Words.\n\n{source}\n\nWords.")


def test_code_may_say_everything():
    require_plain("page", "`{ref}` and ``{ref}`x` ``\n\n```yaml\n% x\n:::\n```")
