"""Figures beside the text: of what is read on wide screens, on small ones pinned while spoken of."""

import datetime

import pytest
from playwright.sync_api import expect

from conftest import full
from tests.book.test_every_page import LAY_OUT

MODELS = ["chapters/03_softmax_kernel.html", "chapters/06_attention_svm.html"]
FIRST, GUESSED = "chapters/01_svm_duality.html", "chapters/04_nadaraya_watson.html"
IN_TEXT = "chapters/01_svm_duality.html"  # its figure with little text stays there
SETTLED = 400  # milliseconds until a figure has come and faded in
SMALLEST_LETTERS = """figure => Math.min(...[...figure.querySelectorAll("svg")].flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize) * scale);
}))"""
LINES_OF_A_LONG_TEXT = """p => {
    p.textContent = "many words ".repeat(40);
    return p.clientHeight / parseFloat(getComputedStyle(p).lineHeight);
}"""
ABOVE_THE_EDGE = """svg => [...svg.querySelectorAll("text[data-l]")]
    .filter(text => text.getBoundingClientRect().bottom < svg.getBoundingClientRect().top + 12)
    .map(text => text.textContent)"""
END_AT = """(frame, line) => scrollBy({
    top: frame.getBoundingClientRect().bottom - line, behavior: "instant",
})"""


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
        go_to(page, "Why the square root")
        expect(card(page)).to_have_id("fig-attended")
        go_to(page, "No finite factorisation")
        expect(card(page)).to_have_id("ex-prefactor")  # which its text sets, as it has none itself
        box = card(page).bounding_box()
        assert box["x"] > page.locator("article").bounding_box()["x"] + 600
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800


@pytest.mark.full
@pytest.mark.parametrize("screen", ["laptop", "wide"])
@pytest.mark.parametrize("path", MODELS)
def test_every_card_fits_the_window_without_scrolling_inside(visit, path, screen):
    with visit(path, screen=screen) as page:
        for name in page.locator(".docks figure").evaluate_all("figures => figures.map(figure => figure.id)"):
            page.evaluate("name => { location.hash = name; }", name)
            expect(card(page)).to_have_id(name)
            inside = page.locator(".docks > .cell_output.active")
            assert inside.evaluate("card => card.scrollHeight <= card.clientHeight"), f"{name} is cut off"
            caption = inside.locator("figcaption")
            cut = caption.evaluate("caption => caption.scrollHeight > caption.clientHeight + 1")
            assert not cut, f"the caption of {name} is cut"


@pytest.mark.full
@pytest.mark.parametrize("width", [1200, 1280])
def test_the_way_back_to_the_text_is_seen_whole_beside_it(visit, width):
    with visit(MODELS[1], screen="laptop") as page:
        page.set_viewport_size({"width": width, "height": 800})
        read(page, page.get_by_text("has three factors"))
        line = card(page).locator(".explorable-follows")
        expect(line).to_have_text("Follows the text")
        card(page).get_by_role("slider").first.press("ArrowLeft")
        expect(line.get_by_role("button", name="Follow the text")).to_be_visible()
        assert line.evaluate("line => line.scrollWidth <= line.clientWidth")
        right = line.bounding_box()["x"] + line.bounding_box()["width"]
        assert right < card(page).locator("xpath=..").locator(".into-text").bounding_box()["x"]


@pytest.mark.full
def test_letters_of_small_panels_beside_the_text_are_enlarged(visit):
    with visit(FIRST, screen="laptop") as page:
        for name in ("ex-street", "ex-soft-margin", "ex-race"):
            page.evaluate("name => { location.hash = name; }", name)
            expect(card(page)).to_have_id(name)
            assert card(page).evaluate(SMALLEST_LETTERS) > 9.5, name


@pytest.mark.full
@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_no_other_figure_is_beside_one_that_stays_in_the_text_or_over_it(visit, screen):
    with visit(FIRST, screen=screen) as page:
        shown = card(page) if screen == "laptop" else page.locator(".pin:not([hidden])")
        read(page, page.get_by_text("The idea is to replace rules by charges"))
        expect(shown).to_have_count(1)
        read(page, page.locator("#fig-dual-plane .figure-stage"))
        expect(shown).to_have_count(0)
        read(page, page.get_by_text("The idea is to replace rules by charges"))
        expect(shown).to_have_count(1)


def test_the_arrow_of_a_guess_is_beside_the_text_while_its_question_is(visit):
    with visit(GUESSED, screen="laptop") as page:
        page.evaluate("location.hash = 'ex-inside-the-hull'")
        expect(card(page)).to_have_id("ex-inside-the-hull")
        arrow = card(page).locator(".explorable-guess, .explorable-guess-shaft")
        assert [part.is_visible() for part in arrow.all()] == [True, True]
        page.locator(".cell_output.active").get_by_role("button", name="Next question").click()
        assert [part.is_visible() for part in arrow.all()] == [False, False]


@pytest.mark.parametrize("width", [1200, *full(1280)])
def test_two_panels_in_the_text_stand_side_by_side(visit, width):
    with visit(f"{IN_TEXT}?depth=everything#ex-rotation", screen="laptop") as page:
        page.set_viewport_size({"width": width, "height": 800})
        first, second = page.locator("#ex-rotation .explorable-panel").all()
        assert first.bounding_box()["y"] == second.bounding_box()["y"]


@pytest.mark.full
def test_a_symbol_says_what_it_stands_for_and_a_word_nothing_again(visit):
    with visit(MODELS[0], screen="laptop") as page:
        meaning = page.locator(".explorable-meaning")
        read(page, page.locator(FORMULA).first)
        page.locator(FORMULA).first.hover()
        expect(meaning).to_be_visible()
        word = page.locator("#attention-by-hand a.points-at").first
        word.hover()
        expect(word).to_contain_class("lights")
        expect(meaning).to_be_hidden()


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


@pytest.mark.full
def test_the_address_does_not_take_the_reader_away_from_another_figure(visit):
    """An address is gone to twice, the second time when the page has come to rest."""
    with visit(MODELS[1], screen="laptop") as page:
        page.clock.install()
        page.clock.pause_at(datetime.datetime(2100, 1, 1))
        named, other = "ex-hold", "ex-regularised"
        page.evaluate("name => { location.hash = name; }", named)
        expect(card(page)).to_have_id(named)
        page.locator(f"#{other} .explorable-reset").focus()
        expect(card(page)).to_have_id(other)
        page.clock.run_for(2 * SETTLED)
        expect(card(page)).to_have_id(other)


@pytest.mark.full
def test_one_question_at_a_time(visit):
    with visit(MODELS[1], screen="laptop") as page:
        questions = page.locator(".cell_output.active .explorable-prompts > li:not(.stepper)")
        assert [question.is_visible() for question in questions.all()] == [True, False, False]
        page.get_by_role("button", name="Next question").first.click()
        assert [question.is_visible() for question in questions.all()] == [False, True, False]


@pytest.mark.full
@pytest.mark.parametrize("screen", ["phone", "tablet", "small desktop"])
def test_where_there_is_no_room_beside_a_tap_opens_the_figure_whole_and_leads_back(visit, screen):
    with visit(MODELS[1], screen=screen, has_touch=True) as page:
        read(page, page.get_by_text("Which tokens does a step of gradient"))
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


@pytest.mark.full
def test_the_panel_that_the_text_speaks_of_is_pinned(visit):
    """A telephone has room for one panel: that with the mark at which what is read points."""
    with visit(MODELS[0], screen="phone") as page:
        for place, mark in (("#attention-by-hand p:has-text('Logits.')", "query"), (FORMULA, "entries")):
            read(page, page.locator(place).first)
            shown = page.locator(f".pin:not([hidden]) .explorable-panel [data-l='{mark}']")
            expect(shown.first).to_be_attached()
            assert page.locator(".pin .explorable-panel").count() == 1
    with visit("chapters/07_local_optima.html", screen="phone") as page:  # "squares" are marks of one kind
        read(page, page.get_by_text("Now turn the second query"))
        expect(page.locator(".pin:not([hidden]) [data-l='optimal 1 1']")).to_be_attached()


FORMULA = "[id='equation-softmax-attention'] [data-light='entries']"


@pytest.mark.full
def test_the_pin_ends_with_a_whole_line_and_no_letter_is_cut_at_its_edge(visit):
    with visit(FIRST, screen="phone") as page:
        read(page, page.get_by_role("heading", name="The dual"))
        pin = page.locator(".pin:not([hidden])")
        expect(pin).to_have_attribute("data-figure", "ex-street")
        assert pin.locator("p").evaluate(LINES_OF_A_LONG_TEXT) <= 6.1
        assert pin.locator("svg").evaluate(ABOVE_THE_EDGE) == []


@pytest.mark.full
def test_the_pin_waits_while_it_would_hide_more_of_the_drawing_than_it_shows(visit):
    with visit(MODELS[0], screen="phone") as page:
        read(page, page.locator("#ex-votes output"))
        shown, header = page.locator(".pin:not([hidden])"), page.locator("header.book")
        for left, pinned in ((120, 1), (240, 0)):
            line = header.evaluate("(header, left) => header.getBoundingClientRect().bottom + left", left)
            page.locator("#ex-votes .explorable-frame").evaluate(END_AT, line)
            expect(shown).to_have_count(pinned)


def test_the_text_moves_the_figure_beside_it(visit):
    with visit(MODELS[1], screen="laptop", reduced_motion="reduce") as page:
        read(page, page.get_by_text("has three factors"))
        expect(page.locator("#ex-trajectory output")).to_contain_text("Training W, 5 steps")
        for mark in page.locator('#ex-trajectory [data-aside="average"]').all():
            expect(mark).to_have_css("visibility", "visible")


@pytest.mark.full
def test_paper_has_every_figure_in_its_place(visit):
    with visit(MODELS[1], screen="laptop") as page:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        expect(card(page)).to_have_count(0)
        for figure in page.locator(".docks figure").all():
            expect(figure).to_have_css("opacity", "1")
        page.evaluate("dispatchEvent(new Event('afterprint'))")


@pytest.mark.full
def test_what_is_far_off_is_not_laid_out_to_find_the_part_that_is_read(visit):
    layouts = "metrics => metrics.find(metric => metric.name === 'LayoutCount').value"
    with visit(MODELS[1], screen="phone") as page:
        console = page.context.new_cdp_session(page)
        console.send("Performance.enable")

        def count():
            return page.evaluate(layouts, console.send("Performance.getMetrics")["metrics"])

        page.evaluate("() => document.body.offsetHeight")
        before = count()
        above = page.evaluate(
            """async () => {
            const { isAbove } = await import(document.querySelector('script[src*="explorable.js"]').src);
            return [...document.querySelectorAll(".beside-from, .explorable-state")]
                .filter(part => isAbove(part, innerHeight)).length;
        }"""
        )
        assert above >= 1
        assert count() - before <= 2
