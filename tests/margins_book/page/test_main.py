"""`make check`: a chapter that is unknown, one figure of a page, and a page with other random numbers."""

import re
import sys

import numpy as np
import pytest

from explorable import bake
from margins_book.chapters import Chapter
from margins_book.page.__main__ import main
from tests.margins_book.page.test_run import cell

HEAD = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
# A page

"""
FIGURES = """
from explorable import Drawing, choice, everywhere, explore

@explore(a=choice(1, 2), caption="A line at $a$.", expect={"A line": everywhere(lambda f: f.at < 3)})
def level(a):
    drawing = Drawing()
    drawing.panel("line", xlim=(0, 1), ylim=(0, 9)).hlines(a, key="line")
    return drawing, f"The line is at {a}.", {"at": a}

def raised(height):
    @explore(a=choice(1, 2), caption="A line.", expect={"A line.": everywhere(lambda f: f.at < 9)})
    def raised(a):
        return level(a)[0], f"The line is at {a + height}.", {"at": a + height}
    return raised

def still(height):
    print(height)
"""
PAGE = "\n".join(
    [
        cell(":tags: [hide-input]", "", "import nothing", "import figures"),
        cell("dear = 1 / 0"),
        cell("def three():", "    return 3"),
        cell("heights = [0]", "for row in [heights]:", "    row[0] = three()"),
        cell("height = heights[0]"),
        cell("figures.level"),
        cell("figures.raised(height)"),
        cell("figures.still(height)"),
    ]
)
RANDOM = cell("import numpy as np", "x = np.random.default_rng(0).normal()")


class SmallChapter(Chapter):
    """A chapter whose records lie beside its page."""

    @property
    def folder(self):
        return self.page.parent


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """The command on a book of one chapter, number 7, with this page."""

    def run(page, *arguments):
        chapter = SmallChapter(tmp_path / "07_lines.md")
        chapter.page.write_text(HEAD + page, "utf8")
        monkeypatch.setattr("margins_book.page.__main__.chapters", lambda: (chapter,))
        return main(list(arguments))

    (tmp_path / "figures.py").write_text(FIGURES, "utf8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("EXPLORABLE_BAKE", "")
    monkeypatch.setattr(bake, "spent", [])
    yield run
    sys.modules.pop("figures", None)


@pytest.mark.parametrize("wanted", ["30", "", "lines"])
def test_an_unknown_chapter_is_refused_with_the_numbers(checked, capsys, wanted):
    with pytest.raises(SystemExit) as stopped:
        checked(PAGE, wanted)
    assert stopped.value.code == 2
    assert f"there is no chapter {wanted!r}; expected one of 0, 7" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", ["0", "00"])
def test_number_0_is_the_landing_page(checked, capsys, wanted):
    assert checked(PAGE, wanted, "--figure", "level") == 2
    assert "index.md shows no figure 'level'; it shows attention_becomes_an_svm" in capsys.readouterr().out


def test_an_unknown_figure_is_refused_with_the_names(checked, capsys):
    assert checked(PAGE, "7", "--figure", "levels") == 2
    assert "07_lines.md shows no figure 'levels'; it shows level, raised, still" in capsys.readouterr().out
    assert checked(cell("x = 1"), "07", "--figure", "level") == 2
    assert "it shows none" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("figure", "expected"), [("level", "bytes gzipped; its conditions hold"), ("still", "still")]
)
def test_a_figure_is_drawn_with_what_it_takes_of_the_page_alone(checked, capsys, figure, expected):
    """The import and the cell that fail are not among it."""
    assert checked(PAGE, "7", "--figure", figure) == 0
    assert expected in capsys.readouterr().out


def test_a_figure_that_is_made_of_the_page_s_values_is_drawn_with_them(checked, capsys):
    assert checked(PAGE, "7", "--figure", "raised") == 0
    assert checked(PAGE.replace("return 3", "return 8"), "7", "--figure", "raised") == 1
    assert "'raised' at a=1" in capsys.readouterr().out


def test_an_error_of_a_figure_s_cell_is_named_with_its_line(checked, capsys):
    page = PAGE.replace("still(height)", "still(depth)")
    assert checked(page, "7", "--figure", "still") == 1
    assert "NameError: name 'depth' is not defined" in capsys.readouterr().out


def test_other_draws_are_counted_and_a_failure_is_named(checked, capsys):
    assert checked(RANDOM + cell("assert abs(x) < 9"), "7", "--draws", "2") == 0
    assert capsys.readouterr().out.splitlines() == ["draw 1: every cell runs", "draw 2: every cell runs"]
    own = cell(f"assert abs(x - {np.random.default_rng(0).normal()}) < 1e-9")
    assert checked(RANDOM + own, "7", "--draws", "1") == 1
    assert re.search(r"draw 1: .*07_lines.md:\d+: AssertionError: assert", capsys.readouterr().out)
