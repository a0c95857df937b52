"""A random walk over the commands: whatever a teacher does in whatever order, no mark is exported unearned.

The commands are the real ones, but for the sandbox, and may be killed between any two writes. The walk has
a model of its own: what was handed in when, what each answer deserves by which checks, what a person gave.
`ALL=1` walks 2,000 steps and more.
"""

import contextlib
import itertools
import math
import os
import shutil
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from margins_book.page.chapter import read_chapter
from margins_course import command, folder
from margins_course.assignments import release
from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder, read_table
from margins_course.grading.results import HandMark, read_hand_marks
from margins_course.pages.review import NewerMark, ReviewState, version
from tests.margins_course.fast_marking import marked_fast
from tests.margins_course.grading.test_student_work import PROOF
from tests.margins_course.sums_assignment import CHAPTER, SEEN, answered

DUE = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SHARP = "assert np.array_equal(twice(np.array([1.0, -1.0])), [2, -2])"
LENIENT = CHAPTER[: CHAPTER.index(":::{exercise-start} Total")] + PROOF
STRICT = LENIENT.replace(SEEN, SHARP)
CODE = {"right": "2 * x", "half": "2 * abs(x)", "wrong": "x"}
SHARES = {("right", False): 1, ("right", True): 1, ("half", False): 0.4}  # of the points; all others: none
ANSWERS = st.tuples(st.sampled_from(list(CODE)), st.sampled_from(["", "Clear.", "By definition."]))
LEFT_OUT = st.sampled_from(["", "", "grade", "grade", "grade review", "release", "review", "collect grade"])
FOLDERS = ["results", "submitted", "deliveries", "feedback"]
STUDENTS, MOMENTS = ("ada", "bob"), [DUE + n * DAY / 2 for n in (-3, -2, 1, 3)]
FILE = st.tuples(st.sampled_from(STUDENTS), ANSWERS, st.sampled_from(MOMENTS))
SETTINGS = """\
title: Sums
exercises:
  ../../sums.md:
    - twice: {twice}
    - even: {even}
due: {due:%Y-%m-%d %H:%M}
time_zone: UTC
late:
  per_day: 10%
"""


class Killed(BaseException):
    """The end of a command between two writes."""


@contextlib.contextmanager
def killed_at(number):
    """Meanwhile the write of that number ends everything; a line of a journal is half written."""
    left, replace, add = itertools.count(number - 1, -1), os.replace, folder._add

    def named(*names):
        if next(left) == 0:
            raise Killed
        return replace(*names)

    def added(handle, text):
        if next(left) == 0:
            os.write(handle, text[: len(text) // 2])
            raise Killed
        return add(handle, text)

    with mock.patch("os.replace", named), mock.patch.object(folder, "_add", added):
        yield


class Walk(RuleBasedStateMachine):
    """A course of two students; `sure` and `maybe` are deliveries that are and that may be recorded."""

    commands = marks = 0
    folder = Path()

    @initialize(is_marked=st.sampled_from([True, True, False]))
    def begin(self, is_marked):
        self.root = Walk.folder
        shutil.rmtree(self.root, ignore_errors=True)
        self.course = CourseFolder(self.root / "course")
        folder.write(self.course.roster, "id,name\nada,Ada\nbob,Bob\n")
        self.worth, self.due, self.kill = {"twice": 5, "even": 2}, DUE, 0
        self.inbox, self.old, self.given, self.pages = {}, [], {}, {}
        self.sure, self.maybe = {s: set() for s in STUDENTS}, {s: set() for s in STUDENTS}
        self.strict = False
        self.write()
        assert self.run("release", "sums") == 0
        self.student = self.course.notebook("release", "sums").read_text(encoding="utf-8")
        if is_marked:
            self.hand_in("ada", ("half", "Clear."), DUE)
            self.hand_in("bob", ("right", ""), DUE - DAY)
            self.go_on("", 0)

    def teardown(self):
        """Who has handed in nothing does now, so that every walk ends in two marks, whatever came before."""
        for student in STUDENTS:
            if student not in self.inbox:
                self.hand_in(student, ("right", "Clear."), DUE)
        self.do_everything()

    def run(self, *words):
        """A command's exit status, None if it was killed."""
        Walk.commands += 1
        number, self.kill = self.kill, 0
        try:
            with killed_at(number):
                return command.main([*words, "--course", str(self.course.root)])
        except Killed:
            return None

    def write(self):
        folder.write(self.course.settings("sums"), SETTINGS.format(**self.worth, due=self.due))
        folder.write(self.course.root / "sums.md", STRICT if self.strict else LENIENT)

    # ---- what happens
    @rule(number=st.integers(1, 9))
    def kill_the_next_command(self, number):
        self.kill = number

    @rule(label=st.sampled_from(["twice", "even"]), factor=st.sampled_from([1, 2, 4]))
    def change_points(self, label, factor):
        self.worth = self.worth | {label: factor * {"twice": 5, "even": 2}[label]}
        self.write()

    @rule(days=st.integers(-1, 2))
    def change_due_date(self, days):
        self.due = DUE + days * DAY
        self.write()

    @rule(strict=st.booleans())
    def change_check(self, strict):
        self.strict = strict
        self.write()

    def hand_in(self, student, answer, when):
        when += timedelta(seconds=len(self.old))  # no two at once
        self.inbox = self.inbox | {student: (answer, when)}
        self.old.append(self.inbox)

    @rule(files=st.lists(st.tuples(FILE, LEFT_OUT), min_size=2, max_size=4))
    def hand_in_and_go_on(self, files):
        """What follows on each file, but for some steps, and one of the others may be killed."""
        for file, left_out in files:
            self.hand_in(*file)
            self.go_on(left_out, 0)

    @precondition(lambda self: self.inbox)
    @rule(left_out=LEFT_OUT, older=st.sampled_from([0, 0, 1, 2]))
    def go_on(self, left_out, older):
        """The steps of a teacher with the newest files, or older ones, but for some steps."""
        steps = {
            "release": lambda: self.run("release", "sums"),
            "collect": lambda: self.take(self.old[-1 - older % len(self.old)]),
            "grade": lambda: self.run("grade", "sums"),
            "review": self.review,
            "feedback": lambda: self.run("feedback", "sums"),
            "status": self.status,
        }
        for name, step in steps.items():
            if name not in left_out.split():
                step()
        if self.run("export", "sums") == 0:
            self.check()

    def review(self):
        self.open_review_pages()
        for student in self.inbox:
            self.mark_by_hand(student, 1)

    def status(self):
        assert self.run("status") in (0, None)

    def take(self, inbox):
        where = self.root / "in"
        shutil.rmtree(where, ignore_errors=True)
        for student, ((code, proof), when) in inbox.items():
            texts = {"twice": f"def twice(x):\n    return {CODE[code]}", "even--answer": proof}
            path = where / f"{student}.ipynb"
            folder.write(path, answered(self.student, {k: v for k, v in texts.items() if v}))
            os.utime(path, (when.timestamp(),) * 2)
            self.maybe[student].add(inbox[student])
        if self.run("collect", "sums", str(where)) == 0:
            for student, delivery in inbox.items():
                self.sure[student].add(delivery)
                self.maybe[student].discard(delivery)

    @rule(which=st.sampled_from(FOLDERS), place=st.integers(0, 3))
    def empty_a_file(self, which, place):
        """What a power cut may leave."""
        paths = sorted(path for path in (self.course.root / which).rglob("*.*") if path.suffix != ".jsonl")
        if paths:
            paths[place % len(paths)].write_bytes(b"")

    @rule(moment=st.sampled_from([0, 1e9, 4e9]))
    def set_the_clock(self, moment):
        for path in self.course.root.rglob("*"):
            os.utime(path, (moment, moment))

    @rule()
    def open_review_pages(self):
        review = ReviewState(self.course, "sums")
        worth = self.released_worth()["even"]
        for student in STUDENTS:
            if (known := review.fingerprint(student, "even")) is not None:
                mark = read_hand_marks(self.course, "sums").get((student, "even"))
                self.pages[student] = known, version(mark) if mark else "", worth

    @rule(student=st.sampled_from(STUDENTS), share=st.sampled_from([0, 0.5, 1]))
    def mark_by_hand(self, student, share):
        """On a page that may have been open for long; the server refuses another answer than it shows."""
        if student not in self.pages or self.maybe[student]:
            return
        known, base, worth = self.pages[student]
        review = ReviewState(self.course, "sums")
        if review.fingerprint(student, "even") != known:
            return
        try:
            review.enter(HandMark(student, "even", known, (share * worth,)), base)
        except NewerMark:
            return
        ((_, proof), _) = self.counts(self.sure[student])[1]
        self.given[student] = proof, worth, share * worth
        self.pages.pop(student)

    def do_everything(self):
        """Nothing is blank for ever: who has handed in and is read by a person has a mark."""
        self.kill = 0
        assert self.run("release", "sums") == 0
        for inbox in self.old:
            self.take(inbox)
        assert self.run("grade", "sums") == 0
        self.review()
        assert self.run("export", "sums") == 0
        marks = self.check()
        assert all(marks[student] for student in self.inbox), marks

    # ---- what is earned
    def released_worth(self):
        sheet = read_sheet(self.course.source_text("sums"))
        return {exercise.label: exercise.points for exercise in sheet.exercises}

    @staticmethod
    def counts(deliveries):
        """Of some deliveries the earliest of the content that counts, and the newest of all."""
        newest = max(deliveries, key=lambda delivery: (delivery[1], repr(delivery)))
        same = [delivery for delivery in deliveries if delivery[0] == newest[0]]
        return min(same, key=lambda delivery: delivery[1]), newest

    def earned(self, student, deliveries):
        """The mark for a student's deliveries, None if there is none."""
        worth = self.released_worth()
        if not deliveries or worth != self.worth:
            return None
        ((code, proof), first), _ = self.counts(deliveries)
        strict = SHARP in self.course.source_text("sums")
        points = SHARES.get((code, strict), 0) * worth["twice"]
        given = self.given.get(student, (None, None))
        if given[:2] == (proof, worth["even"]):
            points += given[2]
        elif proof:
            return None  # a person has to read it
        late = max(0, math.ceil((first - self.due) / DAY))
        return points * (1 - 0.1 * late)

    def check(self):
        """Every exported mark is earned; the marks."""
        marks = {row["id"]: row["sums"] for row in read_table(self.course.report("marks.csv"))}
        for student, mark in marks.items():
            sure, maybe = self.sure[student], sorted(self.maybe[student], key=repr)
            sizes = range(len(maybe) + 1)
            subsets = [more for n in sizes for more in itertools.combinations(maybe, n)]
            earned = {self.earned(student, sure | set(more)) for more in subsets}
            close = [one for one in earned if one is not None and mark and abs(float(mark) - one) < 0.011]
            assert not mark or close, (student, mark, earned)
            Walk.marks += bool(mark)
        return marks


@cache
def chapter_of(path, _content):
    """A chapter, read once for each content."""
    return read_chapter(path)


def untried(course, name, _):
    """The report on the trials of checks, which take long and are not what is walked here."""
    folder.write(course.report(f"{name}-checks.txt"), "")


def test_no_mark_is_exported_that_nothing_earned(monkeypatch, tmp_path):
    marked_fast(monkeypatch)
    monkeypatch.setattr(release, "read_chapter", lambda path: chapter_of(path, path.read_bytes()))
    Walk.folder = tmp_path / "walk"
    monkeypatch.setattr(release, "_try_checks", untried)
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    examples, steps = (40, 50) if os.environ.get("ALL") else (5, 20)
    Walk.commands = Walk.marks = 0
    options = {"phases": [Phase.generate], "suppress_health_check": list(HealthCheck), "database": None}
    options |= {"max_examples": examples, "stateful_step_count": steps, "deadline": None}
    walks = settings(derandomize=False, **options)
    run_state_machine_as_test(seed(0)(Walk), settings=walks)  # with this seed each is long enough
    assert Walk.commands >= 10 * examples
    assert Walk.marks >= 2 * examples
