"""Every chapter, opened from its .md in a real JupyterLab: all cells run, figures ask the kernel.

The first is opened as it is. The others leave their text out: JupyterLab sets all of it again after each
cell, which takes longer than the cells themselves and is the same in every chapter.
"""

import json

import jupytext
import pytest
from playwright.sync_api import expect

from tests.laboratory import ROOT, jupyterlab, open_and_run, wait_until_run

CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.md"))
RECORDER = """
def record():
    import json, os
    from margins.explore.explorable import Explorable
    draw = Explorable.frame
    def frame(self, values):
        with open(os.environ["FRAMES_SEEN"], "a") as file:
            file.write(json.dumps([self.name, values]) + "\\n")
        return draw(self, values)
    Explorable.frame = frame
record()
"""


@pytest.fixture(scope="module")
def lab(machine, tmp_path_factory):
    """The server, and the file in which its kernels write every frame they are asked for."""
    folder = tmp_path_factory.mktemp("lab")
    startup = folder / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00-record.py").write_text(RECORDER)
    extra = {"IPYTHONDIR": str(startup.parents[1]), "FRAMES_SEEN": str(folder / "frames")}
    with jupyterlab(
        machine.repository, python=str(machine.python), settings=folder / "none", **extra
    ) as address:
        yield address, folder / "frames"


def frames_seen(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def as_opened(repository, chapter):
    """The notebook's path in the repository, and how many figures the chapter shows."""
    source = repository / "chapters" / f"{chapter}.md"
    notebook = jupytext.read(source)
    figures = sum(cell.source.count("@explore(") for cell in notebook.cells if cell.cell_type == "code")
    if chapter == CHAPTERS[0]:
        return f"chapters/{chapter}.md", figures
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    jupytext.write(notebook, source.with_name(f"code_of_{chapter}.md"), fmt="md:myst")
    return f"chapters/code_of_{chapter}.md", figures


def move(figure):
    """One control of the figure moved by keyboard, whatever its kind."""
    slider = figure.locator("input[type=range]").first
    handle = figure.locator("[data-handle]").first
    choice = figure.locator("select").first
    if slider.count():
        slider.focus()
        at_end = slider.input_value() == slider.get_attribute("max")
        slider.press("PageDown" if at_end else "PageUp")
    elif handle.count():
        handle.focus()
        handle.press("ArrowRight")
        handle.press("ArrowUp")  # a handle may move in one direction only
    elif choice.count():
        choice.select_option(index=1)
    else:
        figure.locator("input[type=checkbox]").first.click()


@pytest.fixture(scope="module")
def window(browser):
    """One browser window for all chapters: JupyterLab's scripts are fetched and compiled once."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    yield context
    context.close()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_runs_and_its_figures_reach_the_kernel(window, machine, lab, chapter):
    address, frames = lab
    path, written = as_opened(machine.repository, chapter)
    page = window.new_page()
    open_and_run(page, address(path))
    wait_until_run(page)
    warnings = page.locator('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]')
    assert warnings.count() == 0, warnings.all_inner_texts()
    figures = page.locator("figure.explorable")
    assert figures.count() == written >= 4
    for figure in figures.all():
        name = figure.get_attribute("id").removeprefix("ex-")
        before, sentence = len(frames_seen(frames)), figure.locator("output").inner_text()
        figure.scroll_into_view_if_needed()
        move(figure)
        expect(figure.locator("output")).not_to_have_text(sentence, timeout=15_000)
        asked = [values for seen, values in frames_seen(frames)[before:] if seen == name]
        assert asked, f"{name}: nothing reached the kernel"
    page.close()
