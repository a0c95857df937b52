"""The reader's side in a real browser, on built pages: all controls, by keyboard, mouse and touch."""

import gzip
import re

import pytest
from playwright.sync_api import expect

from tests.explorable.conftest import centre, drag

MINUS = "\N{MINUS SIGN}"


def number(text):
    """A number as it is shown to the reader."""
    assert "-" not in text, "a hyphen for a minus sign"
    return float(text.replace(MINUS, "-"))


def sentence(page, name):
    return page.locator(f"#ex-{name} output")


def test_every_control_is_native_and_named_and_what_is_read_out_follows_it(visit):
    page = visit("chapters/curves.html")
    for role, name in ("slider", "a"), ("combobox", "kind"), ("checkbox", "to the top"):
        expect(page.locator("#ex-a-curve").get_by_role(role, name=name, exact=True)).to_be_enabled()
    names = "[...document.querySelectorAll('label :is(input,select,button)')].map(e => e.name)"
    assert page.evaluate(names) == ["a", "kind", "full", "step", "step"]
    slider = page.locator("#ex-a-curve input[type=range]")
    for key in ("Home", *["PageUp"] * 6, "ArrowRight", "ArrowRight"):
        slider.press(key)
    expect(sentence(page, "a-curve")).to_have_text("a line to 3")
    assert slider.get_attribute("aria-valuetext") == "3"
    page.locator("#ex-a-curve select").press("ArrowDown")
    page.locator("#ex-a-curve input[type=checkbox]").press("Space")
    expect(sentence(page, "a-curve")).to_have_text("a dots to 4")
    svg = page.locator("#ex-a-curve .explorable-panel > svg[role=img]")
    expect(svg.first).to_have_attribute("aria-label", "curve. foot: x 0, height 0; tip: x 4, height 4.")


FAR_DOWN = """addEventListener('DOMContentLoaded', () =>
  document.querySelector('figure')?.insertAdjacentHTML('beforebegin', '<p style="height: 3000px">'))"""
SHIFT = """new Promise(resolve => new PerformanceObserver((list, me) => {
  me.disconnect(); resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0));
}).observe({type: 'layout-shift', buffered: true}) ?? setTimeout(() => resolve(0), 200))"""


def test_frames_are_fetched_when_the_figure_comes_near_and_nothing_shifts(visit, origin):
    page = visit("index.html", viewport={"width": 900, "height": 400})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(FAR_DOWN)
    page.goto(f"{origin}/chapters/curves.html")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if url.endswith(".json")]
    page.locator("#ex-a-curve").scroll_into_view_if_needed()
    page.locator("#ex-a-curve input[type=range]").press("End")
    expect(sentence(page, "a-curve")).to_have_text("a line to 4")
    assert [url for url in asked if url.endswith(".json")]
    assert {url.split("/")[2] for url in asked} == {origin.split("/")[2]}
    page = visit("chapters/points.html")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFT) < 0.001


def test_a_move_before_the_frames_are_there_is_shown_when_they_are_and_the_newest_wins(visit, origin):
    page = visit("index.html")
    waiting = []
    page.route("**/explorables/*.json", lambda route: waiting.append(route))
    page.goto(f"{origin}/chapters/curves.html")
    range_ = page.locator("#ex-a-curve input[type=range]")
    for key in ("End", "Home", "ArrowRight", "PageUp", "ArrowLeft", "End", "PageDown"):
        range_.press(key)
    assert sentence(page, "a-curve").inner_text() == "a line to 2"
    for route in waiting:
        route.continue_()
    expect(sentence(page, "a-curve")).to_have_text("a line to 3.6875")


def test_missing_frames_are_told_and_the_next_move_tries_again(visit, origin):
    page = visit("index.html")
    page.allowed.append("404")
    page.route("**/explorables/*.json", lambda route: route.fulfill(status=404))
    page.goto(f"{origin}/chapters/curves.html")
    range_, note = page.locator("#ex-a-curve input[type=range]"), page.locator("#ex-a-curve .explorable-note")
    expect(note).to_be_hidden()
    range_.press("End")
    expect(note).to_have_text("This figure could not load its positions (HTTP 404); it stays as it is.")
    assert sentence(page, "a-curve").inner_text() == "a line to 2"
    page.unroute("**/explorables/*.json")
    range_.press("Home")
    expect(sentence(page, "a-curve")).to_have_text("a line to 1")
    expect(note).to_be_hidden()


def test_play_runs_to_its_end_in_silence_and_can_be_paused(visit):
    page = visit("chapters/curves.html")
    button, says = page.locator("#ex-steps button[name=step]"), sentence(page, "steps")
    expect(says).to_have_text("step 0")
    button.press("Enter")
    expect(says).to_have_text("step 2")
    expect(button).to_have_attribute("aria-label", "Pause step")
    expect(says).to_have_attribute("aria-live", "off")
    button.press("Enter")
    expect(button).to_have_attribute("aria-label", "Play step")
    paused = says.inner_text()
    button.click()
    expect(says).to_have_text("step 4")
    assert paused != "step 4"
    expect(says).to_have_attribute("aria-live", "polite")
    expect(button).to_have_attribute("aria-label", "Play step")
    slider = page.locator("#ex-steps input[type=range]")
    slider.press("ArrowLeft")
    expect(says).to_have_text("step 3")
    slider.press("ArrowRight")
    page.clock.install()  # so that the first step stays to be seen
    button.press("Enter")
    expect(says).to_have_text("step 0")


def test_play_steps_once_a_press_for_who_asked_for_less_motion(visit):
    page = visit("chapters/curves.html", reduced_motion="reduce")
    page.clock.install()
    button, says = page.locator("#ex-steps button[name=step]"), sentence(page, "steps")
    assert button.get_attribute("aria-label") == "Next step of step"
    for step in (1, 2, 3, 4, 0):
        button.press("Space")
        expect(says).to_have_text(f"step {step}")
        page.clock.run_for(5000)
        expect(says).to_have_text(f"step {step}")


UNIT = 300 / 6, 232 / 4  # pixels of a panel for a unit of the point's plane, at scale one


def panel_scale(page, name):
    return page.locator(f"#ex-{name} .explorable-panel > svg").first.bounding_box()["width"] / 360


def test_handle_follows_the_mouse_between_positions_and_rests_on_one(visit):
    page = visit("chapters/points.html")
    tip, says = page.locator("#ex-point [data-handle=p]"), sentence(page, "point")
    expect(says).to_have_text("tip at (0.00, 0.00)")
    tip.press("ArrowRight")  # the table is there
    expect(says).to_have_text("tip at (0.08, 0.00)")
    tip.press("ArrowLeft")
    scale = panel_scale(page, "point")
    x, y = centre(tip)
    page.mouse.move(x + 3, y)
    page.mouse.down()
    dot = page.locator("#ex-point path[data-l=tip]")
    for step in range(1, 15):
        page.mouse.move(x + 3 - 6.3 * step, y - 2.9 * step)
        box = dot.bounding_box()
        drawn = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert centre(tip) == pytest.approx((x - 6.3 * step, y - 2.9 * step), abs=0.6)
        assert drawn == pytest.approx(centre(tip), abs=0.6), "the point is not under its handle"
    page.mouse.up()
    assert re.fullmatch(rf"tip at \({MINUS}1\.\d\d, 0\.\d\d\)", says.inner_text())
    resting = [number(v) for v in re.findall(rf"{MINUS}?\d\.\d\d", says.inner_text())]
    assert resting[0] / 0.08 == pytest.approx(round(resting[0] / 0.08), abs=0.13)
    place = x + resting[0] * UNIT[0] * scale, y - resting[1] * UNIT[1] * scale
    assert centre(tip) == pytest.approx(place, abs=0.6)
    page.mouse.move(0, 0)
    spoken = [number(value) for value in tip.get_attribute("aria-valuetext").split(", ")]
    assert spoken == pytest.approx(resting, abs=0.006)
    assert tip.get_attribute("aria-label") == "tip"


def test_handles_reach_every_end_by_keyboard_and_follow_the_pointer_on_log_axes(visit):
    page = visit("chapters/points.html")
    tip, says = page.locator("#ex-point [data-handle=p]"), sentence(page, "point")
    ends = [
        ("Home", f"{MINUS}2.00, 0.00"),
        ("ArrowUp", f"{MINUS}2.00, 0.06"),
        ("PageUp", f"{MINUS}2.00, 1.00"),
    ]
    for key, text in [*ends, ("End", "2.00, 1.00")]:
        tip.press(key)
        expect(says).to_have_text(f"tip at ({text})")
    tip.press("PageDown")
    tip.press("ArrowRight")  # already at the end
    expect(says).to_have_text(f"tip at (2.00, {MINUS}1.00)")
    foot, says = page.locator("#ex-foot [data-handle=q]"), sentence(page, "foot")
    foot.press("ArrowRight")
    expect(says).to_have_text("foot at 0.112")
    foot.press("ArrowLeft")
    expect(says).to_have_text("foot at 0.1")
    decade = panel_scale(page, "foot") * 300 / 5
    x, y = centre(foot)
    drag(page, foot, 2 * decade, 40)
    expect(says).to_have_text("foot at 10")
    assert centre(foot) == pytest.approx((x + 2 * decade, y), abs=0.6)


def test_a_slider_flows_under_the_pointer_and_rests_on_a_position(visit):
    page = visit("chapters/curves.html")
    slider, says = page.locator("#ex-a-curve input[type=range]"), sentence(page, "a-curve")
    slider.press("Home")
    expect(says).to_have_text("a line to 1")
    event = "(e, [to, name]) => { e.value = to; e.dispatchEvent(new Event(name, {bubbles: true})); }"
    bar = page.locator("#ex-a-curve path[data-l=line]").last
    widths = []
    for position in (10, 10.25, 10.5, 11):
        slider.evaluate(event, [position, "input"])
        widths.append(bar.bounding_box()["width"])
    assert widths[1] - widths[0] == pytest.approx((widths[3] - widths[0]) / 4, abs=0.15)
    assert widths[2] - widths[0] == pytest.approx((widths[3] - widths[0]) / 2, abs=0.15)
    slider.evaluate(event, [20.4, "input"])
    slider.evaluate(event, [20.4, "change"])
    assert slider.input_value() == "20"
    expect(says).to_have_text("a line to 2.25")


def test_single_steps_reset_and_a_choice_that_brings_other_controls_along(visit):
    page = visit("chapters/curves.html")
    steps = [("Next step", 1), ("Next step", 2), ("Previous step", 1), ("Reset", 0)]
    for name, step in steps:
        page.locator("#ex-steps").get_by_role("button", name=name, exact=True).click()
        expect(sentence(page, "steps")).to_have_text(f"step {step}")
    page = visit("chapters/points.html")
    menu, range_ = page.locator("#ex-homes select"), page.locator("#ex-homes input[type=range]")
    menu.select_option("high")
    expect(sentence(page, "homes")).to_have_text("from high: 3")
    assert range_.input_value() == "48"
    range_.press("Home")
    expect(sentence(page, "homes")).to_have_text("from high: 0")
    range_.press("End")
    menu.select_option("low")
    expect(sentence(page, "homes")).to_have_text("from low: 0")


def test_an_answer_shows_its_position_and_numbers_marks_and_rows_light_up_together(visit):
    page = visit("chapters/curves.html")
    figure = page.locator("#ex-a-curve")
    figure.locator(".explorable-numbers summary").click()
    row = figure.locator(".explorable-numbers tr[data-l=line]")
    expect(row).to_have_text("line422")
    row.focus()
    expect(figure.locator(".explorable-panel .lit")).to_have_count(2)  # the line, the bar in the other panel
    figure.locator("input[type=range]").press("End")
    expect(row).to_have_text("line444")
    figure.locator(".explorable-panel path[data-l=line]").last.hover()
    expect(row).to_have_class("lit")
    answer = page.locator("#ex-a-curve + .explorable-prompts .explorable-answer").first
    expect(answer.locator("p")).to_be_hidden()
    answer.locator("summary").click()
    answer.get_by_role("button", name="Show it").click()
    expect(sentence(page, "a-curve")).to_have_text("a dots to 4")
    foot, tip = (figure.locator(f".explorable-panel [data-l={name}]").first for name in ("foot", "tip"))
    figure.locator(".explorable-numbers tr[data-l=foot]").focus()
    expect(foot).to_have_css("opacity", "1")
    expect(tip).to_have_css("opacity", "0.3")
    figure = visit("chapters/points.html").locator("#ex-point")
    figure.locator(".explorable-reset").click()
    figure.locator(".explorable-numbers summary").click()
    figure.locator(".explorable-numbers tr[data-l=tip]").focus()
    arm = figure.locator(".explorable-panel [data-l=arm]").first
    expect(arm).to_have_css("opacity", "0.4")
    expect(arm).to_have_css("filter", "opacity(0.3)")


def test_the_state_is_in_the_address_and_back(visit, origin):
    page = visit("chapters/curves.html")
    page.locator("#ex-a-curve select").press("ArrowDown")
    page.locator("#ex-a-curve input[type=range]").press("End")
    page.wait_for_url("**/curves.html#ex-a-curve?a=4&kind=dots")
    assert page.evaluate("history.length") <= 2
    linked = visit("chapters/curves.html#ex-a-curve?kind=dots&a=1&full=true&nonsense=3&step=9")
    expect(sentence(linked, "a-curve")).to_have_text("a dots to 4")
    expect(linked.locator("#ex-a-curve input[type=checkbox]")).to_be_checked()
    expect(linked.locator("#ex-a-curve input[type=range]")).to_have_value("0")
    linked.locator("#ex-a-curve .explorable-reset").click()
    linked.wait_for_url("**/curves.html#ex-a-curve")
    expect(sentence(linked, "a-curve")).to_have_text("a line to 2")
    linked.evaluate("location.hash = 'ex-steps?step=3'")
    expect(sentence(linked, "steps")).to_have_text("step 3")


def test_colours_follow_the_page_and_without_script_and_on_paper_figure_and_sentence_stay(visit):
    page = visit("chapters/points.html", java_script_enabled=False)
    expect(page.locator("#ex-point .explorable-panel > svg").first).to_be_visible()
    expect(sentence(page, "point")).to_have_text("tip at (0.00, 0.00)")
    expect(page.locator("#ex-point [data-handle]")).to_be_hidden()
    expect(page.locator("#ex-homes .explorable-controls")).to_be_hidden()
    page = visit("chapters/curves.html")
    page.add_style_tag(content=":root { --m-c0: rgb(1, 2, 3); --ink: rgb(4, 5, 6); }")
    line, words = (page.locator(f"#ex-a-curve {part}").first for part in ("path[data-l=line]", "svg text"))
    expect(line).to_have_css("stroke", "rgb(1, 2, 3)")
    expect(words).to_have_css("fill", "rgb(4, 5, 6)")
    page.emulate_media(media="print")
    expect(page.locator("#ex-a-curve .explorable-panel > svg").first).to_be_visible()
    expect(page.locator("#ex-a-curve .explorable-controls")).to_be_hidden()
    expect(page.locator("#fig-rise svg")).to_have_attribute("aria-label", "A line rises")


def test_forced_colours_reach_marks_and_handles(visit):
    page = visit("chapters/points.html", forced_colors="active")
    named = "(part, name) => [getComputedStyle(part)[name], getComputedStyle(part.ownerDocument.body).color]"
    wanted = page.evaluate(
        """names => names.map(name => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
        return getComputedStyle(probe).color;
    })""",
        ["LinkText", "CanvasText", "Highlight"],
    )
    stroke, ink = page.locator("#ex-point path[data-l=arm]").evaluate(named, "stroke")
    edge, _ = page.locator("#ex-point [data-handle=p]").evaluate(named, "borderTopColor")
    assert [stroke, ink, edge] == wanted


def test_the_module_is_small(book):
    script = (book.site / "_static" / "explorable.js").read_bytes()
    assert len(gzip.compress(script)) < 18_000
