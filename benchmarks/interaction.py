"""How long the reader waits for a figure: in the built page, and over a live kernel in JupyterLab.

Wall time, in Chromium: from the input event until the new drawing is laid out. While a page scrolls, by 100
pixels a frame, the 98th percentile of the time between two frames: at most one in fifty may take longer than
two frames of a screen with 60 a second. The peers are the budgets. `python -m benchmarks interaction` needs
the site that `make book` builds.
"""

import contextlib
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.harness import Row
from conftest import CHROMIUM, FLAGS, program
from scripts.serving import serve
from tests.laboratory import jupyterlab, open_and_run, wait_until_run

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "html"
BAKED_SECONDS, PHONE_SECONDS, LIVE_SECONDS, FRAME_SECONDS = 0.004, 0.016, 0.040, 0.034
BRING = """figure => {
  figure.scrollIntoView({block: 'center'});
  figure.querySelector('input, button, select, [data-handle]')?.focus();
  return Boolean(figure.view);
}"""
EVENTS = """
const stage = figure.querySelector('.explorable-frame');
const pause = time => new Promise(go => setTimeout(go, time));
const slide = (input, position) => () => {
  input.value = position;
  input.dispatchEvent(new Event('input', {bubbles: true}));
};
const press = (handle, key) => () => handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
const moves = steps => [
  ...[...figure.querySelectorAll('input[type=range]')].flatMap(input =>
    steps.map(share => slide(input, share * Number(input.max)))),
  ...[...figure.querySelectorAll('[data-handle]')].flatMap(handle =>
    ['Home', 'ArrowRight', 'ArrowRight', 'PageUp', 'ArrowDown', 'ArrowDown'].map(key => press(handle, key))),
];
"""
BAKED = f"""async figure => {{ {EVENTS}
  const times = [], even = [...Array(17).keys()].map(k => k / 16);
  await figure.source.load();
  for (const move of [...moves(even), ...moves(even)]) {{
    await new Promise(idle => requestAnimationFrame(() => setTimeout(idle, 5)));
    const start = performance.now();
    move();
    stage.getBoundingClientRect();
    times.push((performance.now() - start) / 1000);
  }}
  return times;
}}"""
# What asks for no other frame, as a key along an axis that is held, has no answer to wait for.
LIVE = f"""async figure => {{ {EVENTS}
  const times = [], {{ view }} = figure, scattered = [...Array(15).keys()].map(k => (k * 7 % 16 + 0.5) / 16);
  for (const move of moves(scattered)) {{
    await pause(200);
    const start = performance.now(), before = view.asked;
    const drawn = new Promise(resolve => view.draw = (...frame) => {{
      delete view.draw;
      view.draw(...frame);
      stage.getBoundingClientRect();
      resolve((performance.now() - start) / 1000);
    }});
    move();
    if (view.asked > before) times.push(await drawn);
    else delete view.draw;
  }}
  return times;
}}"""
# From the top of the page to its end: the seconds between one frame and the next.
SCROLLED = """() => new Promise(done => {
  const frames = [];
  let last = null;
  const next = now => {
    if (last !== null) frames.push((now - last) / 1000);
    last = now;
    const before = scrollY;
    scrollBy({top: 100, behavior: 'instant'});
    if (scrollY > before) requestAnimationFrame(next);
    else done(frames);
  };
  requestAnimationFrame(next);
})"""


@contextlib.contextmanager
def chromium_page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(CHROMIUM), args=list(FLAGS))
        yield browser.new_page(viewport={"width": 1300, "height": 1000})
        browser.close()


def row(job, times, budget):
    """A line of the table from all waiting times, by figure."""
    waits = [wait for of_figure in times.values() for wait in of_figure]
    worst = max(times, key=lambda name: statistics.median(times[name]))
    spread = (
        f"{len(waits)} inputs to {len(times)} figures, 95th percentile {percentile(waits, 95) * 1e3:.3g} ms"
    )
    spread += f", slowest figure {worst} {statistics.median(times[worst]) * 1e3:.3g} ms"
    return Row(job, "the budget", statistics.median(waits), budget, 1.0, spread)


def percentile(values, percent):
    return statistics.quantiles(values, n=100)[percent - 1]


def waits_of(page, script):
    """Waiting times by figure of the open page; the focus brings a figure that waits beside the text."""
    waits = {}
    for figure in page.locator("figure.explorable").all():
        moves = figure.evaluate(BRING)  # one that only the reader's own answer draws does not yet
        if moves and (times := figure.evaluate(script)):
            waits[figure.get_attribute("id")] = times
    return waits


def chapters(page, query, site=SITE):
    """Opens each chapter of the site in turn; the name of its file."""
    paths = sorted((site / "chapters").glob("*.html"))
    if not paths:
        raise SystemExit(f"no chapters in {site}: run `make book` first")
    with serve(site) as origin:
        for path in paths:
            page.goto(f"{origin}/chapters/{path.name}{query}")
            page.wait_for_load_state("networkidle")
            yield path.name


def baked(page):
    """Script and forced layout after an input event, over every slider of every chapter."""
    waits = {}
    for _ in chapters(page, "?depth=everything"):
        waits |= waits_of(page, BAKED)
    return waits


def scrolled(page, job, site=SITE):
    """A line of the table: the time between frames while all chapters scroll past."""
    frames = {name: page.evaluate(SCROLLED) for name in chapters(page, "", site)}
    times = [time for of_page in frames.values() for time in of_page]
    slow = {name: sum(t > FRAME_SECONDS for t in of_page) for name, of_page in frames.items()}
    worst = max(slow, key=lambda name: slow[name] / len(frames[name]))
    spread = f"{sum(slow.values())} of {len(times)} frames above 34 ms, most in {worst}: {slow[worst]}"
    return Row(job, "the budget", percentile(times, 98), FRAME_SECONDS, 1.0, spread)


def live(page, chapter):
    """Input to frame of the figures of one chapter, as a notebook in JupyterLab."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SITE / "notebooks" / f"{chapter}.ipynb", folder)
        with jupyterlab(folder) as address:
            open_and_run(page, address(f"{chapter}.ipynb"))
            wait_until_run(page)
            return waits_of(page, LIVE)


def throttled(page):
    """The page on a processor four times slower, as wide as a phone."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.set_viewport_size({"width": 390, "height": 844})
    return page


def rows():
    with chromium_page() as page:
        yield row("an input to a figure in the page", baked(page), BAKED_SECONDS)
    with chromium_page() as page:
        yield row("the same on a phone, four times slower", baked(throttled(page)), PHONE_SECONDS)
    with chromium_page() as page:
        yield scrolled(page, "a frame while a chapter scrolls, 98th percentile")
    with chromium_page() as page:
        yield scrolled(throttled(page), "the same on a phone, four times slower")
    with chromium_page() as page:
        yield row("an input to a figure in JupyterLab", live(page, "01_svm_duality"), LIVE_SECONDS)
