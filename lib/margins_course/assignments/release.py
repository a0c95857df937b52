"""Release: a chapter into the course folder, as source, as the students' notebook and for Otter.

(book: Teaching with this book, Release)
"""

from pathlib import Path

from margins_course.assignments.chapter import read_chapter
from margins_course.assignments.notebooks import as_bytes, assignment, nbgrader_source, student_notebook
from margins_course.assignments.otter import otter_source
from margins_course.assignments.overlay import with_overlay
from margins_course.assignments.proof import prove
from margins_course.book import BOOK, page_of
from margins_course.folder import write
from margins_course.problems import CourseProblem


def find_chapter(wanted):
    """The file of a chapter, by its path, its name, or its number in this book."""
    if Path(wanted).is_file() and Path(wanted).suffix == ".md":
        return Path(wanted)
    chapters = sorted((BOOK / "chapters").glob("*.md"))
    found = [path for path in chapters if wanted == path.stem or _number(path) == wanted.lstrip("0")]
    if len(found) != 1:
        listed = ", ".join(path.stem for path in chapters) or f"none in {BOOK / 'chapters'}"
        raise CourseProblem(f"there is no chapter {wanted!r}; expected an .md file, or one of: {listed}")
    return found[0]


def _number(path):
    return path.stem.partition("_")[0].lstrip("0")


def prepare(path, overlay=None):
    """The assignment of the chapter in `path`, with an instructor's own checks, proved."""
    chapter = read_chapter(path)
    if overlay:
        chapter = with_overlay(chapter, overlay)
    if not chapter.exercises:
        raise CourseProblem(f"{path.name} has no coded exercise, so there is nothing to mark")
    made = assignment(chapter, page_of(path))
    prove(made)
    return made


def release(course, wanted, overlay=None):
    """The files of an assignment, and what they are; repeating it writes the same bytes."""
    assigned = prepare(find_chapter(wanted), overlay)
    made = {"source": nbgrader_source, "release": student_notebook, "otter": otter_source}
    files = {course.notebook(step, assigned.name): make(assigned) for step, make in made.items()}
    for path, notebook in files.items():
        write(path, as_bytes(notebook))
    return assigned, list(files)
