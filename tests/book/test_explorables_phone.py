"""Every figure that moves, under a finger: on a phone, in the dark."""

import pytest
from playwright.sync_api import expect

from tests.book.axe import THIN
from tests.book.figures import each_figure, no_label_is_under_a_point, ready, shown
from tests.book.test_explorables import REACH
from tests.explorable.conftest import centre

pytestmark = pytest.mark.full

CLEAR_OF_THE_BAR = "part => part.scrollIntoView({block: 'center', behavior: 'instant'})"


@pytest.fixture(scope="module")
def opened(visit, request):
    """One page of the book on a phone, open while all of its figures are touched."""
    with visit(f"{request.param}?depth=everything", screen="phone", theme="dark", has_touch=True) as page:
        page.path = request.param
        page.evaluate(THIN)
        yield page


@each_figure
def test_points_follow_the_finger_and_texts_are_legible(opened, name):
    figure = ready(opened, name)
    no_label_is_under_a_point(opened, figure)
    for point in figure.locator("[data-handle]").all():
        follows_the_finger(opened, figure, point)
    numbers = figure.locator(".explorable-numbers")
    if numbers.is_visible():  # the marks of some figures report nothing
        numbers.locator("summary").click()
        expect(numbers.locator("tbody tr").first).to_be_visible()
    sizes = figure.locator(".explorable-panel svg text").evaluate_all(
        "texts => texts.map(t => "
        "t.getAttribute('font-size') * t.ownerSVGElement.getBoundingClientRect().width / 360)"
    )
    assert min(sizes) >= 11
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def follows_the_finger(page, figure, point):
    point.evaluate(CLEAR_OF_THE_BAR)
    first, touch, (x, y) = shown(figure), page.context.new_cdp_session(page), centre(point)
    across = 1 if x + 1 < figure.evaluate(REACH, point.get_attribute("data-handle"))[0][1] else -1
    for kind, (dx, dy) in (("touchStart", (0, 0)), ("touchMove", (25, 20)), ("touchMove", (50, 45))):
        touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + across * dx, "y": y + dy}]}
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert shown(figure)[0] != first[0], "the finger does not move the point"
