"""Totals: checks, marks by hand, changes and lateness end in the score that is deserved."""

from dataclasses import replace
from datetime import timedelta

import pytest

from margins_course.assignments.settings import LateRule
from margins_course.assignments.sheet import Exercise, Line, Sheet
from margins_course.collecting.collect import collect
from margins_course.folder import write
from margins_course.grading.results import HandMark, Piece, Work, append_hand_mark
from margins_course.grading.totals import (
    CHANGED,
    NOT_MARKED,
    RUBRIC_CHANGED,
    given_texts,
    needs_manual_marking,
    round_up,
    totals,
)
from margins_course.pages.review_cards import cards
from tests.margins_course.courses import (
    DUE,
    NAME,
    PROOF,
    SHEET,
    TWICE,
    answered,
    made_course,
    marked,
    notebook,
    settings_of,
    zipped,
)

ROSTER = ("ada,Ada Lovelace,,", "bob,Bob Lee,,", "cyd,Cyd Oz,,")
EARLY, LATE = (2026, 3, 1, 9, 0, 0), (2026, 3, 2, 12, 0, 2)  # a day and two seconds after the due time
ALL = {"twice--check-1": 2.0, "twice--hidden-check-1": 3.0, "both--check-1": 1.0}
TEXTS = {"proof": "Clear.", "both": "Also."}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Ada handed in, Bob's file is broken, nothing came of Cyd."""
    settings_of(monkeypatch)
    course = made_course(tmp_path, ROSTER)
    members = [("ada.ipynb", answered("a"), EARLY), ("bob.ipynb", "broken", EARLY)]
    collect(course, NAME, zipped(tmp_path / "a.zip", members))
    return course


def give(course, label, prints, lines=None, adjust=0.0, sheet=SHEET):
    return append_hand_mark(course, NAME, HandMark("ada", label, prints[label], lines, adjust), sheet)


def of_ada(course):
    return totals(course, NAME)[0]


def prints_of_ada(course):
    """What identifies her answers now, by exercise."""
    return {label: work.fingerprint for label, work in of_ada(course).result.work.items()}


def test_refused_missing_and_unchecked_have_no_score_and_a_reason(course):
    ada, bob, cyd = totals(course, NAME)
    assert (ada.score, ada.reason) == (None, "the checks have not run: margins-course grade sums")
    assert bob.score is None
    assert bob.reason.startswith("refused: bob.ipynb: the file is not a notebook")
    assert (cyd.score, cyd.reason, cyd.exercises) == (None, "missing", ())
    assert {total.out_of for total in (ada, bob, cyd)} == {15.0}


def test_a_file_beside_the_notebook_may_be_the_proof_and_waits_for_a_person(course, tmp_path):
    """Once the proof that was photographed into a PDF scored 0 before anybody had looked at it."""
    members = [("ada.ipynb", notebook(), EARLY), ("ada/proof.pdf", "%PDF", EARLY)]
    collect(course, NAME, zipped(tmp_path / "b.zip", members))
    marked(course, "ada", {})
    assert (of_ada(course).score, of_ada(course).reason) == (None, f"proof: {NOT_MARKED}; both: {NOT_MARKED}")
    for exercise in SHEET.exercises[1:]:
        (card,) = cards(exercise, totals(course, NAME), given_texts(course, NAME))
        assert card.waits
    prints = prints_of_ada(course)
    give(course, "proof", prints, (2.0, 3.0))
    give(course, "both", prints, (0.0,))
    assert of_ada(course).score == 5.0


def test_a_file_that_comes_beside_a_marked_notebook_makes_its_proofs_wait_again(course, tmp_path):
    """Once a proof that came as a PDF after the marking was never read."""
    prints = marked(course, "ada", ALL, TEXTS)
    for label, lines in (("twice", ()), ("proof", (1.0, 2.0)), ("both", (4.0,))):
        give(course, label, prints, lines)
    assert of_ada(course).score == 13.0
    for number, content in enumerate(("%PDF 1", "%PDF 2")):
        for name in ("ada/proof.pdf", "ada/again.pdf"):  # the same content again changes nothing
            collect(course, NAME, zipped(tmp_path / f"{number}.zip", [(name, content, EARLY)]))
            waits = [score.waits for score in of_ada(course).exercises]
            assert waits == (["", CHANGED, CHANGED] if name == "ada/proof.pdf" else [""] * 3)
            for label, lines in (("proof", (2.0, 3.0)), ("both", (4.0,))):
                give(course, label, prints_of_ada(course), lines)
            assert of_ada(course).score == 15.0


def test_a_submission_that_waits_for_a_person_has_no_score(course):
    prints = marked(course, "ada", ALL, TEXTS)
    assert (of_ada(course).score, of_ada(course).reason) == (None, f"proof: {NOT_MARKED}; both: {NOT_MARKED}")
    give(course, "proof", prints, (1.0, 2.0))
    total = of_ada(course)
    assert [score.points for score in total.exercises] == [5.0, 3.0, None]
    assert total.reason == f"both: {NOT_MARKED}"
    give(course, "both", prints, (4.0,))
    total = of_ada(course)
    assert (total.score, total.before_lateness, total.factor, total.reason) == (13.0, 13.0, 1.0, "")
    assert [score.points for score in total.exercises] == [5.0, 3.0, 5.0]


def test_an_empty_answer_earns_0_without_waiting(course):
    for untouched in ({}, {"proof": "", "both": " \n"}):
        marked(course, "ada", {}, untouched)
        total = of_ada(course)
        assert (total.score, total.reason) == (0.0, "")
        assert [score.points for score in total.exercises] == [0.0, 0.0, 0.0]


def test_a_comment_alone_is_no_mark(course):
    prints = marked(course, "ada", ALL, TEXTS)
    give(course, "proof", prints, None, 1.0)
    assert of_ada(course).exercises[1].waits == NOT_MARKED


def test_a_stale_mark_does_not_count_and_is_flagged_until_confirmed(course):
    prints = marked(course, "ada", {}, TEXTS)
    mark = give(course, "proof", prints, (0.0, 1.0), 0.5)
    give(course, "both", prints, (4.0,))
    give(course, "twice", prints, (), 2.0)
    assert of_ada(course).score == 1.5 + 4 + 2
    prints = marked(
        course, "ada", ALL, TEXTS | {"proof": "A better one.", "twice": "def twice(x): return 2 * x"}
    )
    twice, proof, both = of_ada(course).exercises
    assert (twice.points, twice.waits) == (5.0, CHANGED)  # the gift of 2 is gone, and flagged
    assert (proof.points, proof.waits) == (None, CHANGED)
    assert (both.points, both.waits) == (None, CHANGED)  # its verdict changed
    give(course, "both", prints, (4.0,))
    append_hand_mark(course, NAME, replace(mark, fingerprint=prints["proof"]), SHEET)
    assert of_ada(course).score == 5 + 1.5 + 5
    assert of_ada(course).reason == f"twice: {CHANGED}"


def test_a_mark_by_another_rubric_does_not_count(course):
    prints = marked(course, "ada", ALL, TEXTS)
    give(course, "proof", prints, (2.0, 3.0))
    more = (PROOF.rubric[0], replace(PROOF.rubric[1], points=4.0))
    fewer = (replace(PROOF.rubric[0], points=1.0), PROOF.rubric[1])
    for rubric, why in ((PROOF.rubric[:1], RUBRIC_CHANGED), (fewer, RUBRIC_CHANGED), (more, CHANGED)):
        sheet = Sheet(NAME, "Sums", (SHEET.exercises[0], replace(PROOF, rubric=rubric), SHEET.exercises[2]))
        write(course.notebook("source", NAME), notebook(sheet=sheet, solved=True))
        assert "margins-course grade sums" in of_ada(course).reason
        marked(course, "ada", ALL, TEXTS, sheet=sheet)
        assert of_ada(course).exercises[1].waits == why


def test_points_added_under_another_maximum_do_not_count(course):
    prints = marked(course, "ada", ALL, TEXTS)
    give(course, "twice", prints, (), 1.0)
    checks = (replace(TWICE.checks[0], points=4.0), TWICE.checks[1])
    sheet = Sheet(NAME, "Sums", (replace(TWICE, checks=checks), *SHEET.exercises[1:]))
    write(course.notebook("source", NAME), notebook(sheet=sheet, solved=True))
    marked(course, "ada", {"twice--check-1": 4.0}, TEXTS, sheet=sheet)
    assert (of_ada(course).exercises[0].points, of_ada(course).exercises[0].waits) == (4.0, CHANGED)


def test_an_exercise_stays_between_0_and_its_points(course):
    prints = marked(course, "ada", ALL, TEXTS)
    give(course, "twice", prints, (), 100.0)
    give(course, "proof", prints, (2.0, 3.0), 0.25)
    give(course, "both", prints, (0.0,), -7.0)
    total = of_ada(course)
    assert [score.points for score in total.exercises] == [5.0, 5.0, 0.0]
    assert total.score == 10.0


@pytest.mark.parametrize(
    "kept", ["", "{}", "[", "[]", '{"key": "old", "points": {}, "messages": {}, "notebook": {}}']
)
def test_a_result_of_another_edition_counts_as_none(course, kept):
    write(course.result(NAME, "ada"), kept)
    assert "the checks have not run" in of_ada(course).reason


@pytest.mark.parametrize(
    ("rule", "extension", "factor", "score"),
    [
        (LateRule(), None, 1.0, 13.0),
        (LateRule(per_day=0.1), None, 0.8, 10.4),
        (LateRule(per_day=0.1), timedelta(seconds=2), 0.9, 11.7),
        (LateRule(per_day=0.1), timedelta(days=1, seconds=2), 1.0, 13.0),
        (LateRule(per_day=0.1), timedelta(days=2), 1.0, 13.0),
        (LateRule(per_day=0.1, grace=timedelta(days=2)), None, 1.0, 13.0),
        (LateRule(days=1), None, 0.0, 0.0),
        (LateRule(per_day=0.07, days=2), None, 0.86, 11.18),
    ],
)
def test_lateness_costs_what_the_rule_says_after_the_students_own_due_time(
    course, tmp_path, monkeypatch, rule, extension, factor, score
):
    collect(course, NAME, zipped(tmp_path / "b.zip", [("ada.ipynb", answered("late"), LATE)]))
    prints = marked(course, "ada", ALL, TEXTS)
    give(course, "proof", prints, (1.0, 2.0))
    give(course, "both", prints, (4.0,))
    granted = {} if extension is None else {"ada": DUE + extension}
    settings_of(monkeypatch, late=rule, extensions=granted)
    total = of_ada(course)
    assert (total.factor, total.score) == (pytest.approx(factor), score)
    assert total.before_lateness == 13.0
    assert (f"{100 * factor:g} % of the points count" in total.reason) == (factor < 1)


def test_days_are_over_after_their_last_second():
    rule = LateRule(per_day=0.1, days=2)
    assert [rule.factor(seconds) for seconds in (86_400, 86_401, 172_800, 172_801)] == [0.9, 0.8, 0.8, 0.0]


def test_hundredths_are_rounded_for_the_student():
    assert round_up(10 / 3) == 3.34
    assert round_up(0.1 + 0.2) == 0.3
    assert round_up(13 * 0.9) == 11.7
    assert round_up(0.0) == 0.0
    assert all(round_up(n / 100) == n / 100 for n in range(5000))
    assert all(0 <= round_up(n / 700) - n / 700 < 0.01 for n in range(5000))


def test_code_alone_does_not_wait_for_a_reader_where_a_proof_was_asked_too():
    exercise = Exercise(
        "both", "Both", "code and prove", 2, "", "", "", "", ("f",), rubric=(Line("why", 2.0),)
    )
    code, text = Piece("code", "def f(x):\n    return x"), Piece("markdown", "because")
    aside = Piece("code", "print('evidence')")
    given = {"", "*Write your answer here.*"}
    blank = Piece("markdown", "*Write your answer here.*")
    assert not needs_manual_marking(exercise, Work((code, blank)), given, ())
    assert needs_manual_marking(exercise, Work((code, text)), given, ())
    assert needs_manual_marking(exercise, Work((code, aside)), given, ())
