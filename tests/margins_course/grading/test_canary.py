"""The canary class: it passes where marking can be trusted, and stops it where anything is amiss."""

import re
import sys
from datetime import datetime
from types import SimpleNamespace

import pytest

from margins_course import CourseProblem
from margins_course.assignments.notebooks import as_bytes, student_notebook
from margins_course.assignments.sheet import read_sheet
from margins_course.folder import write
from margins_course.grading import marking
from margins_course.grading.attacks import attacks
from margins_course.grading.canary import CanaryClass, certify_class, known_mistakes
from margins_course.grading.environment import is_current_certificate
from margins_course.grading.grade import worker_pool
from margins_course.grading.totals import totals
from margins_course.sandbox.answers import Limits
from tests.margins_course.assignments.test_checks_of_the_book import SAMPLED, name
from tests.margins_course.chapter_text import with_changes
from tests.margins_course.exercises import assigned, source
from tests.margins_course.fast_marking import InOrder
from tests.margins_course.grading.test_student_work import PROOF
from tests.margins_course.marking_class import MISTAKES, course_of
from tests.margins_course.sums_assignment import CHAPTER, RIGHT

pytestmark = pytest.mark.usefixtures("boxes")
TARGETS = SimpleNamespace(names={"file": "/canary", "port": 1, "process": 2, "argument": "3"})


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A course whose canary class passed, and the progress that it told of."""
    course = course_of(tmp_path_factory.mktemp("proved"), ["ada"])
    told = []
    with worker_pool() as pool:
        path = certify_class(course, "sums", pool=pool, progress=lambda *numbers: told.append(numbers))
    return course, path, told


@pytest.mark.full
def test_the_certificate_says_in_words_what_was_tried(proved):
    course, path, told = proved
    assert path == course.report("sums-certificate.txt")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("Certificate of marking: sums\n")
    today = datetime.now().astimezone()
    made = re.search(r"^Made: (.+)$", text, re.M)[1]
    assert made.startswith(f"{today:%Y-%m-%d}")
    assert made.endswith(f"{today:%Z (UTC%z)}")
    assert f"python: {sys.version.split()[0]}" in text
    rows = re.findall(r"^ *(\d+(?: or more)?) +(\d+)  (.+)$", text.partition("submission\n")[2], re.M)
    assert (str(10), str(10), "the reference") in rows
    assert ("0", "0", "the blank notebook") in rows
    assert {("5", "5", "twice exits in a cell"), ("5", "5", "total exits in a cell")} & set(rows)
    for label, mistakes in MISTAKES.items():
        assert all(any(f"{label}: {title}" in who for _, _, who in rows) for title in mistakes)
    for attack in attacks(TARGETS):
        assert any(attack.name in who for _, _, who in rows), attack.name
    assert len(told) == len(rows)
    assert told[-1] == (len(rows), len(rows))


def test_a_proof_leaves_its_certificate_alone_which_serves_for_its_key_today_and_here(proved):
    course, path, told = proved
    assert list(course.root.glob(".*")) == []
    assert not (course.root / "results").exists()
    assert [p.name for p in path.parent.iterdir() if "certificate" in p.name] == [path.name]
    tried, before = len(told), path.read_text(encoding="utf-8")
    certify_class(course, "sums", pool=InOrder(), progress=lambda *numbers: told.append(numbers))
    assert len(told) == tried
    key = re.search(r"^Key: (\w+)$", before, re.M)[1]
    assert is_current_certificate(path, key)
    assert not is_current_certificate(path, key[::-1])
    for old, new in ((r"Made: \d{4}", "Made: 1999"), (r"Machine: .*", "Machine: another")):
        path.write_text(re.sub(old, new, before), encoding="utf-8")
        assert not is_current_certificate(path, key)


def test_a_canary_with_other_points_stops_the_marking_and_what_is_marked_stays(tmp_path):
    course = course_of(tmp_path, ["ada", "bob"])
    course.hand_in({"ada": RIGHT, "bob": RIGHT})
    marking.mark_one(course, "sums", "bob")
    before = course.result("sums", "bob").read_bytes()
    broken = with_changes(course.source_text("sums"), ("return float(np.sum(x))", "return 45.0"))
    write(course.source("sums"), broken)
    said = r"Canary: the reference\. Check: total--check-1\. Expected: 1\. Came: 0 "
    with pytest.raises(CourseProblem, match=said) as stopped:
        course.mark()
    assert "Nothing was marked" in str(stopped.value)
    assert not course.result("sums", "ada").exists()
    assert course.result("sums", "bob").read_bytes() == before
    assert not course.report("sums-certificate.txt").exists()


def test_an_assignment_of_proofs_alone_is_marked(tmp_path):
    """Once the canary class divided by the number of coded exercises, and nobody was marked."""
    course = course_of(tmp_path, ["ada"], CHAPTER[: CHAPTER.index(":::{exercise-start}")] + PROOF)
    course.hand_in({"ada": {"even--answer": "By definition."}})
    certify_class(course, "sums", pool=InOrder())
    assert marking.mark_or_refuse(course, "sums", "ada", Limits()) == ""
    assert totals(course, "sums")[0].reason == "even: not marked yet"


@pytest.mark.parametrize("path", SAMPLED, ids=name)
def test_every_chapter_has_a_class_in_which_each_attack_and_mistake_comes_once(path):
    student, sheet = as_bytes(student_notebook(assigned(path))).decode(), read_sheet(source(path))
    maker, mistakes = CanaryClass(source(path), student), known_mistakes(source(path), Limits())
    hostile, mistaken = list(maker.hostile(TARGETS)), list(maker.mistaken(mistakes))
    reference, blank = maker.honest()
    points = [check.points for exercise in sheet.exercises for check in exercise.checks]
    assert sum(reference.expected.values()) == sum(points)
    assert set(blank.expected.values()) == {0.0}
    for attack in attacks(TARGETS):
        assert sum(attack.name in canary.who for canary in hostile) == 1
    tried = "; ".join(canary.who for canary in mistaken).split("; ")
    for mistake in mistakes:
        assert tried.count(f"{mistake.label}: {mistake.title}") == 1
        full = {c.name: c.points for c in sheet.exercise(mistake.label).checks}
        assert sum(mistake.points.values()) < sum(full.values())
    assert all(canary.expected.keys() == reference.expected.keys() for canary in (*hostile, *mistaken))
    several = len(maker.solutions) > 1  # then one exercise stays right
    for canary in hostile[:-1] if several else ():
        assert any(canary.expected[name] == points for name, points in reference.expected.items())
