"""Every chapter, opened from its .md in a real JupyterLab: all cells run, figures ask the kernel.

The first is opened as it is. Of the others what their figures rest on is opened: what JupyterLab adds, that
a notebook opens, its widgets come alive and a kernel answers them, needs no more, and each further cell has
it set the notebook again. All their cells run in the build, without a warning.
"""

import json

import jupytext
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.laboratory import NOTEBOOK, ROOT, jupyterlab, open_and_run, open_beside, wait_until_run
from tests.moving_cells import DRAWS, moving_cells

CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.md"))
RECORDER = """
def record():
    import json, os
    from explorable.figures import Explorable
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
    figures = source.read_text("utf8").count(f"\n{DRAWS}")
    if chapter == CHAPTERS[0]:
        return f"chapters/{chapter}.md", figures
    cells = list(map(new_code_cell, moving_cells(source)))
    notebook = new_notebook(cells=cells, metadata=jupytext.read(source).metadata)
    jupytext.write(notebook, source.with_name(f"figures_of_{chapter}.md"), fmt="md:myst")
    return f"chapters/figures_of_{chapter}.md", figures


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
        choice.select_option(index=0 if choice.evaluate("choice => choice.selectedIndex") else 1)
    else:
        figure.locator("input[type=checkbox]").first.click()


# JupyterLab sets text and cells anew after the kernel is done, and a figure with them, back at its start
AT_REST = f"""() => new Promise(done => {{
    let quiet = setTimeout(done, 400);
    const changes = new MutationObserver(() => {{ clearTimeout(quiet); quiet = setTimeout(done, 400); }});
    changes.observe(document.querySelector({json.dumps(NOTEBOOK)}), {{childList: true, subtree: true}});
}})"""
SAYS_OTHERWISE = "([place, said]) => (document.querySelector(place)?.innerText ?? said) !== said"


@pytest.fixture(scope="module")
def page(browser, lab):
    """One JupyterLab, in which the chapters are opened one beside the other."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_runs_and_its_figures_reach_the_kernel(page, machine, lab, chapter):
    address, frames = lab
    path, written = as_opened(machine.repository, chapter)
    opening = open_beside if "/lab" in page.url else open_and_run
    opening(page, address(path))
    wait_until_run(page)
    warnings = page.locator(f'{NOTEBOOK} [data-mime-type="application/vnd.jupyter.stderr"]')
    assert warnings.count() == 0, warnings.all_inner_texts()
    figures = page.locator(f"{NOTEBOOK} figure.explorable")
    assert figures.count() == written >= 4
    page.evaluate(AT_REST)
    for figure in figures.all():
        name = figure.get_attribute("id").removeprefix("ex-")
        before, sentence = len(frames_seen(frames)), figure.locator("output").inner_text()
        figure.scroll_into_view_if_needed()
        move(figure)
        page.wait_for_function(
            SAYS_OTHERWISE, arg=[f"{NOTEBOOK} #ex-{name} output", sentence], timeout=15_000
        )
        asked = [values for seen, values in frames_seen(frames)[before:] if seen == name]
        assert asked, f"{name}: nothing reached the kernel"
