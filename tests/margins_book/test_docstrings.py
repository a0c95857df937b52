"""The docstrings of margins_book name places of the book that exist, and every module says what it holds."""

import ast

import pytest

from extensions.pages import library_source as source
from margins_book.chapters import ROOT

PACKAGE = ROOT / "lib" / "margins_book"
FILES = sorted(file for file in PACKAGE.rglob("*.py") if not {"exercises", "templates"} & set(file.parts))
MODULES = [file for file in FILES if "tests" not in file.parts]


def test_every_place_that_a_docstring_names_exists():
    chapters = source.headings()
    for file in MODULES:
        for named in source.PLACE.findall(file.read_text(encoding="utf-8")):
            assert source.places(" ".join(named.split()), chapters), f"{file} names {named!r}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_module_begins_with_a_sentence(file):
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    assert text.partition("\n")[0].endswith((".", "?")), (
        f"{file} has no docstring that begins with a sentence"
    )


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_functions_are_short(file):
    """A function has 40 lines at most; those of figures are long by their captions and questions."""
    text = file.read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    lengths = {node.name: node.end_lineno - node.lineno + 1 for node in nodes}
    is_of_figures = file.name.startswith("figures")
    assert not {name: length for name, length in lengths.items() if length > 40 and not is_of_figures}
