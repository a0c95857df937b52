"""Card, pin and opened figure at twice the size of letters, and in the reader's own few colours."""

import pytest
from playwright.sync_api import expect

from tests.book.figures import explorables
from tests.book.test_beside import MODELS, card, read

pytestmark = pytest.mark.full

PATH = MODELS[1]
SPOKEN = "Which tokens does a step of gradient"
TWICE = {"width": 640, "height": 400}  # a window of 1280 x 800 at 200 %
# What separates a box from the text beside or below it: an edge of another colour than its ground.
EDGES = """box => ["Top", "Right", "Bottom", "Left"].filter(side => {
    const style = getComputedStyle(box), width = parseFloat(style[`border${side}Width`]);
    return width >= 1 && style[`border${side}Style`] !== "none"
        && style[`border${side}Color`] !== style.backgroundColor;
})"""
# What of a box is outside it or outside the window, and texts that are longer than their place.
CUT_OFF = """box => {
    const outer = box.getBoundingClientRect(), scrolls = getComputedStyle(box).overflowY === "auto";
    const parts = [...box.querySelectorAll("p, button, output, label, figcaption, .explorable-panel")]
        .filter(part => part.checkVisibility({opacityProperty: true}) && part.getBoundingClientRect().width);
    const sticksOut = part => {
        const {left, right, top, bottom} = part.getBoundingClientRect();
        const isAcross = left < Math.max(outer.left, 0) - 1 || right > Math.min(outer.right, innerWidth) + 1;
        return isAcross || (!scrolls && (top < outer.top - 1 || bottom > outer.bottom + 1));
    };
    const isCut = part => part.matches("button, label, figcaption, output")
        && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline";
    return parts.filter(part => sticksOut(part) || isCut(part))
        .map(part => `${part.localName} ${part.className} ${part.textContent.trim().slice(0, 40)}`);
}"""


@pytest.fixture(scope="module")
def enlarged(visit):
    """A model chapter at 200 %, in forced colours, at a paragraph that speaks of a figure."""
    with visit(PATH, has_touch=True, forced_colors="active") as page:
        page.set_viewport_size(TWICE)
        read(page, page.get_by_text(SPOKEN))
        yield page


def test_the_pin_has_an_edge_and_nothing_of_it_is_cut_off(enlarged):
    pin = enlarged.locator(".pin:not([hidden])")
    expect(pin).to_have_attribute("data-figure", "ex-trajectory")
    for folded in ("Unfold", "Fold"):
        assert "Bottom" in pin.evaluate(EDGES)
        assert pin.evaluate(CUT_OFF) == []
        assert pin.bounding_box()["height"] < TWICE["height"] / 2, "little of the text is left"
        pin.get_by_role("button", name=folded, exact=True).click()
    assert enlarged.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_opened_figure_has_all_its_parts_across(enlarged):
    enlarged.get_by_role("button", name="Open", exact=True).tap()
    sheet = enlarged.locator(".cell_output.sheet")
    expect(sheet.get_by_role("slider", name="training steps")).to_be_attached()
    assert sheet.evaluate(CUT_OFF) == []
    back = enlarged.get_by_role("button", name="Back to the text")
    assert len(back.evaluate(EDGES)) == 4
    back.tap()
    expect(sheet).to_have_count(0)


@pytest.mark.parametrize("path", MODELS)
def test_every_card_has_an_edge_and_nothing_of_it_is_cut_off(visit, path):
    with visit(path, screen="laptop", forced_colors="active", reduced_motion="reduce") as page:
        for name in explorables(path):
            if page.locator(f".docks #{name}").count():
                page.evaluate("name => { location.hash = name; }", name)
                expect(card(page)).to_have_id(name)
                beside = page.locator(".docks > .cell_output.active")
                assert "Left" in beside.evaluate(EDGES), name
                assert beside.evaluate(CUT_OFF) == [], name
