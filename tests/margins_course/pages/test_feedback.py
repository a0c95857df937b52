"""The page of feedback: what it says to a student, what it never tells, and that it does nothing."""

import base64
import hashlib
import json
import os
import re
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup

from margins_course.assignments.due_dates import LateRule
from margins_course.collecting.roster import Student
from margins_course.grading.results import Piece, Result, Work
from margins_course.grading.totals import CHANGED
from margins_course.pages import feedback, markdown, student_html
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


def page(sheet, total, result, marks, *more):
    """The page of a total that rests on a result and on marks."""
    return feedback.page(sheet, replace(total, result=result, marks=tuple(marks.items())), *more)


def text_of(html, place=None):
    """The words of a page, or of its card of one exercise."""
    soup = BeautifulSoup(html, "html.parser")
    part = soup.find("main") if place is None else soup.find(id=f"exercise-{place}")
    return " ".join(part.get_text(" ").split())


def test_it_names_the_student_the_assignment_and_the_total():
    html = page(SHEET, TOTAL, PASSED, MARKS)
    soup = BeautifulSoup(html, "html.parser")
    assert soup.h1.get_text() == "Sums"
    assert "Ada Lovelace" in soup.find("header").get_text()
    assert "9 of 14 points" in text_of(html)
    assert "2 exercises have full points; the others say what to try next." in text_of(html)
    assert [heading.name for heading in soup.find_all(re.compile("h[1-6]"))][:4] == ["h1", "h2", "h3", "h3"]


def test_full_points_get_a_kind_word_and_none_a_next_step():
    html = page(SHEET, TOTAL, failed("total--check-1", "total--hidden-check-1"), MARKS)
    assert "Full points. Well done!" in text_of(html, 1)
    assert "A next step. Read what the visible check says below" in text_of(html, 2)
    assert "The book has a hint." in text_of(html, 2)
    everything = replace(TOTAL, score=14.0, before_lateness=14.0)
    assert "Every exercise has full points. Congratulations!" in text_of(
        page(SHEET, everything, PASSED, MARKS)
    )


def test_each_check_says_what_it_may_say():
    result = failed(
        "twice--hidden-check-1",
        "total--check-1",
        "total--hidden-check-1",
        praise={"twice--check-1": "Right for three numbers."},
        corners={"twice--hidden-check-1": "one class only, $C$ infinite"},
    )
    messages = result.messages | {"total--check-1": "AssertionError: four ones make four"}
    html = page(SHEET, TOTAL, replace(result, messages=messages), MARKS)
    first, second = text_of(html, 1), text_of(html, 2)
    assert "The visible check passed. 2 of 2 points Right for three numbers." in first
    assert "A hidden check failed. It looks at this case: one class only," in first
    assert "The visible check failed. It says: 0 of 2 points four ones make four" in second
    assert "A hidden check was not tried, because the visible check fails." in second


def test_nothing_of_a_hidden_check_is_told():
    for names in (["twice--hidden-check-1"], ["total--check-1", "total--hidden-check-1"]):
        result = failed(*names, praise={"twice--hidden-check-1": SECRET})
        if len(names) == 2:
            result = replace(result, messages=result.messages | {"total--check-1": "AssertionError: seen"})
        assert SECRET not in page(SHEET, TOTAL, result, MARKS)


def test_the_answer_stands_in_its_card_with_what_it_did():
    html = page(SHEET, TOTAL, PASSED, MARKS)
    assert "def twice (x): return 2 * x printed" in text_of(html, 1)
    assert f'src="data:image/png;base64,{png()}"' in html
    assert "ZeroDivisionError: division" in text_of(html, 2)
    assert "triangle inequality" in text_of(html, 3)


def test_the_rubric_and_the_comment_are_shown_with_points():
    part = replace(MARK, lines=(3.0, 0.5), adjust=-0.5)
    said = text_of(page(SHEET, TOTAL, PASSED, {"bound": part}), 3)
    assert "is named. 3 of 3 points" in said
    assert "Nothing is missing. 0.5 of 1 point" in said
    assert "Your teacher took off 0.5 points by hand; the comment says why." in said
    assert "Comment A clear proof." in said


def test_what_waits_says_so_and_a_mark_of_another_answer_is_not_shown():
    waits = (*SCORES[:2], score("bound", None, 4.0, CHANGED))
    total = replace(TOTAL, exercises=waits, score=None, before_lateness=None)
    html = page(SHEET, total, PASSED, {"bound": replace(MARK, fingerprint="older")})
    assert "These are the points so far: 1 exercise waits to be read by your teacher." in text_of(html)
    assert "5 of 14 points" in text_of(html)
    assert "The answer changed after it was marked; your teacher will read it again." in text_of(html, 3)
    assert "clear proof" not in html
    assert "3 of 3" not in text_of(html, 3)


def test_of_an_empty_proof_nobody_said_anything():
    empty = replace(PASSED, work=WORK | {"bound": Work((), "b")})
    total = replace(TOTAL, exercises=(*SCORES[:2], score("bound", 0.0, 4.0)))
    said = text_of(page(SHEET, total, empty, {}), 3)
    assert "How this is marked" in said
    assert "What your teacher said" not in said
    assert "Nothing is written yet: begin with the statement" in said
    assert "Compare your answer" not in said


def test_what_stands_outside_of_the_exercises_is_shown():
    more = replace(PASSED, work=WORK | {"": Work((Piece("code", "from math import prod"),), "")})
    said = text_of(page(SHEET, TOTAL, more, MARKS))
    assert "set-up that you changed after the set-up that you were given. from math import prod" in said
    assert "Outside" not in text_of(page(SHEET, TOTAL, PASSED, MARKS))


def test_lateness_and_extensions_are_said_in_words():
    late = replace(
        TOTAL, standing=replace(STANDING, status="late", seconds_late=2170.0), factor=0.9, score=8.1
    )
    said = text_of(page(SHEET, late, PASSED, MARKS))
    assert "36 minutes late; by the assignment's rule this costs 10 %, so 9 became 8.1." in said
    until = datetime(2026, 10, 12, 23, 59, tzinfo=ZoneInfo("Europe/Berlin"))
    said = text_of(page(SHEET, TOTAL, PASSED, MARKS, until))
    assert "You had an extension until Monday, 12 October 2026, 23:59 (Europe/Berlin)." in said
    assert "late" not in said
    free = replace(late, factor=1.0, score=9.0)
    assert "late; this costs nothing." in text_of(page(SHEET, free, PASSED, MARKS))
    waits = replace(late, score=None, before_lateness=None, factor=1.0)
    waits = replace(waits, exercises=(*SCORES[:2], score("bound", None, 4.0)))
    said = text_of(page(SHEET, waits, PASSED, MARKS))
    assert (
        "36 minutes late; the assignment's rule for late work is applied when everything is marked." in said
    )
    grace = LateRule(0.1, None, timedelta(hours=1))
    assert "36 minutes late; this costs nothing." in text_of(page(SHEET, waits, PASSED, MARKS, None, grace))
    over = replace(late, factor=0.0, score=0.0)
    assert "this is too late for points." in text_of(page(SHEET, over, PASSED, MARKS))


def test_a_refused_submission_has_a_page_that_says_why_and_what_to_do():
    standing = replace(
        STANDING, status="refused", reason="the file <b>x.ipynb</b> is not JSON, or was cut off"
    )
    html = page(SHEET, replace(TOTAL, standing=standing, score=None, exercises=()), None, {})
    assert "it could not be marked: the file <b>x.ipynb</b> is not JSON, or was cut off." in text_of(html)
    assert "<b>" not in html
    assert "Hand it in again" in text_of(html)


def test_it_links_to_the_book_and_nowhere_else():
    html = page(SHEET, TOTAL, PASSED, MARKS)
    addresses = re.findall(r'(?:href|src)="([^"]*)"', html)
    assert "https://book.example.org/chapters/01_sums.html#twice" in addresses
    assert all(
        address.startswith(("https://book.example.org/", "#exercise-", "data:image/png"))
        for address in addresses
    )
    insecure = replace(
        SHEET, exercises=(replace(SHEET.exercises[0], page="javascript:x"), *SHEET.exercises[1:])
    )
    assert "javascript:" not in page(insecure, TOTAL, PASSED, MARKS)


def test_the_policy_allows_this_style_and_pictures_only():
    html = page(SHEET, TOTAL, PASSED, MARKS)
    style = re.search("<style>(.*)</style>", html, re.S)[1]
    known = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = BeautifulSoup(html, "html.parser").find("meta", {"http-equiv": True})["content"]
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{known}'; img-src data:;")
    assert "unsafe" not in policy
    assert "style=" not in html
    assert "url(" not in style


@pytest.fixture
def shown(browser, tmp_path):
    """`shown(html, width=..., theme=...)`: the page in the browser, with what the browser complains of."""
    contexts = []

    def show(html, width=1000, theme="light"):
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 844}, color_scheme=theme))
        opened = contexts[-1].new_page()
        opened.complaints = []
        opened.on("console", lambda message: opened.complaints.append(message.text))
        opened.goto((tmp_path / "page.html").as_uri())
        return opened

    yield show
    for context in contexts:
        context.close()


def test_it_fits_a_phone_and_its_style_is_allowed(shown):
    long = Piece("code", "x = '" + "y" * 500 + "'", "z" * 500, ("Error", "e" * 500, ""))
    result = replace(PASSED, work=WORK | {"total": Work((long, Piece("markdown", "w" * 500)), "s")})
    opened = shown(page(SHEET, TOTAL, result, MARKS), width=390)
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
        work = WORK | {
            "twice": Work((Piece("markdown", text), Piece("code", "'" + text), *[Piece("code", "1")] * 9))
        }
        opened = shown(page(SHEET, TOTAL, replace(PASSED, work=work), MARKS))
        answer = opened.locator("#exercise-1 .answer").bounding_box()
        above = {"x": 0, "y": 0, "width": 1000, "height": answer["y"]}
        heads.append(opened.screenshot(clip=above, full_page=True))
    assert heads == heads[:1] * len(heads)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_strong_enough_and_the_page_is_accessible(shown, theme):
    from tests.book.axe import AXE

    if not AXE.exists():
        assert os.environ.get("CI") != "true", "with CI=true axe must be there: run `make test`"
        pytest.skip("axe-core is missing: run `make test`")
    result = failed("total--check-1", "total--hidden-check-1", "twice--hidden-check-1")
    html = page(SHEET, TOTAL, result, {"bound": replace(MARK, lines=(3.0, 0.0))})
    opened = shown(html, theme=theme)
    session = opened.context.new_cdp_session(opened)  # past the policy, which lets no script in
    session.send("Runtime.evaluate", {"expression": AXE.read_text("utf8")})
    ran = session.send(
        "Runtime.evaluate",
        {
            "expression": "axe.run('html').then(found => JSON.stringify(found.violations))",
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    assert json.loads(ran["result"]["value"]) == []


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
    return sheet, replace(TOTAL, exercises=scores, student=Student("x", name)), result, {}


def tried(browser, html, listener, tmp_path):
    (tmp_path / "page.html").write_text(html, encoding="utf-8", errors="replace")
    return what_happened(browser, (tmp_path / "page.html").as_uri(), listener)


WITHOUT_POLICY = re.compile('<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.mark.full
def test_hostile_texts_do_nothing_in_the_page_with_and_without_its_policy(browser, tmp_path):
    with listening() as listener:
        html = page(*hostile(listener))
        assert tried(browser, html, listener, tmp_path) == []
        assert tried(browser, WITHOUT_POLICY.sub("", html), listener, tmp_path) == []


def small(listener):
    """A few of the hostile texts, for what must be found when the defence is weakened."""
    known = vectors(SimpleNamespace(port=listener.port, canary="/etc/hostname"))
    names = ("html 3", "torn 1", "torn 2", "torn 3", "markdown 1", "markdown 2")
    pieces = tuple(Piece("markdown", known[name]) for name in names)
    return SHEET, TOTAL, replace(PASSED, work=WORK | {"twice": Work(pieces, "t")}), MARKS


def test_this_test_would_find_text_that_is_not_cleaned(browser, tmp_path, monkeypatch):
    parser = markdown._parser
    monkeypatch.setattr(markdown, "_parser", lambda _: parser(True))
    monkeypatch.setattr(student_html, "STUDENTS", SimpleNamespace(clean=lambda html: html))
    with listening() as listener:
        html = page(*small(listener))
        found = tried(browser, WITHOUT_POLICY.sub("", html), listener, tmp_path)
    assert any("onerror" in what for what in found)
    assert "GET /js" in found


def test_this_test_would_find_text_that_is_cleaned_before_it_is_rendered(browser, tmp_path, monkeypatch):
    parser, clean = markdown._parser, student_html.STUDENTS.clean
    monkeypatch.setattr(markdown, "_parser", lambda _: parser(True))
    monkeypatch.setattr(
        student_html,
        "render_markdown",
        lambda text, setter, **_: markdown.render_markdown(clean(text), setter),
    )
    monkeypatch.setattr(student_html, "STUDENTS", SimpleNamespace(clean=lambda html: html))
    with listening() as listener:
        found = tried(browser, page(*small(listener)), listener, tmp_path)
    assert f"<a href=http://127.0.0.1:{listener.port}/c>" in found
