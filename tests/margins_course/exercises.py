"""Every coded exercise of the book: its reference, what its checks say, which mistakes are known."""

import copy
import time
from functools import cache
from pathlib import Path

import numpy as np

from explorable.bake import OutOfTime, cpu_limit
from margins_book.page.chapter import exercises_of, read_chapter
from margins_book.page.solutions import functions_of
from margins_course.assignments.cells import label_of
from margins_course.assignments.notebooks import as_bytes, nbgrader_source
from margins_course.assignments.trials import complete_source, known_mistakes
from margins_course.book import page_of
from margins_course.grading.grade import run_checks
from margins_course.grading.reference import InProcessAnswers, Reference, quiet_marking, read_reference
from margins_course.sandbox.answers import Limits
from margins_course.sandbox.limits import time_limit
from tests.margins_course.slips import mutants
from tests.margins_course.sums_assignment import assignment

ROOT = Path(__file__).parents[2]
NUMBERS = int | float | complex | np.ndarray | np.generic | list
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


@cache
def reference(path):
    """The reference of a chapter, for answers as they are in a notebook, of whatever form."""
    return reference_of(assigned(path))


def reference_of(made):
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


@cache
def slips(path, label):
    """The mutants of a reference by what is changed."""
    return dict(mutants(solutions(path)[label]))


def coded_exercises():
    return [(path, label) for path in CHAPTERS for label in solutions(path)]


def said(path, label, answer, seconds=60.0):
    """What each check says about an answer, None where it is content."""
    with time_limit(seconds):
        return messages(reference(path), label, answer)


def is_refused(path, label, answer, seconds):
    """Whether some check fails, or the answer does not run, or takes more processor time than allowed."""
    try:
        with cpu_limit(seconds):
            return any(messages(reference(path), label, answer))
    except (Exception, OutOfTime):
        return True


@cache
def seconds_of_reference(path, label):
    """The processor time that the checks take of the reference, when everything is imported."""
    said(path, label, solutions(path)[label])
    start = time.process_time()
    said(path, label, solutions(path)[label])
    return time.process_time() - start


def folder_of(label):
    """Where an exercise's known mistakes and samples lie."""
    folders = [exercises_of(path) / label for path in CHAPTERS]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


@cache
def sampling(label):
    """What `<label>/sample.py` defines: `sample(rng)`, and `essence` where several answers are right."""
    path, made = folder_of(label) / "sample.py", {}
    assert path.exists(), f"{path} is missing: it defines sample(rng), the arguments of one random call"
    exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), made)
    return made


def equivalent(label):
    """Mutants as good as the reference, with the reason, which heads them in `<label>/equivalent.txt`."""
    path, found, reason = folder_of(label) / "equivalent.txt", {}, ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            found[line] = reason
    return found


def variants(label):
    """The mistaken solutions of an exercise, by what is wrong with them."""
    return known_mistakes(label, [folder_of(label).parent])


def outcomes(path, label, answer, number):
    """What an answer makes of random arguments, call by call: what counts of its value, what is left."""
    own, made = InProcessAnswers(reference(path), answer), sampling(label)
    function = own.raw_function(functions_of(solutions(path)[label])[-1])
    essence = made.get("essence", lambda value, *_: value)
    for seed in range(number):
        yield _outcome(function, essence, list(made["sample"](np.random.default_rng(seed))))


def _outcome(function, essence, arguments):
    given = copy.deepcopy(arguments)
    try:
        with np.errstate(all="ignore"):
            value = function(*arguments)
            return value if value is None else essence(value, *given), arguments
    except Exception as reason:
        return type(reason)


def agree(one, other):
    """Whether two outcomes are the same up to rounding."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and agree(list(one.values()), [other[key] for key in one])
    if isinstance(one, NUMBERS) and isinstance(other, NUMBERS):
        return np.shape(one) == np.shape(other) and np.allclose(one, other, 1e-6, 1e-8, equal_nan=True)
    return type(one) is type(other) and one == other
