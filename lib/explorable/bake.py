"""All frames of a figure computed ahead for a built page, within limits of time and bytes."""

import contextlib
import gc
import gzip
import itertools
import json
import math
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from explorable.controls import Control, Handle
from explorable.drawing import Frame
from explorable.errors import figure_error
from explorable.table import pack_frames

MAX_GZIPPED_BYTES = 120_000
MAX_CPU_SECONDS, MAX_PAGE_CPU_SECONDS = 20, 50  # twice what authors aim at, for a busy machine
MIN_SLIDER_STEPS = 49  # between two of them, linear interpolation is not seen
MAX_HANDLE_STEP = 6.0  # pixels between two positions of a handle, unless it has as many as these
ENOUGH_HANDLE_STEPS = {"x": 50, "y": 34}
EDGE_TOLERANCE = 0.5  # pixels beyond its panel's edge that cannot be seen
MIN_TIMER_SECONDS = 1e-3  # a timer of 0 never fires
TIMER_INTERVAL_SECONDS = 0.1  # it fires again, because an exception inside a finaliser is lost
spent: list[float] = []  # CPU seconds of each figure baked by this process, which runs one page

Parameters = Mapping[str, Control]
Handles = Mapping[str, Handle]


@contextlib.contextmanager
def garbage_collection_off() -> Iterator[None]:
    """A block during which Python collects no garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@garbage_collection_off()  # it takes a fifth of the time, and all frames are kept anyway
def bake(
    name: str, parameters: Parameters, handles: Handles, draw: Callable[[Mapping[str, Any]], Frame]
) -> dict[str, Any]:
    """The table of the frames `draw(values)` over the grid of `parameters`, the last varying fastest."""
    _check_steps(name, parameters, handles)
    grid = combinations(parameters)
    frames = _frames(name, grid, draw)
    _check_panels(name, frames, grid)
    _check_handles_inside(name, parameters, handles, frames[0])
    _check_handle_steps(name, parameters, handles, frames[0])
    table = pack_frames(frames, [len(control.values) for control in parameters.values()])
    if (size := gzipped_size(table)) > MAX_GZIPPED_BYTES:
        problem = f"{len(frames)} positions weigh {size / 1000:.0f} kB gzipped of {MAX_GZIPPED_BYTES // 1000}"
        raise figure_error(name, problem, remedy="fewer marks that move, or drop a control")
    return table


def _frames(
    name: str, grid: Sequence[Mapping[str, Any]], draw: Callable[[Mapping[str, Any]], Frame]
) -> list[Frame]:
    """The frames at all positions of the grid, if the time of the figure and of its page allows it."""
    frames: list[Frame] = []
    start = time.process_time()
    allowed = min(MAX_CPU_SECONDS, max(MAX_PAGE_CPU_SECONDS - sum(spent), 0))
    try:
        with cpu_limit(max(allowed, MIN_TIMER_SECONDS)):
            for values in grid:
                frames.append(draw(values))
    except OutOfTime:
        problem = f"{allowed:.3g} s were over after {len(frames)} of {len(grid)} positions"
        if allowed < MAX_CPU_SECONDS:
            problem += (
                f", for the figures before took {sum(spent):.3g} s of the page's {MAX_PAGE_CPU_SECONDS}"
            )
        remedy = "compute once outside, or drop a control"
        raise figure_error(name, problem, values=values, remedy=remedy) from None
    finally:
        spent.append(time.process_time() - start)
    return frames


class OutOfTime(BaseException):
    """The CPU time is over. A BaseException, so that no `except Exception` of a function catches it."""


@contextlib.contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """A block that `OutOfTime` ends after so much CPU time, if need be within a frame."""

    def stop(*_: Any) -> None:
        raise OutOfTime

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, TIMER_INTERVAL_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def combinations(parameters: Parameters) -> list[dict[str, Any]]:
    """All combinations of the parameters' values."""
    return [
        dict(zip(parameters, values, strict=True))
        for values in itertools.product(*(control.values for control in parameters.values()))
    ]


def _check_steps(name: str, parameters: Parameters, handles: Handles) -> None:
    """Refuses sliders with so few steps that interpolation between them is seen."""
    of_handles = {coordinate for handle in handles.values() for coordinate in (handle.x, handle.y)}
    for key, control in parameters.items():
        if control.kind == "slider" and key not in of_handles and len(control.values) < MIN_SLIDER_STEPS:
            problem = f"slider {key} has {len(control.values)} steps of at least {MIN_SLIDER_STEPS}"
            raise figure_error(name, problem, remedy="give it more, or make it a choice or a play")


def _handle_ends(parameters: Parameters, handle: Handle, axis: str, places: Mapping[str, Any]) -> list[float]:
    """Both ends of a handle's range along x or y, in pixels of its panel."""
    at = getattr(handle, axis)
    start, slope, log = places[axis]
    values = parameters[at].values if at in parameters else (at,)
    return [start + slope * (math.log10(v) if log else v) for v in (values[0], values[-1])]


def _check_handles_inside(name: str, parameters: Parameters, handles: Handles, frame: Frame) -> None:
    """Refuses handles that can leave their panel."""
    for key, handle in handles.items():
        places = frame["places"][key]
        panel = frame["panels"][places["panel"]]
        for k, axis in enumerate("xy"):
            ends = _handle_ends(parameters, handle, axis, places)
            low, high = panel["box"][k] - EDGE_TOLERANCE, panel["box"][k + 2] + EDGE_TOLERANCE
            if min(ends) < low or max(ends) > high:
                problem = f"handle {key} leaves panel {panel['name']!r} along {axis}"
                raise figure_error(name, problem, remedy=f"keep its {axis} within the panel's {axis}lim")


def _check_handle_steps(name: str, parameters: Parameters, handles: Handles, frame: Frame) -> None:
    """Refuses handles whose positions lie so far apart that a reader cannot place them."""
    for key, handle in handles.items():
        for axis, enough in ENOUGH_HANDLE_STEPS.items():
            control = parameters.get(getattr(handle, axis))
            if not isinstance(control, Control):
                continue
            ends = _handle_ends(parameters, handle, axis, frame["places"][key])
            length = abs(ends[1] - ends[0])
            step = length / (len(control.values) - 1)
            if step > MAX_HANDLE_STEP and len(control.values) < enough:
                problem = f"handle {key} moves {step:.1f} pixels a step along {axis}"
                steps = min(enough, math.ceil(length / MAX_HANDLE_STEP) + 1)
                raise figure_error(
                    name,
                    f"{problem}, at most {MAX_HANDLE_STEP:g} may be",
                    remedy=f"give its slider {steps} steps",
                )


def _check_panels(name: str, frames: Sequence[Frame], grid: Sequence[Mapping[str, Any]]) -> None:
    """Refuses panels, and axes under a handle, that change while the marks move."""
    for frame, values in zip(frames, grid, strict=True):
        if frame["panels"] != frames[0]["panels"] or frame.get("places") != frames[0].get("places"):
            problem = "its panels are others than at the first position"
            remedy = "use the same names, heights and limits everywhere"
            raise figure_error(name, problem, values=values, remedy=remedy)


def gzipped_size(table: Mapping[str, Any]) -> int:
    """Bytes of the table as a server sends it."""
    return len(gzip.compress(json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0))
