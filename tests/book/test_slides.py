"""A story as slides, opened once: keys, hands, notes, the overview, what fits, and paper."""

import re

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from conftest import full
from scripts.editions.pdf import print_slides
from tests.book.axe import serious_faults
from tests.book.conftest import PAGES, parsed
from tests.explorable.conftest import centre, drag
from tests.scripts.editions.pdf_reading import bookmarks

STORY = "stories/03_softmax_kernel.html"
STORIES = [STORY, *full(*(page for page in PAGES if page.startswith("stories/") and page != STORY))]
WINDOWS = [(1280, 720), (1024, 768), (1920, 1080), (844, 390), (390, 844)]
TURN = "const turn = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));"
# what of a slide lies outside of it or on what stands above, and panels that are small or not in their frame
MISPLACED = f"""() => {{
    {TURN}
    const kinds = "h2, .explorable-frame, .explorable-controls, output, figcaption, .explorable-prompts"
        + ", .scene-formula";
    const edge = {{left: 0, top: 0, right: innerWidth, bottom: innerHeight}}, faults = [];
    const isIn = (box, around) => box.left > around.left - 1 && box.top > around.top - 1
        && box.right < around.right + 1 && box.bottom < around.bottom + 1;
    turn("Home");
    for (const scene of document.querySelectorAll(".scene")) {{
        const parts = [...scene.querySelectorAll(kinds)].filter(part => part.checkVisibility());
        const boxes = parts.map(part => part.getBoundingClientRect());
        const isOver = n => n && boxes[n].top < boxes[n - 1].bottom - 1;
        const isCramped = box => !isIn(box, boxes[1]) || box.width < Math.min(innerWidth, innerHeight) / 3;
        const panels = [...scene.querySelectorAll(".explorable-panel")];
        const formulas = [...scene.querySelectorAll(".scene-formula math")];
        const bad = parts.filter((_, n) => !isIn(boxes[n], edge) || isOver(n));
        const cramped = panels.filter(panel => isCramped(panel.getBoundingClientRect()));
        const cut = formulas.filter(formula => !isIn(formula.getBoundingClientRect(), edge));
        for (const {{ className, localName }} of [...bad, ...cramped, ...cut])
            faults.push([scene.dataset.place, className || localName]);
        turn("PageDown");
    }}
    return faults;
}}"""
# the step of its slider at which a figure stands first and last as one turns to it from another at step 65,
# and at which it starts
ON_THE_WAY = f"""async () => {{
    {TURN}
    const [before, figure] = [9, 10].map(n => document.querySelector(`[data-place="${{n}}/14"] figure`));
    const seen = [], {{ view }} = figure;
    before.view.move({{angle: 65}});
    const arrived = new Promise((done, fail) => {{
        setTimeout(() => fail(new Error(`it drew ${{seen}}`)), 10_000);
        figure.addEventListener("explorable-drawn", () => {{
            seen.push(view.at.angle);
            if (view.at.angle === view.start.angle) done();
        }});
    }});
    turn("PageDown");
    await arrived;
    return [seen[0], seen.at(-1), view.start.angle];
}}"""


@pytest.fixture(scope="module")
def page(visit):
    """The story on its first slide, where a finger can swipe."""
    with visit(f"{STORY}?present", screen="laptop", has_touch=True) as opened:
        opened.wait_for_load_state("networkidle")
        yield opened


def turn_to(page, number):
    page.evaluate(f"times => {{ {TURN} turn('Home'); while (--times) turn('PageDown'); }}", number)
    expect_slide(page, number)


def expect_slide(page, number):
    """One scene is to be seen, and has the focus and the address."""
    expect(page.locator(".scene:focus")).to_have_attribute("data-place", f"{number}/14")
    assert page.locator(".scene:visible").count() == 1
    assert page.url.endswith(f"?present#scene-{number}")


def sentence(page):
    return page.locator(".scene.now output")


def test_keys_turn_slides(page):
    expect_slide(page, 1)
    for key, number in [
        ("ArrowRight", 2), ("Space", 3), ("PageDown", 4), ("ArrowLeft", 3), ("Shift+Space", 2), ("PageUp", 1),
        ("PageUp", 1), ("End", 14), ("ArrowRight", 14), ("Home", 1),
    ]:  # fmt: skip
        page.keyboard.press(key)
        expect_slide(page, number)


def test_a_slide_is_a_named_region_with_heading_figure_and_formula(page):
    turn_to(page, 3)
    region = page.get_by_role("region", name="Attention need not prefer the nearest key")
    expect(region).to_be_focused()
    size = "part => parseFloat(getComputedStyle(part).fontSize)"
    assert region.locator("h2").evaluate(size) > 36
    assert region.locator("figcaption").evaluate(size) > 17
    assert region.locator(".scene-formula math").bounding_box()["height"] > 20
    assert region.locator(".scene-text").bounding_box()["width"] == 1  # it is read aloud, and not seen
    for gone in (".scene-link", ".explorable-reset", "header.book", "h1", ".colophon"):
        assert not page.locator(gone).first.is_visible(), gone


def test_a_hand_that_rests_on_a_mark_hides_no_other(page):
    turn_to(page, 3)
    marks = page.locator(".scene.now .explorable-panel").last.locator("path[data-l]")
    marks.first.hover()
    expect(page.locator(".scene.now figure")).to_contain_class("lighting")
    expect(marks.last).not_to_contain_class("lit")
    expect(marks.last).to_have_css("opacity", "1")
    page.mouse.move(0, 0)


def test_a_figure_stays_as_a_hand_left_it_until_it_is_reset(page):
    turn_to(page, 3)
    knob, before = page.locator(".scene.now .explorable-handle"), sentence(page).inner_text()
    x, y = centre(knob)
    drag(page, knob, -200, 60)
    assert centre(knob) == pytest.approx((x - 200, y + 60), abs=12)  # the nearest position that is computed
    moved = sentence(page).inner_text()
    assert moved != before
    expect_slide_after(page, "ArrowRight", 4)  # the hand has let go
    page.keyboard.press("ArrowLeft")
    assert sentence(page).inner_text() == moved
    page.keyboard.press("r")
    expect(sentence(page)).to_have_text(before)


def expect_slide_after(page, key, number):
    expect(page.locator(".scene:focus")).to_be_visible()
    page.keyboard.press(key)
    expect_slide(page, number)


def test_a_question_is_answered_when_it_is_pressed_and_the_next_key_turns(page):
    turn_to(page, 3)
    question = page.locator(".scene.now .explorable-prompts")
    expect(question.get_by_text("both prefer the same key")).to_be_visible()
    expect(question.get_by_text("Near key 1")).to_be_hidden()
    before = sentence(page).inner_text()
    question.locator("summary").click()
    expect(question.get_by_text("Near key 1")).to_be_visible()
    question.get_by_role("button", name="Show it").click()
    expect(sentence(page)).not_to_have_text(before)
    expect_slide_after(page, "ArrowRight", 4)


def test_who_reached_a_control_by_keys_keeps_the_arrows(page):
    turn_to(page, 3)
    knob, before = page.locator(".scene.now .explorable-handle"), sentence(page).inner_text()
    page.keyboard.press("Tab")
    expect(knob).to_be_focused()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(sentence(page)).not_to_have_text(before)
    page.keyboard.press("Escape")
    expect_slide_after(page, "ArrowLeft", 2)
    page.keyboard.press("PageDown")
    page.keyboard.press("Tab")
    page.keyboard.press("PageDown")  # of a remote control
    expect_slide(page, 4)


def test_a_figure_with_the_table_of_the_one_before_moves_from_there(visit):
    with visit("stories/07_local_optima.html?present", screen="laptop") as page:
        turn_to(page, 9)
        first, last, own = page.evaluate(ON_THE_WAY)
    assert first == 65
    assert last == own == 35


def test_a_swipe_turns_unless_it_begins_on_a_handle(page):
    touches = page.context.new_cdp_session(page)

    def swipe(x, y, by):
        way = [("Start", [x]), ("Move", [x + by / 2]), ("Move", [x + by]), ("End", [])]
        for kind, lefts in way:
            points = [{"x": left, "y": y} for left in lefts]
            touches.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    turn_to(page, 6)
    swipe(900, 60, -300)
    expect_slide(page, 7)
    swipe(300, 60, 300)
    expect_slide(page, 6)
    swipe(*centre(page.locator(".scene.now .explorable-handle")), 100)
    expect_slide(page, 6)


def test_notes_stand_in_a_window_whose_keys_turn_too(page):
    turn_to(page, 3)
    with page.context.expect_page() as opened:
        page.keyboard.press("s")
    notes = opened.value
    expect(notes.locator(".explorable-prompts")).to_contain_text("Near key 1")
    expect(notes.get_by_text("Near key 1")).to_be_visible()
    turn_to(page, 13)
    expect(notes.locator("body")).to_contain_text("But symmetry alone is not enough.")
    expect(notes.locator("h2")).to_contain_text("Between words, attention is a kernel exactly")
    expect(notes.locator(".next")).to_contain_text("Next: There is one kernel inside attention")
    expect(notes.locator(".clock")).to_contain_text("13/14")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".next")).to_have_text("Next: the end")
    expect(page.locator(".scene.now")).to_have_attribute("data-place", "14/14")
    notes.locator(".clock button").click()
    expect(notes.locator(".clock button")).to_have_text("0:00")
    notes.close()


def test_the_overview_shows_all_and_opens_one(page):
    turn_to(page, 2)
    page.keyboard.press("o")
    assert page.locator(".scene:visible").count() == 14
    assert page.get_by_role("region", name="The answer to a query").get_attribute("aria-description")
    for key in ("ArrowRight", "ArrowDown", "Enter"):  # of four in a row
        page.keyboard.press(key)
    expect_slide(page, 7)
    page.keyboard.press("o")
    page.locator(".scene").nth(1).click()
    expect_slide(page, 2)


@pytest.mark.full
def test_slides_and_overview_are_accessible(page):
    turn_to(page, 7)
    faults = serious_faults(page, "slide")
    page.keyboard.press("o")
    faults += serious_faults(page, "overview")
    page.keyboard.press("o")
    page.emulate_media(color_scheme="dark")
    faults += serious_faults(page, "dark")
    turn_to(page, 12)
    heat_map = page.locator(".scene.now .explorable-panel g[data-l]").first
    expect(heat_map).to_have_css("filter", re.compile("drop-shadow"))  # its weak cells are seen
    page.emulate_media(color_scheme="light")
    assert not faults


@pytest.mark.parametrize("path", STORIES)
def test_all_of_a_scene_fits_on_its_slide(visit, path):
    with visit(f"{path}?present", screen="laptop") as page:
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(MISPLACED) == [], (width, height)


def test_slides_end_where_they_are_and_begin_there_again(page):
    turn_to(page, 5)
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.dataset.present") is None
    scene = page.locator(".scene").nth(4)
    assert page.url.endswith(f"03_softmax_kernel.html#{scene.get_attribute('id')}")
    expect(scene.locator("h2")).to_be_in_viewport()
    page.get_by_role("button", name="Present").click()
    expect_slide(page, 5)


@pytest.mark.full
def test_each_slide_is_printed_on_a_page(browser, tmp_path):
    print_slides(STORY, tmp_path / "slides.pdf", browser)
    printed = PdfReader(tmp_path / "slides.pdf")
    assert {tuple(page.mediabox[2:]) for page in printed.pages} == {(960, 540)}  # points: 13.33 by 7.5 inches
    headings = [head["aria-label"] for head in parsed(STORY).select(".scene > h2")]
    assert len(printed.pages) == len(headings) == 14
    marks = bookmarks(printed)
    assert [marks[heading] for heading in headings] == [*range(1, 15)]
    words = printed.pages[0].extract_text()
    assert "“it” attends most to the glass (0.72)" in words
    assert "Ana poured water" not in words  # that is the speaker's
