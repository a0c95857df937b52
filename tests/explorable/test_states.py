"""States that the text gives to a figure: shown where their paragraph is read, until the reader moves it."""

import re

import pytest
from playwright.sync_api import expect

from explorable.controls import slider
from explorable.markup import spec_of
from explorable.sphinx_ext.states import State, named_as, state_in, value_named
from tests.explorable.conftest import SWING, new_project


@pytest.fixture
def told(visit):
    """A function that opens the page whose text moves a pendulum."""

    def opened(path="chapters/told.html", **options):
        return visit(
            path, **{"viewport": {"width": 800, "height": 600}, "reduced_motion": "reduce", **options}
        )

    return opened


def read(page, words):
    """Scrolls until the paragraph with these words stands at the middle of the window."""
    page.get_by_text(words).evaluate("p => scrollBy(0, p.getBoundingClientRect().top - 0.4 * innerHeight)")


def sentence(page):
    return page.locator("#ex-swing output")


def test_what_a_comment_says_and_how_values_are_named():
    said = state_in("<!-- figure ex-swing: way=to the left, and back; angle=3; with height and path -->")
    assert said == State("ex-swing", {"way": "to the left, and back", "angle": "3"}, ["height", "path"])
    assert state_in("<!-- figure: with height -->") == State("", {}, ["height"])
    assert state_in("<!-- a figure of speech: none -->") is None
    with pytest.raises(ValueError, match="expected values such as steps=5, separated by semicolons"):
        state_in("<!-- figure: steps -->")
    assert [named_as(value) for value in (True, 0.0, 0.1 + 0.2, 3, "left")] == [
        "true",
        "0",
        "0.3",
        "3",
        "left",
    ]


@pytest.mark.parametrize(("log", "nearest"), [(True, 100), (False, 1)])
def test_of_a_slider_the_nearest_value_on_its_own_scale_is_taken(log, nearest):
    """40 is nearer to 1 in differences, nearer to 100 in ratios."""
    control = slider(1, 100, steps=2, log=True) if log else slider(1, 101, steps=2)
    (spec,) = spec_of("swing", {"C": control}, {})["parameters"]
    assert value_named("swing", spec, "40") == nearest


def test_nothing_moves_before_the_reader_does_then_the_figure_follows_the_text_both_ways(told):
    page = told()
    page.get_by_text("The first paragraph").wait_for()
    expect(sentence(page)).to_have_text("10 degrees to the left")
    expect(page.locator(".explorable-follows")).to_have_text("")
    height = page.locator('#ex-swing [data-aside="height"]')
    expect(height).to_have_count(0)
    read(page, "The first paragraph")
    expect(sentence(page)).to_have_text("60 degrees to the right")
    expect(page.locator(".explorable-follows")).to_have_text("Follows the text")
    expect(page.get_by_text("The first paragraph")).to_contain_class("current")
    expect(height).to_have_count(2)
    for mark in height.all():
        expect(mark).to_have_css("visibility", "visible")
    read(page, "A second one")
    expect(sentence(page)).to_have_text("0 degrees to the left")
    for mark in height.all():
        expect(mark).to_have_css("visibility", "hidden")
    assert "height" not in page.locator("#ex-swing svg").get_attribute("aria-label")
    expect(page.get_by_text("The first paragraph")).not_to_contain_class("current")
    page.evaluate("scrollTo(0, 0)")
    expect(sentence(page)).to_have_text("10 degrees to the left")
    assert "#" not in page.url


def press(line):
    """Presses the button of a line that is off the screen: going there would be reading another paragraph."""
    line.get_by_role("button").evaluate("button => button.click()")


def test_the_readers_own_move_wins_and_both_ways_back_are_offered(told):
    page = told()
    page.locator("#ex-swing select").select_option("right")
    read(page, "The first paragraph")
    line = page.locator(".explorable-follows")
    expect(line).to_have_text("Moved by you. Follow the text")
    expect(sentence(page)).to_have_text("10 degrees to the right")
    press(line)
    expect(sentence(page)).to_have_text("60 degrees to the right")
    expect(line).to_have_text("Follows the text. Yours again")
    press(line)
    expect(sentence(page)).to_have_text("10 degrees to the right")
    expect(line).to_have_text("Moved by you. Follow the text")
    # further moves leave the line: a screen reader would announce it again, the browser style the figure anew
    line.evaluate("line => { line.firstElementChild.wasHere = true; }")
    page.locator("#ex-swing select").select_option("left")
    expect(sentence(page)).to_contain_text("to the left")
    assert line.evaluate("line => line.firstElementChild.wasHere")
    read(page, "The first paragraph")
    page.get_by_text("The first paragraph").get_by_role("button", name="Show this in the figure").click()
    expect(sentence(page)).to_have_text("60 degrees to the right")
    expect(line).to_have_text("Follows the text")
    height = page.locator('#ex-swing [data-aside="height"]').first
    expect(height).to_have_css("visibility", "visible")
    page.locator("#ex-swing select").select_option("left")
    expect(height).to_have_css("visibility", "hidden")


def test_a_state_in_the_address_is_the_readers(told):
    page = told("chapters/told.html#ex-swing?angle=45")
    expect(sentence(page)).to_have_text("45 degrees to the left")
    read(page, "The first paragraph")
    expect(page.locator(".explorable-follows")).to_have_text("Moved by you. Follow the text")
    expect(sentence(page)).to_have_text("45 degrees to the left")


def test_the_figure_goes_there_through_what_lies_between(told):
    page = told(reduced_motion="no-preference")
    page.evaluate("""() => {
        globalThis.seen = [];
        const figure = document.querySelector("#ex-swing");
        figure.addEventListener("explorable-drawn", () => seen.push(figure.view.at.angle));
    }""")
    read(page, "The first paragraph")
    expect(sentence(page)).to_have_text("60 degrees to the right")
    page.wait_for_function("seen.at(-1) === 60")
    seen = page.evaluate("seen")
    assert seen == sorted(seen)
    assert any(at % 1 > 0 for at in seen)
    page.evaluate("seen.length = 0")
    page.locator("#ex-swing").get_by_role("button", name="Reset").click()
    expect(sentence(page)).to_have_text("10 degrees to the left")
    assert page.evaluate("seen") == [10]


def test_on_paper_and_without_script_the_text_is_plain(told):
    for page in (told(java_script_enabled=False), told()):
        page.emulate_media(media="print")
        for part in page.locator(".explorable-state, .explorable-follows").all():
            expect(part).to_be_hidden()
    plain = "A second one ends at rest. It says so in its second sentence. The rod is at rest."
    assert " ".join(page.get_by_text("A second one").inner_text().split()) == plain


WRONG = {
    "figure: speed=3": "ex-swing has no control 'speed'; it has angle, way",
    "figure: angle=91": "expected angle from 0 to 90, not '91'",
    "figure: way=up": "way has no value 'up'; it has left, right",
    "figure: with depth": "ex-swing has no aside 'depth'; it has height, path",
    "figure: angle 3": "expected values such as steps=5",
    "figure ex-sway: angle=3": "the page has no figure 'ex-sway' that moves; it has ex-swing",
}


STATE = "\n<!-- figure: angle=3 -->\n"
MISPLACED = {  # of two states on one line of the screen the first would never be shown
    STATE: "expected a paragraph after this state of a figure, but nothing follows",
    f"{STATE}\n- The bob hangs.\n": "but bullet_list follows",
    f"{STATE}The bob hangs. <!-- figure: angle=60 --> It swings.\n": "this paragraph has two states of ex-",
}


def test_the_build_names_all_states_that_are_wrong(tmp_path):
    """Those that the figure has not, and those without one figure before them and one paragraph after."""
    pages = ["none", *(f"chapters/{number}" for number in range(1 + len(MISPLACED)))]
    project = new_project(tmp_path, pages)
    project.write("none", "None", text="<!-- figure: angle=3 -->\nNothing swings here.")
    unknown = "\n".join(f"\n<!-- {comment} -->\nThe bob hangs.\n" for comment in WRONG)
    for number, after in enumerate([unknown, *MISPLACED]):
        swing = SWING.replace("def swing", f"def swing_{number}") if number else SWING
        project.write(f"chapters/{number}", "One", swing, after=after)
    said = project.build(succeeds=False)
    for words in WRONG.values():
        assert re.search(rf"0\.md:\d+: .*{re.escape(words)}", said), said
    for number, words in enumerate(MISPLACED.values(), 1):
        assert re.search(rf"{number}\.md:\d+: .*{re.escape(words)}", said), said
    assert re.search(r"none\.md:\d+: .*no figure that moves stands beside this place", said), said
