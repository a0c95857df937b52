"""Marking a class, and marking some students again.

Results that were made from the same files, checks and settings in the same environment are kept, so an
interrupted run continues where it stopped. A file that cannot be marked is named, and the others are marked.
Whoever ran out of time is marked once more at the end, when nobody else is.
"""

from collections.abc import Iterable
from typing import NamedTuple

from margins_course import CourseProblem
from margins_course.assignments.settings import read_settings
from margins_course.collecting.records import standings
from margins_course.collecting.roster import read_roster
from margins_course.collecting.submissions import Refused
from margins_course.folder import CourseFolder, hash_of, write
from margins_course.grading.canary import certify_class
from margins_course.grading.environment import environment_hash
from margins_course.grading.grade import Progress, as_finished, grade, worker_pool
from margins_course.grading.outdated import checks_hash, why_not_released
from margins_course.grading.results import Key, Result, as_json, read_result
from margins_course.sandbox.limits import LIMITS, Limits


class Marked(NamedTuple):
    """How many submissions were marked now, how many there are, and who could not be marked, and why.

    Of those who were to be marked again the changes: student, points by checks before and after.
    """

    new: int
    everybody: int
    notes: list[str]
    changes: list[tuple[str, float | None, float | None]]


def mark_class(
    course: CourseFolder, name: str, *, progress: Progress, again: Iterable[str] = (), limits: Limits = LIMITS
) -> Marked:
    """Results of all submissions to an assignment; or of some students, whatever results they have."""
    if why := why_not_released(course.source_text(name), read_settings(course, name)):
        raise CourseProblem(f"{name}: {why}")
    students, notes = collected_students(course, name)
    if unknown := sorted(set(again) - set(students)):
        said = f"nothing of {', '.join(unknown)} was collected for {name}, so there is nothing to mark again"
        raise CourseProblem(f"{said}; expected ids of roster.csv")
    waiting = sorted(set(again)) or [s for s in students if not is_current(course, name, s)]
    before = {student: _points(course, name, student) for student in again}
    failed = _mark(course, name, waiting, limits, progress) if waiting else []
    changes = [(student, before[student], _points(course, name, student)) for student in before]
    return Marked(len(waiting) - len(failed), len(students) + len(notes), notes + failed, changes)


def _mark(
    course: CourseFolder, name: str, students: Iterable[str], limits: Limits, progress: Progress
) -> list[str]:
    """The results of some students, after the canary class; a sentence on each that cannot be made."""
    with worker_pool() as pool:
        certify_class(course, name, progress=progress, pool=pool)
        jobs = {s: pool.submit(mark_or_refuse, course, name, s, limits) for s in students}
        said = [why for _, why in as_finished(jobs, progress)]
        results = {s: read_result(course.result(name, s)) for s in jobs}
        for student in [s for s, result in results.items() if result and result.ran_out]:
            said.append(pool.submit(mark_or_refuse, course, name, student, limits, True).result())
    return list(filter(None, said))


def mark_or_refuse(course: CourseFolder, name: str, student: str, limits: Limits, alone: bool = False) -> str:
    """The result of one submission written; or a sentence that says why it cannot be."""
    try:
        mark_one(course, name, student, limits, alone)
    except CourseProblem:  # such as a sandbox that cannot be made: no student's fault, and everybody's
        raise
    except Refused as reason:
        return f"{student}: the file cannot be marked: {reason}; collect again"
    except Exception as reason:
        return f"{student}: the file cannot be marked, by an error of this program: {reason!r}"
    return ""


def mark_one(
    course: CourseFolder, name: str, student: str, limits: Limits = LIMITS, alone: bool = True
) -> Result:
    """The result of one submission as a JSON file: this alone runs on other machines too."""
    source, content = course.source_text(name), course.notebook("submitted", name, student).read_bytes()
    result = grade(content, source, limits, alone=alone)
    write(course.result(name, student), as_json(result))
    return result


def collected_students(course: CourseFolder, name: str) -> tuple[list[str], list[str]]:
    """The students of the roster with the file that counts, and a sentence on each whose file is damaged."""
    found = standings(course, read_settings(course, name), read_roster(course.roster))
    there = {s: hash_of(course.notebook("submitted", name, s)) for s, own in found.items() if own.sha256}
    lost = [s for s, content in there.items() if content != found[s].sha256]
    said = "the file in submitted/ is not the one that counts: collect again the zip or folder that held"
    return [s for s in there if s not in lost], [f"{s}: {said} {found[s].file}" for s in lost]


def is_current(course: CourseFolder, name: str, student: str) -> bool:
    """Whether a result is there and belongs to file, checks and environment as they are."""
    result = read_result(course.result(name, student))
    if result is None or result.ran_out:
        return False
    file, source = hash_of(course.notebook("submitted", name, student)), course.source_text(name)
    return result.key == Key(file, checks_hash(source), environment_hash())


def _points(course: CourseFolder, name: str, student: str) -> float | None:
    result = read_result(course.result(name, student))
    return None if result is None else float(sum(result.points.values()))
