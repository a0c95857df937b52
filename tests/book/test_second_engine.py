"""The book in Firefox: read without a complaint, formulas in order, a figure moved, something looked up."""

import pytest

from tests.book.test_every_page import LAY_OUT
from tests.book.test_mathematics import HARD, formulas_stand_well, indices_are_level

pytestmark = pytest.mark.full

FIGURE = "document.querySelector('figure.explorable:has(input[type=range])')"
SHOWN = f"""() => [{FIGURE}.querySelector(".explorable-frame").innerHTML,
                   {FIGURE}.querySelector("output").textContent]"""
SLIDER = f"""async () => {{
    await {FIGURE}.source.load();
    const slider = {FIGURE}.querySelector("input[type=range]");
    slider.scrollIntoView({{block: "center"}});
    slider.focus();
    const box = slider.getBoundingClientRect();
    return [box.left, box.right, (box.top + box.bottom) / 2];
}}"""

MEASURED = 10
# the displayed formulas of most parts, the largest first
HARDEST = """count => [...document.querySelectorAll("article math[display=block]")]
    .sort((a, b) => b.querySelectorAll("*").length - a.querySelectorAll("*").length).slice(0, count)"""
PLACE = f"""async ([count, number]) => {{
    const formula = ({HARDEST})(count)[number];
    for (let fold = formula; fold = fold.closest("details"); fold = fold.parentElement) fold.open = true;
    formula.scrollIntoView({{block: "center", behavior: "instant"}});
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const contents = document.createRange();
    contents.selectNodeContents(formula);
    return [contents.getBoundingClientRect().width, formula.getBoundingClientRect().height];
}}"""


@pytest.fixture
def read(firefox, origin):
    """`read(path)`: that page, with nothing wrong with it when it is left."""

    def open_page(path):
        firefox.open(f"{origin}/{path}")
        return firefox

    yield open_page
    assert not firefox.errors
    assert firefox.requests
    assert not [url for url in firefox.requests if not url.startswith((origin, "data:", "blob:"))]


def test_formulas_are_in_order_and_indices_level(read):
    for path in HARD[::-1]:
        formulas_stand_well(read(path))
    indices_are_level(read(HARD[0]))


def test_ten_hard_formulas_are_as_large_in_both_engines(read, visit):
    second = read(HARD[1])
    with visit(HARD[1]) as first:
        first.set_viewport_size({"width": 1280, "height": 800})
        for number in range(MEASURED):
            (long, high), (wide, tall) = (
                page.evaluate(PLACE, [MEASURED, number]) for page in (first, second)
            )
            assert wide == pytest.approx(long, rel=0.04), number
            assert tall == pytest.approx(high, rel=0.18, abs=6), number


def test_a_figure_is_moved_by_keyboard_and_mouse(read):
    page = read(HARD[0])
    left, right, height = page.evaluate(SLIDER)
    seen = []
    for key in ("Home", "End"):
        page.press(key)
        seen.append(page.evaluate(SHOWN))
    page.drag((right - 8, height), (left + 60, height))
    seen.append(page.evaluate(SHOWN))
    assert len({drawing for drawing, _ in seen}) == 3
    assert len({sentence for _, sentence in seen}) == 3


BESIDE, SPOKEN = "chapters/06_attention_svm.html", "has three factors"
LAID_OUT = f"""async () => {{
    ({LAY_OUT})();
    const told = [...document.querySelectorAll("article p")].find(p => p.textContent.includes("{SPOKEN}"));
    for (let turn = 0; turn < 3; turn++) {{
        told.scrollIntoView({{block: "center", behavior: "instant"}});
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    }}
}}"""
MIDDLE = """button => {
    const {left, right, top, bottom} = document.querySelector(button).getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
}"""


def test_a_figure_comes_beside_the_text_and_a_paragraph_moves_it(read):
    page = read(BESIDE)
    page.evaluate(LAID_OUT)
    page.wait_for("document.querySelector('.docks > .active figure')?.id === 'ex-trajectory'")
    page.wait_for("document.querySelector('#ex-trajectory output').textContent.includes('W, 5 steps')")
    card, text = (
        page.evaluate(BOX, part) for part in (".docks > .active .explorable-frame", "article > section > p")
    )
    assert text["right"] < card["left"] < card["right"] <= 1280
    assert 0 <= card["top"] < card["bottom"] <= 800


BOX = "part => document.querySelector(part).getBoundingClientRect().toJSON()"


def test_on_a_phone_the_pin_opens_the_figure_and_leads_back(read):
    page = read(BESIDE)
    page.resize(390, 844)
    page.evaluate(LAID_OUT)
    page.wait_for("document.querySelector('.pin:not([hidden])')?.dataset.figure === 'ex-trajectory'")
    page.wait_for("document.querySelector('.pin').getAnimations().length === 0")  # it has slid in
    before = page.evaluate("() => scrollY")
    page.click(page.evaluate(MIDDLE, ".pin button"))
    page.wait_for("document.querySelector('.cell_output.sheet')?.getAnimations().length === 0")
    slider = page.evaluate(BOX, ".sheet input[type=range]")
    assert 0 <= slider["left"] < slider["right"] <= 390
    page.click(page.evaluate(MIDDLE, "button.back"))
    page.wait_for("!document.querySelector('.cell_output.sheet, button.back')")
    assert page.evaluate("() => scrollY") == pytest.approx(before, abs=2)
    assert page.evaluate("() => document.activeElement.textContent") == "Open"
    page.resize(1280, 800)


def test_the_landing_page_finds_the_way_to_a_theorem(read):
    page = read("index.html")
    assert page.evaluate("() => document.querySelector('.outline svg').checkVisibility()")
    page.evaluate("() => document.getElementById('book-search').focus()")
    page.type("strong duality")
    page.wait_for(
        "document.querySelector('.while-typing [role=status]')?.textContent.includes('“strong duality”')"
    )
    page.press("ArrowDown")
    assert "strong duality" in page.evaluate("() => document.activeElement.textContent").lower()
    assert "/chapters/01_svm_duality.html" in page.evaluate("() => document.activeElement.href")


def test_the_depths_of_a_chapter(read):
    """Whether or not it has a `::details-content`: a depth shuts its folds, a link opens what it leads to."""
    page = read("chapters/06_attention_svm.html#att-lem-step")
    shown = """() => [...document.querySelectorAll("details.deep[open]")].map(fold => fold.className)"""
    assert page.evaluate(shown) == ["deep excursion-fold"]
    page.evaluate("""() => document.querySelector(".depth button[value=everything]").click()""")
    assert page.evaluate("""() => document.querySelectorAll("details.deep:not([open])").length""") == 0
    page.evaluate("""() => document.querySelector(".depth button[value=chapter]").click()""")
