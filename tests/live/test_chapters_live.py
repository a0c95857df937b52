"""Every chapter, opened as readers open it in a real JupyterLab: its text is set, its figures ask the kernel.

One is run whole. Of the others what their figures rest on is run: what JupyterLab adds, that a notebook
opens, its widgets come alive and a kernel answers them, needs no more. All their cells run in the build.
"""

import json
import re
import time

import nbformat
import pytest

from conftest import full
from extensions.coursework.notebook_code import set_up_of
from tests.laboratory import NOTEBOOK, ROOT, jupyterlab, open_and_run, open_beside, wait_until_run
from tests.raw_markdown import raw_in

CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.md"))
WHOLE, SHORT = "02_kernels", "11_errata_and_open_questions"
FIGURE = re.compile(r"# Figure [\d.]+$", re.MULTILINE)
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
    extra |= {"MPLCONFIGDIR": str(machine.fonts), "PYTHONPATH": ""}
    with jupyterlab(
        machine.notebooks, python=str(machine.python), settings=folder / "none", **extra
    ) as address:
        yield address, folder / "frames"


def frames_seen(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def as_opened(folder, chapter):
    """The notebook's name: of one all, of the others text, figures and what these rest on."""
    if chapter == WHOLE:
        return f"{chapter}.ipynb"
    notebook = nbformat.read(folder / f"{chapter}.ipynb", 4)
    first, *code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    figures = [cell for cell in code if FIGURE.search(cell.source)]
    imports = nbformat.v4.new_code_cell(first.source.partition('@main"\n')[2])
    set_up = nbformat.v4.new_code_cell(set_up_of([imports, *code], figures))
    text = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    notebook.cells = [*text, set_up, *figures]
    nbformat.write(notebook, folder / f"figures_of_{chapter}.ipynb")
    return f"figures_of_{chapter}.ipynb"


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
# by what it holds: what it shows is set in lines only when its cell comes into view
SAYS_OTHERWISE = "([place, said]) => (document.querySelector(place)?.textContent ?? said) !== said"
# the words of the text cells, folded ones too, without code; formulas that are set have no text
WORDS = """place => [...document.querySelectorAll(`${place} .jp-RenderedMarkdown`)].map(cell => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll("pre, code, mjx-container").forEach(part => part.remove());
    return copy.textContent;
}).join("\\n")"""


@pytest.fixture(scope="module")
def page(browser, lab):
    """One JupyterLab, in which the chapters are opened one beside the other."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module", params=[SHORT, *full(*(name for name in CHAPTERS if name != SHORT))])
def opened(request, page, machine, lab):
    """A chapter's notebook in view, all its cells run."""
    opening = open_beside if "/lab" in page.url else open_and_run
    opening(page, lab[0](as_opened(machine.notebooks, request.param)))
    wait_until_run(page)
    page.evaluate(AT_REST)
    return page


def test_a_chapter_runs_without_a_warning_and_its_figures_reach_the_kernel(opened, lab):
    _, frames = lab
    warnings = opened.locator(f'{NOTEBOOK} [data-mime-type="application/vnd.jupyter.stderr"]')
    assert warnings.count() == 0, warnings.all_inner_texts()
    figures = opened.locator(f"{NOTEBOOK} figure.explorable")
    named = opened.locator(f"{NOTEBOOK} .jp-CodeCell .jp-InputArea-editor", has_text=FIGURE)
    assert opened.locator(f"{NOTEBOOK} figure").count() == named.count() >= figures.count() >= 2
    for figure in figures.all():
        name = figure.get_attribute("id").removeprefix("ex-")
        before, sentence = len(frames_seen(frames)), figure.locator("output").text_content()
        figure.scroll_into_view_if_needed()
        move(figure)
        opened.wait_for_function(
            SAYS_OTHERWISE, arg=[f"{NOTEBOOK} #ex-{name} output", sentence], timeout=15_000
        )
        assert is_asked_for(opened, name, frames, before), f"{name}: nothing reached the kernel"


def is_asked_for(page, name, frames, before):
    """Whether the kernel is asked for a frame of the figure, besides those seen before, in 15 seconds."""
    deadline = time.monotonic() + 15
    while name not in [seen for seen, _ in frames_seen(frames)[before:]]:
        if time.monotonic() > deadline:
            return False
        page.wait_for_timeout(100)
    return True


def test_nothing_in_its_text_captions_and_prompts_is_raw(opened):
    words = opened.evaluate(WORDS, NOTEBOOK)
    assert raw_in(words) == []
    assert re.findall(r".{0,40}\$.{0,40}", words) == [], "a formula is not set"
    faults = opened.locator(f"{NOTEBOOK} mjx-merror, {NOTEBOOK} [data-mjx-error]")
    assert faults.count() == 0, faults.all_inner_texts()
    words = opened.locator(f"{NOTEBOOK} figcaption, {NOTEBOOK} .explorable-prompts").all_inner_texts()
    assert words
    assert [said for said in words if "$" in said or "\\" in said or "frac" in said] == []
