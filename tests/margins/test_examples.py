"""The library's README and docstrings: examples that run, places that exist."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import margins
from extensions.pages import library_source as source
from tests.headings import headings

ROOT = Path(__file__).parents[2]
PAGES = sorted(path for path in (ROOT / "book" / "library").glob("*.md") if path.stem != "index")
TEXTS = [page.read_text(encoding="utf-8") for page in PAGES]
MODULES = [module for text in TEXTS for module in re.findall(r"^```\{library\} (\S+)$", text, re.MULTILINE)]
README = Path(margins.__path__[0]) / "README.md"
INSIDE = {"margins.validation", "margins.least_distance"}  # not for readers


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_module_answer_as_they_say(module):
    """With the imports that the module's page shows above them."""
    for one in source.public(module):
        names = {}
        exec(source.imports(one), names)
        run_examples(one.doc, names, one.name, one.file, one.node.lineno)


def test_examples_of_the_readme_answer_as_they_say():
    assert run_examples(README.read_text("utf8"), {}, "README", README, 0).attempted > 20


def run_examples(text, names, name, file, line):
    """Runs the examples of a text, which must answer as they say."""
    said, runner = [], doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    case = doctest.DocTestParser().get_doctest(text, names, name, str(file), line)
    result = runner.run(case, out=said.append)
    assert not said, "".join(said)
    return result


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_an_example_and_a_place_that_exists(module):
    chapters = headings()
    for one in source.public(module):
        if not one.is_constant:
            assert one.examples, f"{module}.{one.name} has no example"
            assert source.places(one.places, chapters), f"{module}.{one.name} names no place of the book"


@pytest.mark.parametrize("package", ["margins", "margins_book"])
def test_every_place_that_a_docstring_names_exists(package):
    """In private functions and in modules too."""
    chapters = headings()
    for file in (ROOT / "lib" / package).rglob("*.py"):
        for named in source.PLACE.findall(file.read_text(encoding="utf-8")):
            assert source.places(" ".join(named.split()), chapters), f"{file} names {named!r}"


def test_every_module_of_the_library_has_a_page_and_a_row_in_the_readme():
    shown = {f"margins.{name}" for name in dir(margins) if name[0] != "_"} - INSIDE
    assert shown <= set(MODULES)
    assert shown == set(re.findall(r"^\| `(margins\.\w+)` \|", README.read_text("utf8"), re.MULTILINE))


def test_public_names_are_those_that_the_module_lists():
    for module in MODULES:
        listed = source.names_listed(source.parsed(source.file_of(module))[0])
        if listed:
            assert {one.name for one in source.public(module)} == listed
            assert listed <= set(dir(importlib.import_module(module)))


def test_signatures_of_a_page_have_no_types():
    signatures = {one.name: one.signature for one in source.public("margins.kernels")}
    assert signatures["gaussian"] == "gaussian(X, Y=None, *, gamma=1.0, out=None)"
    methods = [called for one in source.public("margins.estimators") for called, _ in one.methods]
    assert "fit(X, y, sample_weight=None)" in methods


def test_a_place_that_is_not_there_is_refused():
    chapters = {"Kernels": ["Spectra"], "Sequences, causality": ["Words"]}
    assert source.places("Kernels, Spectra; Sequences, causality", chapters) == [
        ("Kernels", "Spectra"),
        ("Sequences, causality", None),
    ]
    with pytest.raises(ValueError, match="no place 'Kernels, Ghosts'"):
        source.places("Kernels, Ghosts", chapters)
