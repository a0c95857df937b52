"""Every figure that moves, under a finger: on a phone, in the dark."""

import pytest
from playwright.sync_api import expect

from tests.book.axe import THIN
from tests.book.figures import UNDER_A_POINT, each_figure, ready, shown
from tests.explorable.conftest import centre

pytestmark = pytest.mark.full

PLACE_IN_VIEW = """figure => {
    const place = figure.spacer?.isConnected ? figure.spacer : figure.querySelector(".explorable-frame");
    place.scrollIntoView({block: "center", behavior: "instant"});
}"""
CLEAR_OF_THE_BAR = "part => part.scrollIntoView({block: 'center', behavior: 'instant'})"


@pytest.fixture(scope="module")
def opened(visit, request):
    """One page of the book on a phone, open while all of its figures are touched."""
    with visit(f"{request.param}?depth=everything", screen="phone", theme="dark", has_touch=True) as page:
        page.evaluate(THIN)
        yield page


@each_figure
def test_points_follow_the_finger_and_texts_are_legible(opened, name):
    figure = ready(opened, name)
    assert figure.evaluate(UNDER_A_POINT) == []
    for point in figure.locator("[data-handle]").all():
        follows_the_finger(opened, figure, point)
    figure.locator(".explorable-numbers summary").click()
    expect(figure.locator(".explorable-numbers tbody tr").first).to_be_visible()
    sizes = figure.locator(".explorable-panel svg text").evaluate_all(
        "texts => texts.map(t => "
        "t.getAttribute('font-size') * t.ownerSVGElement.getBoundingClientRect().width / 360)"
    )
    assert min(sizes) >= 11
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def follows_the_finger(page, figure, point):
    point.evaluate(CLEAR_OF_THE_BAR)
    first, touch, (x, y) = shown(figure), page.context.new_cdp_session(page), centre(point)
    for kind, (dx, dy) in (("touchStart", (0, 0)), ("touchMove", (25, 20)), ("touchMove", (50, 45))):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + dx, "y": y + dy}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert shown(figure)[0] != first[0], "the finger does not move the point"
