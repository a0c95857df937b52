"""The pages of feedback: who gets one, what it says, what it never tells, and that it does nothing."""

import base64
import hashlib
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from conftest import full
from margins_course.assignments.settings import read_settings
from margins_course.collecting.records import Record, add_records
from margins_course.collecting.roster import Student
from margins_course.grading.results import Piece, Work
from margins_course.grading.totals import ExerciseScore, totals
from margins_course.pages import feedback
from tests.book.axe import AXE
from tests.margins_course.hostile_text import mutations, vectors
from tests.margins_course.review_class import NAMES, SETTINGS, SHEET, hand_in, mark, new_class, png
from tests.margins_course.watched_page import listening, what_happened

SECRET = "row 5 came"


@pytest.fixture
def course(tmp_path):
    """Some of the class: Ada's work is marked by hand, Lise's came late, nothing came of Julia."""
    some = ("ada", "george", "lise", "alan", "evariste", "julia")
    made = new_class(tmp_path / "course", {student: NAMES[student] for student in some})
    for exercise in SHEET.exercises[1:]:
        given = tuple(line.points for line in exercise.rubric)
        mark(made, "ada", exercise.label, lines=given, comment="A *clear* proof.")
    return made


def page(course, who="ada", sheet=SHEET, **changes):
    """The page of a student's total, or of one changed."""
    (total,) = [total for total in totals(course, "sums") if total.student.id == who]
    settings = read_settings(course, "sums")
    return feedback.page(sheet, replace(total, **changes), settings.extensions.get(who), settings.late)


def text_of(html, place=None):
    """The words of a page, or of its card of one exercise."""
    soup = BeautifulSoup(html, "html.parser")
    part = soup.find("main") if place is None else soup.find(id=f"exercise-{place}")
    return " ".join(part.get_text(" ").split())


def test_everybody_whose_work_came_has_a_page(course):
    reason = "the file <b>x.ipynb</b> is not JSON, or was cut off"
    when = "2026-10-01T22:59:00+00:00"
    add_records(course, "sums", [Record("alan", "alan.ipynb", "alan", when, "refused", reason)])
    course.result("sums", "lise").unlink()
    seen = []
    paths = feedback.write_feedback(course, "sums", lambda *done: seen.append(done))
    assert seen == [(number, 5) for number in range(1, 6)]
    made = {path.parent.parent.name: path.read_text(encoding="utf-8") for path in paths}
    assert list(made) == ["ada", "george", "lise", "alan", "evariste"]
    assert "not marked yet" in made["lise"]
    assert f"it could not be marked: alan.ipynb: {reason}." in text_of(made["alan"])
    assert "Hand it in again" in text_of(made["alan"])
    assert "<b>" not in made["alan"]


def test_it_names_the_student_and_the_total_and_shows_each_answer_with_what_it_did(course):
    html = page(course)
    soup = BeautifulSoup(html, "html.parser")
    assert soup.h1.get_text() == "Sums and distances"
    assert "Ada Lovelace" in soup.find("header").get_text()
    assert "Every exercise has full points. Congratulations!" in text_of(html)
    assert [heading.name for heading in soup.find_all(re.compile("h[1-6]"))][:4] == ["h1", "h2", "h3", "h3"]
    assert "axis= 1 ))] nearest: [1. 2.] What" in text_of(html, 1)
    assert f'src="data:image/png;base64,{png(320, 160)}"' in html
    mark(course, "ada", lines=(1.0, 0.5, 1.0), adjust=-0.5, comment="Say *why*.")
    html = page(course)
    assert "14 of 16 points" in text_of(html)
    assert "2 exercises have full points; the others say what to try next." in text_of(html)
    said = text_of(html, 2)
    assert "into inner products 1 of 1 point" in said
    assert "and says so 0.5 of 2 points" in said
    assert "Your teacher took off 0.5 points by hand; the comment says why. Comment Say why ." in said
    assert "ZeroDivisionError: division by zero" in text_of(page(course, "alan"), 3)


def test_each_check_says_what_it_may_say_and_nothing_of_a_hidden_one_is_told(course):
    passed, missed, failed = (text_of(page(course, who), 1) for who in ("ada", "george", "alan"))
    assert "Full points. Well done!" in passed
    assert "The visible check passed. 2 of 2 points On 200 random inputs" in passed
    assert "A hidden check failed. It looks at this case: a tie. 0 of 3 points" in missed
    assert "The hidden check passed. 1 of 1 point" in missed
    assert SECRET not in page(course, "george")
    hand_in(course, "george", praise={"nearest--hidden-check-2": SECRET})
    assert SECRET not in page(course, "george")
    assert "A next step. Read what the visible check says below" in failed
    assert "The book has a hint." in failed
    assert "The visible check failed. It says: 0 of 2 points shape (2,) was expected" in failed
    assert "A hidden check was not tried, because the visible check fails." in failed


def test_what_waits_says_so_and_a_mark_of_another_answer_is_not_shown(course):
    hand_in(course, "ada", {("ada", "triangle"): "Other."})
    html = page(course)
    assert "These are the points so far: 1 exercise waits to be read by your teacher." in text_of(html)
    assert "12 of 16 points" in text_of(html)
    said = text_of(html, 2)
    assert "The answer changed after it was marked; your teacher will read it again." in said
    assert "clear proof" not in said
    assert "1 of 1" not in said
    assert "Your teacher has not marked this answer yet." in text_of(page(course, "george"), 2)


def test_of_an_empty_proof_nobody_said_anything(course):
    hand_in(course, "evariste", {("evariste", "triangle"): ""})
    said = text_of(page(course, "evariste"), 2)
    assert "How this is marked" in said
    assert "What your teacher said" not in said
    assert "Nothing is written yet: begin with the statement" in said
    assert "Compare your answer" not in said


def test_what_stands_outside_of_the_exercises_is_shown(course):
    assert "Outside" not in text_of(page(course))
    hand_in(course, "ada", work={"": Work((Piece("code", "from math import prod"),))})
    said = text_of(page(course))
    assert "set-up that you changed after the set-up that you were given. from math import prod" in said


LATE = "late:\n  per_day: 10%\n"
LATENESS = {  # the student, more settings, and whether everything is marked
    "2 hours and 5 minutes late; by the assignment's rule this costs 10 %, so 5 became 4.5.": (LATE, True),
    "this is too late for points.": (f"{LATE}  days: 0\n", True),
    "2 hours and 5 minutes late; this costs nothing.": ("", True),
    "late; the assignment's rule for late work is applied when everything is marked.": (LATE, False),
    "5 minutes late; this costs nothing.": (f"{LATE}  grace_minutes: 180\n", False),
    "You had an extension until Monday, 12 October 2026, 23:59 (UTC).": (
        "extensions:\n  lise: 2026-10-12 23:59\n",
        False,
    ),
}


@pytest.mark.parametrize("said", LATENESS)
def test_lateness_and_extensions_are_said_in_words(course, said):
    more, is_marked = LATENESS[said]
    course.settings("sums").write_text(SETTINGS + more, encoding="utf-8")
    for exercise in ("triangle", "spread") if is_marked else ():
        mark(course, "lise", exercise)
    shown = text_of(page(course, "lise"))
    assert said in shown
    assert ("late" in shown) == ("extension" not in more)


def test_it_links_to_the_book_and_nowhere_else(course):
    html = page(course)
    addresses = re.findall(r'(?:href|src)="([^"]*)"', html)
    assert "https://book.example/chapters/sums.html#nearest" in addresses
    ours = "https://book.example/", "#exercise-", "data:image/png"
    assert all(address.startswith(ours) for address in addresses)
    first, *others = SHEET.exercises
    insecure = replace(SHEET, exercises=(replace(first, page="javascript:x"), *others))
    assert "javascript:" not in page(course, sheet=insecure)


def test_the_policy_allows_this_style_and_pictures_only(course):
    html = page(course)
    style = re.search("<style>(.*)</style>", html, re.S)[1]
    known = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = BeautifulSoup(html, "html.parser").find("meta", {"http-equiv": True})["content"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{known}'; img-src data:;")
    assert "unsafe" not in policy
    assert " style=" not in html
    assert "url(" not in style


@pytest.fixture
def shown(visit, tmp_path):
    """`shown(html, width=..., ...)`: the page in the browser."""

    def show(html, width=1000, **options):
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        return visit((tmp_path / "page.html").as_uri(), viewport={"width": width, "height": 844}, **options)

    return show


def test_it_fits_a_phone_and_its_style_is_allowed(shown, course):
    long = Piece("code", "x = '" + "y" * 500 + "'", "z" * 500, ("Error", "e" * 500, ""))
    hand_in(course, "ada", work={"nearest": Work((long, Piece("markdown", "w" * 500)))})
    opened = shown(page(course), width=390)
    assert opened.evaluate("document.documentElement.scrollWidth") == 390
    assert opened.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") == "8px"


COVERING = (
    r"$\hspace{-20em}\raisebox{20em}{26/26}\rule{20em}{20em}$ $\llap{26/26}$",
    "26/26" + "\u0489\u0301\u0302\u0303" * 400,
    "\u202e\u2066" + "26/26" * 40,
)


def test_an_answer_covers_nothing_around_it(shown, course):
    heads = []
    for text in ("Plain.", *COVERING):
        pieces = Piece("markdown", text), Piece("code", "'" + text), *[Piece("code", "1")] * 9
        hand_in(course, "ada", work={"nearest": Work(pieces)})
        opened = shown(page(course))
        answer = opened.locator("#exercise-1 .answer").bounding_box()
        above = {"x": 0, "y": 0, "width": 1000, "height": answer["y"]}
        heads.append(opened.screenshot(clip=above, full_page=True))
    assert heads == heads[:1] * len(heads)


@pytest.mark.parametrize("theme", ["light", *full("dark")])
def test_words_are_strong_enough_and_the_page_is_accessible(shown, course, theme):
    for student in ("ada", "george", "alan"):
        mark(course, student, lines=(1.0, 1.0, 0.0), comment="Say why.")
        opened = shown(page(course, student), color_scheme=theme, bypass_csp=True)
        opened.add_script_tag(path=AXE)
        assert opened.evaluate("axe.run('html').then(found => found.violations)") == []


def hostile(course, listener):
    """A page in which everything that comes from students is a hostile text, and the name of a student."""
    targets = SimpleNamespace(port=listener.port, canary="/etc/hostname")
    texts = list(vectors(targets).values()) + mutations(targets, 20260901, 250)
    work, said, scores = {}, [], []
    for start in range(0, len(texts), 95):
        pieces = [Piece("markdown", text) for text in texts[start : start + 95]]
        short = [piece.source[:2000] for piece in pieces[::8]]
        pieces[::8] = [Piece("code", t, t, (t, t, t), (t,)) for t in short]
        work[f"e{start}"] = Work(tuple(pieces))
        scores.append(ExerciseScore(f"e{start}", 0.0, 6.0, ""))
        said += short
    visible, hidden, _ = [check.name for check in SHEET.exercises[0].checks]
    messages = {visible: said[0], hidden: said[1]}
    hand_in(course, "ada", (), messages, work, corners={hidden: said[2]}, praise={visible: said[3]})
    exercises = tuple(replace(SHEET.exercises[0], label=label) for label in work)
    name = '</title><script src="//127.0.0.1/n"></script>"onmouseover="stolen=1'
    changes = {"student": Student("x", name), "exercises": tuple(scores)}
    return page(course, sheet=replace(SHEET, exercises=exercises), **changes)


WITHOUT_POLICY = re.compile('<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.mark.full
def test_hostile_texts_do_nothing_in_the_page_with_and_without_its_policy(browser, course, tmp_path):
    path = tmp_path / "page.html"
    with listening() as listener:
        html = hostile(course, listener)
        for text in (html, WITHOUT_POLICY.sub("", html)):
            path.write_text(text, encoding="utf-8", errors="replace")
            assert what_happened(browser, path.as_uri(), listener) == []
