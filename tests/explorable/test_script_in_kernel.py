"""The reader's side in a real browser, over a kernel that the test plays."""

import json
import shutil

import pytest
from playwright.sync_api import expect

from explorable import Drawing, explore, handle, markup, play, slider
from scripts.serving import serve
from tests.explorable.conftest import centre

LIVE_PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Live</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="explorable.css"><div id="cell"></div>
<script type="module">
import widget from "./explorable.js";
const state = {state}, listeners = new Set();
window.sent = [];
window.answer = message => listeners.forEach(listen => listen(message));
window.model = {{
  get: key => state[key], send: message => sent.push(message),
  on: (name, listen) => listeners.add(listen), off: (name, listen) => listeners.delete(listen),
}};
window.release = widget.render({{model, el: document.querySelector("#cell")}});
window.listeners = listeners;
</script>"""


@pytest.fixture(scope="module")
def live_page(tmp_path_factory):
    """Address of a page on which a live figure talks to a model that the test plays."""
    folder = tmp_path_factory.mktemp("live")

    @explore(a=slider(1, 100, steps=3, log=True), n=play(range(3)), p=handle(x=slider(0, 1, steps=3), y=0))
    def curve(a, n, p_x):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1)).scatter([p_x], [0], keys=["tip"])
        return drawing, f"a = {a:g}"

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("EXPLORABLE_BAKE", raising=False)
        curve.bundle()
    state = json.dumps({"spec": curve.view.spec, "markup": curve.view.markup}).replace("</", "<\\/")
    (folder / "index.html").write_text(LIVE_PAGE.format(state=state))
    (folder / "explorable.js").write_text(markup.script())
    shutil.copy(markup.STYLE_SHEET, folder)
    with serve(folder) as address:
        yield f"{address}/index.html"


def answer(page, number, **reply):
    """The kernel's answer to the request `number`."""
    page.evaluate("([n, reply]) => answer({id: sent[n].id, ...reply})", [number, reply])


def frame(text, x=100):
    """A frame as the kernel sends it, with one dot `x` pixels from the left."""
    panel = {"name": "plane", "w": 360, "h": 270, "box": [46, 12, 346, 244], "x": "", "y": ""}
    dot = {"p": 0, "k": "tip", "t": "dot", "s": {"marker": "o", "fill": "c0"}, "n": [10 * x, 2440, 34]}
    return {"panels": [panel], "marks": [dot], "text": text}


def dots(text, places):
    """A frame with a dot for each of `places`, by name, that many pixels from the left."""
    whole = frame(text)
    whole["marks"] = [{**frame(text, x)["marks"][0], "k": name} for name, x in places.items()]
    return whole


TOUCHED = """new MutationObserver(records => {
  window.touched = records.map(r => [r.type, r.target.localName ?? r.target.parentNode.localName,
    r.target.dataset?.l ?? "", r.addedNodes.length, r.removedNodes.length]);
}).observe(document.querySelector("figure"), {subtree: true, childList: true, attributes: true,
  characterData: true, attributeFilter: ["d", "x", "y", "fill", "stroke"]})"""


def test_a_new_frame_touches_what_it_changes_and_nothing_else(visit, live_page):
    page = visit(live_page)
    page.locator("input[name=a]").press("End")
    answer(page, 0, frame=dots("four", {"a": 60, "b": 100, "c": 140, "d": 180}))
    expect(page.locator("output")).to_have_text("four")
    page.evaluate(TOUCHED)
    page.locator("[data-handle=p]").press("ArrowRight")
    answer(page, 1, frame=dots("three", {"a": 60, "c": 140, "d": 190}))
    expect(page.locator("output")).to_have_text("three")
    page.wait_for_function("window.touched")
    assert sorted(page.evaluate("touched")) == [
        ["attributes", "path", "d", 0, 0],  # d moves
        ["characterData", "output", "", 0, 0],
        ["childList", "svg", "", 0, 1],  # b goes
    ]
    drawn = "[...document.querySelectorAll('svg [data-l]')].map(mark => mark.dataset.l).join()"
    assert page.evaluate(drawn) == "a,c,d"


def test_live_sliders_and_handles_are_continuous_and_values_arrive(visit, live_page):
    page = visit(live_page)
    page.locator("input[name=a]").evaluate("e => { e.value = 1.5; e.dispatchEvent(new Event('input')); }")
    (request,) = page.evaluate("sent")
    assert request["values"] == {"a": pytest.approx(10**1.5), "n": 0, "p_x": 0.5}
    assert page.locator("input[name=a]").get_attribute("aria-valuetext") == "31.6"
    answer(page, 0, frame=frame("drawn"))
    expect(page.locator("output")).to_have_text("drawn")
    page.locator("input[name=a]").press("ArrowRight")
    assert page.evaluate("sent[1].values.a") > 10**1.5
    page = visit(live_page)
    point = page.locator("[data-handle=p]")
    x, y = centre(point)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 17, y + 20)
    unit = page.locator("svg").bounding_box()["width"] / 360 * 300
    assert page.evaluate("sent.at(-1).values.p_x") == pytest.approx(0.5 + 17 / unit, abs=1e-3)
    assert centre(point) == pytest.approx((x + 17, y), abs=0.6)  # it need not wait for the kernel


def test_of_a_burst_the_kernel_gets_the_first_and_the_newest(visit, live_page):
    page = visit(live_page)
    page.evaluate(
        """() => { const input = document.querySelector('input[name=a]');
        for (let k = 0; k < 60; k++) { input.value = k / 30; input.dispatchEvent(new Event('input')); } }"""
    )
    assert page.evaluate("sent.length") == 1
    answer(page, 0, frame=frame("the first"))
    expect(page.locator("output")).to_have_text("the first")
    assert page.evaluate("sent.map(message => message.values.a)") == [1, pytest.approx(100 ** (59 / 60))]
    answer(page, 0, frame=frame("an echo"))
    answer(page, 1, frame=frame("the newest"))
    expect(page.locator("output")).to_have_text("the newest")


def test_an_exception_is_shown_in_place_until_the_next_move_and_a_closed_view_listens_no_more(
    visit, live_page
):
    page = visit(live_page)
    page.locator("input[name=a]").press("End")
    answer(page, 0, error="explorable 'curve' at a=100: it <raised>")
    report = page.locator(".explorable-frame > pre[role=alert]")
    expect(report).to_have_text("explorable 'curve' at a=100: it <raised>")
    page.locator("[data-handle=p]").press("ArrowRight")
    page.locator("input[name=a]").press("Home")
    answer(page, 1, frame=frame("well again"))
    expect(report).to_have_count(0)
    expect(page.locator(".explorable-panel > svg")).to_be_visible()
    page.locator("button[name=n]").click()
    page.evaluate("release()")
    assert page.evaluate("listeners.size") == 0


def test_a_silent_kernel_is_noted_and_may_come_back(visit, live_page):
    page = visit(live_page)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # else the time that a busy machine takes would count
    note = page.locator(".explorable-note")
    page.locator("input[name=a]").press("End")
    page.clock.run_for(2900)
    expect(note).to_be_hidden()
    page.clock.run_for(200)
    expect(note).to_contain_text("No answer from the kernel yet")
    page.locator("input[name=a]").press("Home")
    assert page.evaluate("sent.length") == 2  # the first is given up
    answer(page, 1, frame=frame("back"))
    expect(page.locator("output")).to_have_text("back")
    expect(note).to_be_hidden()
    page.evaluate("() => { model.send = () => { throw Error('no comm') } }")
    page.locator("input[name=a]").press("End")
    expect(note).to_have_text("The kernel cannot be reached (no comm).")
