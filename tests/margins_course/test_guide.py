"""A teacher with nothing but the guide: its own lines, typed for a class of thirty whose marks are known."""

import csv
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder
from tests.margins_course.class_of_thirty import (
    DUE,
    LATE_BY,
    LATE_COSTS,
    class_of_thirty,
    code_points,
    moodle_zip,
    roster,
)
from tests.margins_course.exercises import ROOT
from tests.margins_course.sums_assignment import require_sandbox

NAME = "homework-1"
STEPS = ("new", "release", "collect", "grade", "review", "feedback", "export")
COMMENT = "Name the hypothesis that you use."


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

    def type(self, step):
        """A line of the guide, typed."""
        done = subprocess.run(self._command(step), cwd=self.course.root, capture_output=True, text=True)
        assert done.returncode == 0, f"{step}\n{done.stderr}"
        self.printed[step] = done.stdout

    def _command(self, step):
        return [Path(sys.executable).parent / "margins-course", *self.lines[step]]

    @property
    def sheet(self):
        return read_sheet(self.course.source(NAME).read_text(encoding="utf-8"))

    def settle(self):
        """What the guide says about assignment.yml: due date, late rule, an extension."""
        path = self.course.settings(NAME)
        text = re.sub(
            r"(?m)^#? ?(due|time_zone|late|extensions):.*\n(?:[ #]+\S.*\n)*", "", path.read_text("utf-8")
        )
        extended = "".join(f"  {m.id}: 2026-10-08 23:59\n" for m in self.members if m.extended)
        late = f"late:\n  per_day: {LATE_COSTS:.0%}\n  days: 5\n"
        path.write_text(f"{text}\ndue: {DUE}\ntime_zone: UTC\n{late}extensions:\n{extended}", "utf-8")

    def deliver(self, *, again):
        student = self.course.notebook("release", NAME).read_text(encoding="utf-8")
        where = self.course.root / "submissions.zip"
        moodle_zip(where, self.members, student, self.sheet, again=again)

    def review(self, browser):
        """Every proof that waits is marked on the review pages, by hand, as `lines_for` says."""
        running = subprocess.Popen(
            [*self._command("review"), "--no-browser"],
            cwd=self.course.root,
            stdout=subprocess.PIPE,
            text=True,
        )
        address = next(line.split()[-1] for line in running.stdout if "http://" in line)
        page = browser.new_page()
        page.goto(address)
        marked = 0
        for exercise in self.sheet.exercises:
            if exercise.rubric:
                page.goto(address.replace("index.html", f"exercise-{exercise.label}.html"))
                marked += mark_by_hand(page, exercise)
        page.close()
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0
        return marked


def lines_for(student, exercise):
    """The rubric lines that the person who marks gives: all to even numbers, the first to the others."""
    number = int(student.removeprefix("s"))
    return [
        line.points if number % 2 == 0 or not place else 0.0 for place, line in enumerate(exercise.rubric)
    ]


def mark_by_hand(page, exercise):
    """The answers that wait are marked by keyboard: n goes to the next, digits tick lines, c comments."""
    marked = 0
    while page.locator(".card.waits").count():
        page.keyboard.press("n")
        card = page.locator(".card:focus, .card:focus-within").first
        student = card.get_attribute("data-student")
        page.keyboard.press("0")
        for place, points in enumerate(lines_for(student, exercise), 1):
            if points:
                page.keyboard.press(str(place))
        if student == "s1":
            page.keyboard.press("c")
            page.keyboard.type(COMMENT)
            page.keyboard.press("Escape")
        marked += 1
        page.wait_for_function("() => !document.querySelector('.unsaved')")
        card.locator(".state", has_text="marked").wait_for()
    return marked


@pytest.fixture(scope="module")
def walk(tmp_path_factory, browser):
    """The walk after the second zip; what was there before it is kept as `first`."""
    require_sandbox()
    made = Walk(tmp_path_factory.mktemp("my-course"))
    made.course.roster.write_text(roster(made.members), encoding="utf-8")
    made.type("new")
    made.settle()
    made.type("release")
    made.deliver(again=False)
    made.type("collect")
    made.type("grade")
    made.marked = [made.review(browser)]
    made.type("feedback")
    made.type("export")
    made.first = table(made.course.report("marks.csv"))
    made.deliver(again=True)
    made.type("collect")
    made.type("grade")
    made.type("export")
    made.between = table(made.course.report("marks.csv"))
    made.marked.append(made.review(browser))
    made.type("feedback")
    made.type("export")
    for step in ("status", "again", "similar"):
        made.type(step)
    return made


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def deserved(member, sheet):
    """The score that a student was known to get, None without a markable file."""
    if member.counts is None:
        return None
    proofs = [e for e in sheet.exercises if e.rubric] if has_proofs(member) else []
    by_hand = sum(sum(lines_for(member.id, exercise)) for exercise in proofs)
    return round((member.code + by_hand) * (1 - LATE_COSTS * (member.status == "late")), 2)


def has_proofs(member):
    """Whether proofs stand in the file that counts: a damaged second one does not replace the first."""
    handed = member.first if member.counts.content else member.counts
    return bool(handed.proofs)


@pytest.mark.full
def test_the_guide_names_the_steps_in_order(walk):
    assert tuple(walk.lines)[: len(STEPS)] == STEPS
    assert walk.sheet.points > code_points()


@pytest.mark.full
def test_every_student_has_the_mark_that_was_known_beforehand(walk):
    marks, sheet = table(walk.course.report("marks.csv")), walk.sheet
    known = {member.id: deserved(member, sheet) for member in walk.members}
    got = {student: float(row[NAME]) if row[NAME] else None for student, row in marks.items()}
    assert got == known
    assert len(set(known.values())) > 10, "the class is not of one kind"


@pytest.mark.full
def test_where_there_is_no_mark_the_table_says_why(walk):
    marks = table(walk.course.report("marks.csv"))
    for member in walk.members:
        said = marks[member.id][f"{NAME} status"]
        assert said.startswith(member.status), member
        assert member.reason in said, member


@pytest.mark.full
def test_a_changed_answer_waits_for_a_person_and_keeps_its_mark_until_then(walk):
    (changed,) = [m for m in walk.members if m.again and "Another" in m.again.proofs]
    assert walk.first[changed.id][NAME]
    assert walk.between[changed.id][NAME] == ""
    assert "changed after it was marked" in walk.between[changed.id][f"{NAME} status"]
    assert 0 < walk.marked[1] < walk.marked[0] / 5


@pytest.mark.full
def test_the_status_at_the_end_has_nothing_left_to_do(walk):
    counted = len([member for member in walk.members if member.counts])
    said = walk.printed["status"].splitlines()[1].split()
    assert said == f"{NAME} yes {counted} of 30 {counted} 0 0 {counted} of {counted} yes".split()


@pytest.mark.full
def test_lateness_is_by_the_rule_and_an_extension_lifts_it(walk):
    rows = table(walk.course.report(f"{NAME}-collected.csv"))
    late = {student: int(row["seconds_late"]) for student, row in rows.items() if row["status"] == "late"}
    assert late == {m.id: LATE_BY for m in walk.members if m.status == "late"}
    (extended,) = [m for m in walk.members if m.extended]
    assert rows[extended.id]["status"] == "accepted"


@pytest.mark.full
def test_a_file_under_two_names_goes_to_nobody(walk):
    (torn,) = [m for m in walk.members if m.torn]
    rows = table(walk.course.report(f"{NAME}-collected.csv"))
    assert (rows["s1"]["status"], rows[torn.id]["status"]) == ("accepted", "missing")
    assert rows[""]["status"] == "nobody's"
    assert f"that of Student 01 (s1), the name that of {torn.name}" in rows[""]["reason"]
    assert torn.name in walk.printed["collect"]


@pytest.mark.full
def test_everybody_gets_feedback_and_the_bundle_fits_moodle(walk):
    import zipfile

    pages = {path.parts[-3] for path in walk.course.root.glob(f"feedback/*/{NAME}/{NAME}.html")}
    counted = {m.id for m in walk.members if m.counts}
    assert counted <= pages
    with zipfile.ZipFile(walk.course.report(f"{NAME}-feedback-moodle.zip")) as bundle:
        folders = {name.split("/")[0] for name in bundle.namelist()}
    assert {f"{m.name}_{9000 + m.number}_assignsubmission_file" for m in walk.members if m.counts} <= folders
    first = walk.course.notebook("feedback", NAME, "s1").with_suffix(".html").read_text(encoding="utf-8")
    assert COMMENT in first


@pytest.mark.full
def test_the_canary_class_left_its_certificate(walk):
    certificate = walk.course.report(f"{NAME}-certificate.txt").read_text(encoding="utf-8")
    assert "reference" in certificate


@pytest.mark.full
def test_marking_again_changes_no_mark_and_copies_are_seen(walk):
    """The lines of the section *Afterwards*: the class answered with the published solutions."""
    afterwards = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8").partition("\n## Afterwards\n")[2]
    assert "`margins-course grade homework-1 alovelace`" in afterwards
    assert f"`margins-course {' '.join(walk.lines['similar'])}`" in afterwards
    assert re.search(r"^s1: (\S+) before, \1 now$", walk.printed["again"], re.M)
    page = walk.course.report(f"{NAME}-similar.html").read_text(encoding="utf-8")
    assert "Like the book" in page
    assert "Student 01" in page
