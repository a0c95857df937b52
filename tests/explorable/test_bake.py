"""Tables computed ahead: they hold what the function draws, within budgets, and say what is wrong."""

import contextlib
import itertools
import signal

import pytest

from explorable import Drawing, bake, choice, explore, handle, play, slider, toggle
from explorable.figures import MIME
from explorable.table import pack_frames
from tests.explorable.samples import line, line_over, refused

pytestmark = pytest.mark.usefixtures("baking")


def test_table_holds_what_the_function_draws_over_the_grid():
    moved = line_over(
        a=slider(1, 2, steps=49), b=choice("u", "v"), c=toggle(), p=handle(x=slider(0, 0.1, steps=3), y=1)
    )
    grid = itertools.product(moved.parameters["a"].values, ("u", "v"), (False, True), (0.0, 0.05, 0.1))
    frames = [moved.frame(dict(zip(("a", "b", "c", "p_x"), values, strict=True))) for values in grid]
    assert moved.bundle()[MIME]["table"] == pack_frames(frames, [49, 2, 2, 3])


def test_too_coarse_controls_are_refused():
    message = "'a-line': slider a has 11 steps of at least 49; give it more, or make it a choice"
    with refused(message):
        line_over(a=slider(0, 1, steps=11)).bundle()
    message = r"handle p moves 15.0 pixels a step along x, at most 6 may be; give its slider 26 steps"
    with refused(message):
        line_over(p=handle(x=slider(0, 2, steps=11), y=1)).bundle()
    line_over(p=handle(x=slider(0, 2, steps=26), y=1)).bundle()


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (handle(x=slider(-1, 4, steps=76), y=1), "handle p leaves panel 'plane' along x; keep its x within"),
        (handle(x=slider(0, 4, steps=61), y=5), "handle p leaves panel 'plane' along y; keep its y within"),
        (handle(x=1, y=slider(0, 5, steps=61)), "handle p leaves panel 'plane' along y"),
        (handle(x=slider(0.1, 9, steps=61, log=True), y=1), "handle p leaves panel 'plane' along x"),
    ],
)
def test_a_handle_that_leaves_its_panel_is_refused(held, message):
    with refused(message):
        line_over(p=held).bundle()
    line_over(p=handle(x=slider(0, 4, steps=61), y=4)).bundle()


def test_panels_that_change_are_refused():
    def plot(n):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1), height=200 + 10 * n)
        return drawing, "a plane"

    with refused("'plot' at n=2: its panels are others than at the first position"):
        explore(n=play(range(1, 3)))(plot).bundle()


def test_too_heavy_a_table_is_refused(monkeypatch):
    monkeypatch.setattr(bake, "MAX_GZIPPED_BYTES", 500)  # a table over the real limit takes seconds to make
    with refused(r"'a-line': 49 positions weigh \d kB gzipped of 0; fewer marks"):
        line_over(a=slider(1, 2, steps=49)).bundle()


def test_too_long_a_bake_is_stopped_even_within_a_frame(monkeypatch):
    monkeypatch.setattr(bake, "MAX_CPU_SECONDS", 0.5)  # the real limit takes 20 s to reach

    def plot(a):
        while a == 1:
            with contextlib.suppress(Exception):
                a = 1
        return line(a=a)

    moved = explore(a=play(range(3)))(plot)
    with refused(r"'plot' at a=1: 0\.5 s were over after 1 of 3 positions; compute"):
        moved.bundle()
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


def test_figures_of_a_page_share_their_time_until_none_is_left(monkeypatch):
    monkeypatch.setattr(bake, "MAX_PAGE_CPU_SECONDS", 0.05)  # the real limit takes 50 s to reach
    figure = line_over(a=slider(1, 2, steps=2001))
    with refused(r"0\.05 s were over after \d+ of 2001 positions, for the figures"):
        figure.bundle()
    with refused(r"took [\d.]+ s of the page's 0\.05; compute once outside"):
        line_over(a=slider(1, 2, steps=2001)).bundle()
    monkeypatch.setattr(bake, "spent", [60.25])  # as if figures had taken a minute
    with refused(r": 0 s were over after \d+ of 2001 positions, for the figures before took 60\.2 s of"):
        line_over(a=slider(1, 2, steps=2001)).bundle()
