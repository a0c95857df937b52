"""The offline edition as readers have it: unpacked, opened from a disk in two browsers, and served."""

import contextlib
import json
import zipfile

import pytest

from scripts.editions import offline
from scripts.serving import serve
from tests.book.conftest import SITE, Faults
from tests.book.exercise_in_page import COLD
from tests.book.firefox import running
from tests.book.test_cells_in_page import LIVE, SOURCE, run
from tests.book.test_second_engine import SHOWN, SLIDER

pytestmark = pytest.mark.full
MOMENT = 1_800_000_000
LARGEST = 25e6  # bytes of the archive
CHAPTER = "chapters/01_svm_duality.html"
FOUND = "document.querySelector('.while-typing [role=status]')?.textContent.includes('is said in')"
FORMULAS = "() => document.querySelectorAll('.while-typing math').length"
UNTIL = """const until = async found => {
        while (!found()) await new Promise(requestAnimationFrame);
        return found();
    };"""
PREVIEW = f"""async () => {{
    {UNTIL}
    const link = document.querySelector("main a[href*='01_svm_duality.html#svm-thm-soft']");
    link.dispatchEvent(new PointerEvent("pointerover", {{bubbles: true, pointerType: "mouse"}}));
    return (await until(() => document.querySelector("#preview:popover-open"))).textContent;
}}"""
QUIZ = """() => {
    const question = document.querySelector("fieldset.quiz");
    return [...question.querySelectorAll("input")].map(choice => {
        choice.click();
        [...question.querySelectorAll("button")].find(one => one.textContent === "Check my answer").click();
        return question.querySelector("[role=status]").textContent.trim().startsWith("Right");
    });
}"""
DEPTHS = """() => ["chapter", "everything"].map(depth => {
    document.querySelector(`.depth button[value=${depth}]`).click();
    return document.querySelectorAll("details.deep:not([open])").length;
})"""
BESIDE = f"""async () => {{
    {UNTIL}
    return (await until(() => document.querySelector(".docks > .cell_output:popover-open figure"))).id;
}}"""
POINTED = f"""async () => {{
    {UNTIL}
    const word = await until(() => document.querySelector("a.points-at[href='#ex-street']"));
    word.dispatchEvent(new PointerEvent("pointerenter", {{pointerType: "mouse"}}));
    return document.querySelectorAll("#ex-street .lit").length;
}}"""
PRESSED = f"""async kind => {{
    {UNTIL}
    const button = document.querySelector(`button[data-python=${{kind}}]`);
    button.click();
    return (await until(() => button.parentNode.querySelector("[role=alert]"))).textContent;
}}"""
FONTS = """() => document.fonts.ready.then(() => [...document.fonts].map(font => font.status))"""


class Chromium:
    """A page of Chromium with the words of `tests.book.firefox.Firefox`."""

    def __init__(self, browser):
        self.page = browser.new_page(viewport={"width": 1280, "height": 800})
        self.faults = Faults("file:")
        self.faults.watch(self.page)
        self.open, self.evaluate = self.page.goto, self.page.evaluate
        self.press, self.type = self.page.keyboard.press, self.page.keyboard.type

    def wait_for(self, condition):
        self.page.wait_for_function(f"() => {condition}")

    def nothing_is_wrong(self):
        self.faults.none_seen()
        assert len(self.faults.asked) > 10


@pytest.fixture(scope="module")
def files():
    return offline.edition(SITE, MOMENT)


@pytest.fixture(scope="module")
def packed(files, tmp_path_factory):
    target = tmp_path_factory.mktemp("packed") / "book.zip"
    offline.make(files, target, MOMENT)
    return target


@pytest.fixture(scope="module")
def folder(packed, tmp_path_factory):
    """The unpacked folder, in a place with a name as people have them."""
    place = tmp_path_factory.mktemp("Bücher für #1 & 100 %")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(place)
    return place / offline.NAME


@pytest.fixture(scope="module", params=["Chromium", "Firefox"])
def window(request, browser):
    if request.param == "Firefox":
        with running() as firefox:
            yield firefox
            assert not firefox.errors
            assert not [url for url in firefox.requests if not url.startswith(("file:", "data:", "blob:"))]
    else:
        chromium = Chromium(browser)
        yield chromium
        chromium.nothing_is_wrong()
        chromium.page.close()


def test_the_archive_is_small_and_holds_the_whole_site(files, packed):
    assert packed.stat().st_size < LARGEST
    with zipfile.ZipFile(packed) as archive:
        assert archive.namelist() == sorted(f"{offline.NAME}/{name}" for name in files)
    assert offline.NOT_FOUND not in files
    site = offline.published(SITE)
    changed = {name for name in site if files[name] != site[name]}
    pages = {name for name in site if name.endswith(".html")}
    assert changed == pages | {"_static/reader.js", "_static/margins.css"}
    told = files["READ-ME-FIRST.txt"].decode()
    assert "open index.html" in told
    assert "python3 -m http.server" in told
    assert "of 2027-01-15" in told


def test_the_same_site_makes_the_same_files(files):
    assert offline.edition(SITE, MOMENT) == files


def test_without_a_site_the_remedy_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"has no index.html: build the site with `make book`"):
        offline.edition(tmp_path, MOMENT)


def test_search_finds_while_one_types_and_leads_there(window, folder):
    window.open((folder / "index.html").as_uri())
    window.evaluate("() => document.getElementById('book-search').focus()")
    window.type("strong duality")
    window.wait_for(FOUND)
    assert window.evaluate(FORMULAS) > 0
    window.press("ArrowDown")
    address = window.evaluate("() => document.activeElement.href")
    assert address.startswith(f"{(folder / CHAPTER).as_uri()}?marked=")
    window.open(address)
    window.wait_for("CSS.highlights.get('found')?.size")
    assert set(window.evaluate(FONTS)) == {"loaded"}


def test_all_results_are_on_a_page_of_their_own(window, folder):
    window.open(f"{(folder / 'search.html').as_uri()}?q=kernel")
    window.wait_for("document.querySelectorAll('#search-results > li').length > 5")


def test_a_figure_beside_the_text_moves_and_words_point_at_it(window, folder):
    window.open((folder / CHAPTER).as_uri())
    assert window.evaluate(BESIDE) == "ex-street"
    assert window.evaluate(POINTED) > 0
    window.evaluate(SLIDER)
    before = window.evaluate(SHOWN)
    window.press("End")
    window.wait_for(f"({SHOWN})()[1] !== {json.dumps(before[1])}")
    assert window.evaluate(SHOWN)[0] != before[0]


def test_a_preview_opens_of_a_place_on_another_page(window, folder):
    window.open((folder / "chapters/02_kernels.html").as_uri())
    assert "Soft-margin duality" in window.evaluate(PREVIEW)


def test_a_quiz_answers_and_depths_fold(window, folder):
    window.open((folder / CHAPTER).as_uri())
    assert sorted(set(window.evaluate(QUIZ))) == [False, True]
    chapter, everything = window.evaluate(DEPTHS)
    assert chapter > 5
    assert everything == 0


def test_a_story_is_shown_as_slides(window, folder):
    window.open(f"{(folder / 'stories/03_softmax_kernel.html').as_uri()}?present#scene-5")
    for place in ("5/14", "6/14"):
        window.wait_for(f"document.activeElement?.dataset.place === {json.dumps(place)}")
        window.press("PageDown")


def test_the_ledger_filters_its_claims(window, folder):
    window.open((folder / "book/claims.html").as_uri())
    window.wait_for("document.querySelector('form.ledger-filter output').textContent")


def test_a_press_for_python_says_that_it_needs_a_server(window, folder):
    window.open(f"{(folder / CHAPTER).as_uri()}?depth=everything")
    for kind in ("exercise", "cell", "figure"):
        told = window.evaluate(PRESSED, kind)
        assert "call python -m http.server, then open http://localhost:8000" in told, kind


def test_a_file_that_is_missing_is_told_like_on_a_server(browser, folder):
    page = browser.new_page()  # whose complaint about the missing script is expected
    page.goto((folder / "index.html").as_uri())
    asked = "name => fetch(new URL(`_static/${name}`, document.baseURI)).then(({status}) => status, String)"
    assert page.evaluate(asked, "search/words.json") == 200
    assert page.evaluate(asked, "search/nothing.json") == 404
    told = page.evaluate(asked, "explorables/nothing.json")
    assert "explorables/nothing.json.js could not be read: is the archive unpacked whole?" in told
    page.close()


def test_from_a_server_modules_are_the_browser_s_and_python_runs(browser, folder):
    with serve(folder) as origin, contextlib.closing(browser.new_context()) as context:
        page, faults = context.new_page(), Faults(origin)
        faults.watch(page)
        page.goto(f"{origin}/{CHAPTER}?depth=everything")
        page.locator("[data-figure=ex-street]").get_by_role("button").click()
        page.wait_for_function(LIVE, timeout=COLD)  # the page's module of figures and Python's are one
        cell = page.locator("div.cell", has_text=SOURCE).first
        cell.get_by_role("button", name="Edit and run").click()
        assert run(cell, "\nprint('mine', 6 * 7)").endswith("mine 42\n")
        page.goto(f"{origin}/search.html?q=kernel")
        page.locator("#search-results > li").first.wait_for()
        faults.none_seen()
    assert not [url for url in faults.asked if url.endswith(("js.js", "json.js", "html.js", "all.js"))]
