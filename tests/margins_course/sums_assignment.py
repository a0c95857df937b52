"""What tests of marking need: a small assignment, and ways to answer it."""

import nbformat

from margins_book.page.chapter import read_chapter
from margins_book.page.selection import select
from margins_course.assignments.combine import combine
from margins_course.assignments.new_settings import write_new_settings
from margins_course.assignments.notebooks import as_bytes, nbgrader_source, student_notebook
from margins_course.assignments.release import release
from margins_course.assignments.trials import complete_source
from tests.margins_course.chapter_text import coded, head

SEEN = 'assert np.array_equal(twice(np.arange(3.0)), [0, 2, 4]), "twice 0, 1, 2"'
HIDDEN = """secret = np.array([11.0, -3.0])
assert np.allclose(twice(secret), [22, -6], atol=1e-9), "twice HIDDEN-WORD\""""
FOUR = 'assert total(np.ones(4)) == 4.0, "four ones"'
TEN = 'assert abs(total(np.arange(10.0)) - 45) < 1e-9, "0 to 9"'
CHAPTER = head("Sums", "import numpy as np")
CHAPTER += coded("twice", "Write `twice(x)`, which is $2x\\in\\R^n$.", "return 2 * x", (2, SEEN), (3, HIDDEN))
CHAPTER += coded("total", "Write `total(x)`.", "return float(np.sum(x))", (1, FOUR), (4, TEN))
RIGHT = {"twice": "def twice(x):\n    return 2 * x", "total": "def total(x):\n    return float(np.sum(x))"}
FULL = {"twice": 5.0, "total": 5.0}


def assignment(chapter, page):
    """All exercises of a chapter whose published page is `page`."""
    labels = tuple(text.label for text in chapter.texts)
    return combine(chapter.name, f"{chapter.title}: exercises", [select(chapter, page, labels)])


def notebooks(folder, text=CHAPTER):
    """The instructor's and the students' notebook of a chapter, as text."""
    path = folder / "sums.md"
    path.write_text(text, encoding="utf-8")
    made = assignment(read_chapter(path), "https://example.org/sums.html")
    source, student = complete_source(nbgrader_source(made), []), student_notebook(made)
    return as_bytes(source).decode(), as_bytes(student).decode()


def release_chapter(course, path):
    """What `release` returns for the chapter in a file, under its name."""
    if not course.settings(path.stem).is_file():
        write_new_settings(course, path.stem, [str(path)])
    return release(course, path.stem)


def answered(student, answers):
    """The students' notebook with answers written into it: code by exercise, text by `LABEL--answer`."""
    notebook = nbformat.reads(student, as_version=4)
    for cell in notebook.cells:
        role = cell.metadata.get("nbgrader", {})
        name = role.get("grade_id", "")
        wanted = name.partition("--")[0] if cell.cell_type == "code" else name
        if role.get("solution") and wanted in answers:
            cell.source = answers[wanted]
    return nbformat.writes(notebook)


def by_exercise(points):
    """Points summed over the checks of each exercise."""
    sums = {}
    for name, number in points.items():
        exercise = name.partition("--")[0]
        sums[exercise] = sums.get(exercise, 0.0) + number
    return sums
