"""Frames computed ahead for the static page, within budgets that keep pages small and builds short."""

import contextlib
import gzip
import itertools
import json
import signal

from margins.explore.errors import refuse

MAX_FRAMES = 400
MAX_GZIPPED_BYTES = 300_000
MAX_CPU_SECONDS = 30


def bake(name, parameters, draw):
    """The table of all frames `draw(values)` over the grid of `parameters`, the last varying fastest."""
    grid, frames = checked_grid(name, parameters), []
    try:
        with cpu_limit(MAX_CPU_SECONDS):
            for values in grid:
                frames.append(draw(values))
    except OutOfTime:
        problem = f"{MAX_CPU_SECONDS} s were over after {len(frames)} of {len(grid)} frames"
        raise refuse(name, problem, values=values, remedy="fewer steps, or compute once outside") from None
    table = packed(frames)
    if (size := gzipped_size(table)) > MAX_GZIPPED_BYTES:
        problem = f"{len(frames)} frames weigh {size / 1000:.0f} kB gzipped of {MAX_GZIPPED_BYTES // 1000}"
        raise refuse(name, problem, remedy="fewer steps, fewer points, or coarser contours")
    return table


class OutOfTime(BaseException):
    """The CPU time is over; no `except Exception` of a drawing function may swallow it."""


@contextlib.contextmanager
def cpu_limit(seconds):
    """A block that `OutOfTime` ends after that much CPU time, in the middle of a frame if need be."""

    def stop(*_):
        raise OutOfTime

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def checked_grid(name, parameters):
    """All combinations of the parameters' values, if they are not too many."""
    count = 1
    for control in parameters.values():
        count *= len(control.values)
    if count > MAX_FRAMES:
        sizes = " x ".join(f"{key} {len(control.values)}" for key, control in parameters.items())
        problem = f"{count} frames to bake ({sizes}), but at most {MAX_FRAMES} may be"
        raise refuse(name, problem, remedy="give a slider fewer steps, or drop a control")
    combinations = itertools.product(*(control.values for control in parameters.values()))
    return [dict(zip(parameters, values, strict=True)) for values in combinations]


def packed(frames):
    """The frames with each line of SVG stored once: most lines are the same in all of them."""
    lines, packed_frames = {}, []
    for frame in frames:
        numbers = [lines.setdefault(line, len(lines)) for line in frame["svg"].split("\n")]
        packed_frames.append({**frame, "svg": numbers})
    return {"lines": list(lines), "frames": packed_frames}


def gzipped_size(table):
    """Bytes that the table takes on its way to the reader."""
    return len(gzip.compress(json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0))
