"""The cells that a cell needs: those that set or change what it uses, and no others."""

import pytest

from conftest import full
from extensions.pages import figure_code
from extensions.python_in_page.cells import IMPORTS, cells
from margins_book.chapters import chapters
from margins_book.page.chapter import Cell, Chapter, read_chapter


def needs(*sources):
    """What the last of these cells needs, and what is missing for it."""
    chapter = Chapter("chapter", "Chapter", tuple(Cell("setup", source) for source in sources))
    found = cells(chapter)[len(sources) - 1]
    return found["needs"], found["missing"]


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["x = 1", "y = 2", "print(x)"], [0]),
        (["x = 1", "x = 2", "print(x)"], [1]),
        (["x = 1", "x = x + 1", "print(x)"], [0, 1]),
        (["x = 1", "x += 1", "print(x)"], [0, 1]),
        (["x = [1]", "x[0] = 2", "print(x)"], [0, 1]),
        (["rng = make()", "a = rng.normal()", "b = rng.normal()", "print(rng)"], [0, 1, 2]),
        (["import numpy as np", "a = np.ones(2)", "np.zeros(3)"], [0]),
        (["def f(): return g()", "def g(): return 1", "f()"], [0, 1]),
        (["x = 1", "if False: x = 2", "print(x)"], [0, 1]),
        (["x = 1", "[x for x in range(3)]", "print(x)"], [0]),
    ],
)
def test_a_cell_needs_what_sets_or_changes_its_names(sources, expected):
    assert needs(*sources)[0] == expected


@pytest.mark.parametrize(
    ("sources", "missing"),
    [
        (["from sklearn.svm import SVC", "SVC()"], "sklearn"),
        (["from scipy.optimize import nnls, milp", "nnls(A, b)"], ""),
        (["from scipy.optimize import nnls, milp", "milp(c)"], "scipy.optimize.milp"),
        (["from explorable import show", "show(figure)"], "matplotlib"),
        (["from scipy.integrate import solve_ivp\nsolve_ivp()"], "scipy.integrate.solve_ivp"),
        (["import numpy as np", "np.ones(1)"], ""),
    ],
)
def test_what_is_missing_is_named(sources, missing):
    assert needs(*sources)[1] == missing


@pytest.mark.parametrize(
    "chapter", [chapters()[0], *full(*chapters()[1:])], ids=lambda chapter: chapter.topic
)
def test_solutions_and_checks_are_no_cells_and_needed_by_none(chapter):
    read = read_chapter(chapter.page)
    found = cells(read, chapter.page)
    on_page = [cell for cell in read.cells if cell.is_on_page]
    assert {on_page[place].kind for place in found if place != IMPORTS} == {"setup"}
    assert all(set(cell["needs"]) <= set(found) for cell in found.values())


MODULE = """
import numpy as np

points = np.arange(3)

def lift(x):
    return points * x

def race(found):
    return found[0]
"""


def test_a_figure_needs_its_module_and_the_arguments_of_its_call(monkeypatch, tmp_path):
    sources = [
        "from margins_book.kernels import figures",
        "found = [1]",
        "figures.lift",
        "figures.race(found)",
        "points",
    ]
    page = tmp_path / "page.md"
    page.write_text(sources[0])
    monkeypatch.setattr(figure_code, "figures_module", lambda folder: MODULE)
    read = cells(Chapter("page", "Page", tuple(Cell("setup", source) for source in sources)), page)
    assert {place: cell["needs"] for place, cell in read.items()} == {
        IMPORTS: [], 0: [], 1: [], 2: [IMPORTS], 3: [1, IMPORTS], 4: [],
    }  # fmt: skip
    assert read[3]["source"].endswith("race(found)")
