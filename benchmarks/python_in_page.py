"""How long a reader waits for Python in the page: a first visit, later ones, a check, a figure's frame.

Wall time, in Chromium, with an empty cache for the first visit: from the press of Check to the verdict. The
peers are the budgets. `python -m benchmarks python_in_page` needs the site that `make book` builds.
"""

import statistics
import time

from benchmarks.harness import Row
from benchmarks.interaction import SITE, chromium_page, percentile
from scripts.serving import serve
from tests.book.exercise_in_page import COLD, Exercise, solution

LABEL = "svm-intercept"
FIRST_SECONDS, LATER_SECONDS, CHECK_SECONDS, FRAME_SECONDS = 15.0, 3.0, 3.0, 0.060
CHECKS = 20
DRAW_SECONDS = 3.0
KEPT = """async () => {
    const store = await caches.open("python in the page"), [key] = await store.keys();
    return (await (await store.match(key)).arrayBuffer()).byteLength;
}"""
DRAWN = "#ex-soft-margin-by-you"
LIVE = "() => document.getElementById('ex-street')?.view?.source?.continuous"
FRAMES = """async () => {
    const { view } = document.getElementById("ex-street"), times = [];
    for (let k = 0; k < 60; k++) {
        const began = performance.now();
        await view.move({ which: k % 12, point_x: (7 * k) % 11 / 2, point_y: (5 * k) % 9 / 2 }, false);
        times.push((performance.now() - began) / 1000);
    }
    return times;
}"""


def opened(page, address):
    """The exercise on its page, opened by a press."""
    page.goto(address)
    return Exercise(page, LABEL).open()


def timed(exercise, code):
    """The seconds from the press to a verdict of praise."""
    began = time.perf_counter()
    kind, words = exercise.check(code)
    assert kind == "right", words
    return time.perf_counter() - began


def drawn(exercise):
    """The seconds from the press to the page's figure, drawn by the answer."""
    began = time.perf_counter()
    exercise.button("Draw with my code").click()
    exercise.page.locator(f"{DRAWN} input:enabled").first.wait_for(timeout=COLD)
    return time.perf_counter() - began


def frames(page):
    """The seconds of each frame of the chapter's first figure, drawn by Python at positions all over it."""
    page.locator("[data-figure=ex-street]").get_by_role("button").click()
    page.wait_for_function(LIVE, timeout=COLD)
    return page.evaluate(FRAMES)


def budgeted(job, seconds, budget, words):
    return Row(job, "the budget", seconds, budget, 1.0, words)


def rows():
    path, answer = solution(LABEL)
    with serve(SITE) as origin, chromium_page() as page:
        exercise = opened(page, f"{origin}/{path}")
        first = timed(exercise, answer)
        steps = f"{exercise.times}; the browser keeps {page.evaluate(KEPT) / 1e6:.1f} MB"
        yield budgeted("the first verdict of a first visit", first, FIRST_SECONDS, steps)
        checks = [timed(exercise, answer) for _ in range(CHECKS)]
        said = f"95th percentile {percentile(checks, 95):.2g} s"
        yield budgeted("a check", statistics.median(checks), CHECK_SECONDS, said)
        exercise = opened(page, f"{origin}/{path}")
        later = timed(exercise, answer)
        yield budgeted("the first verdict of a later page", later, LATER_SECONDS, str(exercise.times))
        yield budgeted("a figure drawn by the answer", drawn(exercise), DRAW_SECONDS, "Figure 1.5, once")
        times = frames(page)
        said = f"95th percentile {percentile(times, 95) * 1e3:.3g} ms"
        yield budgeted("a frame of a figure at any position", statistics.median(times), FRAME_SECONDS, said)
