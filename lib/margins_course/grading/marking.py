"""Marking a class: submissions to JSON files of results on all cores, then one writer into the gradebook.

A result is named after the bytes that it comes from, so what is done is not done again, and an interrupted
run goes on where it stopped. (book: Teaching with this book, Grade)
"""

import concurrent.futures
import hashlib
import json
import multiprocessing

import nbformat

from margins_course.assignments.notebooks import as_bytes
from margins_course.collecting.roster import read_roster
from margins_course.folder import write
from margins_course.grading import gradebook
from margins_course.grading.grade import grade
from margins_course.sandbox.answers import Limits

VERSION = "1"  # of what a result holds


def mark_class(course, chapter, *, unsafe=False, limits=Limits(), progress=print):  # noqa: B008 - it is frozen
    """Results and gradebook for every submission of a chapter; how many were marked anew, and all."""
    source = course.source(chapter).read_text(encoding="utf-8")
    students = [s for s in read_roster(course.roster) if course.notebook("submitted", chapter, s.id).exists()]
    waiting = [s.id for s in students if not is_current(course, chapter, s.id, source)]
    mark_all(course, chapter, waiting, unsafe=unsafe, limits=limits, progress=progress)
    with gradebook.opened(course) as book:
        gradebook.enter_assignment(book, chapter, source)
        gradebook.enter_students(book, read_roster(course.roster))
        for student in students:
            _enter(course, book, chapter, student.id)
    return len(waiting), len(students)


def mark_all(course, chapter, students, *, unsafe, limits, progress):
    """The results of some students, on all cores, written as they come."""
    processes = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(mp_context=processes) as pool:
        running = [pool.submit(mark_one, course, chapter, student, unsafe, limits) for student in students]
        try:
            for done, job in enumerate(concurrent.futures.as_completed(running), 1):
                job.result()
                progress(done, len(students))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def mark_one(course, chapter, student, unsafe=False, limits=Limits()):  # noqa: B008 - it is frozen
    """The result of one submission as a JSON file: this alone runs on other machines too."""
    source = course.source(chapter).read_text(encoding="utf-8")
    content = course.notebook("submitted", chapter, student).read_bytes()
    marks = grade(content, source, limits, unsafe=unsafe)
    result = {"key": key(content, source), "points": marks.points, "messages": marks.messages}
    result["notebook"] = marks.notebook
    write(course.result(chapter, student), json.dumps(result, indent=1, sort_keys=True))


def key(content, source):
    """The name of a result: what it was made from."""
    return hashlib.sha256(b"\0".join([VERSION.encode(), source.encode(), content])).hexdigest()


def is_current(course, chapter, student, source):
    """Whether a student's result is there and belongs to the files as they are."""
    path = course.result(chapter, student)
    content = course.notebook("submitted", chapter, student).read_bytes()
    return path.exists() and read_result(path)["key"] == key(content, source)


def read_result(path):
    return json.loads(path.read_text(encoding="utf-8"))


def _enter(course, book, chapter, student):
    """A result into the gradebook, and the marked notebook where nbgrader looks for it."""
    result = read_result(course.result(chapter, student))
    received = gradebook.received_time(course.notebook("submitted", chapter, student))
    gradebook.enter_marks(book, chapter, student, result["points"], received)
    path = course.notebook("autograded", chapter, student)
    write(path, as_bytes(nbformat.from_dict(result["notebook"])))
    write(path.parent / "timestamp.txt", received.isoformat())
