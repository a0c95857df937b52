"""The two depths of a chapter in a browser: chosen, remembered, opened by what leads to a fold, printed."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from conftest import full
from tests.book.conftest import SCREENS

CHAPTERS = ("chapters/06_attention_svm.html", "chapters/03_softmax_kernel.html")
CHAPTER = CHAPTERS[0]
DEPTHS = ("chapter", "everything")
BY_SCREEN = pytest.mark.parametrize("screen", ["laptop", *full("phone")])
OPEN = """() => {
    const folds = [...document.querySelectorAll("details.deep")];
    const open = folds.filter(fold => fold.open).length;
    return [folds.length > 5, open === folds.length, open > 0];
}"""
ERRATUM = "#att-printed .printed-fold .erratum >> nth=0"
OPENED = {"chapter": [True, False, False], "everything": [True, True, True]}
SHIFTS = """new PerformanceObserver(list => {
    for (const entry of list.getEntries().filter(entry => !entry.hadRecentInput))
        window.shifted = (window.shifted ?? 0) + entry.value;
}).observe({ type: "layout-shift", buffered: true })"""
FRAMES = """new Promise(done => {
    let left = 6;
    const next = () => --left ? requestAnimationFrame(next) : done();
    next();
})"""


@pytest.fixture
def reader(browser, origin):
    """A function that opens a page, each time in the browser of the same reader."""
    contexts = {}

    def open_page(path, screen="laptop"):
        if not contexts:
            contexts["one"] = browser.new_context(viewport=SCREENS[screen])
            contexts["one"].add_init_script(SHIFTS)
        page = contexts["one"].new_page()
        page.goto(f"{origin}/{path}")
        return page

    yield open_page
    for context in contexts.values():
        context.close()


def depth_of(page):
    """The depth of a page, after it was found that folds and buttons are as this depth has them."""
    depth = page.evaluate("document.documentElement.dataset.depth")
    assert page.evaluate(OPEN) == OPENED[depth]
    pressed = page.locator(".depth button[aria-pressed=true]")
    assert pressed.evaluate_all("buttons => buttons.map(button => button.value)") == [depth]
    return depth


def choose(page, depth):
    """Chooses a depth as a reader does, on a phone at the top of the contents."""
    button = page.locator(f".depth button[value={depth}]")
    if not button.is_visible():
        page.click(".contents-button")
    button.click()
    page.evaluate(FRAMES)


@BY_SCREEN
def test_a_reader_chooses_a_depth_and_keeps_it(reader, screen):
    page = reader(CHAPTER, screen)
    assert depth_of(page) == "chapter"
    for depth, address in (
        ("everything", "?depth=everything"),
        ("chapter", ".html"),
        ("everything", "?depth=everything"),
    ):
        choose(page, depth)
        assert depth_of(page) == depth
        assert page.url.endswith(address)
    assert page.get_attribute(".contents-button", "aria-expanded") == "false"
    other = reader(CHAPTERS[1])
    assert depth_of(other) == "everything"
    choose(other, "chapter")
    assert depth_of(other) == "chapter"
    assert "?" not in other.url
    assert depth_of(reader(CHAPTER)) == "chapter"


@pytest.mark.full
def test_the_address_comes_before_what_was_kept_and_figures_stand_where_the_reader_has_put_them(reader):
    page = reader(CHAPTER)
    choose(page, "everything")
    assert depth_of(reader(f"{CHAPTER}?depth=chapter")) == "chapter"
    assert depth_of(reader(f"{CHAPTER}?depth=nonsense")) == "everything"
    assert depth_of(reader(CHAPTER)) == "everything"
    assert page.evaluate("document.documentElement.dataset.dock") == "on"
    page.evaluate("localStorage.setItem('dock', 'off')")
    assert reader(CHAPTER).evaluate("document.documentElement.dataset.dock") == "off"


def open_excursion(page, name):
    page.get_by_text(re.compile(f"^Excursion {re.escape(name)}")).click()


def test_what_each_depth_shows(reader):
    page = reader(f"{CHAPTER}?depth=chapter")
    box = page.locator("#att-thm-covariance")
    expect(box.locator(".in-words")).to_be_visible()
    expect(box.locator("math", has_text="Cov").first).to_be_visible()
    expect(page.locator("#att-lem-factors")).to_be_visible()
    expect(page.get_by_text("Checked on random data, in a random direction")).to_be_visible()
    expect(page.locator("#att-lem-step")).to_be_hidden()
    open_excursion(page, "6.G")
    expect(page.locator(ERRATUM)).to_be_hidden()
    line = page.get_by_text("Often printed otherwise: shapes")
    line.click()
    expect(page.locator(ERRATUM)).to_be_visible()
    line.click()
    expect(page.locator(ERRATUM)).to_be_hidden()
    choose(page, "everything")
    expect(page.locator("#att-lem-step")).to_be_visible()
    expect(page.locator(ERRATUM)).to_be_visible()
    expect(page.get_by_text("Often printed otherwise: shapes")).to_be_hidden()
    expect(page.locator(".check-fold .cell_input").first).to_be_visible()
    assert not page.locator("details.solution[open], .quiz details[open], details.hide[open]").count()


@BY_SCREEN
@pytest.mark.parametrize("name", ["att-lem-step", "equation-att-trap-time"])
def test_an_address_opens_what_it_leads_to(reader, screen, name):
    """Where a link may lead that is in a fold."""
    page = reader(f"{CHAPTER}#{name}", screen)
    in_view(page, name)
    assert page.locator("details.deep:not([open])").count() > 5  # the others stay as they are


def in_view(page, name):
    """Waits until the place of that name stands in the upper half of the window."""
    page.wait_for_function(
        """name => {
            const place = document.getElementById(name), { top, height } = place.getBoundingClientRect();
            return place.checkVisibility() && height && top > -5 && top < innerHeight / 2;
        }""",
        arg=name,
    )


def follow(page, link):
    page.locator(link).first.evaluate("link => link.click()")


def test_links_of_the_page_and_the_history_open_folds(reader):
    page = reader(CHAPTER)
    for name in ("equation-att-loss", "att-prop-nuclear"):
        follow(page, f"a[href='#{name}']")
        in_view(page, name)
    page.evaluate("document.querySelectorAll('details.deep').forEach(fold => fold.open = false)")
    page.go_back()
    in_view(page, "equation-att-loss")


@pytest.mark.full
def test_links_from_other_pages_open_folds(reader):
    page = reader("chapters/11_errata_and_open_questions.html")
    follow(page, "a[href$='06_attention_svm.html#att-lem-step']")
    page.wait_for_url("**/06_attention_svm.html#att-lem-step")
    in_view(page, "att-lem-step")


FOLDED = "has no pair of tokens to compare"
# this fold is open, with those around it, and no other
ALONE_OPEN = """fold => [...document.querySelectorAll("details.deep[open]")]
    .every(open => open.contains(fold))"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("?marked=poster#which-norm-below-the-fraction-line", "poster"),
        # a fragment of text is looked for as the browser's own search looks: in folds that are shut, too
        (f"?depth=chapter#:~:text={quote(FOLDED)}", FOLDED),
    ],
)
def test_who_comes_from_a_search_sees_the_words(reader, address, words):
    page = reader(CHAPTER + address)
    fold = page.locator(".printed-fold", has_text=words).first
    expect(fold).to_have_attribute("open", "")
    assert fold.evaluate(ALONE_OPEN)


@pytest.mark.full
def test_a_reader_prints_what_is_open(reader):
    """The button, not the browser's own command, which opens all; and only this once."""
    page = reader(f"{CHAPTER}?depth=chapter")
    page.evaluate("void (window.print = () => dispatchEvent(new Event('beforeprint')))")
    shut = page.locator("details.deep:not([open])").count()
    page.locator(".run-it").evaluate("menu => (menu.open = true)")
    page.locator("button.as-shown").click()
    page.emulate_media(media="print")
    assert page.locator("details.deep:not([open])").count() == shut
    assert page.locator("details.check-fold:not([open]) > summary:visible").count()
    assert page.locator("details.solution:visible, .solutions").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint')); dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.deep:not([open])").count() == 0


# as if the script had not run yet: only the head's script and the styles say what is folded
UNREAD = """() => {
    const root = document.documentElement, folds = [...document.querySelectorAll("details.deep")];
    const outer = folds.filter(fold => !fold.parentElement.closest("details.deep"));
    for (const section of document.querySelectorAll("article > section > section"))
        section.style.contentVisibility = "visible";
    const places = () => outer.map(fold => Math.round(fold.getBoundingClientRect().top + scrollY));
    const after = [root.scrollHeight, ...places()];
    root.classList.remove("unfolds");
    for (const fold of folds) fold.open = true;
    return [after, [root.scrollHeight, ...places()]];
}"""


@pytest.mark.full
@BY_SCREEN
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("path", CHAPTERS)
def test_nothing_shifts_while_a_page_opens_which_looks_the_same_before_its_script_has_run(
    reader, path, depth, screen
):
    page = reader(f"{path}?depth={depth}", screen)
    page.evaluate("document.fonts.ready")
    page.evaluate(FRAMES)
    assert page.evaluate("window.shifted ?? 0") < 0.01
    page.evaluate("document.querySelector('article').style.paddingTop = '300px'")
    page.evaluate(FRAMES)
    assert page.evaluate("window.shifted ?? 0") > 0.01, "what shifts is not measured"
    after, before = page.evaluate(UNREAD)
    assert before == after


READ = """share => {
    const apart = "details, figure, .explorable-prompts, .quiz, .card";
    const lines = [...document.querySelectorAll(`article p:not(:is(${apart}) p)`)];
    const line = lines[Math.round(share * lines.length)];
    line.dataset.read = "here";
    line.closest("article > section > section").style.contentVisibility = "visible";
    const bar = innerWidth < 1000 ? document.querySelector("header.book").offsetHeight : 0;
    for (let turn = 0; turn < 3; turn++)
        scrollBy({ top: line.getBoundingClientRect().top - bar - 4, behavior: "instant" });
}"""
LINE = "document.querySelector('[data-read]').getBoundingClientRect().top"


@pytest.mark.full
@BY_SCREEN
@pytest.mark.parametrize("share", [0.4, 0.15, 0.7])
def test_the_line_that_is_read_stays_in_its_place(reader, screen, share):
    page = reader(CHAPTER, screen)
    for _ in range(3):  # sections around are laid out meanwhile
        page.evaluate(READ, share)
        page.evaluate(FRAMES)
    before = page.evaluate(LINE)
    assert 0 < before < 100
    for depth in ("everything", "chapter", "everything", "chapter"):
        # Playwright's own click would scroll the bar of a phone to its place
        follow(page, f".depth button[value={depth}]")
        page.evaluate(FRAMES)
        assert abs(page.evaluate(LINE) - before) <= 2, depth
