"""What runs again when a module of the library changes: the pages that reach it, and no others."""

import os
import re
import shutil
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

from extensions.execution.output_caches import KEPT_STATES, drop_old_caches
from tests.sphinx_build import sphinx

BOOK = Path(__file__).parents[3] / "book"
CONFIGURATION = f"""
import sys
sys.path.insert(0, {str(BOOK)!r})
project = "A small book"
extensions = ["myst_nb", "extensions.execution.output_caches"]
html_theme = "basic"
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
"""
LIBRARY = {
    "__init__": "",
    "validation": "",
    "kernels.__init__": "from margins.kernels.families import linear",
    "kernels.families": "import margins.validation\nlinear = 1",
    "kernels.closure": "from . import families",
    "svm": "def solve():\n    import margins.late\n    from margins.kernels import linear\n    return linear",
    "late": "",
    "features.__init__": "from .parts import *",
    "features.parts.__init__": "__all__ = ['fourier']",
    "features.parts.fourier": "from ...validation import __name__ as origin",
    "found_by_name": "",
    "unused": "",
}
PAGES = {
    "page/primal": "from margins.svm import solve\nsolve()",
    "page/closed": "import margins.kernels.closure as closed",
    "page/random": "import margins.features",
    "page/opaque": "from importlib import import_module\nimport_module('margins.' + 'found_' + 'by_name')",
    "page/beside": "import helper",
}
REACHED_BY = {
    "__init__": {"primal", "closed", "random", "opaque"},
    "validation": {"primal", "closed", "random", "opaque"},
    "kernels.__init__": {"primal", "closed", "opaque"},
    "kernels.families": {"primal", "closed", "opaque"},
    "kernels.closure": {"closed", "opaque"},
    "svm": {"primal", "opaque"},
    "late": {"primal", "opaque"},
    "features.__init__": {"random", "opaque"},
    "features.parts.__init__": {"random", "opaque"},
    "features.parts.fourier": {"random", "opaque"},
    "found_by_name": {"opaque"},
    "unused": {"opaque"},
}
SHOWN = """
import sys
{{name: module.MARK for name, module in sys.modules.items() if hasattr(module, "MARK")}}
"""
PAGE = (
    """---
jupytext:
  text_representation: {{extension: .md, format_name: myst}}
kernelspec: {{display_name: Python 3, language: python, name: python3}}
---
# A page

```{{code-cell}} python
{code}
"""
    + f"{SHOWN}```\n"
)


def write_module(book, name, version):
    file = book / "lib" / "margins" / f"{name.replace('.', '/')}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'MARK = "{version}"\n{LIBRARY[name]}\n')


def new_book(folder):
    """A book whose pages show which modules of a small library they loaded, each with its version."""
    (folder / "source" / "page").mkdir(parents=True)
    (folder / "source" / "conf.py").write_text(CONFIGURATION)
    listing = "\n".join(PAGES)
    (folder / "source" / "index.md").write_text(f"# Index\n\n```{{toctree}}\n{listing}\n```\n")
    (folder / "source" / "page" / "helper.py").write_text('MARK = "first"\n')
    for name, code in PAGES.items():
        (folder / "source" / f"{name}.md").write_text(PAGE.format(code=code))
    for name in LIBRARY:
        write_module(folder, name, "first")
    return folder


def build(book):
    """The names of the pages that ran."""
    said = book / "said"
    arguments = ["-W", "-b", "html", book / "source", book / "_build" / "html"]
    # a module that changes twice within a second would be taken for the one that was compiled
    code = sphinx(arguments, book / "lib", said, PYTHONDONTWRITEBYTECODE="1")
    assert code == 0, said.read_text()
    return set(re.findall(r"^\[run\] page/(\w+): done", said.read_text(), re.M))


def pages(book):
    """The bodies: MyST-NB names its stylesheet in the heads in one way at first and in another later."""
    return {
        page: (book / "_build" / "html" / f"{page}.html").read_text().partition("<body>")[2] for page in PAGES
    }


def marks_shown(text):
    """Module -> mark, for all that the cells of the pages loaded."""
    return set(re.findall(r"'([\w.]+)': '([\w ,.]+)'", re.sub(r"<[^>]+>", "", unescape(text))))


@pytest.mark.full
def test_each_module_in_turn_runs_what_reaches_it_and_shows_what_a_cold_build_shows(tmp_path):
    book, marks = new_book(tmp_path / "book"), dict.fromkeys(LIBRARY, "first")
    assert build(book) == {"primal", "closed", "random", "opaque", "beside"}
    for name, expected in REACHED_BY.items():
        marks[name] = f"second, of {name}"
        write_module(book, name, marks[name])
        assert build(book) == expected, name
        current = {(f"margins.{module}".removesuffix(".__init__"), mark) for module, mark in marks.items()}
        shown = marks_shown("".join(pages(book).values()))
        assert shown == {("helper", "first"), *current} - {("margins.unused", marks["unused"])}
    warm = pages(book)
    shutil.rmtree(book / "_build")
    build(book)
    assert warm == pages(book)
    assert build(book) == set()
    page = book / "source" / "page" / "random.md"
    page.write_text(page.read_text().replace("# A page", "# A page\n\nNew prose."))
    assert build(book) == set()
    assert "New prose." in pages(book)["page/random"]
    (book / "source" / "page" / "helper.py").write_text('MARK = "second"\n')
    assert build(book) == {"beside"}
    (book / "lib" / "margins" / "features" / "table.csv").write_text("data that a module may read")
    assert build(book) == {"random", "opaque"}
    write_module(book, "validation", "third")
    assert build(book) == REACHED_BY["validation"]
    write_module(book, "validation", marks["validation"])
    assert build(book) == set()  # the outputs of that state are still there
    assert pages(book)["page/closed"] == warm["page/closed"]


def test_the_newest_caches_of_each_page_of_the_book_are_kept(tmp_path):
    names = [f"state {number}" for number in range(KEPT_STATES + 2)]
    for age, name in enumerate(names):
        for page in ("here", "gone"):
            (tmp_path / page / name).mkdir(parents=True)
            os.utime(tmp_path / page / name, (age, age))
    env = SimpleNamespace(all_caches=tmp_path, found_docs={"here"}, page_states={"here": None, "gone": None})
    drop_old_caches(SimpleNamespace(env=env), None)
    assert [page.name for page in tmp_path.iterdir()] == ["here"]
    assert sorted(state.name for state in (tmp_path / "here").iterdir()) == names[2:]
