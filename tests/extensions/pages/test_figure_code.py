"""A figure that a cell shows by its name: the page has the code that the figure rests on, and no other."""

import pytest

from extensions.pages import figure_code
from extensions.pages.figure_code import code_of_figure, imports_apart

MODULE = '''"""Figures."""

import numpy as np

from explorable import explore, slider

points = np.arange(3)
others = points + 1


@explore(x=slider(0, 1))
def lift(x):
    return drawing(points, x)


def drawing(points, x):
    return points * x


def race(values):
    @explore(k=slider(0, 1))
    def race(k):
        return values[k]

    return race
'''


@pytest.fixture
def page(tmp_path, monkeypatch):
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "figures.py").write_text(MODULE)
    (tmp_path / "page.md").write_text("from margins_book.kernels import figures\n")
    monkeypatch.setattr(figure_code, "BOOK", tmp_path)
    return tmp_path / "page.md"


def test_a_figure_has_its_data_and_helpers_and_nothing_else_and_its_call_if_made_of_values(page):
    code = code_of_figure(page, "figures.lift\n")
    assert code.startswith("points = np.arange(3)")
    assert "@explore(x=slider(0, 1))\ndef lift(x):" in code
    assert "def drawing" in code
    assert "others" not in code
    assert "race" not in code
    assert "import" not in code
    code = code_of_figure(page, "figures.race(found)")
    assert code.startswith("def race(values):")
    assert code.endswith("\n\nrace(found)")


def test_other_cells_and_pages_without_a_module_have_their_own_code(page, tmp_path):
    assert code_of_figure(page, "x = figures.lift") is None
    other = tmp_path / "other.md"
    other.write_text("import numpy as np\n")
    assert code_of_figure(other, "figures.lift") is None
    imports, _ = imports_apart(MODULE)
    assert imports == "import numpy as np\nfrom explorable import explore, slider"
