"""Every figure that moves, on every page: controls, points, answers, addresses, and what is drawn now."""

import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from tests.book.conftest import PAGES, ROOT, SITE, parsed
from tests.explore.conftest import centre
from tests.explore.reader import read

WAYS = {  # of moving each kind of control; a point may be free along one axis only
    "input[type=range]": ["Home"],
    "[data-handle]": ["ArrowRight", "ArrowUp"],
    "select": ["ArrowDown"],
    "input[type=checkbox]": ["Space"],
}
FRAMES_COMPARED, FRAMES_BETWEEN = 3, 300
FORTY_MEGABYTES, FORTY_SECONDS = 100, 5
MEDIAN_ERROR, LARGE_ERROR = 0.1, 1.2  # pixels of 360, of 95 in a hundred numbers


def explorables(path):
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    return [figure["id"] for figure in soup.select("figure.explorable")]


def holding(path, selector):
    """The moving figures of a page that hold an element of the kind."""
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    return [figure["id"] for figure in soup.select(f"figure.explorable:has({selector})")]


FIGURES = [(path, name) for path in PAGES for name in explorables(path)]
PAGES_WITH_FIGURES = sorted({path for path, _ in FIGURES})


def ready(page, name):
    """The figure in view, its frames loaded."""
    figure = page.locator(f"#{name}")
    figure.scroll_into_view_if_needed()
    figure.evaluate("figure => figure.source.load()")
    return figure


def shown(figure):
    return figure.locator(".explorable-frame").inner_html(), figure.locator("output").inner_text()


@pytest.mark.parametrize(("path", "name"), FIGURES)
def test_figure_keeps_the_contract(path, name):
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    figure = soup.find(id=name)
    assert name.startswith("ex-")
    assert figure["data-source"] == "baked"
    for drawing in figure.select(".explorable-frame svg"):
        assert drawing["role"] == "img"
        assert drawing["aria-label"]
    for control in figure.select("input, select"):
        assert control.find_parent("label")
        assert control["name"]
    assert figure.select("input, select, [data-handle]")
    assert figure.select_one("output[aria-live=polite]").text.strip()
    prompts = figure.select(".explorable-prompts li")
    assert len(prompts) >= 2
    assert len(figure.select(".explorable-prompts .explorable-answer")) == len(prompts)
    assert figure.find("figcaption").text.strip()


@pytest.mark.parametrize(("path", "name"), FIGURES)
def test_everything_moves_by_keyboard_and_mouse(visit, path, name):
    """On one load of the page, for a chapter's page is large."""
    with visit(path) as page:
        figure = ready(page, name)
        controls_move_the_figure_to_both_ends(figure)
        play_runs_and_pauses(page, figure)
        points_follow_the_mouse(page, figure)
        answers_show_their_positions(page, figure)
        the_address_brings_a_position_back(page, figure)


def controls_move_the_figure_to_both_ends(figure):
    for slider in figure.locator("input[type=range]").all():
        seen = []
        for key in ("Home", "End"):
            slider.press(key)
            end = "min" if key == "Home" else "max"
            assert float(slider.input_value()) == float(slider.get_attribute(end))
            seen.append(shown(figure))
        assert seen[0][0] != seen[1][0], "the drawing is the same at both ends"
        assert seen[0][1] != seen[1][1], "the sentence is the same at both ends"
        figure.locator(".explorable-reset").click()
    for menu in figure.locator("select").all():
        first = shown(figure)
        menu.press("ArrowDown")
        assert shown(figure) != first
    for box in figure.locator("input[type=checkbox]").all():
        first = shown(figure)
        box.press("Space")
        assert shown(figure) != first
    for point in figure.locator("[data-handle]").all():
        first = shown(figure)
        for key in ("ArrowRight", "ArrowUp", "ArrowRight", "ArrowUp"):
            point.press(key)
        assert shown(figure)[0] != first[0]


def play_runs_and_pauses(page, figure):
    for button in figure.locator(".explorable-play button[name]").all():
        slider = figure.locator(f".explorable-play input[name='{button.get_attribute('name')}']")
        slider.press("Home")
        button.click()
        expect(slider).not_to_have_value("0")
        button.click()
        held = slider.input_value()
        page.wait_for_function("new Promise(done => setTimeout(() => done(true), 700))")
        assert slider.input_value() == held


def points_follow_the_mouse(page, figure):
    for point in figure.locator("[data-handle]").all():
        figure.locator(".explorable-reset").click()
        first, (x, y) = shown(figure), centre(point)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 40, y - 30, steps=6)
        page.mouse.up()
        assert shown(figure)[0] != first[0], "the mouse does not move the point"


def answers_show_their_positions(page, figure):
    for answer in figure.locator(".explorable-answer").all():
        answer.locator("summary").click()
        for button in answer.locator(".explorable-jump").all():
            wanted = json.loads(button.get_attribute("data-at"))
            figure.locator(".explorable-reset").click()
            button.click()
            at = figure.evaluate(
                "f => Object.fromEntries(f.view.spec.parameters.map(p => [p.name, f.view.value(p.name)]))"
            )
            assert {key: at[key] for key in wanted} == wanted


def move(figure):
    """One control, whatever its kind, off the start."""
    for kind, keys in WAYS.items():
        if figure.locator(kind).count():
            control = figure.locator(kind).first
            at_home = kind == "input[type=range]" and control.input_value() == "0"
            for key in ["End"] if at_home else keys:
                control.press(key)
            return


def the_address_brings_a_position_back(page, figure):
    """A link to what the figure shows now, opened anew."""
    figure.locator(".explorable-reset").click()
    page.evaluate("history.replaceState(history.state, '', location.pathname)")  # what earlier moves wrote
    first = shown(figure)
    move(figure)
    there = shown(figure)
    assert there[0] != first[0]
    page.wait_for_url(lambda url: "?" in url)
    page.reload()
    expect(figure.locator("output")).to_have_text(there[1])


def test_the_book_has_figures_of_each_kind():
    assert FIGURES
    assert any(parsed(path).select(".explorable-play") for path in PAGES_WITH_FIGURES)
    assert any(parsed(path).select("[data-handle]") for path in PAGES_WITH_FIGURES)


@pytest.mark.parametrize(("path", "name"), FIGURES)
def test_on_a_phone_points_follow_the_finger_and_texts_are_legible(visit, path, name):
    with visit(path, screen="phone", theme="dark", has_touch=True) as page:
        figure = ready(page, name)
        for point in figure.locator("[data-handle]").all():
            follows_the_finger(page, figure, point)
        figure.locator(".explorable-numbers summary").click()
        expect(figure.locator(".explorable-numbers tbody tr").first).to_be_visible()
        sizes = figure.locator(".explorable-panel svg text").evaluate_all(
            "texts => texts.map(t => "
            "t.getAttribute('font-size') * t.ownerSVGElement.getBoundingClientRect().width / 360)"
        )
        assert min(sizes) >= 11
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def follows_the_finger(page, figure, point):
    clear_of_the_bar = "point => point.scrollIntoView({block: 'center', behavior: 'instant'})"
    point.evaluate(clear_of_the_bar)
    first, touch, (x, y) = shown(figure), page.context.new_cdp_session(page), centre(point)
    for kind, (dx, dy) in (("touchStart", (0, 0)), ("touchMove", (25, 20)), ("touchMove", (50, 45))):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + dx, "y": y + dy}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert shown(figure)[0] != first[0], "the finger does not move the point"


def test_forty_of_the_heaviest_figure_stay_light(visit):
    """A page of forty copies, all their tables loaded and every figure moved once."""
    path, name = max(FIGURES, key=lambda figure: len(table_of(*figure)))
    with visit(path) as page:
        page.route("**/forty.html", lambda route: route.fulfill(body=copies(path, name, 40)))
        console = page.context.new_cdp_session(page)
        console.send("Performance.enable")
        page.goto(page.url.replace(path, path.rpartition("/")[0] + "/forty.html"))
        moved = page.evaluate(MOVE_ALL)
        assert moved == [True] * 40
        console.send("HeapProfiler.collectGarbage")
        heap = console.send("Runtime.getHeapUsage")
        metrics = {m["name"]: m["value"] for m in console.send("Performance.getMetrics")["metrics"]}
    megabytes = sum(heap[part] for part in ("usedSize", "embedderHeapUsedSize", "backingStorageSize")) / 1e6
    assert megabytes <= FORTY_MEGABYTES
    assert metrics["ScriptDuration"] <= FORTY_SECONDS


MOVE_ALL = """() => Promise.all([...document.querySelectorAll("figure.explorable")].map(async figure => {
    await figure.source.load();
    const before = figure.querySelector(".explorable-frame").innerHTML;
    const handle = figure.querySelector("[data-handle]");
    for (let step = 0; step < 9; step++)
        handle.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    return figure.querySelector(".explorable-frame").innerHTML !== before;
}))"""


def table_of(path, name):
    figure = BeautifulSoup((SITE / path).read_text(), "html.parser").find(id=name)
    return ((SITE / path).parent / figure["data-frames"]).read_bytes()


def copies(path, name, count):
    """The page with one of its figures `count` times, and no other."""
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    kept = soup.find(id=name)
    for number in range(count):
        again = copy.copy(kept)
        again["id"] = f"{name}-{number}"
        kept.insert_before(again)
    for figure in soup.select("figure.explorable"):
        if not re.fullmatch(rf"{name}-\d+", figure["id"]):
            figure.decompose()
    return str(soup)


@pytest.fixture(scope="module", params=PAGES_WITH_FIGURES)
def redrawn(request):
    """Of each figure on a page: (positions, what the reader's side draws there, what the functions draw now).

    The first FRAMES_COMPARED positions are computed ones; at the others the reader's side interpolates.
    """
    soup = BeautifulSoup((SITE / request.param).read_text(), "html.parser")
    wanted = {}
    for name in explorables(request.param):
        figure = soup.find(id=name)
        spec = json.loads(figure.find("script").text)
        table = json.loads(((SITE / request.param).parent / figure["data-frames"]).read_text())
        places = [*positions(spec, FRAMES_COMPARED), *positions(spec, FRAMES_BETWEEN, between=True)]
        wanted[spec["name"]] = places, read(table, places, rest=False)
    source = request.param.removesuffix(".html") + ".md"
    now = drawn_now(source, {name: places for name, (places, _) in wanted.items()})
    return {name: (*found, now[name]) for name, found in wanted.items()}


def positions(spec, count, *, between=False):
    """Positions of the controls chosen at random; those of sliders anywhere if `between`."""
    choose = random.Random(spec["name"])
    ends = [(len(p["values"]) - 1, between and p["kind"] == "slider") for p in spec["parameters"]]
    return [
        [choose.uniform(0, end) if anywhere else choose.randint(0, end) for end, anywhere in ends]
        for _ in range(count)
    ]


def test_baked_tables_are_what_the_functions_draw_now(redrawn):
    for name, frames in redrawn.items():
        for place, was, now in list(zip(*frames, strict=True))[:FRAMES_COMPARED]:
            assert now["text"] == was["text"], f"{name} at {place}"
            assert [m["n"] for m in now["marks"]] == [m["n"] for m in was["marks"]], f"{name} at {place}"


def test_between_computed_positions_marks_are_nearly_where_the_functions_put_them(redrawn):
    for name, (_, was, now) in redrawn.items():
        first = numbers_of(was[0])
        pairs = zip(was[FRAMES_COMPARED:], now[FRAMES_COMPARED:], strict=True)
        errors = np.concatenate([distances(*map(numbers_of, pair), first) for pair in pairs])
        assert np.median(errors) <= MEDIAN_ERROR, name
        assert np.quantile(errors, 0.95) <= LARGE_ERROR, name


def numbers_of(frame):
    """The numbers of each mark, in tenths of a pixel."""
    return {(m["p"], m["k"], m["t"], len(m["n"])): np.array(m["n"]) for m in frame["marks"]}


def distances(was, now, first):
    """Pixels between the numbers that both frames hold, of those that have moved since the first."""
    both = [(was[mark], now[mark], first.get(mark)) for mark in now.keys() & was.keys()]
    return np.concatenate([np.abs(a - b)[a != start] / 10 for a, b, start in both])


REDRAW = """
import json, sys
import jupytext
source, wanted = sys.argv[1], json.loads(sys.argv[2])
names = {}
for cell in jupytext.read(source, fmt="md:myst").cells:
    if cell.cell_type == "code":
        exec(compile(cell.source, source, "exec"), names)
figures = {f.name: f for f in names.values() if type(f).__name__ == "Explorable"}

def value(control, position):
    low, share = int(position), position % 1
    if not share:
        return control.values[low]
    a, b = control.values[low : low + 2]
    return a * (b / a) ** share if control.log else a + (b - a) * share

drawn = {}
for name, places in wanted.items():
    figure = figures[name]
    controls = figure.parameters.items()
    drawn[name] = [figure.frame({key: value(c, k) for (key, c), k in zip(controls, at)}) for at in places]
json.dump(drawn, open(sys.argv[3], "w"))
"""


def drawn_now(source, places):
    """Frames by figure and place, drawn by the page's own cells in a Python without IPython's display."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "frames.json"
        command = [sys.executable, "-c", REDRAW, ROOT / source, json.dumps(places), answer]
        environment = {**os.environ, "MPLBACKEND": "agg", "MARGINS_BAKE": "1"}
        result = subprocess.run(
            command, cwd=(ROOT / source).parent, env=environment, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr[-2000:]
        return json.loads(answer.read_text())
