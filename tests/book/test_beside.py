"""Figures beside the text: of what is read on wide screens, on small ones pinned while spoken of."""

import datetime

import pytest
from playwright.sync_api import expect

from tests.book.conftest import SCREENS
from tests.book.figures import explorables
from tests.book.test_every_page import LAY_OUT

MODELS = ["chapters/03_softmax_kernel.html", "chapters/06_attention_svm.html"]
SETTLED = 400  # milliseconds until a figure has come and faded in
SEES_A_FIGURE = """() => [...document.querySelectorAll(".explorable-frame, .figure-stage")].some(frame => {
    const holder = frame.closest(".cell_output") ?? frame;
    if (getComputedStyle(holder).opacity === "0") return false;
    const {top, bottom, height} = frame.getBoundingClientRect();
    return height > 0 && Math.min(bottom, innerHeight) - Math.max(top, 0) > height / 2;
})"""
IS_WITH_ITS_FIGURE = """pointer => {
    const named = pointer.dataset.figure ?? pointer.hash?.slice(1);
    const own = () => pointer.closest(".cell_output").querySelector("figure");
    const figure = named ? document.getElementById(named) : own();
    const isSeen = element => {
        const {top, bottom, left, right} = element.getBoundingClientRect();
        const fits = top >= -1 && bottom <= innerHeight + 1 && left >= -1 && right <= innerWidth + 1;
        return bottom > top && fits;
    };
    const pin = `.pin:not([hidden])[data-figure="${figure.id}"]`;
    const panels = [...document.querySelectorAll(`:is(#${figure.id}, ${pin}) .explorable-panel`)];
    return isSeen(pointer) && panels.some(isSeen);
}"""
SHIFTS = """globalThis.shifted = 0;
const add = shifts => shifts.forEach(shift => { if (!shift.hadRecentInput) shifted += shift.value; });
new PerformanceObserver(all => add(all.getEntries()))
    .observe({type: "layout-shift", buffered: true});"""


def card(page):
    """The figure that stands beside the text."""
    return page.locator(".docks > .cell_output.active figure")


def go_to(page, words):
    page.get_by_role("heading", name=words, exact=True).evaluate("heading => heading.scrollIntoView()")


def read(page, part):
    """Puts a part of the page in the middle of the screen, where it stays: all above it is laid out."""
    page.evaluate("document.fonts.ready")
    page.evaluate(LAY_OUT)
    part.evaluate("part => part.scrollIntoView({block: 'center'})")


def test_the_figure_of_the_section_stands_beside_it(visit):
    with visit(MODELS[0], screen="laptop") as page:
        expect(card(page)).to_have_id("ex-votes")
        go_to(page, "What a long key does")
        expect(card(page)).to_have_id("ex-twelve-tokens")
        go_to(page, "No finite factorisation")
        expect(card(page)).to_have_id("ex-votes")  # the chapter's first where there is none
        box = card(page).bounding_box()
        assert box["x"] > page.locator("article").bounding_box()["x"] + 600
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800


@pytest.mark.parametrize("screen", ["laptop", "wide"])
@pytest.mark.parametrize("path", MODELS)
def test_every_card_fits_the_window_without_scrolling_inside(visit, path, screen):
    with visit(path, screen=screen) as page:
        for name in page.locator(".docks figure").evaluate_all("figures => figures.map(figure => figure.id)"):
            page.evaluate("name => { location.hash = name; }", name)
            expect(card(page)).to_have_id(name)
            inside = page.locator(".docks > .cell_output.active")
            assert inside.evaluate("card => card.scrollHeight <= card.clientHeight"), f"{name} is cut off"


@pytest.mark.parametrize("screen", ["laptop", "wide", "phone"])
@pytest.mark.parametrize("path", MODELS)
def test_each_word_and_symbol_that_points_is_on_the_screen_with_its_figure(visit, path, screen):
    with visit(f"{path}?depth=everything", screen=screen, has_touch=screen == "phone") as page:
        pointers = page.locator("article .points-at")
        assert pointers.count() > 3
        for pointer in pointers.all():
            pointer.evaluate("pointer => pointer.scrollIntoView({block: 'center'})")
            pointer.tap() if screen == "phone" else pointer.hover()
            page.wait_for_timeout(SETTLED)
            assert pointer.evaluate(IS_WITH_ITS_FIGURE), pointer.text_content()


@pytest.mark.parametrize(("screen", "least"), [("laptop", 7), ("wide", 7), ("phone", 18)])
@pytest.mark.parametrize("path", MODELS)
def test_each_question_is_on_the_screen_with_its_figure(visit, path, screen, least):
    """A card shows one question at a time, a phone all of them below the figure."""
    with visit(f"{path}?depth=everything", screen=screen) as page:
        questions = page.locator("article .explorable-prompts > li:not(.stepper)").all()
        shown = [question for question in questions if question.is_visible()]
        assert len(shown) >= least
        for question in shown:
            question.evaluate("question => question.scrollIntoView({block: 'center'})")
            page.wait_for_timeout(SETTLED)
            assert question.evaluate(IS_WITH_ITS_FIGURE), question.text_content()


@pytest.mark.parametrize(("screen", "share"), [("laptop", 0.8), ("phone", 0.7)])
@pytest.mark.parametrize("path", MODELS)
def test_a_figure_is_seen_at_most_places_and_nothing_shifts(visit, path, screen, share):
    with visit(path, screen=screen, has_touch=screen == "phone") as page:
        page.evaluate(SHIFTS)
        seen, y = [], 0
        end = "document.querySelector('#quiz').getBoundingClientRect().top + scrollY - innerHeight"
        while y < page.evaluate(end):
            page.evaluate("y => scrollTo({top: y, behavior: 'instant'})", y)
            page.wait_for_timeout(SETTLED)
            seen.append(page.evaluate(SEES_A_FIGURE))
            y += SCREENS[screen]["height"]
        assert sum(seen) >= share * len(seen)
        assert page.evaluate("shifted") < 0.01


def test_put_into_the_text_and_back_is_remembered_and_loses_no_place(visit):
    with visit(MODELS[1], screen="laptop") as page:
        page.get_by_role("button", name="Put into the text").first.click()
        expect(page.locator("html")).to_have_attribute("data-dock", "off")
        expect(card(page)).to_have_count(0)
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-dock", "off")
        figure = page.locator("#ex-trajectory")
        assert figure.bounding_box()["x"] == pytest.approx(page.locator("article").bounding_box()["x"], abs=1)
        page.get_by_role("button", name="Put beside the text").first.click()
        expect(card(page)).to_have_id("ex-trajectory")


def test_a_link_brings_a_figure_and_the_reader_stays(visit):
    with visit(MODELS[1], screen="laptop") as page:
        link = page.locator("article a[href^='#ex-']:not(.points-at, .headerlink):visible").first
        link.evaluate("link => link.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(SETTLED)
        y, name = page.evaluate("scrollY"), link.evaluate("link => link.hash.slice(1)")
        link.click()
        expect(card(page)).to_have_id(name)
        assert page.evaluate("scrollY") == y


def test_the_address_does_not_take_the_reader_away_from_another_figure(visit):
    """An address is gone to twice, the second time when the page has come to rest."""
    with visit(MODELS[1], screen="laptop") as page:
        page.clock.install()
        page.clock.pause_at(datetime.datetime(2100, 1, 1))
        _, named, other, *_ = explorables(MODELS[1])
        page.evaluate("name => { location.hash = name; }", named)
        expect(card(page)).to_have_id(named)
        page.locator(f"#{other} .explorable-reset").focus()
        expect(card(page)).to_have_id(other)
        page.clock.run_for(2 * SETTLED)
        expect(card(page)).to_have_id(other)


def test_one_question_at_a_time(visit):
    with visit(MODELS[1], screen="laptop") as page:
        questions = page.locator(".cell_output.active .explorable-prompts > li:not(.stepper)")
        assert [question.is_visible() for question in questions.all()] == [True, False, False]
        page.get_by_role("button", name="Next question").first.click()
        assert [question.is_visible() for question in questions.all()] == [False, True, False]


def test_on_a_phone_a_tap_opens_the_figure_whole_and_leads_back(visit):
    with visit(MODELS[1], screen="phone", has_touch=True) as page:
        read(page, page.get_by_text("Each token pulls at its logit"))
        pin = page.locator(".pin:not([hidden])")
        expect(pin).to_have_attribute("data-figure", "ex-trajectory")
        y = page.evaluate("scrollY")
        page.get_by_role("button", name="Open", exact=True).tap()
        sheet = page.locator(".cell_output.sheet")
        expect(sheet.get_by_role("slider", name="training steps")).to_be_visible()
        page.get_by_role("button", name="Back to the text").tap()
        expect(sheet).to_have_count(0)
        assert page.evaluate("scrollY") == pytest.approx(y, abs=2)
        expect(page.get_by_role("button", name="Open", exact=True)).to_be_focused()


def test_the_panel_that_the_text_speaks_of_is_pinned(visit):
    """A telephone has room for one panel: that with the mark at which what is read points."""
    with visit(MODELS[0], screen="phone") as page:
        for place, mark in (("#attention-by-hand p:has-text('Logits.')", "query"), (FORMULA, "entries")):
            read(page, page.locator(place).first)
            shown = page.locator(f".pin:not([hidden]) .explorable-panel [data-l='{mark}']")
            expect(shown.first).to_be_attached()
            assert page.locator(".pin .explorable-panel").count() == 1


FORMULA = "[id='equation-softmax-attention'] [data-light='entries']"


def test_the_text_moves_the_figure_beside_it(visit):
    with visit(MODELS[1], screen="laptop", reduced_motion="reduce") as page:
        read(page, page.get_by_text("Each token pulls at its logit"))
        expect(page.locator("#ex-trajectory output")).to_contain_text("Training W, 5 steps")
        for mark in page.locator('#ex-trajectory [data-aside="average"]').all():
            expect(mark).to_have_css("visibility", "visible")


def test_paper_has_every_figure_in_its_place(visit):
    with visit(MODELS[1], screen="laptop") as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        expect(card(page)).to_have_count(0)
        for figure in page.locator(".docks figure").all():
            expect(figure).to_have_css("opacity", "1")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
