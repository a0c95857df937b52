"""Frames computed ahead for the static page, within budgets that keep pages light and builds short."""

import contextlib
import gc
import gzip
import itertools
import json
import math
import signal
import time

from margins.explore.controls import Control
from margins.explore.errors import refuse
from margins.explore.table import packed

MAX_GZIPPED_BYTES = 120_000
MAX_CPU_SECONDS, MAX_PAGE_CPU_SECONDS = 20, 50  # twice the budgets: a busy machine counts up to double
FINE_SLIDER = 49
HANDLE_STEP, HANDLE_GRID = 6.0, {"x": 50, "y": 34}  # pixels between two places, or as many places
SLACK = 0.5  # pixels beyond its panel's edge that a handle is not seen to have gone
SHORTEST = 1e-3  # seconds; a timer of 0 never rings
AGAIN = 0.1  # seconds until it rings once more: what is raised inside a finaliser is lost
spent = []  # seconds for each figure that this process has baked; a page is run by a process of its own


def bake(name, parameters, handles, draw):
    """The table of the frames `draw(values)` over the grid of `parameters`, the last varying fastest."""
    with nothing_collected():  # a fifth of the time goes by looking for garbage among frames that are kept
        return _table(name, parameters, handles, draw)


@contextlib.contextmanager
def nothing_collected():
    """A block during which Python does not look for garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _table(name, parameters, handles, draw):
    """The table, if it keeps the budgets."""
    frames, grid = [], combinations(parameters)
    _fine_enough(name, parameters, handles)
    left, start = max(MAX_PAGE_CPU_SECONDS - sum(spent), 0), time.process_time()
    allowed = min(MAX_CPU_SECONDS, left)
    try:
        with cpu_limit(max(allowed, SHORTEST)):
            for values in grid:
                frames.append(draw(values))
    except OutOfTime:
        problem = f"{allowed:.3g} s were over after {len(frames)} of {len(grid)} positions"
        if allowed < MAX_CPU_SECONDS:
            problem += (
                f", for the figures before took {sum(spent):.3g} s of the page's {MAX_PAGE_CPU_SECONDS}"
            )
        raise refuse(name, problem, values=values, remedy="compute once outside, or drop a control") from None
    finally:
        spent.append(time.process_time() - start)
    _same_panels(name, frames, grid)
    _handles_inside(name, parameters, handles, frames[0])
    _handles_near(name, parameters, handles, frames[0])
    table = packed(frames, [len(control.values) for control in parameters.values()])
    if (size := gzipped_size(table)) > MAX_GZIPPED_BYTES:
        problem = f"{len(frames)} positions weigh {size / 1000:.0f} kB gzipped of {MAX_GZIPPED_BYTES // 1000}"
        raise refuse(name, problem, remedy="fewer marks that move, or drop a control")
    return table


class OutOfTime(BaseException):
    """The CPU time is over; no `except Exception` of a drawing function may swallow it."""


@contextlib.contextmanager
def cpu_limit(seconds):
    """A block that `OutOfTime` ends after that much CPU time, in the middle of a frame if need be."""

    def stop(*_):
        raise OutOfTime

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def combinations(parameters):
    """All combinations of the parameters' values."""
    return [
        dict(zip(parameters, values, strict=True))
        for values in itertools.product(*(control.values for control in parameters.values()))
    ]


def _fine_enough(name, parameters, handles):
    """Sliders must have places enough that between them straight lines will do."""
    held = {coordinate for handle in handles.values() for coordinate in (handle.x, handle.y)}
    for key, control in parameters.items():
        if control.kind == "slider" and key not in held and len(control.values) < FINE_SLIDER:
            problem = f"slider {key} has {len(control.values)} steps of at least {FINE_SLIDER}"
            raise refuse(name, problem, remedy="give it more, or make it a choice or a play")


def _handle_ends(parameters, handle, way, places):
    """Both ends of a dragged point's way along x or y, in pixels of its panel."""
    at = getattr(handle, way)
    start, slope, log = places[way]
    values = parameters[at].values if at in parameters else (at,)
    return [start + slope * (math.log10(v) if log else v) for v in (values[0], values[-1])]


def _handles_inside(name, parameters, handles, frame):
    """A dragged point must be seen wherever it may be."""
    for key, handle in handles.items():
        places = frame["places"][key]
        panel = frame["panels"][places["panel"]]
        for k, way in enumerate("xy"):
            ends = _handle_ends(parameters, handle, way, places)
            if min(ends) < panel["box"][k] - SLACK or max(ends) > panel["box"][k + 2] + SLACK:
                problem = f"handle {key} leaves panel {panel['name']!r} along {way}"
                raise refuse(name, problem, remedy=f"keep its {way} within the panel's {way}lim")


def _handles_near(name, parameters, handles, frame):
    """Places of a dragged point must lie so close that none is missed."""
    for key, handle in handles.items():
        for way, most in HANDLE_GRID.items():
            control = parameters.get(getattr(handle, way))
            if not isinstance(control, Control):
                continue
            ends = _handle_ends(parameters, handle, way, frame["places"][key])
            step = abs(ends[1] - ends[0]) / (len(control.values) - 1)
            if step > HANDLE_STEP and len(control.values) < most:
                problem = (
                    f"handle {key} moves {step:.1f} pixels a step along {way}, at most {HANDLE_STEP:g} may be"
                )
                remedy = (
                    f"give its slider {min(most, math.ceil(abs(ends[1] - ends[0]) / HANDLE_STEP) + 1)} steps"
                )
                raise refuse(name, problem, remedy=remedy)


def _same_panels(name, frames, grid):
    """Panels, and the axes under a handle, must stay while the marks move."""
    for frame, values in zip(frames, grid, strict=True):
        if frame["panels"] != frames[0]["panels"] or frame.get("places") != frames[0].get("places"):
            remedy = "use the same names, heights and limits everywhere"
            raise refuse(
                name, "its panels are others than at the first position", values=values, remedy=remedy
            )


def gzipped_size(table):
    """Bytes that the table takes on its way to the reader."""
    return len(gzip.compress(json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0))
