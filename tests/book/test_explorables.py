"""Every figure that moves, on every page: controls, points, answers, addresses, and what is drawn now."""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from tests.book.conftest import PAGES, ROOT, SITE
from tests.explore.reader import read

FRAMES_COMPARED = 3
ADDRESSED = "name => location.hash === '#' + document.getElementById(name).view.address"


def explorables(path):
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    return [figure["id"] for figure in soup.select("figure.explorable")]


def holding(path, selector):
    """The moving figures of a page that hold an element of the kind."""
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    return [figure["id"] for figure in soup.select(f"figure.explorable:has({selector})")]


FIGURES = [(path, name) for path in PAGES for name in explorables(path)]
PLAYED = [(path, name) for path in PAGES for name in holding(path, ".explorable-play")]
DRAGGED = [(path, name) for path in PAGES for name in holding(path, "[data-handle]")]
PAGES_WITH_FIGURES = sorted({path for path, _ in FIGURES})


def ready(page, name):
    """The figure in view, its frames loaded."""
    figure = page.locator(f"#{name}")
    with page.expect_response(lambda response: "/explorables/" in response.url, timeout=10_000) as _:
        page.goto(page.url.split("#")[0] + f"#{name}")
        page.reload()
        figure.scroll_into_view_if_needed()
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
def test_every_control_moves_the_figure_to_both_ends(visit, path, name):
    with visit(path) as page:
        figure = ready(page, name)
        for slider in figure.locator("input[type=range]").all():
            seen = []
            for key in ("Home", "End"):
                slider.press(key)
                end = "min" if key == "Home" else "max"
                assert float(slider.input_value()) == float(slider.get_attribute(end))
                seen.append(shown(figure))
            assert seen[0][0] != seen[1][0], "the drawing is the same at both ends"
            assert seen[0][1] != seen[1][1], "the sentence is the same at both ends"
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


def test_the_book_has_figures_of_each_kind():
    assert FIGURES
    assert PLAYED
    assert DRAGGED


@pytest.mark.parametrize(("path", "name"), PLAYED)
def test_play_runs_and_pauses(visit, path, name):
    with visit(path) as page:
        figure = ready(page, name)
        for button in figure.locator(".explorable-play button").all():
            slider = figure.locator(".explorable-play input[type=range]").first
            slider.press("Home")
            button.click()
            expect(slider).not_to_have_value("0")
            button.click()
            held = slider.input_value()
            page.wait_for_function("new Promise(done => setTimeout(() => done(true), 700))")
            assert slider.input_value() == held


@pytest.mark.parametrize(("path", "name"), DRAGGED)
def test_points_follow_mouse_and_finger(visit, path, name):
    with visit(path, has_touch=True) as page:
        figure = ready(page, name)
        for point in figure.locator("[data-handle]").all():
            point.scroll_into_view_if_needed()
            first, box = shown(figure), point.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x - 40, y - 30, steps=6)
            page.mouse.up()
            dragged = shown(figure)
            assert dragged[0] != first[0], "the mouse does not move the point"
            touch = page.context.new_cdp_session(page)
            box = point.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            for kind, (dx, dy) in (("touchStart", (0, 0)), ("touchMove", (25, 20)), ("touchMove", (50, 45))):
                touch.send(
                    "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + dx, "y": y + dy}]}
                )
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            assert shown(figure)[0] != dragged[0], "a finger does not move the point"


@pytest.mark.parametrize(("path", "name"), FIGURES)
def test_every_answer_shows_its_position_and_the_address_links_it(visit, path, name):
    with visit(path) as page:
        figure = ready(page, name)
        for answer in figure.locator(".explorable-answer").all():
            answer.locator("summary").click()
            for button in answer.locator(".explorable-jump").all():
                figure.locator(".explorable-reset").click()
                first = shown(figure)
                button.click()
                page.wait_for_function(ADDRESSED, arg=name)  # the address follows once the figure rests
                there = shown(figure)
                if "?" in page.url:
                    assert there != first
                    page.reload()
                    expect(figure.locator("output")).to_have_text(there[1])


@pytest.mark.parametrize(("path", "name"), FIGURES)
def test_numbers_are_told_and_texts_are_legible_on_a_phone(visit, path, name):
    with visit(path, screen="phone", theme="dark") as page:
        figure = ready(page, name)
        figure.locator(".explorable-numbers summary").click()
        expect(figure.locator(".explorable-numbers tbody tr").first).to_be_visible()
        sizes = figure.locator(".explorable-panel svg text").evaluate_all(
            "texts => texts.map(t => "
            "t.getAttribute('font-size') * t.ownerSVGElement.getBoundingClientRect().width / 360)"
        )
        assert min(sizes) >= 11
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", PAGES_WITH_FIGURES)
def test_baked_tables_are_what_the_functions_draw_now(path):
    """Runs the page's cells in a fresh Python; compares positions chosen at random."""
    soup = BeautifulSoup((SITE / path).read_text(), "html.parser")
    wanted = {}
    for name in explorables(path):
        figure = soup.find(id=name)
        spec = json.loads(figure.find("script").text)
        table = json.loads(((SITE / path).parent / figure["data-frames"]).read_text())
        choose = random.Random(name)
        places = [[choose.randrange(size) for size in table["grid"]] for _ in range(FRAMES_COMPARED)]
        wanted[spec["name"]] = places, read(table, places)
    source = path.removesuffix(".html") + ".md"
    drawn = drawn_now(source, {name: places for name, (places, _) in wanted.items()})
    for name, (places, found) in wanted.items():
        for place, was, now in zip(places, found, drawn[name], strict=True):
            assert now["text"] == was["text"], f"{name} at {place}"
            assert [m["n"] for m in now["marks"]] == [m["n"] for m in was["marks"]], f"{name} at {place}"


REDRAW = """
import json, sys
import jupytext
source, wanted = sys.argv[1], json.loads(sys.argv[2])
names = {}
for cell in jupytext.read(source, fmt="md:myst").cells:
    if cell.cell_type == "code":
        exec(compile(cell.source, source, "exec"), names)
figures = {f.name: f for f in names.values() if type(f).__name__ == "Explorable"}
drawn = {}
for name, places in wanted.items():
    figure = figures[name]
    controls = figure.parameters.items()
    drawn[name] = [figure.frame({key: c.values[k] for (key, c), k in zip(controls, at)}) for at in places]
json.dump(drawn, open(sys.argv[3], "w"))
"""


def drawn_now(source, places):
    """Frames by figure and place, drawn by the page's own cells in a Python without IPython's display."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "frames.json"
        command = [sys.executable, "-c", REDRAW, ROOT / source, json.dumps(places), answer]
        environment = {**os.environ, "MPLBACKEND": "agg"}
        result = subprocess.run(
            command, cwd=(ROOT / source).parent, env=environment, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr[-2000:]
        return json.loads(answer.read_text())
