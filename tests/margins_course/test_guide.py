"""A teacher with nothing but the guide: its own lines, typed for a class of thirty whose marks are known.

Code is right, partly right, mistaken or blank (corpus.py has hostile code); files are late, extended,
renamed, handed in twice, damaged, or come under two names. Proofs are marked by a person, by a known rule.
"""

import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from margins_course.assignments.new_settings import taken_labels
from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder, read_table
from tests.margins_course.courses import moodle, zipped
from tests.margins_course.exercises import CHAPTERS, ROOT, chapter_of, deserved, solutions, variants
from tests.margins_course.sums_assignment import answered

NAME, CHAPTER = "homework-1", CHAPTERS[0]
pytestmark = pytest.mark.full
STEPS = ("new", "release", "collect", "grade", "review", "feedback", "export")
EARLY, LATE, AGAIN = (2026, 9, 30, 18, 0, 0), (2026, 10, 2, 0, 29, 0), (2026, 10, 1, 20, 0, 0)
DUE, LATE_COSTS = "2026-10-01 23:59", 0.1
PROOF = "Proof of student {}: since $\\alpha_i\\ge0$, **done**."


@dataclass(frozen=True)
class Handed:
    """A file: answers to code by label, the text under each proof, and when it came."""

    code: dict = field(default_factory=dict)
    proofs: str = ""
    when: tuple = EARLY
    content: str = ""  # instead of a notebook
    name: str = "answers.ipynb"


@dataclass(frozen=True)
class Member:
    """A student: what came first and what came again, the points for code, and what becomes of it all."""

    number: int
    first: Handed | None
    code: float  # points for code of the delivery that counts
    again: Handed | None = None
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
    def participant(self) -> int:
        """Moodle's number; one of them is the number of another student in the roster."""
        return 1001 if self.torn else 9000 + self.number

    @property
    def counts(self) -> Handed | None:
        return None if self.status in ("refused", "missing") else self.again or self.first


def points_of(answers):
    return sum(sum(deserved(CHAPTER, label, code).values()) for label, code in answers.items())


def class_of_thirty():
    """All thirty, in the order of the roster."""
    taken = taken_labels(chapter_of(CHAPTER))
    right = {label: code for label, code in solutions(CHAPTER).items() if label in taken}
    full = points_of(right)
    mistakes = [{label: list(variants(label).values())[n] for label in right} for n in range(3)]
    right_with_proof, first_wrong = Handed(right, PROOF), Handed(mistakes[0], PROOF)
    rows = [(right_with_proof, full)] * 6
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
    no_notebook = Handed(content="PK\x03\x04 not a notebook")
    rows.append((no_notebook, 0.0, {"status": "refused", "reason": "not JSON"}))
    rows.append((right_with_proof, 0.0, {"status": "missing", "torn": True}))
    rows.append((None, 0.0, {"status": "missing"}))
    assert len(rows) == 30
    return [Member(n, first, code, **dict(*more)) for n, (first, code, *more) in enumerate(rows, 1)]


def lines_of_the_guide():
    """The commands that the section on the first hour tells a teacher to type."""
    guide = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
    section = guide.partition("\n## Your first hour\n")[2].partition("\n## ")[0]
    return re.findall(r"^```bash\n(margins-course .+)\n```$", section, re.M)


class Walk:
    """The course folder of the walk, and what each line printed."""

    def __init__(self, folder):
        self.course, self.members, self.printed = CourseFolder(folder), class_of_thirty(), {}
        self.lines = {shlex.split(line)[1]: shlex.split(line)[1:] for line in lines_of_the_guide()}
        self.lines |= {"again": ["grade", NAME, "s1"], "similar": ["similar", NAME]}

    def type(self, *steps):
        for step in steps:
            done = subprocess.run(self._command(step), cwd=self.course.root, capture_output=True, text=True)
            assert done.returncode == 0, f"{step}\n{done.stderr}"
            self.printed[step] = done.stdout

    def _command(self, step):
        return [Path(sys.executable).parent / "margins-course", *self.lines[step]]

    @property
    def sheet(self):
        return read_sheet(self.course.source_text(NAME))

    def settle(self):
        """What the guide says about assignment.yml: due date, late rule, an extension."""
        path, options = self.course.settings(NAME), "due|time_zone|late|extensions"
        text = re.sub(rf"(?m)^#? ?({options}):.*\n(?:[ #]+\S.*\n)*", "", path.read_text("utf-8"))
        extended = "".join(f"  {m.id}: 2026-10-08 23:59\n" for m in self.members if m.extended)
        late = f"late:\n  per_day: {LATE_COSTS:.0%}\n  days: 5\n"
        path.write_text(f"{text}\ndue: {DUE}\ntime_zone: UTC\n{late}extensions:\n{extended}", "utf-8")

    def deliver(self, *, again):
        """Moodle's zip of all submissions: the first files, or those and the later ones."""
        student, files = self.course.notebook("release", NAME).read_text(encoding="utf-8"), []
        proofs = [f"{exercise.label}--answer" for exercise in self.sheet.exercises if exercise.rubric]
        for one in self.members:
            if handed := (again and one.again) or one.first:
                texts = dict.fromkeys(proofs if handed.proofs else [], handed.proofs.replace("{}", one.id))
                content = handed.content or answered(student, handed.code | texts)
                files.append((moodle(one.name, one.participant, handed.name), content, handed.when))
        zipped(self.course.root / "submissions.zip", files)

    def review(self, browser):
        """Every proof that waits is marked on the review pages, by hand, as `lines_for` says."""
        command = [*self._command("review"), "--no-browser"]
        running = subprocess.Popen(command, cwd=self.course.root, stdout=subprocess.PIPE, text=True)
        address = next(line.split()[-1] for line in running.stdout if "http://" in line)
        page = browser.new_page()
        for exercise in self.sheet.exercises:
            if exercise.rubric:
                page.goto(address.replace("index.html", f"exercise-{exercise.label}.html"))
                mark_by_hand(page, exercise)
        page.close()
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0


def lines_for(student, exercise):
    """The rubric lines that the person who marks gives: all to even numbers, the first to the others."""
    is_even = int(student.removeprefix("s")) % 2 == 0
    return [line.points if is_even or not place else 0.0 for place, line in enumerate(exercise.rubric)]


def mark_by_hand(page, exercise):
    """The answers that wait are marked by keyboard: n goes to the next, digits tick lines."""
    while page.locator(".card.waits").count():
        page.keyboard.press("n")
        card = page.locator(".card:focus, .card:focus-within").first
        student = card.get_attribute("data-student")
        page.keyboard.press("0")
        for place, points in enumerate(lines_for(student, exercise), 1):
            if points:
                page.keyboard.press(str(place))
        page.wait_for_function("() => !document.querySelector('.unsaved')")
        card.locator(".state", has_text="marked").wait_for()


@pytest.fixture(scope="module")
def walk(tmp_path_factory, browser, boxes):
    """The walk to its end: two zips of the same class, each collected, graded and reviewed."""
    made = Walk(tmp_path_factory.mktemp("my-course"))
    rows = [f"{m.id},{m.name},{m.id}@example.org,{1000 + m.number}" for m in made.members]
    made.course.roster.write_text("\n".join(["id,name,email,lms_id", *rows]), encoding="utf-8")
    made.type("new")
    made.settle()
    made.type("release")
    for again in (False, True):
        made.deliver(again=again)
        made.type("collect", "grade")
        made.review(browser)
    made.type("feedback", "export", "status", "again", "similar")
    return made


def score_of(member, sheet):
    """The score that a student was known to get, None without a markable file."""
    if member.counts is None:
        return None
    handed = member.first if member.counts.content else member.counts  # a damaged second file counts for none
    proofs = [e for e in sheet.exercises if e.rubric] if handed.proofs else []
    by_hand = sum(sum(lines_for(member.id, exercise)) for exercise in proofs)
    return round((member.code + by_hand) * (1 - LATE_COSTS * (member.status == "late")), 2)


def test_every_student_has_the_mark_that_was_known_beforehand_or_a_reason(walk):
    assert tuple(walk.lines)[: len(STEPS)] == STEPS, "the guide names the steps in order"
    sheet = walk.sheet
    known = {member.id: score_of(member, sheet) for member in walk.members}
    marks = {row["id"]: row for row in read_table(walk.course.report("marks.csv"))}
    assert {who: float(row[NAME]) if row[NAME] else None for who, row in marks.items()} == known
    for member in walk.members:
        said = marks[member.id][f"{NAME} status"]
        assert said.startswith(member.status), member
        assert member.reason in said, member
        assert member.name in walk.printed["collect"] or not (member.torn or member.status == "refused")


def test_marking_again_changes_no_mark_and_copies_are_seen(walk):
    """The lines of the section *Afterwards*: the class answered with the published solutions."""
    afterwards = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8").partition("\n## Afterwards\n")[2]
    assert "`margins-course grade homework-1 alovelace`" in afterwards
    assert f"`margins-course {' '.join(walk.lines['similar'])}`" in afterwards
    assert re.search(r"^s1: (\S+) before, \1 now$", walk.printed["again"], re.M)
    page = walk.course.report(f"{NAME}-similar.html").read_text(encoding="utf-8")
    assert "Like the book" in page
    assert "Student 01" in page
