"""Every coded exercise of the book: its reference, what its checks say, which mistakes are known."""

from functools import cache
from pathlib import Path

from margins_book.page.chapter import exercises_of, read_chapter
from margins_course.assignments.cells import label_of
from margins_course.assignments.notebooks import as_bytes, nbgrader_source
from margins_course.assignments.trials import complete_source, known_mistakes
from margins_course.book import page_of
from margins_course.grading.grade import run_checks
from margins_course.grading.reference import InProcessAnswers, Reference, quiet_marking, read_reference
from margins_course.sandbox.answers import Limits
from tests.margins_course.sums_assignment import assignment

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.md"))


chapter_of = cache(read_chapter)


@cache
def assigned(path):
    return assignment(chapter_of(path), page_of(path))


@cache
def source(path):
    """The text of the instructor's notebook of a chapter."""
    return as_bytes(complete_source(nbgrader_source(assigned(path)), [exercises_of(path)])).decode()


def deserved(path, label, code):
    """The points of each check of an exercise for an answer, marked in one process."""
    reference = read_reference(source(path))
    return run_checks(reference, InProcessAnswers(reference, code), Limits(), only=label).points


def reference_of(made):
    """The reference of an assignment, for answers as they are in a notebook, of whatever form."""
    return Reference(as_bytes(nbgrader_source(made)).decode())


def messages(reference, label, code):
    """What each check of an exercise says about its code alone, None where it is content."""
    answers = InProcessAnswers(reference, code)
    functions = {name: answers.raw_function(name) for name in reference.functions}
    return [_message(reference, check, functions) for check in reference.checks if label_of(check) == label]


def _message(reference, check, functions):
    try:
        with quiet_marking():
            reference.run(check, functions)
    except Exception as reason:
        return f"{type(reason).__name__}: {reason}"


@cache
def solutions(path):
    """The reference solutions of a chapter by the labels of their exercises."""
    return {cell.exercise: cell.source for cell in assigned(path).cells if cell.kind == "solution"}


def coded_exercises():
    return [(path, label) for path in CHAPTERS for label in solutions(path)]


def folder_of(label):
    """Where an exercise's known mistakes and samples lie."""
    folders = [exercises_of(path) / label for path in CHAPTERS]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def variants(label):
    """The mistaken solutions of an exercise, by what is wrong with them."""
    return known_mistakes(label, [folder_of(label).parent])
