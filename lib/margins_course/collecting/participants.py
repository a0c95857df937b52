"""Moodle's numbers of participants: in one assignment a student has one, whatever name they bear.

Where students may change their names, the name alone would let one take another's place.
(book: Teaching with this book, Collect)
"""

import dataclasses
from collections import defaultdict
from collections.abc import Iterator

from margins_course.collecting.names import BY_HAND, MOODLE, Owners
from margins_course.collecting.records import NOBODYS, Record
from margins_course.collecting.roster import Student


def told_apart(owners: Owners, known: list[Record], found: list[Record]) -> Iterator[Record]:
    """The records that were found, and those known that change: no student has two participants' files.

    Whose `lms_id` is one of the numbers has the files with that number; else they have none of them.
    """
    numbers = _numbers(owners, [*known, *found])
    for place, record in enumerate([*known, *found]):
        student, number = _participant(owners, record.file)
        own = numbers[student.id] if student else ()
        if len(own) > 1 and number != student.lms_id:
            yield dataclasses.replace(record, student="", status=NOBODYS, reason=_reason(student, own))
        elif place >= len(known):
            yield record


def _numbers(owners: Owners, records: list[Record]) -> dict[str, set[str]]:
    """The numbers of participants by student."""
    numbers = defaultdict(set)
    for record in records:
        student, number = _participant(owners, record.file)
        if student:
            numbers[student.id].add(number)
    return numbers


def _participant(owners: Owners, file: str) -> tuple[Student | None, str]:
    """The student whom Moodle's name of a file points to, and the participant's number; None if to none."""
    match = MOODLE.match(file)
    return (owners.of(file)[0], match["number"]) if match else (None, "")


def _reason(student: Student, numbers: set[str]) -> str:
    listed = " and ".join(sorted(numbers))
    return (
        f"the participants {listed} are both called {student.name}: look into Moodle who is {student}, write "
        f"the number as lms_id into the roster, {BY_HAND}"
    )
