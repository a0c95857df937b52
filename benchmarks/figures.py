"""How long readers wait for figures that move, in the site that `make book` builds."""

import statistics
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.harness import budget
from conftest import CHROMIUM, FLAGS, program
from scripts.serving import serve

SITE = Path(__file__).parents[1] / "_build" / "html"
BRING = """figure => {
  figure.scrollIntoView({block: 'center'});
  figure.querySelector('input, button, select, [data-handle]')?.focus();
  return Boolean(figure.view);
}"""
WAITS = """async figure => {
  const stage = figure.querySelector('.explorable-frame'), moves = [], times = [];
  for (const input of figure.querySelectorAll('input[type=range]'))
    for (let k = 0; k <= 16; k++) moves.push(() => {
      input.value = k / 16 * Number(input.max);
      input.dispatchEvent(new Event('input', {bubbles: true}));
    });
  for (const handle of figure.querySelectorAll('[data-handle]'))
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'PageUp', 'ArrowDown', 'ArrowDown'])
      moves.push(() => handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})));
  await figure.source.load();
  for (const move of [...moves, ...moves]) {
    await new Promise(idle => requestAnimationFrame(() => setTimeout(idle, 5)));
    const start = performance.now();
    move();
    stage.getBoundingClientRect();
    times.push((performance.now() - start) / 1000);
  }
  return times;
}"""


def rows():
    """Wall time from the input event until the new drawing is laid out, over all chapters."""
    with sync_playwright() as playwright, serve(SITE) as origin:
        browser = playwright.chromium.launch(executable_path=program(CHROMIUM), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        yield _row("an input to a figure in the page", _waits(page, origin), 0.004)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.set_viewport_size({"width": 390, "height": 844})
        yield _row("the same on a phone, four times slower", _waits(page, origin), 0.016)
        browser.close()


def _waits(page, origin):
    """Waiting times by figure, over all chapters; the focus brings a figure that waits beside the text."""
    waits, paths = {}, sorted((SITE / "chapters").glob("*.html"))
    if not paths:
        raise SystemExit(f"no chapters in {SITE}: run `make book` first")
    for path in paths:
        page.goto(f"{origin}/chapters/{path.name}?depth=everything")
        page.wait_for_load_state("networkidle")
        for figure in page.locator("figure.explorable").all():
            if figure.evaluate(BRING) and (times := figure.evaluate(WAITS)):
                waits[figure.get_attribute("id")] = times
    return waits


def _row(job, times, most):
    """A line of the table from all waiting times, by figure."""
    waits = [wait for of_figure in times.values() for wait in of_figure]
    medians = {name: statistics.median(of_figure) for name, of_figure in times.items()}
    late, worst = statistics.quantiles(waits, n=100)[94], max(medians, key=medians.get)
    spread = f"{len(waits)} inputs to {len(times)} figures, 95th percentile {late * 1e3:.3g} ms"
    spread += f", slowest figure {worst} {medians[worst] * 1e3:.3g} ms"
    return budget(job, statistics.median(waits), most, spread)
