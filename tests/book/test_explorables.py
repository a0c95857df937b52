"""Every figure that moves, on every page: controls, points, answers and addresses, at a desk."""

import copy
import functools
import json
import re
from collections import defaultdict

import pytest
from playwright.sync_api import expect

from tests.book.axe import THIN
from tests.book.conftest import SITE, parsed
from tests.book.figures import (
    FIGURES,
    PAGES_WITH_FIGURES,
    bring,
    each_figure,
    explorables,
    no_label_is_under_a_point,
    ready,
    shown,
)
from tests.explorable.conftest import centre

WAYS = {  # of moving each kind of control; a point may be free along one axis only, and at an end of it
    "input[type=range]": ["Home"],
    "[data-handle]": ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowDown"],
    "select": ["ArrowDown"],
    "input[type=checkbox]": ["Space"],
}
FORTY_MEGABYTES = 100
SOON, LATER = 250, 700  # milliseconds: the address follows the hand after 200, what plays goes on after 600


@pytest.mark.parametrize(("path", "name"), FIGURES)
def test_figure_keeps_the_contract(path, name):
    figure = parsed(path).find(id=name)
    assert name.startswith("ex-")
    assert figure["data-source"] == "baked"
    for control in figure.select("input, select"):
        assert control.find_parent("label")
        assert control["name"]
    assert figure.select("input, select, [data-handle]")
    assert figure.select_one("output[aria-live=polite]").text.strip()
    if not path.startswith("stories/"):  # there the text asks
        tried = figure.find_next_sibling(class_="explorable-prompts")
        prompts = tried.find_all("li", recursive=False)
        fewest = 2 if figure.find_parent(class_="docks") else 1  # a small one stays in the text
        assert len(tried.select(".explorable-answer")) == len(prompts) >= fewest


@pytest.fixture(scope="module")
def opened(visit, request):
    """One page of the book, open while all of its figures are moved; its clock can be put forward."""
    with visit(f"{request.param}?depth=everything") as page:  # figures of excursions, too
        page.path = request.param
        page.clock.install()
        page.evaluate(THIN)  # what is set beside a figure is laid out again at each of its moves
        yield page


@each_figure
def test_everything_moves_by_keyboard_and_mouse(opened, name):
    figure = ready(opened, name)
    no_label_is_under_a_point(opened, figure)
    controls_move_the_figure_to_both_ends(figure)
    play_runs_and_pauses(opened, figure)
    points_follow_the_mouse(opened, figure)
    words_light_their_marks(opened, figure, name)
    answers_show_their_positions(opened, figure)
    there = the_address_brings_a_position_back(opened, figure, name)
    if name == explorables(opened.path)[-1]:  # one on each page
        the_address_is_read_when_the_page_opens(opened, figure, there)


def start_again(figure):
    """By the button, without the way of a mouse to it, which `ready` has gone."""
    figure.locator(".explorable-reset").evaluate("button => button.click()")


def controls_move_the_figure_to_both_ends(figure):
    """Each of them, where the others start or, as it may do nothing there, where they are moved to."""
    for slider in figure.locator("input[type=range]").all():
        start_again(figure)
        if not says_and_draws_another(slider, figure):
            move_all(figure)
            assert says_and_draws_another(slider, figure)
    start_again(figure)
    for part in figure.locator("select, input[type=checkbox]").all():
        if not shows_another(part, figure):
            move_all(figure)
            assert shows_another(part, figure)
    for point in figure.locator("[data-handle]").all():
        first = shown(figure)
        for key in WAYS["[data-handle]"]:
            point.press(key)
        assert shown(figure)[0] != first[0]


def move_all(figure):
    for part in figure.locator("select, input[type=range]").all():
        part.press(away(part) if part.evaluate("part => part.matches('select')") else "End")


def shows_another(part, figure):
    """Whether the figure changes with a menu or a box."""
    first = shown(figure)
    part.press(away(part) if part.evaluate("part => part.matches('select')") else "Space")
    return shown(figure) != first


def says_and_draws_another(slider, figure):
    """Whether drawing and sentence change from end to end, or, where both ends are alike, between them."""
    seen = []
    for key, end in (("Home", "min"), ("End", "max")):
        slider.press(key)
        assert float(slider.input_value()) == float(slider.get_attribute(end))
        seen.append(shown(figure))
    for _ in range(9):
        if not differ(seen):
            slider.press("PageDown")
            seen.append(shown(figure))
    return differ(seen)


def differ(seen):
    """Whether there are several drawings and several sentences."""
    return all(len(set(kinds)) > 1 for kinds in zip(*seen, strict=True))


def away(menu):
    """The key that takes a menu off its option."""
    last = menu.evaluate("menu => menu.selectedIndex === menu.options.length - 1")
    return "ArrowUp" if last else "ArrowDown"


def play_runs_and_pauses(page, figure):
    for button in figure.locator(".explorable-play button[name]").all():
        slider = figure.locator(f".explorable-play input[name='{button.get_attribute('name')}']")
        slider.press("Home")
        button.click()
        expect(slider).not_to_have_value("0")
        button.click()
        held = slider.input_value()
        page.clock.run_for(LATER)
        assert slider.input_value() == held


def points_follow_the_mouse(page, figure):
    for point in figure.locator("[data-handle]").all():
        start_again(figure)
        first, (x, y) = shown(figure), centre(point)
        reach = figure.evaluate(REACH, point.get_attribute("data-handle"))
        page.mouse.move(x, y)
        page.mouse.down()
        across = -40 if reach[0][0] < x - 1 else 40  # from the left end to the right,
        up = -30 if reach[1][0] < y - 1 else 30  # from the upper one down
        for share in (0.2, 0.4, 0.6, 0.8, 1):
            pointer = x + across * share, y + up * share
            page.mouse.move(*pointer)
            nearest = [min(max(at, low), high) for at, (low, high) in zip(pointer, reach, strict=True)]
            assert centre(point) == pytest.approx(nearest, abs=2), "the point is not under the mouse"
        page.mouse.up()
        assert shown(figure)[0] != first[0], "the mouse does not move the point"


REACH = """(figure, name) => {  // how far the point may go across and up, on the screen
  const { view } = figure, at = view.places[name], handle = view.spec.handles.find(h => h.name === name);
  const box = view.panels[at.panel].getBoundingClientRect(), scale = box.width / 360;
  return ["x", "y"].map(axis => {
    const [start, slope, log] = at[axis], values = view.parameter(handle[axis])?.values ?? [handle[axis]];
    const ends = [values[0], values.at(-1)].map(v => start + slope * (log ? Math.log10(v) : v));
    return ends.map(end => (axis === "x" ? box.left : box.top) + scale * end).sort((a, b) => a - b);
  });
}"""


def words_light_their_marks(page, figure, name):
    start_again(figure)
    titles = titles_of_words(page.path)[name]
    words = page.locator(f"a.points-at[href='#{name}']")
    assert words.count() == len(titles)
    for number, title in enumerate(titles):
        there = figure.evaluate(NAMED, title)
        for reach in (words.nth(number).hover, words.nth(number).focus):
            reach()
            assert figure.evaluate(LIT) == there
        page.mouse.move(0, 0)
        words.nth(number).blur()
        assert figure.evaluate(LIT) == there  # quietly, until something else points
        page.keyboard.press("Escape")
        assert figure.evaluate(LIT) == []


@functools.cache
def titles_of_words(path):
    """By figure of a page, what its words name, in their order: to look through a page takes a second."""
    titles = defaultdict(list)
    for word in parsed(path).find_all("a", href=re.compile("^#ex-"), title=True):
        titles[word["href"][1:]].append(word["title"])
    return titles


# the names that a word lights: its own, or, where it has no mark, all that begin with it
NAMED = """(f, title) => {
    const names = [...new Set([...f.querySelectorAll("[data-l]")].map(mark => mark.dataset.l))];
    return names.includes(title) ? [title] : names.filter(name => name.startsWith(`${title} `));
}"""
LIT = """f => [...new Set([...f.querySelectorAll(".lit")].map(mark => mark.dataset.l))]"""


def answers_show_their_positions(page, figure):
    questions = figure.locator("xpath=following-sibling::ul[1]")
    turn = questions.get_by_role("button", name="Next question")
    bring(figure)
    for number, answer in enumerate(questions.locator(".explorable-answer").all()):
        if number and turn.is_visible():  # beside the text there is one question at a time
            turn.click()
        answer.locator("summary").click()
        for button in answer.locator(".explorable-jump").all():
            wanted = json.loads(button.get_attribute("data-at"))
            start_again(figure)
            button.click()
            at = figure.evaluate(
                "f => Object.fromEntries(f.view.spec.parameters.map(p => [p.name, f.view.value(p.name)]))"
            )
            assert {key: at[key] for key in wanted} == wanted


def move(figure):
    """A control of each kind off the start, until the drawing is another."""
    first = shown(figure)[0]
    for kind, keys in WAYS.items():
        if shown(figure)[0] == first and figure.locator(kind).count():
            control = figure.locator(kind).first
            at_home = kind == "input[type=range]" and control.input_value() == "0"
            for key in ["End"] if at_home else [away(control)] if kind == "select" else keys:
                control.press(key)


def the_address_brings_a_position_back(page, figure, name):
    first = back_at_the_start(page, figure, name)
    move(figure)
    there = shown(figure)
    assert there[0] != first[0]
    page.clock.run_for(SOON)
    page.wait_for_url(lambda url: f"#{name}?" in url)
    address = page.url
    back_at_the_start(page, figure, name)
    page.goto(address)
    expect(figure.locator("output")).to_have_text(there[1])
    return there


def the_address_is_read_when_the_page_opens(page, figure, there):
    page.reload()
    expect(figure.locator("output")).to_have_text(there[1])


def back_at_the_start(page, figure, name):
    """What the figure shows there, once its address is written, which takes a moment."""
    start_again(figure)
    page.clock.run_for(SOON)
    page.wait_for_url(lambda url: url.endswith(f"#{name}"))
    return shown(figure)


def test_the_book_has_figures_of_each_kind():
    assert FIGURES
    assert any(parsed(path).select(".explorable-play") for path in PAGES_WITH_FIGURES)
    assert any(parsed(path).select("[data-handle]") for path in PAGES_WITH_FIGURES)


@pytest.mark.full
def test_forty_of_the_heaviest_figure_stay_light(visit):
    """A page of forty copies, all their tables loaded and every figure moved once."""
    path, name = max(FIGURES, key=lambda figure: len(table_of(*figure)))
    with visit(path) as page:
        page.route("**/forty.html", lambda route: route.fulfill(body=copies(path, name, 40)))
        console = page.context.new_cdp_session(page)
        page.goto(page.url.replace(path, path.rpartition("/")[0] + "/forty.html"))
        moved = page.evaluate(MOVE_ALL)
        assert moved == [True] * 40
        console.send("HeapProfiler.collectGarbage")
        heap = console.send("Runtime.getHeapUsage")
    megabytes = sum(heap[part] for part in ("usedSize", "embedderHeapUsedSize", "backingStorageSize")) / 1e6
    assert megabytes <= FORTY_MEGABYTES


def test_no_rule_of_style_asks_whether_anything_at_all_is_inside():
    """A browser tries such rules again, and styles the figure anew, wherever a mark comes or goes."""
    style = (SITE / "_static" / "margins.css").read_text()
    asked = [part for has in HAS.findall(style) for part in re.split(r",(?![^()]*\))", has)]
    assert len(asked) > 10
    assert [part for part in asked if re.search(r"(^|[ >+~])(:|\*)", part.strip())] == []


HAS = re.compile(r":has\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")  # brackets three deep
MOVE_ALL = """() => Promise.all([...document.querySelectorAll("[data-source]")].map(async figure => {
    await figure.source.load();
    const before = figure.querySelector(".explorable-frame").innerHTML;
    const handle = figure.querySelector("[data-handle]");
    for (let step = 0; step < 9; step++)
        handle.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    return figure.querySelector(".explorable-frame").innerHTML !== before;
}))"""


def table_of(path, name):
    figure = parsed(path).find(id=name)
    return ((SITE / path).parent / figure["data-frames"]).read_bytes()


def copies(path, name, count):
    """The page with one of its figures `count` times, and no other."""
    soup = copy.copy(parsed(path))
    kept = soup.find(id=name)
    for number in range(count):
        again = copy.copy(kept)
        again["id"] = f"{name}-{number}"
        kept.insert_before(again)
    for figure in soup.select("figure.explorable"):
        if not re.fullmatch(rf"{name}-\d+", figure["id"]):
            figure.decompose()
    return str(soup)
