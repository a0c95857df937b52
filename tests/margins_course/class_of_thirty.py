"""A class of thirty whose marks are known: what each student hands in, when, and what it deserves.

Code is right, partly right, mistaken or blank (corpus.py has hostile code); files are late, extended,
renamed, handed in twice, damaged, or come under two names. Proofs are marked by a person by a rule that this
module knows, too.
"""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field

from margins_course.assignments.new_settings import taken_labels
from margins_course.assignments.sheet import Sheet
from tests.margins_course.corpus import without_metadata
from tests.margins_course.exercises import CHAPTERS, assigned, chapter_of, said, solutions, variants
from tests.margins_course.sums_assignment import answered

CHAPTER = CHAPTERS[0]
EARLY, LATE, AGAIN = (2026, 9, 30, 18, 0, 0), (2026, 10, 2, 0, 29, 0), (2026, 10, 1, 20, 0, 0)
DUE = "2026-10-01 23:59"
LATE_BY = 30 * 60
LATE_COSTS = 0.1
PROOF = "Proof of student {}: since $\\alpha_i\\ge0$, **done**."


@dataclass(frozen=True)
class Handed:
    """A file: answers to code by label, the students who wrote proofs, time, and how it is made odd."""

    code: dict = field(default_factory=dict)
    proofs: str = ""  # the text under each proof, nothing if empty
    when: tuple = EARLY
    content: str = ""  # instead of a notebook
    name: str = "answers.ipynb"
    change: Callable = id  # what is done to the notebook's JSON


@dataclass(frozen=True)
class Member:
    """A student: what came first and what came again, the points for code, and what becomes of it all."""

    number: int
    first: Handed | None
    again: Handed | None = None
    code: float = 0.0  # points for code of the delivery that counts
    status: str = "accepted"
    reason: str = ""
    extended: bool = False
    torn: bool = False  # the name of the file is this student's, the number another's

    @property
    def id(self) -> str:
        return f"s{self.number}"

    @property
    def name(self) -> str:
        return f"Student {self.number:02}"

    @property
    def counts(self) -> Handed | None:
        return None if self.status in ("refused", "missing") else self.again or self.first


def points_of(answers):
    """The points of answers by the checks run here: hidden ones count where the visible one passes."""
    total = 0.0
    for exercise, code in answers.items():
        cells = [c for c in assigned(CHAPTER).cells if c.is_graded and c.exercise == exercise]
        passed = [not message for message in said(CHAPTER, exercise, code)]
        visible = all(ok for cell, ok in zip(cells, passed, strict=True) if cell.kind == "check")
        total += sum(cell.points for cell, ok in zip(cells, passed, strict=True) if ok and visible)
    return total


def right_answers():
    """The reference solutions of the coded exercises that `margins-course new` takes of the chapter."""
    taken = taken_labels(chapter_of(CHAPTER))
    return {label: code for label, code in solutions(CHAPTER).items() if label in taken}


def code_points():
    right = right_answers()
    return sum(cell.points for cell in assigned(CHAPTER).cells if cell.is_graded and cell.exercise in right)


def class_of_thirty():
    """All thirty, in the order of the roster."""
    right, full = right_answers(), code_points()
    mistakes = [{label: list(variants(label).values())[n] for label in right} for n in range(3)]
    right_with_proof, first_wrong = Handed(right, PROOF), Handed(mistakes[0], PROOF)
    rows = [(right_with_proof, full)] * 5
    for number in range(9):
        some = {label: code for place, (label, code) in enumerate(right.items()) if number + 1 >> place & 1}
        rows.append((Handed(some, PROOF if number % 2 else ""), points_of(some)))
    rows += [(Handed(wrong, PROOF), points_of(wrong)) for wrong in mistakes]
    rows += [(Handed(), 0.0), (Handed({}, PROOF), 0.0)]
    rows += [(Handed(right, proof, LATE), full, {"status": "late"}) for proof in (PROOF, "")]
    rows.append((Handed(right, PROOF, LATE), full, {"extended": True}))
    rows.append((first_wrong, full, {"again": Handed(right, PROOF, AGAIN)}))
    other = Handed(right, "Another proof of student {}.", AGAIN), Handed(content="{broken", when=AGAIN)
    rows += [(right_with_proof, full, {"again": again}) for again in other]
    rows.append((Handed(right, PROOF, name="my homework (final) v2.IPYNB"), full))
    rows.append((Handed(right, PROOF, change=without_metadata), full))
    no_notebook = Handed(content="PK\x03\x04 not a notebook")
    rows.append((no_notebook, 0.0, {"status": "refused", "reason": "not JSON"}))
    rows.append((right_with_proof, 0.0, {"status": "missing", "torn": True}))
    rows.append((None, 0.0, {"status": "missing"}))
    assert len(rows) == 30
    return [Member(n, first, code=code, **dict(*more)) for n, (first, code, *more) in enumerate(rows, 1)]


def content_of(handed, member, student, sheet: Sheet):
    """The file that a student hands in."""
    if handed.content:
        return handed.content
    proofs = [f"{e.label}--answer" for e in sheet.exercises if e.rubric] if handed.proofs else []
    texts = dict.fromkeys(proofs, handed.proofs.replace("{}", str(member.number)))
    notebook = json.loads(answered(student, handed.code | texts))
    handed.change(notebook)
    return json.dumps(notebook)


def moodle_zip(path, members, student, sheet, *, again):
    """Moodle's zip of all submissions: the first files, or those and the later ones, as a real one holds."""
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            handed = member.again or member.first if again else member.first
            if handed:
                folder = f"{member.name}_{participant(member)}_assignsubmission_file"
                name = zipfile.ZipInfo(f"{folder}/{handed.name}", handed.when)
                archive.writestr(name, content_of(handed, member, student, sheet))


def participant(member):
    """Moodle's number of a participant; one of them is the number of another student in the roster."""
    return 1001 if member.torn else 9000 + member.number


def roster(members):
    rows = [f"{m.id},{m.name},{m.id}@example.org,{1000 + m.number}" for m in members]
    return "\n".join(["id,name,email,lms_id", *rows])
