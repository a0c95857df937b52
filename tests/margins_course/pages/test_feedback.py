"""The page of feedback: what it says to a student, what it never tells, and that it does nothing."""

import base64
import contextlib
import hashlib
import re
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup

from conftest import full
from margins_course.assignments.due_dates import LateRule
from margins_course.collecting.roster import Student
from margins_course.grading.results import Piece, Result, Work
from margins_course.grading.totals import CHANGED
from margins_course.pages import feedback
from tests.book.axe import AXE
from tests.margins_course.feedback_samples import (
    MARK,
    PASSED,
    SCORES,
    SECRET,
    SHEET,
    STANDING,
    TOTAL,
    WORK,
    failed,
    png,
    score,
)
from tests.margins_course.hostile_text import mutations, vectors
from tests.margins_course.watched_page import listening, what_happened

MARKS = {"bound": MARK}


def page(total=TOTAL, result=PASSED, marks=MARKS, *more, sheet=SHEET):
    """The page of a total that rests on a result and on marks."""
    return feedback.page(sheet, replace(total, result=result, marks=tuple(marks.items())), *more)


def text_of(html, place=None):
    """The words of a page, or of its card of one exercise."""
    soup = BeautifulSoup(html, "html.parser")
    part = soup.find("main") if place is None else soup.find(id=f"exercise-{place}")
    return " ".join(part.get_text(" ").split())


def test_it_names_the_student_and_the_total_and_shows_each_answer_with_what_it_did():
    html = page()
    soup = BeautifulSoup(html, "html.parser")
    assert soup.h1.get_text() == "Sums"
    assert "Ada Lovelace" in soup.find("header").get_text()
    assert "9 of 14 points" in text_of(html)
    assert "2 exercises have full points; the others say what to try next." in text_of(html)
    assert [heading.name for heading in soup.find_all(re.compile("h[1-6]"))][:4] == ["h1", "h2", "h3", "h3"]
    assert "def twice (x): return 2 * x printed" in text_of(html, 1)
    assert f'src="data:image/png;base64,{png()}"' in html
    assert "ZeroDivisionError: division" in text_of(html, 2)
    assert "triangle inequality" in text_of(html, 3)
    everything = page(replace(TOTAL, score=14.0, before_lateness=14.0))
    assert "Every exercise has full points. Congratulations!" in text_of(everything)


def test_each_check_says_what_it_may_say_and_nothing_of_a_hidden_one_is_told():
    result = failed(
        "twice--hidden-check-1",
        "total--check-1",
        "total--hidden-check-1",
        praise={"twice--check-1": "Right for three numbers.", "twice--hidden-check-1": SECRET},
        corners={"twice--hidden-check-1": "one class only, $C$ infinite"},
    )
    messages = result.messages | {"total--check-1": "AssertionError: four ones make four"}
    html = page(TOTAL, replace(result, messages=messages))
    first, second = text_of(html, 1), text_of(html, 2)
    assert "The visible check passed. 2 of 2 points Right for three numbers." in first
    assert "A hidden check failed. It looks at this case: one class only," in first
    assert "Full points. Well done!" in first
    assert "A next step. Read what the visible check says below" in second
    assert "The book has a hint." in second
    assert "The visible check failed. It says: 0 of 2 points four ones make four" in second
    assert "A hidden check was not tried, because the visible check fails." in second
    assert SECRET not in html


def test_the_rubric_and_the_comment_are_shown_with_points():
    part = replace(MARK, lines=(3.0, 0.5), adjust=-0.5)
    said = text_of(page(TOTAL, PASSED, {"bound": part}), 3)
    assert "is named. 3 of 3 points" in said
    assert "Nothing is missing. 0.5 of 1 point" in said
    assert "Your teacher took off 0.5 points by hand; the comment says why." in said
    assert "Comment A clear proof." in said


def test_what_waits_says_so_and_a_mark_of_another_answer_is_not_shown():
    waits = (*SCORES[:2], score("bound", None, 4.0, CHANGED))
    total = replace(TOTAL, exercises=waits, score=None, before_lateness=None)
    html = page(total, PASSED, {"bound": replace(MARK, fingerprint="older")})
    assert "These are the points so far: 1 exercise waits to be read by your teacher." in text_of(html)
    assert "5 of 14 points" in text_of(html)
    assert "The answer changed after it was marked; your teacher will read it again." in text_of(html, 3)
    assert "clear proof" not in html
    assert "3 of 3" not in text_of(html, 3)


def test_of_an_empty_proof_nobody_said_anything():
    empty = replace(PASSED, work=WORK | {"bound": Work((), "b")})
    total = replace(TOTAL, exercises=(*SCORES[:2], score("bound", 0.0, 4.0)))
    said = text_of(page(total, empty, {}), 3)
    assert "How this is marked" in said
    assert "What your teacher said" not in said
    assert "Nothing is written yet: begin with the statement" in said
    assert "Compare your answer" not in said


def test_what_stands_outside_of_the_exercises_is_shown():
    more = replace(PASSED, work=WORK | {"": Work((Piece("code", "from math import prod"),), "")})
    said = text_of(page(TOTAL, more))
    assert "set-up that you changed after the set-up that you were given. from math import prod" in said
    assert "Outside" not in text_of(page())


BEHIND = replace(STANDING, status="late", seconds_late=2170.0)
LATE = replace(TOTAL, standing=BEHIND, factor=0.9, score=8.1)
WAITS = replace(LATE, score=None, before_lateness=None, factor=1.0)
WAITS = replace(WAITS, exercises=(*SCORES[:2], score("bound", None, 4.0)))
UNTIL = datetime(2026, 10, 12, 23, 59, tzinfo=ZoneInfo("Europe/Berlin"))
GRACE = LateRule(0.1, None, timedelta(hours=1))
LATENESS = {
    "36 minutes late; by the assignment's rule this costs 10 %, so 9 became 8.1.": (LATE,),
    "You had an extension until Monday, 12 October 2026, 23:59 (Europe/Berlin).": (TOTAL, UNTIL),
    "late; this costs nothing.": (replace(LATE, factor=1.0, score=9.0),),
    "late; the assignment's rule for late work is applied when everything is marked.": (WAITS,),
    "36 minutes late; this costs nothing.": (WAITS, None, GRACE),
    "this is too late for points.": (replace(LATE, factor=0.0, score=0.0),),
}


@pytest.mark.parametrize("said", LATENESS)
def test_lateness_and_extensions_are_said_in_words(said):
    total, *rule = LATENESS[said]
    shown = text_of(page(total, PASSED, MARKS, *rule))
    assert said in shown
    assert ("late" in shown) == (total is not TOTAL)


def test_a_refused_submission_has_a_page_that_says_why_and_what_to_do():
    reason = "the file <b>x.ipynb</b> is not JSON, or was cut off"
    standing = replace(STANDING, status="refused", reason=reason)
    html = page(replace(TOTAL, standing=standing, score=None, exercises=()), None, {})
    assert f"it could not be marked: {reason}." in text_of(html)
    assert "<b>" not in html
    assert "Hand it in again" in text_of(html)


def test_it_links_to_the_book_and_nowhere_else():
    html = page()
    addresses = re.findall(r'(?:href|src)="([^"]*)"', html)
    assert "https://book.example.org/chapters/01_sums.html#twice" in addresses
    ours = "https://book.example.org/", "#exercise-", "data:image/png"
    assert all(address.startswith(ours) for address in addresses)
    first, *others = SHEET.exercises
    insecure = replace(SHEET, exercises=(replace(first, page="javascript:x"), *others))
    assert "javascript:" not in page(sheet=insecure)


def test_the_policy_allows_this_style_and_pictures_only():
    html = page()
    style = re.search("<style>(.*)</style>", html, re.S)[1]
    known = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = BeautifulSoup(html, "html.parser").find("meta", {"http-equiv": True})["content"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{known}'; img-src data:;")
    assert "unsafe" not in policy
    assert "style=" not in html
    assert "url(" not in style


@pytest.fixture
def shown(browser, tmp_path):
    """`shown(html, width=..., ...)`: the page in the browser, with what the browser complains of."""
    with contextlib.ExitStack() as contexts:

        def show(html, width=1000, **options):
            (tmp_path / "page.html").write_text(html, encoding="utf-8")
            context = browser.new_context(viewport={"width": width, "height": 844}, **options)
            contexts.callback(context.close)
            opened = context.new_page()
            opened.complaints = []
            opened.on("console", lambda message: opened.complaints.append(message.text))
            opened.goto((tmp_path / "page.html").as_uri())
            return opened

        yield show


def test_it_fits_a_phone_and_its_style_is_allowed(shown):
    long = Piece("code", "x = '" + "y" * 500 + "'", "z" * 500, ("Error", "e" * 500, ""))
    result = replace(PASSED, work=WORK | {"total": Work((long, Piece("markdown", "w" * 500)), "s")})
    opened = shown(page(TOTAL, result), width=390)
    assert opened.evaluate("document.documentElement.scrollWidth") == 390
    assert opened.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") == "8px"
    assert opened.complaints == []


COVERING = (
    r"$\hspace{-20em}\raisebox{20em}{26/26}\rule{20em}{20em}$ $\llap{26/26}$",
    "26/26" + "\u0489\u0301\u0302\u0303" * 400,
    "\u202e\u2066" + "26/26" * 40,
)


def test_an_answer_covers_nothing_around_it(shown):
    heads = []
    for text in ("Plain.", *COVERING):
        pieces = Piece("markdown", text), Piece("code", "'" + text), *[Piece("code", "1")] * 9
        result = replace(PASSED, work=WORK | {"twice": Work(pieces)})
        opened = shown(page(TOTAL, result))
        answer = opened.locator("#exercise-1 .answer").bounding_box()
        above = {"x": 0, "y": 0, "width": 1000, "height": answer["y"]}
        heads.append(opened.screenshot(clip=above, full_page=True))
    assert heads == heads[:1] * len(heads)


@pytest.mark.parametrize("theme", ["light", *full("dark")])
def test_words_are_strong_enough_and_the_page_is_accessible(shown, theme):
    result = failed("total--check-1", "total--hidden-check-1", "twice--hidden-check-1")
    html = page(TOTAL, result, {"bound": replace(MARK, lines=(3.0, 0.0))})
    opened = shown(html, color_scheme=theme, bypass_csp=True)
    opened.add_script_tag(path=AXE)
    assert opened.evaluate("axe.run('html').then(found => found.violations)") == []


def hostile(listener):
    """A result in which everything that comes from students is a hostile text, and the name of a student."""
    targets = SimpleNamespace(port=listener.port, canary="/etc/hostname")
    texts = list(vectors(targets).values()) + mutations(targets, 20260901, 250)
    chunks = [texts[start : start + 95] for start in range(0, len(texts), 95)]
    exercises, work, said = [], {}, {}
    for place, chunk in enumerate(chunks):
        exercise = replace(SHEET.exercises[0], label=f"e{place}")
        exercises.append(exercise)
        pieces = [Piece("markdown", text) for text in chunk]
        shown = [text[:2000] for text in chunk[::8]]
        pieces[::8] = [Piece("code", t, t, (t, t, t), (t,)) for t in shown]
        work[exercise.label], said[exercise.label] = Work(tuple(pieces), "f"), shown
    labels = [exercise.label for exercise in exercises]
    messages = {"twice--check-1": said["e0"][0], "twice--hidden-check-1": said["e0"][1]}
    corners = {"twice--hidden-check-1": said["e0"][2]}
    result = Result("k", {}, messages, {"twice--check-1": said["e0"][3]}, corners, work)
    scores = tuple(score(label, 0.0, 5.0) for label in labels)
    name = '</title><script src="//127.0.0.1/n"></script>"onmouseover="stolen=1'
    sheet = replace(SHEET, exercises=tuple(exercises))
    return replace(TOTAL, exercises=scores, student=Student("x", name)), result, sheet


WITHOUT_POLICY = re.compile('<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.mark.full
def test_hostile_texts_do_nothing_in_the_page_with_and_without_its_policy(browser, tmp_path):
    path = tmp_path / "page.html"
    with listening() as listener:
        total, result, sheet = hostile(listener)
        html = page(total, result, {}, sheet=sheet)
        for text in (html, WITHOUT_POLICY.sub("", html)):
            path.write_text(text, encoding="utf-8", errors="replace")
            assert what_happened(browser, path.as_uri(), listener) == []
