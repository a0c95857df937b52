"""The docstrings of margins_book name places of the book that exist, and every module says what it holds."""

import ast
from functools import cache

from extensions.pages import library_source as source
from margins_book.chapters import ROOT
from tests.headings import headings

PACKAGE = ROOT / "lib" / "margins_book"
FILES = sorted(file for file in PACKAGE.rglob("*.py") if not {"exercises", "templates"} & set(file.parts))
MODULES = [file for file in FILES if "tests" not in file.parts]


@cache
def tree(file):
    return ast.parse(file.read_text(encoding="utf-8"))


def test_every_place_that_a_docstring_names_exists():
    chapters = headings()
    for file in MODULES:
        for named in source.PLACE.findall(file.read_text(encoding="utf-8")):
            assert source.places(" ".join(named.split()), chapters), f"{file} names {named!r}"


def test_a_module_begins_with_a_sentence():
    for file in FILES:
        text = ast.get_docstring(tree(file)) or ""
        assert text.partition("\n")[0].endswith((".", "?")), f"{file} has no docstring with a sentence first"


def test_functions_are_short():
    """A function has 40 lines at most; those of figures are long by their captions and questions."""
    for file in MODULES:
        functions = [node for node in ast.walk(tree(file)) if isinstance(node, ast.FunctionDef)]
        long = [node.name for node in functions if node.end_lineno - node.lineno >= 40]
        assert file.name == "figures.py" or not long, f"{file}: {long}"
