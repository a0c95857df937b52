"""Figures beside the text: of what is read on wide screens, on small ones pinned while spoken of."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from tests.book.conftest import SCREENS
from tests.book.test_every_page import LAY_OUT

MODELS = ["chapters/03_softmax_kernel.html", "chapters/06_attention_svm.html"]
FIRST, GUESSED = "chapters/01_svm_duality.html", "chapters/04_nadaraya_watson.html"
SMALL = ("ex-street", "ex-soft-margin", "ex-race")  # panels of the first chapter
SPOKEN = "Which tokens does a step of gradient"  # begins a paragraph about ex-trajectory
TWICE = {"width": 640, "height": 400}  # a window of 1280 x 800 at 200 %
SETTLED = 400  # milliseconds until a figure has come and faded in
SMALLEST_LETTERS = """figure => Math.min(...[...figure.querySelectorAll("svg")].flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize) * scale);
}))"""
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
@pytest.mark.parametrize("path", [*MODELS, FIRST])
def test_every_card_fits_the_window_and_nothing_of_it_is_cut_off(visit, path, screen):
    """Letters of small panels are enlarged there; in the reader's own few colours the card has an edge."""
    with visit(path, screen=screen, reduced_motion="reduce") as page:
        for name in page.locator(".docks figure").evaluate_all("figures => figures.map(figure => figure.id)"):
            page.evaluate("name => { location.hash = name; }", name)
            expect(card(page)).to_have_id(name)
            inside = page.locator(".docks > .cell_output.active")
            assert inside.evaluate("card => card.scrollHeight <= card.clientHeight"), f"{name} is cut off"
            caption = inside.locator("figcaption")
            cut = caption.evaluate("caption => caption.scrollHeight > caption.clientHeight + 1")
            assert not cut, f"the caption of {name} is cut"
            assert name not in SMALL or card(page).evaluate(SMALLEST_LETTERS) > 9.5, name
            page.emulate_media(forced_colors="active")
            assert "Left" in inside.evaluate(EDGES), name
            assert inside.evaluate(CUT_OFF) == [], name
            page.emulate_media(forced_colors="none")


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
@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_no_other_figure_is_beside_one_that_stays_in_the_text_or_over_it(visit, screen):
    with visit(FIRST, screen=screen) as page:
        shown = card(page) if screen == "laptop" else page.locator(".pin:not([hidden])")
        read(page, page.get_by_text("The idea is to replace rules by charges"))
        expect(shown).to_have_count(1)
        read(page, page.locator("#fig-dual-plane .figure-stage"))
        expect(shown).to_have_count(0)
        read(page, page.get_by_role("heading", name="The dual"))
        expect(shown).to_have_count(1)
        if screen == "phone":  # the pin ends with a whole line, and no letter is cut at its edge
            expect(shown).to_have_attribute("data-figure", "ex-street")
            assert shown.locator("p").evaluate(LINES_OF_A_LONG_TEXT) <= 6.1
            assert shown.locator("svg").evaluate(ABOVE_THE_EDGE) == []


def test_a_card_asks_one_question_at_a_time_with_the_arrow_of_its_guess(visit):
    with visit(GUESSED, screen="laptop") as page:
        page.evaluate("location.hash = 'ex-inside-the-hull'")
        expect(card(page)).to_have_id("ex-inside-the-hull")
        arrow = card(page).locator(".explorable-guess, .explorable-guess-shaft")
        questions = page.locator(".cell_output.active .explorable-prompts > li:not(.stepper)")
        assert [part.is_visible() for part in arrow.all()] == [True, True]
        assert [place for place, one in enumerate(questions.all()) if one.is_visible()] == [0]
        page.locator(".cell_output.active").get_by_role("button", name="Next question").click()
        assert [part.is_visible() for part in arrow.all()] == [False, False]
        assert [place for place, one in enumerate(questions.all()) if one.is_visible()] == [1]


def test_two_panels_in_the_text_stand_side_by_side(visit):
    with visit(f"{FIRST}?depth=everything#ex-rotation", screen="laptop") as page:
        for width in (1200, 1280):
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


def test_a_link_brings_a_figure_and_the_reader_stays_who_may_put_figures_into_the_text_and_back(visit):
    with visit(MODELS[1], screen="laptop") as page:
        link = page.locator("article a[href^='#ex-']:not(.points-at, .headerlink):visible").first
        link.evaluate("link => link.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(SETTLED)
        y, name = page.evaluate("scrollY"), link.evaluate("link => link.hash.slice(1)")
        link.click()
        expect(card(page)).to_have_id(name)
        assert page.evaluate("scrollY") == y
        page.goto(page.url.partition("#")[0])
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("button", name="Put into the text").first.click()
        expect(page.locator("html")).to_have_attribute("data-dock", "off")
        expect(card(page)).to_have_count(0)
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-dock", "off")
        figure = page.locator("#ex-trajectory")
        assert figure.bounding_box()["x"] == pytest.approx(page.locator("article").bounding_box()["x"], abs=1)
        page.get_by_role("button", name="Put beside the text").first.click()
        expect(card(page)).to_have_id("ex-trajectory")


@pytest.mark.full
def test_the_address_does_not_take_the_reader_away_from_another_figure(visit):
    """It is gone to twice, the second time when the page has come to rest."""
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
@pytest.mark.parametrize("screen", ["phone", "tablet", "small desktop", "at twice the size"])
def test_where_there_is_no_room_beside_a_tap_opens_the_figure_whole_and_leads_back(visit, screen):
    """In the reader's own few colours, too: pin and opened figure have edges, and nothing is cut off."""
    with visit(MODELS[1], has_touch=True, forced_colors="active") as page:
        size = SCREENS.get(screen, TWICE)
        page.set_viewport_size(size)
        read(page, page.get_by_text(SPOKEN))
        pin = page.locator(".pin:not([hidden])")
        expect(pin).to_have_attribute("data-figure", "ex-trajectory")
        labels = set()
        for _ in range(2):
            assert "Bottom" in pin.evaluate(EDGES)
            assert pin.evaluate(CUT_OFF) == []
            assert pin.bounding_box()["height"] < size["height"] / 2, "little of the text is left"
            fold = pin.get_by_role("button", name=re.compile("fold", re.IGNORECASE))
            labels.add(fold.inner_text())
            fold.click()
        assert labels == {"Fold", "Unfold"}
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        y = page.evaluate("scrollY")
        page.get_by_role("button", name="Open", exact=True).tap()
        sheet, back = page.locator(".cell_output.sheet"), page.get_by_role("button", name="Back to the text")
        expect(sheet.get_by_role("slider", name="training steps")).to_be_attached()
        assert sheet.evaluate(CUT_OFF) == []
        assert len(back.evaluate(EDGES)) == 4
        back.tap()
        expect(sheet).to_have_count(0)
        assert page.evaluate("scrollY") == pytest.approx(y, abs=2)
        expect(page.get_by_role("button", name="Open", exact=True)).to_be_focused()


@pytest.mark.full
def test_the_panel_that_the_text_speaks_of_is_pinned_if_it_hides_less_of_the_drawing_than_it_shows(visit):
    """A telephone has room for one panel: that with the mark at which what is read points."""
    with visit(MODELS[0], screen="phone") as page:
        for place, mark in (("#attention-by-hand p:has-text('Logits.')", "query"), (FORMULA, "entries")):
            read(page, page.locator(place).first)
            shown = page.locator(f".pin:not([hidden]) .explorable-panel [data-l='{mark}']")
            expect(shown.first).to_be_attached()
            assert page.locator(".pin .explorable-panel").count() == 1
        read(page, page.locator("#ex-votes output"))
        shown, header = page.locator(".pin:not([hidden])"), page.locator("header.book")
        for left, pinned in ((120, 1), (240, 0)):
            line = header.evaluate("(header, left) => header.getBoundingClientRect().bottom + left", left)
            page.locator("#ex-votes .explorable-frame").evaluate(END_AT, line)
            expect(shown).to_have_count(pinned)
    with visit("chapters/07_local_optima.html", screen="phone") as page:  # "squares" are marks of one kind
        read(page, page.get_by_text("Now turn the second query"))
        expect(page.locator(".pin:not([hidden]) [data-l='optimal 1 1']")).to_be_attached()


FORMULA = "[id='equation-softmax-attention'] [data-light='entries']"


def test_the_text_moves_the_figure_beside_it_and_paper_has_every_figure_in_its_place(visit):
    with visit(MODELS[1], screen="laptop", reduced_motion="reduce") as page:
        read(page, page.get_by_text("has three factors"))
        expect(page.locator("#ex-trajectory output")).to_contain_text("Training W, 5 steps")
        for mark in page.locator('#ex-trajectory [data-aside="average"]').all():
            expect(mark).to_have_css("visibility", "visible")
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
