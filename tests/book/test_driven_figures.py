"""Figures drawn by the reader's own answer: below the exercise, following each check, put away again."""

import pytest
from playwright.sync_api import expect

from tests.book.axe import serious_faults
from tests.book.exercise_in_page import COLD, Exercise, solution

pytestmark = pytest.mark.full

LABEL = "svm-intercept"
PAGE, SOLUTION = solution(LABEL)
HEAD = "def intercept(alpha, X, y, C):\n"
MINE, OWN = "#ex-soft-margin-by-you", "#ex-soft-margin"
SECONDS = {"timeout": COLD}
FRAME = """name => {
    const { frame } = document.querySelector(name).view;
    return frame.marks.map(({ k, n }) => [k, n.map(x => Math.round(1e3 * x) / 1e3)]);
}"""
MOVE = "([name, C]) => document.querySelector(name).view.move({ C, data: 0 })"
FORGET = """import(document.body.dataset.pythonInPage.replace(/page.js$/, "python.js"))
    .then(({ python }) => python.stop("Stopped."))"""


@pytest.fixture(scope="module")
def exercise(visit):
    with visit(f"{PAGE}?depth=everything") as page:
        yield Exercise(page, LABEL).open()


def said(exercise):
    return exercise.page.locator(".driven .verdict")


def marks(exercise, name, C):
    """The marks of a figure with its control brought to another place and to `C`."""
    page = exercise.page
    page.evaluate(MOVE, [name, 0])
    expect(page.locator(f"{name} output")).to_contain_text("C = 0.01", **SECONDS)
    page.evaluate(MOVE, [name, C])
    expect(page.locator(f"{name} output")).not_to_contain_text("C = 0.01", **SECONDS)
    return page.evaluate(FRAME, name)


@pytest.mark.parametrize(
    ("code", "words", "detail"),
    [
        (None, "Nothing is written here yet", ""),
        (
            HEAD + "    return y / nothing",
            "name 'nothing' is not defined",
            "your answer, line 2, in intercept",
        ),
    ],
)
def test_the_stub_and_an_answer_that_stops_draw_nothing_and_say_so(exercise, code, words, detail):
    if code:
        exercise.code.fill(code)
    exercise.button("Draw with my code").click()
    expect(said(exercise)).to_contain_text(words, **SECONDS)
    assert detail in exercise.page.locator(".driven").inner_text()
    assert exercise.page.locator(MINE).count() == 0


def test_a_right_answer_draws_what_the_page_has(exercise):
    exercise.code.fill(SOLUTION)
    exercise.button("Draw with my code").click()
    expect(said(exercise)).to_contain_text("each free point stands on its kerb", **SECONDS)
    caption = exercise.page.locator(f"{MINE} figcaption")
    number = exercise.page.locator(f"{OWN} .caption-number").text_content().strip()
    assert caption.inner_text() == f"{number}, drawn with your function."
    own = marks(exercise, OWN, 48)
    assert len(own) > 40
    assert marks(exercise, MINE, 48) == own


def test_the_figure_follows_what_is_checked(exercise):
    right = marks(exercise, MINE, 48)
    assert exercise.check(HEAD + "    return 0.7")[0] == "wrong"
    expect(said(exercise)).to_contain_text("A free point", **SECONDS)
    expect(exercise.button("Draw with my code")).to_be_enabled(**SECONDS)
    wrong = marks(exercise, MINE, 48)
    moved = [name for name, place in wrong if [name, place] not in right]
    assert {"boundary", "kerb +1", "kerb −1"} <= set(moved)
    assert "point 3" not in moved


def test_the_page_s_own_figure_stays_and_the_other_is_made_again_if_python_was_started_anew(exercise):
    before = marks(exercise, MINE, 48)
    assert marks(exercise, OWN, 48) != before
    assert exercise.page.locator(OWN).get_attribute("data-source") == "baked"
    exercise.page.evaluate(FORGET)
    assert marks(exercise, MINE, 48) == before


def test_the_drawing_is_accessible_fits_a_phone_and_is_put_away_again(exercise):
    page = exercise.page
    assert not serious_faults(page, "drawn", ".driven")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Put away").click()
    assert page.locator(".driven").count() == 0
    expect(exercise.button("Draw with my code")).to_be_focused()
    assert exercise.check(SOLUTION)[0] == "right"
    assert page.locator(MINE).count() == 0
