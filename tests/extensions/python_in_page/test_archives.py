"""The archives of a page's Python: the same bytes each time, what chapters need, and nothing hidden."""

import io
import zipfile
from pathlib import Path

import pytest

from extensions.python_in_page import archives, parts
from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter

LONG = 12  # characters of a line that says something


@pytest.fixture(scope="module")
def library():
    return zipfile.ZipFile(io.BytesIO(archives.library()))


@pytest.fixture(scope="module")
def packages():
    _, numpy, contourpy = parts.parts()
    return zipfile.ZipFile(io.BytesIO(archives.packages(numpy.files[0], contourpy.files[0])))


def test_two_archives_are_the_same_bytes_and_every_entry_bears_the_same_date(library, packages):
    assert archives.library() == archives.library()
    assert archives.archive([("b", b"2"), ("a", b"1")]) == archives.archive([("a", b"1"), ("b", b"2")])
    entries = [*library.infolist(), *packages.infolist()]
    assert {entry.date_time for entry in entries} == {archives.DATE}


def test_the_library_has_what_chapters_import_and_nothing_that_marks_or_gives_away(library):
    names = set(library.namelist())
    for chapter in chapters():
        assert f"margins_book/{chapter.topic}/checks.py" in names
    assert {"margins/svm/smo.py", "explorable/figures.py", "in_page/requests.py"} <= names
    assert "margins_book/experiments/recorded/feasibility.csv" in names
    assert "scipy/optimize/__init__.py" in names
    for name in library.namelist():
        assert not {"tests", "exercises", "margins_course"} & set(Path(name).parts), name
        assert Path(name).suffix in (".py", ".csv")


def passages(text):
    """Three lines after one another that say something, wherever they stand in a text."""
    lines = [line for line in (line.strip() for line in text.splitlines()) if len(line) > LONG]
    return {tuple(lines[k : k + 3]) for k in range(len(lines) - 2)}


@pytest.fixture(scope="module")
def travelling(library):
    """All passages of the library's archive."""
    return set().union(*(passages(library.read(name).decode()) for name in library.namelist()))


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.topic)
def test_no_passage_of_a_hidden_check_or_a_known_wrong_answer_travels(chapter, travelling):
    cells = read_chapter(chapter.page).cells
    secret = [cell.source for cell in cells if cell.kind == "hidden-check"]
    secret += [file.read_text("utf8") for file in chapter.exercises.rglob("*.py")]
    hidden = set().union(*map(passages, secret))
    assert len(hidden) > 10
    assert not hidden & travelling


def test_numpy_is_whole_but_for_what_pages_never_need(packages):
    names = packages.namelist()
    assert {"numpy/__init__.py", "numpy/linalg/_linalg.py", "contourpy/__init__.py"} <= set(names)
    assert sum(name.endswith(".so") for name in names) >= 14
    assert any("LICENSE" in name and "numpy" in name for name in names)
    assert any("LICENSE" in name and "contourpy" in name for name in names)
    assert not [name for name in names if "/tests/" in name or name.endswith((".pyi", ".h", ".a"))]


def test_what_is_fetched_keeps_its_budget(library, packages):
    interpreter = sum(file.stat().st_size for file in parts.pyodide().files)
    zipped = sum(entry.compress_size for one in (library, packages) for entry in one.infolist())
    assert interpreter + zipped < 15_600_000
