"""Every page, opened once: its budgets, what a reader does on it, and what could be in the way of anyone.

`make test` opens every page, and does on that of one chapter what a reader does. The tests stand in the order
in which they may follow each other on one page: the last ones need not have all its folds shut and all its
formulas.
"""

import gzip

import pytest
from playwright.sync_api import expect

from conftest import full
from margins_book.page.chapter import read_chapter
from margins_course.assignments.notebooks import as_bytes, student_notebook
from margins_course.book import page_of
from tests.book.axe import THIN, contradictions, findings, serious_faults
from tests.book.conftest import CHAPTERS, ONE_CHAPTER, PAGES, ROOT, SCREENS, SHORT, SITE, parsed
from tests.margins_course.sums_assignment import assignment

PAGE_BUDGET = 150_000  # bytes, gzipped
REQUEST_BUDGET = 9
SHIFT_BUDGET = 0.01
A_PUSH_AWAY = 930  # px, on a phone of 844: where the first paragraphs are read, the figure comes into view
# chapters first in each list: pytest keeps a page open for the tests that have it at the same place
BUDGETED = [*CHAPTERS, "index.html"]
ALL = [*BUDGETED, *(page for page in PAGES if page not in BUDGETED)]
ONE_PAGE = [SHORT, *full(*(page for page in ALL if page != SHORT))]
OF_ONE_FORM = ("stories/", "book/sessions/")  # of which one is looked at for them all
FIRST_OF_FORM = {next(page for page in ALL if page.startswith(form)) for form in OF_ONE_FORM}
OF_EACH_FORM = [page for page in ALL if page in FIRST_OF_FORM or not page.startswith(OF_ONE_FORM)]
OTHERS = [page for page in ALL if page not in OF_EACH_FORM]


def on_each(pages):
    return pytest.mark.parametrize("opened", pages, indirect=True, scope="module")


@pytest.fixture(scope="module")
def opened(visit, request):
    """One page at a desk, open while all tests look at it."""
    with visit(request.param) as page:
        page.path = request.param
        yield page


@on_each(["index.html", *ONE_CHAPTER])
def test_page_keeps_its_budgets(opened):
    size = len(gzip.compress((SITE / opened.path).read_bytes(), 6))
    assert size <= PAGE_BUDGET, f"{size} bytes gzipped"
    assert 3 < len(opened.asked) <= REQUEST_BUDGET, opened.asked
    for _ in range(12):
        opened.mouse.wheel(0, 1500)
        opened.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shift = opened.evaluate("""new Promise(done => new PerformanceObserver(list => done(
        list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0)
        )).observe({type: "layout-shift", buffered: true}) || setTimeout(() => done(0), 300))""")
    assert shift <= SHIFT_BUDGET


@on_each(ALL)
def test_every_figure_that_moves_moves_at_once(opened):
    """The first of its controls is moved; test_explorables.py moves all of them in every way."""
    assert opened.evaluate(STILL) == []


STILL = """async () => {
    const still = [];
    for (const { id, source, view } of document.querySelectorAll("figure[data-source]")) {
        await source.load();
        const drawn = () => document.querySelector(`#${id} .explorable-frame`).innerHTML;
        const before = drawn(), [{ name }] = view.spec.parameters;
        view.move({ [name]: view.at[name] ? 0 : view.parameter(name).values.length - 1 });
        if (drawn() === before) still.push(id);
        view.show({});
    }
    return still;
}"""


FOCUS = """(() => {
  const element = document.activeElement;
  return {tag: element.tagName, width: element.getBoundingClientRect().width,
          outline: getComputedStyle(element).outlineStyle};
})()"""


@on_each(ONE_PAGE)
def test_everything_is_reachable_by_keyboard_with_visible_focus(opened):
    for _ in range(12):
        opened.keyboard.press("Tab")
        focus = opened.evaluate(FOCUS)
        assert focus["width"] > 0, "the focus is on something invisible"
        assert focus["outline"] != "none" or focus["tag"] == "BODY", f"no focus mark on {focus['tag']}"


@on_each(ONE_CHAPTER)
def test_what_points_at_a_figure_is_underlined_in_a_colour_that_is_seen(opened):
    underlines = "words => words.map(word => getComputedStyle(word).textDecorationColor)"
    paper = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    drawn = opened.eval_on_selector_all("a.points-at", underlines)
    assert drawn
    assert paper not in drawn


@on_each(ONE_CHAPTER)
def test_a_figure_stands_on_the_first_screen_and_the_card_behind_it(opened):
    opened.set_viewport_size({"width": 1280, "height": 800})
    opened.evaluate("document.activeElement.blur(), scrollTo({top: 0, behavior: 'instant'})")
    figure = opened.locator("figure.explorable .explorable-frame").first.bounding_box()
    assert figure["y"] + figure["height"] <= 800
    assert opened.locator(".card").bounding_box()["y"] > figure["y"]
    opened.get_by_role("button", name="Put into the text").first.click()
    edges = opened.evaluate(EDGES)
    opened.get_by_role("button", name="Put beside the text").first.click()
    assert len(edges) == 1, f"text, figures and code are not as wide as each other: {edges}"
    opened.set_viewport_size(SCREENS["phone"])
    assert opened.locator("figure.explorable .explorable-frame").first.bounding_box()["y"] <= A_PUSH_AWAY
    opened.set_viewport_size(SCREENS["desktop"])


EDGES = """[...new Set([...document.querySelectorAll(
    "article > section > p, article > section > section > p, article section > .cell figure.explorable, "
    + "article section > .cell > .cell_input, article .card")]
  .filter(part => part.offsetWidth)
  .filter(part => !part.parentElement.closest(".proof, .exercise, .admonition, details"))
  .map(part => `${part.getBoundingClientRect().left} to ${part.getBoundingClientRect().right}`))]"""

# what stands before each answer
ANSWERED = """[...document.querySelectorAll("details.solution, .quiz > details")]
    .map(answer => [answer.parentElement.localName, answer.previousElementSibling.textContent])"""

# the names of questions and exercises in the order of the page
ASKED = """(() => {
    const questions = [...document.querySelectorAll("fieldset.quiz")];
    return [...document.querySelectorAll("fieldset.quiz, .exercise .caption-number")].map(part =>
        part.matches("fieldset") ? `Question ${questions.indexOf(part) + 1}` : part.textContent);
})()"""

FOLDS = "[...document.querySelectorAll('details')].map(fold => fold.open)"


@on_each(ONE_CHAPTER)
def test_paper_shows_what_the_screen_folds_and_collects_the_solutions(opened):
    before, folds = opened.evaluate(ANSWERED), opened.evaluate(FOLDS)
    opened.emulate_media(media="print")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.locator("details:not([open])").count() == 0
    assert not opened.locator("header.book").is_visible()
    assert opened.locator("details.deep:not(.fold) > summary:visible, .depth:visible").count() == 0
    asked = opened.evaluate(ASKED)
    assert opened.locator("article > :last-child > h2").inner_text() == "Solutions"
    named = opened.locator("article > :last-child > h3").all_text_contents()
    questions = [name for name in asked if name.startswith("Question")]
    assert named == [name for name in asked if name in named]
    assert set(questions) <= set(named)
    assert len(named) == len(questions) + len(parsed(opened.path).select("details.solution"))
    assert opened.locator(".solutions > details").count() == len(named)
    assert opened.locator("details.solution, .quiz details").count() == len(named) - len(questions)
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.evaluate(ANSWERED) == before
    assert opened.evaluate(FOLDS) == folds
    assert opened.locator("details[open]:not(.deep)").count() == 0  # those of the chapter's depth are open
    opened.emulate_media(media="screen")


# of a question: the alternative that is chosen, what is said of it, and whether as of the right one
SAID = """question => {
    const verdict = question.querySelector("[role=status]");
    const chosen = [...question.querySelectorAll("input")].findIndex(choice => choice.checked);
    return [chosen, verdict.textContent.trim(), verdict.classList.contains("right")];
}"""
FOCUS_ON = "(question, part) => question.querySelector(part).focus()"
# A question about an excursion stands in one, which a reader unfolds first.
OPEN_AROUND = """question => {
    const around = fold => fold && ((fold.open = true), around(fold.parentElement.closest("details")));
    around(question.closest("details"));
}"""


@on_each(ONE_CHAPTER)
def test_every_alternative_is_explained_by_keyboard_and_in_a_live_region(opened):
    for question in opened.locator("fieldset.quiz").all():
        question.evaluate(OPEN_AROUND)
        explanations = question.locator("details > ol > li").all_text_contents()
        assert question.get_by_role("radio").count() == len(explanations)
        question.get_by_role("button").click()
        assert question.get_by_role("status").inner_text() == "Choose an alternative first."
        question.evaluate(FOCUS_ON, "input")
        opened.keyboard.press("Space")
        for number, explanation in enumerate(map(str.strip, explanations)):
            if number:
                question.evaluate(FOCUS_ON, "input:checked")
                opened.keyboard.press("ArrowDown")
            assert question.evaluate(SAID)[:2] == [number, ""], "what was said belongs to another alternative"
            question.evaluate(FOCUS_ON, "button")
            opened.keyboard.press("Enter")
            assert question.evaluate(SAID) == [number, explanation, explanation.startswith("Right")]


# Sections far from the screen are not laid out, and nobody can measure what is not.
LAY_OUT = """() => {
    for (const section of document.querySelectorAll("section")) section.style.contentVisibility = "visible";
}"""
UNFOLD = f"""() => {{
    ({LAY_OUT})();
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())));
}}"""
PAPER = {"width": 642, "height": 900}  # an A4 sheet between its margins; the cheat sheet's are tested there
CUT_OFF = """() => {
    const edge = document.querySelector("article").getBoundingClientRect().right + 1;
    const hides = box => box.scrollWidth > box.clientWidth + 1
        && getComputedStyle(box).overflowX !== "visible";
    return [...document.querySelectorAll("article :not(svg *, section:has(> .quoted) *)")]
        .filter(box => box.getBoundingClientRect().right > edge || hides(box))
        .map(box => box.outerHTML.slice(0, 80));
}"""

# Texts of still figures that are small, outside their drawing or over one another. A font gives a text more
# room than its letters need, one for mathematics much more: counted is what is as tall as they are.
UNREADABLE = """least => [...document.querySelectorAll(".figure-stage > svg")].flatMap(svg => {
    const drawing = svg.getBoundingClientRect(), scale = drawing.width / svg.viewBox.baseVal.width;
    const sizeOf = text => scale * Math.max(...[...text.querySelectorAll("tspan"), text]
        .filter(part => !part.querySelector("tspan"))
        .map(part => parseFloat(getComputedStyle(part).fontSize)));
    const letters = (box, size, turned) => {
        const across = turned ? Math.max(0, box.width - size) / 2 : 0;
        const up = turned ? 0 : Math.max(0, box.height - size) / 2;
        const [left, right] = [box.left + across, box.right - across];
        return {left, right, top: box.top + up, bottom: box.bottom - up};
    };
    const texts = [...svg.querySelectorAll("text")].map(text => ({
        says: text.textContent.replace(/\\s+/g, " ").trim(), size: sizeOf(text),
        box: letters(text.getBoundingClientRect(), sizeOf(text), text.getScreenCTM().b !== 0)}));
    const inside = ({box}) => box.left >= drawing.left - 1 && box.right <= drawing.right + 1
        && box.top >= drawing.top - 1 && box.bottom <= drawing.bottom + 1;
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    return [
        ...texts.filter(text => text.size < least).map(text => `“${text.says}” is ${text.size} px tall`),
        ...texts.filter(text => !inside(text)).map(text => `“${text.says}” stands outside`),
        ...texts.flatMap((one, number) => texts.slice(number + 1).filter(other => meet(one.box, other.box))
            .map(other => `“${one.says}” and “${other.says}” meet`)),
    ].map(fault => `${svg.closest("figure").id}: ${fault}`);
})"""


@on_each(ONE_PAGE)
def test_page_fits_screens_and_paper(opened):
    """As it comes and with all folds open, so that nothing hides."""
    opened.evaluate(LAY_OUT)
    fits(opened, SCREENS["phone"])
    assert not opened.evaluate(UNREADABLE, 11)
    fits(opened, SCREENS["desktop"])
    fits_on_paper(opened)
    opened.evaluate(UNFOLD)
    fits(opened, SCREENS["phone"])
    breaks_code_and_equations(opened)
    fits_a_narrow_screen(opened)
    fits(opened, SCREENS["desktop"])
    wide = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.innerText)"
    assert opened.eval_on_selector_all("article div.math", wide) == [], "a formula must be scrolled at a desk"


def fits(page, screen):
    page.set_viewport_size(screen)
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0, f"the page is {overflow} px wider than the screen"


SCROLLING = """boxes => boxes
    .filter(box => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
    .map(box => box.querySelector("math")?.dataset.tex ?? box.textContent)"""
MOST_SCROLLING = 2  # equations of a chapter: those without a place to break


def breaks_code_and_equations(page):
    """On a phone they are read without scrolling sideways."""
    if page.path in CHAPTERS:
        assert page.eval_on_selector_all(".cell_input pre", SCROLLING) == []
        wide = page.eval_on_selector_all("main div.math", SCROLLING)
        assert len(wide) <= MOST_SCROLLING, wide


def fits_on_paper(page):
    """Nothing stands over the edge of the printed page, or is hidden where it cannot be scrolled to."""
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.evaluate(CUT_OFF)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")


def fits_a_narrow_screen(page):
    """320 pixels, as WCAG 1.4.10 has it; tables of many columns are lists, which do not scroll."""
    fits(page, {"width": 320, "height": 844})
    assert not page.evaluate(UNREADABLE, 10)
    scrolls = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).length"
    assert page.eval_on_selector_all(".table:has(> .listed)", scrolls) == 0
    aligned = "cells => [...new Set(cells.map(cell => getComputedStyle(cell).textAlign))]"
    assert page.eval_on_selector_all(".listed td", aligned) in ([], ["left"])
    begins = "names => names.map(name => name.getBoundingClientRect().left)"
    assert all(left >= 0 for left in page.eval_on_selector_all(".listed .column", begins))


@on_each([*OF_EACH_FORM, *full(*OTHERS)])
def test_page_is_accessible(opened):
    """With all folds open; what is found is what book/accessibility.md tells."""
    opened.evaluate(UNFOLD)
    opened.evaluate(THIN)
    assert not contradictions(findings(opened), opened.path, "desktop")


@pytest.mark.full
@on_each(OF_EACH_FORM)
def test_page_is_accessible_in_the_dark_and_on_a_phone(opened):
    """There with the contents open, too."""
    opened.set_viewport_size(SCREENS["phone"])
    use_theme(opened, "dark")
    opened.evaluate(UNFOLD)  # which waits until the page has seen what is too wide now
    opened.evaluate(THIN)
    faults = contradictions(findings(opened), opened.path, "phone")
    opened.click(".contents-button")
    faults += serious_faults(opened, "phone, dark, contents open", "#book-panel")
    opened.keyboard.press("Escape")
    opened.set_viewport_size(SCREENS["desktop"])
    assert not faults


def use_theme(page, theme):
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


@on_each(ONE_CHAPTER)
def test_page_gives_out_its_assignment(opened):
    source = ROOT / opened.path.replace(".html", ".md")
    menu = opened.locator("details.run-it")
    if menu.get_attribute("open") is None:  # a test before may have opened all that is folded
        menu.locator("summary").click()
    with opened.expect_download() as download:
        opened.get_by_role("link", name="Student notebook").click()
    made = as_bytes(student_notebook(assignment(read_chapter(source), page_of(source))))
    assert download.value.path().read_bytes() == made
    opened.get_by_role("link", name="Assign this chapter").click()
    example = "margins-course release 1"  # the guide shows every step with chapter 1
    expect(opened.get_by_text(example, exact=True).first).to_be_visible()  # a click waits for no whole page
    assert opened.url.endswith("#release")
    assert opened.locator("#release").is_visible()
