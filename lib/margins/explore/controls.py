"""The controls of an explorable: each is a grid of values, a place on it to start from, and a label."""

import math
import numbers
from dataclasses import dataclass, replace

import numpy as np

from margins.explore.errors import ExplorableError


@dataclass(frozen=True)
class Control:
    """One parameter of an explorable: the values of the baked grid and the default's position among them."""

    kind: str  # "slider", "choice", "toggle" or "play"
    values: tuple
    position: int
    label: str | None = None
    log: bool = False
    brings: tuple = ()  # for each value the values of other controls that come with it

    @property
    def default(self):
        return self.values[self.position]

    def accept(self, value):
        """`value` as the function may receive it: on the grid, or anywhere between a slider's ends."""
        if self.kind != "slider":
            if value not in self.values:
                raise ExplorableError(f"expected one of {list(self.values)}, but {value!r} came")
            return self.values[self.values.index(value)]
        if not _is_real(value) or not self.values[0] <= value <= self.values[-1]:
            raise ExplorableError(f"expected {self.values[0]:g} to {self.values[-1]:g}, but {value!r} came")
        return float(value)


@dataclass(frozen=True)
class Handle:
    """A point that the reader drags on the drawing; a coordinate is a slider or a fixed number."""

    x: Control | float
    y: Control | float
    label: str | None = None
    panel: int = 0


def slider(low, high, *, steps=49, value=None, log=False, label=None):
    """A real parameter from `low` to `high`: `steps` baked values, continuous where a kernel runs.

    The figure starts from the grid value nearest to `value` (default: the middle). `log` spaces the values
    evenly in their logarithms. (book: How to read and run this book, Figures that move)

    >>> slider(0.01, 100, log=True, value=1, label="price of slack, C").default
    1.0
    """
    _require(_is_real(low) and _is_real(high) and low < high, "slider", "low < high", (low, high))
    _require(_is_count(steps, at_least=2), "slider", "steps, a whole number >= 2", steps)
    _require(not log or low > 0, "slider", "low > 0 on a log scale", low)
    space = np.geomspace if log else np.linspace
    tiny = 0 if log else 1e-12 * (high - low)  # what rounding leaves of a zero
    inner = [float(f"{v:.6g}") if abs(v) > tiny else 0.0 for v in space(low, high, steps)[1:-1]]
    grid = (float(low), *inner, float(high))
    return Control("slider", grid, _start(grid, value, log), label, log)


def _start(grid, value, log):
    """The position of the grid value nearest to `value`, on the slider's own scale."""
    if value is None:
        return len(grid) // 2
    inside = _is_real(value) and grid[0] <= value <= grid[-1]
    _require(inside, "slider", f"a value from {grid[0]:g} to {grid[-1]:g}", value)
    place = math.log if log else float
    return min(range(len(grid)), key=lambda i: abs(place(grid[i]) - place(value)))


def choice(*values, value=None, label=None, brings=None):
    """One of the `values` (texts or numbers); starts from `value` (default: the first).

    `brings`, {value: {parameter: value of it}}, moves other controls when the reader chooses.
    (book: How to read and run this book, Figures that move)

    >>> choice("gaussian", "laplacian", label="kernel").values
    ('gaussian', 'laplacian')
    """
    control = _listed("choice", values, value, label)
    if brings is None:
        return control
    _require(set(brings) == set(control.values), "choice", f"brings for {list(control.values)}", brings)
    return replace(control, brings=tuple(brings[value] for value in control.values))


def toggle(value=False, *, label=None):
    """A yes or a no.

    (book: How to read and run this book, Figures that move)

    >>> toggle(True, label="show the margin").default
    True
    """
    _require(isinstance(value, bool), "toggle", "True or False", value)
    return Control("toggle", (False, True), int(value), label)


def play(values, *, value=None, label=None):
    """A stepper through `values`, e.g. `range(41)`, that the reader may also let run.

    (book: How to read and run this book, Figures that move)

    >>> play(range(41), label="step").default
    0
    """
    return _listed("play", tuple(values), value, label)


def _listed(kind, values, value, label):
    """A control over the given values, which must be told apart and travel as JSON."""
    plain = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    _require(len(plain) > 0, kind, "at least one value", plain)
    _require(all(isinstance(v, str | int | float) for v in plain), kind, "texts or numbers", plain)
    _require(len(set(plain)) == len(plain), kind, "values that differ", plain)
    _require(value is None or value in plain, kind, f"a default among {list(plain)}", value)
    return Control(kind, plain, 0 if value is None else plain.index(value), label)


def handle(x, y, *, label=None, panel=0):
    """A draggable point: `p=handle(x=slider(...), y=slider(...))` gives the function `p_x` and `p_y`.

    A coordinate that is a number stays fixed and is no parameter. `panel` counts the drawing's panels.
    (book: How to read and run this book, Figures that move)

    >>> handle(x=slider(-2, 2, steps=97), y=0.5).x.default  # the function gets p_x alone
    0.0
    """
    for name, coordinate in (("x", x), ("y", y)):
        moves = isinstance(coordinate, Control) and coordinate.kind == "slider"
        _require(moves or _is_real(coordinate), "handle", f"{name}, a slider or a number", coordinate)
    _require(isinstance(x, Control) or isinstance(y, Control), "handle", "a slider for x or y", (x, y))
    _require(_is_count(panel, at_least=0), "handle", "panel, a whole number >= 0", panel)
    return Handle(x, y, label, panel)


def expand(controls):
    """Parameters by name, and handles with the parameters' names in the places of their sliders."""
    parameters, handles = {}, {}
    for name, control in controls.items():
        if isinstance(control, Handle):
            sliders = {axis: c for axis in "xy" if isinstance(c := getattr(control, axis), Control)}
            parameters |= {f"{name}_{axis}": c for axis, c in sliders.items()}
            handles[name] = replace(control, **{axis: f"{name}_{axis}" for axis in sliders})
        elif isinstance(control, Control):
            parameters[name] = control
        else:
            raise ExplorableError(
                f"control {name!r}: expected slider, choice, toggle, play or handle, but {control!r} came"
            )
    for control in parameters.values():
        _require_brought(control, parameters)
    return parameters, handles


def _require_brought(control, parameters):
    """What a choice brings must be values that the other controls have."""
    for brought in control.brings:
        for name, value in brought.items():
            known = parameters[name].values if name in parameters else ()
            _require(value in known, "choice", f"to bring a value of {', '.join(parameters)}", {name: value})


def _require(holds, kind, expected, came):
    if not holds:
        raise ExplorableError(f"{kind}: expected {expected}, but {came!r} came")


def _is_real(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value, *, at_least):
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and value >= at_least
