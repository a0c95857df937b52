"""Guesses that the reader draws: turned by keys, mouse and finger, compared with the arrow that comes."""

import pytest
from playwright.sync_api import expect

from explorable import Drawing, explore, guesses, play, prompt
from tests.explorable.conftest import centre, drag
from tests.explorable.samples import refused
from tests.explorable.script_in_node import run


@pytest.fixture
def wheel(visit):
    """A function that opens the page of the wheel; gives the page, its knob, its button and its verdict."""

    def opened(**options):
        page = visit("chapters/guesses.html", **options)
        row = page.locator("#ex-wheel + .explorable-prompts .explorable-compare")
        knob = page.locator("#ex-wheel").get_by_role("slider", name="Your guess of hand")
        return page, knob, row.get_by_role("button", name="Compare"), row.get_by_role("status")

    return opened


def test_a_guess_is_turned_by_keys_and_compared_when_the_run_has_ended(wheel):
    page, knob, compare, verdict = wheel()
    assert knob.get_attribute("aria-valuetext") == "90°"
    for key in ["ArrowRight"] * 5 + ["PageUp"]:
        knob.press(key)
    assert knob.get_attribute("aria-valuetext") == "110°"
    compare.click()
    expect(page.locator("#ex-wheel output")).to_have_text("at 45")
    assert verdict.inner_text() == ""
    expect(verdict).to_have_text("You were 70° off.")
    expect(page.locator("#ex-wheel output")).to_have_text("at 180")


def test_a_guess_follows_the_mouse_and_its_verdict_follows_it(wheel):
    """Who draws nothing sees the run without a verdict; the shorter way counts."""
    page, knob, compare, verdict = wheel(reduced_motion="reduce")
    compare.click()
    expect(page.locator("#ex-wheel output")).to_have_text("at 180")
    assert verdict.inner_text() == ""
    x, y = centre(knob)
    shaft = page.locator("#ex-wheel .explorable-guess-shaft").bounding_box()
    base = shaft["y"] + shaft["height"]
    drag(page, knob, 60, base - y)
    assert knob.get_attribute("aria-valuenow") == "0"
    assert centre(knob)[1] == pytest.approx(base, abs=2)
    page.mouse.move(x, y)
    assert knob.get_attribute("aria-valuenow") == "0"
    expect(verdict).to_have_text("You were 180° off.")
    for _ in range(5):
        knob.press("PageUp")
    assert knob.get_attribute("aria-valuetext") == "\N{MINUS SIGN}135°"
    expect(verdict).to_have_text("You were 45° off.")


def test_a_copy_keeps_the_guess_for_which_it_asks_and_its_original_stays(wheel):
    page, *_ = wheel(reduced_motion="reduce")
    copy = page.locator("#ex-chapters-guesses-wheel-1")
    prompts = page.locator("#ex-chapters-guesses-wheel-1 + .explorable-prompts")
    expect(copy.locator("output")).to_have_text("at 45")
    expect(prompts.get_by_text("Left.")).to_be_hidden()
    copy.get_by_role("slider", name="Your guess of hand").press("PageUp")
    prompts.get_by_role("button", name="Compare").click()
    expect(prompts.get_by_role("status")).to_have_text("You were 45° off.")
    expect(copy.locator("output")).to_have_text("at 180")
    expect(page.locator("#ex-wheel output")).to_have_text("at 0")
    prompts.locator("summary").click()
    expect(prompts.get_by_text("Left.")).to_be_visible()
    page.reload()
    prompts.locator("summary").click()
    prompts.get_by_role("button", name="Show it").click()
    expect(copy.locator("output")).to_have_text("at 180")


def test_an_arrow_of_an_aside_waits_for_the_comparison_and_goes_with_its_position(visit):
    """The panel before it has an arrow of the same name, which points to the right."""
    page = visit("chapters/guesses.html", reduced_motion="reduce")
    prompts, arrow = page.locator("#ex-hidden + .explorable-prompts"), page.locator("#ex-hidden [data-aside]")
    slider, guess = page.locator("#ex-hidden input[type=range]"), page.locator("#ex-hidden .explorable-guess")
    for button in ("Compare", "Show it"):
        guess.press("ArrowLeft")
        slider.press("ArrowRight")
        expect(arrow).to_have_css("visibility", "hidden")
        prompts.locator("summary").click()
        prompts.get_by_role("button", name=button).click()
        expect(arrow).to_have_css("visibility", "visible")
        expect(prompts.get_by_role("status")).to_have_text("You were 50° off.")
        slider.press("ArrowRight")
        expect(arrow).to_have_css("visibility", "hidden")
        page.reload()


ANGLES = """
import { degrees, turned } from %s;
let text = ""; for await (const part of process.stdin) text += part;
const { steps, angles } = JSON.parse(text);
console.log(JSON.stringify([steps.map(step => degrees(...step)), angles.map(turned)]));
"""


def test_angles_are_measured_upwards_and_lie_above_minus_180_and_at_most_at_180():
    """Steps go down as they grow, as on a screen."""
    steps = {(1, 0): 0, (1, -1): 45, (0, -2): 90, (-3, 0): 180, (0, 1): -90, (-1, 1): -135}
    angles = {0: 0, 180: 180, 185: -175, -180: 180, -175: -175, 540: 180, -360: 0, 725: 5}
    measured, within = run(ANGLES, {"steps": list(steps), "angles": list(angles)})
    assert measured == pytest.approx(list(steps.values()))
    assert within == list(angles.values())


def test_without_script_and_on_paper_the_question_stays_alone(wheel):
    page, *_ = wheel(java_script_enabled=False)
    expect(page.get_by_text("Where will it point?", exact=True).first).to_be_visible()
    for part in (page.locator("#ex-wheel .explorable-guess"), page.locator(".explorable-compare").first):
        expect(part).to_be_hidden()
    page, knob, compare, _ = wheel()
    page.emulate_media(media="print")
    expect(knob).to_be_hidden()
    expect(compare).to_be_hidden()


def with_arrow(n):
    drawing = Drawing()
    drawing.panel("plane", xlim=(-2, 2), ylim=(-2, 2)).arrow((0, 0), (1, n), key="hand")
    return drawing, f"to {n}"


def test_an_arrow_that_the_figure_does_not_draw_is_refused_and_one_without_position():
    asked = prompt("Where?", "There.", at={"n": 1}, says="to 1", draws="foot")
    figure = explore(caption="A hand", n=play(range(3)), prompts=[asked])(with_arrow)
    with refused(r"at n=1: .* asks for the arrow 'foot'; its arrows: hand"):
        figure.bundle()
    with refused("`draws` needs `at`"):
        prompt("Where?", "There.", draws="hand")


def test_before_the_script_runs_the_tip_stands_where_the_arrow_ends():
    guess = {"arrow": "hand", "from": (90, 200), "length": 50, "begins": -60}
    drawn = guesses.knob(guess, {"w": 360, "h": 250})
    assert 'style="left:25.00%;top:80.00%;width:13.89%;rotate:60deg"' in drawn
    assert 'aria-valuetext="−60°" style="left:31.94%;top:97.32%"' in drawn


@pytest.mark.parametrize(
    ("answer", "start", "dot", "begins"),
    [
        (0, (180, 125), (0, 0), 90),
        (80, (180, 125), (0, 0), 135),  # not near the answer
        (0, (180, 125), (180, 75), 60),  # not on the dot, nor with its label on it
        (0, (180, 40), (0, 0), 150),  # not above the panel
        (-170, (330, 18), (0, 0), -120),  # nor at 180, which is near -170
    ],
)
def test_a_guess_begins_where_it_covers_least_and_gives_nothing_away(answer, start, dot, begins):
    guess = {"panel": 0, "from": start, "length": 50}
    mark = {"p": 0, "t": "dot", "n": [10 * number for number in dot]}
    frame = {"panels": [{"w": 360, "h": 250}], "marks": [mark]}
    assert guesses.beginning(guess, answer, frame) == begins
