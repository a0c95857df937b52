"""Cells and figures that run in the page: edited by the reader, drawn by Python, and brought back."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.book.conftest import CHAPTERS, SITE, parsed

PAGE = "chapters/01_svm_duality.html"
PATIENCE = 60_000  # milliseconds for Python to start and a cell to run on a busy machine
# of the first chapter: a cell that prints and needs two others, and the figure on its first screen
SOURCE = "small = svm.smo(linear(points), labels)"
LIVE = "() => document.getElementById('ex-street')?.view?.source?.continuous"


@pytest.fixture(scope="module")
def page(visit):
    with visit(f"{PAGE}?depth=everything") as opened:  # all code open
        yield opened


@pytest.fixture(scope="module")
def cell(page):
    """A cell that needs two others, open to be edited."""
    found = page.locator("div.cell", has_text=SOURCE).first
    found.get_by_role("button", name="Edit and run").click()
    found.get_by_role("textbox").wait_for()
    return found


def run(cell, added):
    """The kind and words of what running the cell leads to, with lines added to it."""
    area = cell.get_by_role("textbox")
    area.evaluate("(area, added) => { area.value += added; }", added)
    cell.get_by_role("button", name="Run", exact=True).click()
    status = cell.get_by_role("status")
    expect(status).to_have_attribute("data-verdict", "ran", timeout=PATIENCE)
    return cell.locator(".printed").text_content()


@pytest.mark.full
def test_an_edited_cell_runs_after_those_that_it_needs_and_the_way_back_shows_the_page_s_own(cell):
    assert SOURCE in cell.get_by_role("textbox").input_value()
    assert not cell.locator(".highlight").first.is_visible()
    assert run(cell, "\nprint('mine', points.shape, np.pi)\n1 + 1").endswith("3.141592653589793\n2\n")
    cell.get_by_role("button", name="Back to the page").click()
    assert cell.locator(".highlight").first.is_visible()
    assert cell.get_by_role("textbox").count() == 0
    expect(cell.get_by_role("button", name="Edit and run")).to_be_focused()


@pytest.mark.full
def test_what_is_not_in_the_page_leads_to_the_notebook(page):
    missing = page.locator("div.cell", has_text="svm.primal_qp(X, y)").first
    missing.get_by_role("button", name="Edit and run").click()
    missing.get_by_role("button", name="Run", exact=True).click()
    status = missing.get_by_role("status")
    expect(status).to_contain_text("cvxpy.Variable is not in the page", timeout=PATIENCE)
    link = status.get_by_role("link", name="Download the notebook")
    assert link.get_attribute("href").endswith("notebooks/01_svm_duality.ipynb")


@pytest.mark.parametrize("path", CHAPTERS)
def test_every_cell_outside_exercises_can_be_run_or_says_what_is_missing(path):
    for cell in parsed(path).select("div.cell:not(.tag_solution, .tag_check):has(.cell_input)"):
        place = cell.select_one(".of-cell")
        if place.select_one("button[data-python=cell]"):
            continue
        assert place.text.startswith("Runs in a notebook alone: a page has no ")
        notebook = (SITE / path).parent / place.a["href"]
        kind = "-excursions" if cell.find_parent(class_="excursion") else ""
        assert notebook.stem == Path(path).stem + kind
        assert notebook.exists()
    assert len(list((SITE / "_static/python").glob(f"{Path(path).stem}-*.json"))) == 1


@pytest.mark.full
def test_a_figure_goes_anywhere_and_is_whole_beside_the_text_then(page):
    assert page.locator("#ex-street select option").count() == 3
    page.locator("[data-figure=ex-street]").get_by_role("button").click()
    page.wait_for_function(LIVE, timeout=PATIENCE)
    figure = page.locator("#ex-street")
    assert figure.locator("select option").count() == 12
    assert figure.locator("figcaption").inner_text().startswith("Figure 1.1")
    before = figure.locator("output").inner_text()
    page.evaluate(
        "() => document.getElementById('ex-street').view.move({which: 5, point_x: 3.3, point_y: 7.7})"
    )
    expect(figure.locator("output")).not_to_have_text(before)
    card = page.locator(".docks > .cell_output.active:has(#ex-street)")
    line, panel = card.locator(".into-text").bounding_box(), card.locator(".explorable-panel").first
    assert panel.bounding_box()["y"] >= line["y"] + line["height"]
    assert card.evaluate("card => card.scrollHeight <= card.clientHeight")
    assert card.locator(".stepper").count() == 1
    assert card.locator(".explorable-prompts > li:visible").count() == 2  # the stepper, and one question


@pytest.mark.full
def test_a_figure_follows_the_reader_s_code(page):
    cell = page.locator(".figure-code", has_text=re.compile(r"the code of Figure 1\.1(?!\d)"))
    cell.locator("details.hide > summary").click()
    cell.get_by_role("button", name="Edit and run").click()
    area = cell.get_by_role("textbox")
    area.evaluate("""area => {
        area.value = area.value.replace("Half width", "My street is as wide as");
        area.dispatchEvent(new Event("input"));
    }""")
    assert "My street" in area.input_value()
    cell.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#ex-street output")).to_contain_text("My street is as wide as", timeout=PATIENCE)


@pytest.mark.full
def test_changed_data_are_drawn_in_the_figures_that_use_them(page):
    data = page.locator("div.cell", has_text="points = np.array([[0.5, 0.0]").first
    data.locator("details.hide > summary").click()
    data.get_by_role("button", name="Edit and run").click()
    run(data, "\npoints[:, 0] *= 2")
    status = data.get_by_role("status")
    expect(status).to_contain_text("The page's data are still in Figure 1.1, ")
    before = page.locator("#ex-street .explorable-panel").first.inner_html()
    status.get_by_role("button", name="Draw with yours").click()
    expect(status).to_contain_text("Your data are in Figure 1.1, ", timeout=PATIENCE)
    assert page.locator("#ex-street .explorable-panel").first.inner_html() != before
    data.get_by_role("button", name="Back to the page").click()


ACTING = """<figure onclick="x()"><script>x()</script><a href="//x">b</a><svg><use href="#m"/>
    <image href="//x"/><rect width="2" onload="x()"/><foreignObject><p>in</p></foreignObject></svg>
    <form action="//x"><input></form><iframe src="//x"></iframe><p style="color: red">text</p></figure>"""
CLEANED = """async html => {
    const { cleaned } = await import(document.body.dataset.pythonInPage.replace(/page.js$/, "clean.js"));
    const shell = document.createElement("div");
    shell.append(...cleaned(html));
    return shell.innerHTML;
}"""


def test_what_comes_from_a_reader_s_code_is_cleaned(browser, origin):
    context = browser.new_context()  # whose complaints about the handlers are expected
    page = context.new_page()
    page.goto(f"{origin}/{PAGE}")
    kept = page.evaluate(CLEANED, ACTING)
    context.close()
    assert "x()" not in kept
    assert "//x" not in kept
    assert all(tag not in kept for tag in ("<script", "<a", "<form", "<iframe", "foreign"))
    assert '<use href="#m">' in kept
    assert '<rect width="2">' in kept
