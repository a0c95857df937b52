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


def rows():
    path, answer = solution(LABEL)
    with serve(SITE) as origin, chromium_page() as page:
        exercise = opened(page, f"{origin}/{path}")
        first = timed(exercise, answer)
        yield Row(
            "the first verdict of a first visit", "the budget", first, FIRST_SECONDS, 1.0, str(exercise.times)
        )
        checks = [timed(exercise, answer) for _ in range(CHECKS)]
        said = f"95th percentile {percentile(checks, 95):.2g} s"
        yield Row("a check", "the budget", statistics.median(checks), CHECK_SECONDS, 1.0, said)
        exercise = opened(page, f"{origin}/{path}")
        later = timed(exercise, answer)
        yield Row(
            "the first verdict of a later page", "the budget", later, LATER_SECONDS, 1.0, str(exercise.times)
        )
        page.locator("[data-figure=ex-street]").get_by_role("button").click()
        page.wait_for_function(LIVE, timeout=COLD)
        frames = page.evaluate(FRAMES)
        said = f"95th percentile {percentile(frames, 95) * 1e3:.3g} ms"
        yield Row(
            "a frame of a figure at any position",
            "the budget",
            statistics.median(frames),
            FRAME_SECONDS,
            1.0,
            said,
        )
