"""The arrows between the packages in `lib/`, read from the import statements of their sources.

Allowed are the arrows of `ARROWS`; what they leave out points upwards, and its test names file and line.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from margins_book.chapters import ROOT, chapters

LIBRARY = ROOT / "lib"
PACKAGES = sorted(path.parent.name for path in LIBRARY.glob("*/__init__.py"))
ARROWS = {
    "margins": set(),
    "explorable": set(),
    "margins_book": {"margins", "explorable"},
    "margins_course": {
        "margins",
        "margins_book.chapters",
        "margins_book.checking",
        "margins_book.formulas",
        "margins_book.page",
    },
}
TOPICS = {chapter.topic for chapter in chapters()}
SHARED = {"chapters", "drawing", "checking", "experiments"}  # what a chapter's folder may import
BOOK = LIBRARY / "margins_book"
MODULES = {path.stem for path in BOOK.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
OTHERS = sorted(MODULES - TOPICS - {"__init__", "conftest"})


def sources(folder: Path) -> list[Path]:
    """The modules in a folder without tests and exercises, or the module of that name."""
    if not folder.is_dir():
        return [folder.with_suffix(".py")]
    left_out = {"tests", "exercises"}
    return [file for file in folder.rglob("*.py") if not left_out & set(file.relative_to(folder).parts)]


def imports(file: Path, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The lines and full names of what a file in a `package` imports of ours, inside functions too."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*start, *filter(None, [node.module])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] in PACKAGES)


def begins_with(name: str, modules: set[str]) -> bool:
    """Whether a full name is one of the modules, or lies in one of them."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def upward(folder: str, allowed: set[str], library: Path = LIBRARY) -> list[str]:
    """The imports of a folder's modules that are not `allowed`, as lines for a message."""
    return [
        f"{file.relative_to(library)}:{line} imports {name}"
        for file in sources(library / folder)
        for line, name in imports(file, file.relative_to(library).parent.parts)
        if not begins_with(name, allowed)
    ]


def test_every_package_has_its_arrows():
    assert sorted(ARROWS) == PACKAGES


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_downwards(package):
    found = upward(package, ARROWS[package] | {package})
    assert not found, "\n".join([f"{package} may import {sorted(ARROWS[package])} and itself:", *found])


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_a_chapter_s_folder_imports_no_other_chapter_s(topic):
    """What several chapters use belongs into drawing/ or checking/."""
    below = {"margins", "explorable", f"margins_book.{topic}"}
    shared = {f"margins_book.{package}" for package in SHARED}
    assert not upward(f"margins_book/{topic}", below | shared)


@pytest.mark.parametrize("name", OTHERS)
def test_what_belongs_to_no_chapter_imports_no_chapter_s_folder(name):
    others = {f"margins_book.{other}" for other in OTHERS}
    assert not upward(f"margins_book/{name}", {"margins", "explorable"} | others)


def test_an_upward_import_is_found(tmp_path):
    """In a function too; a relative import stays in its package."""
    (tmp_path / "margins").mkdir()
    text = "import numpy\nfrom . import svm\n\ndef draw():\n    from margins_book import chapters\n"
    (tmp_path / "margins" / "kernels.py").write_text(f"{text}    import explorable\n")
    assert upward("margins", {"margins"}, tmp_path) == [
        "margins/kernels.py:5 imports margins_book.chapters",
        "margins/kernels.py:6 imports explorable",
    ]
