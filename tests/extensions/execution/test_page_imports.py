"""What a page's cells import, directly and through other modules, and what a page about teaching reads."""

from pathlib import Path

import jupytext
import pytest

from extensions.execution.page_imports import (
    PACKAGES,
    imported_files,
    imports,
    imports_of_cells,
    library,
    texts_of_chapters,
)

ROOT = Path(__file__).parents[3]
EVERYTHING = {name for package in PACKAGES for name in (package, f"{package}.*")}
CHAPTER = """---
jupytext: {{text_representation: {{extension: .md, format_name: myst}}}}
kernelspec: {{display_name: Python 3, language: python, name: python3}}
---

# {title}

{prose}

```{{code-cell}}
{code}
```
"""


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import a.b.c", {"a", "a.b", "a.b.c"}),
        ("from a import b as c", {"a", "a.b"}),
        ("from . import b", {"p", "p.q", "p.q.b"}),
        ("from ..b import c", {"p", "p.b", "p.b.c"}),
        ("from .b import *", {"p", "p.q", "p.q.b", "p.q.b.*"}),
        ("def f():\n    if True:\n        import late", {"late"}),
        ("run([python, '-m', 'margins_book.experiments'])", {"margins_book", "margins_book.experiments"}),
        ("import margins\nmargins.svm.smo(K, y)", {"margins", "margins.svm"}),
        ("import_module(name)", EVERYTHING),
        ("no Python at all", EVERYTHING),
        ('"""A docstring about margins.svm and others."""', set()),
    ],
)
def test_names_that_code_imports(code, names):
    assert imports(code, "p.q") == names


def code_of(page):
    return [cell.source for cell in jupytext.read(page, fmt="md:myst").cells if cell.cell_type == "code"]


def test_the_first_chapter_reaches_what_it_needs_and_no_more():
    names = imports_of_cells(code_of(ROOT / "chapters" / "01_svm_duality.md"))
    files = {str(file.relative_to(library())) for file in imported_files(names, ROOT / "chapters")}
    reached = {"margins/validation.py", "margins/svm/smo.py", "margins_book/svm_duality/figures.py"}
    assert {*reached, "explorable/marks.py"} <= files
    others = ("margins/random_features/", "margins/attention", "margins_book/experiments/")
    assert not [file for file in files if file.startswith(others)]
    assert imports_of_cells(["!ls\nimport a"]) == ["a"]
    assert "margins.*" in imports_of_cells(["%%time\nimport margins.svm"])


def test_a_page_about_teaching_depends_on_the_chapters(tmp_path):
    (tmp_path / "chapters").mkdir()
    chapter = tmp_path / "chapters" / "01_first.md"
    names = imports_of_cells(["from margins_book.page.chapter import read_chapter"])
    states = []
    for title, prose, code in [("One", "a", "1"), ("One", "b", "1"), ("Two", "b", "1"), ("Two", "b", "2")]:
        chapter.write_text(CHAPTER.format(title=title, prose=prose, code=code))
        states.append(texts_of_chapters(names, tmp_path))
    first, other_prose, other_title, other_code = states
    assert first == other_prose
    assert first != other_title != other_code
    assert texts_of_chapters(imports_of_cells(["from margins import svm"]), tmp_path) == []
