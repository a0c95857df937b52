"""What the reader moves and is asked: controls, each a grid of values with a default and a label; prompts."""

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from explorable.conditions import Condition, Predicate, as_conditions
from explorable.errors import ExplorableError


@dataclass(frozen=True)
class Control:
    """One parameter of a figure: the values that are computed ahead, and which of them is the default."""

    kind: str  # "slider", "choice", "toggle" or "play"
    values: tuple[Any, ...]
    position: int  # of the default among the values
    label: str | None = None
    log: bool = False
    brings: tuple[Mapping[str, Any], ...] = ()  # for each value the values that other controls then take

    @property
    def default(self) -> Any:
        return self.values[self.position]

    def accept(self, value: Any) -> Any:
        """`value` as the function may receive it: on the grid, or anywhere between a slider's ends."""
        if self.kind != "slider":
            if value not in self.values:
                raise ExplorableError(f"expected one of {list(self.values)}, but got {value!r}")
            return self.values[self.values.index(value)]
        if not _is_real(value) or not self.values[0] <= value <= self.values[-1]:
            raise ExplorableError(f"expected {self.values[0]:g} to {self.values[-1]:g}, but got {value!r}")
        return float(value)

    def starting_at(self, value: Any) -> "Control":
        """The same control, which starts from `value`; a slider from the grid value nearest to it."""
        accepted = self.accept(value)
        if self.kind == "slider":
            return replace(self, position=nearest(self.values, accepted, self.log))
        return replace(self, position=self.values.index(accepted))


@dataclass(frozen=True)
class Handle:
    """A point that the reader drags on the drawing; a coordinate is a slider (later its name) or a number."""

    x: Control | str | float
    y: Control | str | float
    label: str | None = None
    panel: int = 0


@dataclass(frozen=True)
class Prompt:
    """A question, its answer, and the values of the controls at which the figure shows it."""

    question: str
    answer: str
    at: Mapping[str, Any] = field(default_factory=dict)
    says: str = ""
    expect: tuple[Condition, ...] = ()
    draws: str = ""


def slider(
    low: float, high: float, *, steps: int = 49, value: float | None = None, log: bool = False,
    label: str | None = None,
) -> Control:  # fmt: skip
    """A real parameter from `low` to `high`: `steps` values, continuous where a kernel runs.

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


def _start(grid: Sequence[float], value: float | None, log: bool) -> int:
    """The position at which a slider starts: that of `value`, else the middle."""
    if value is None:
        return len(grid) // 2
    inside = _is_real(value) and grid[0] <= value <= grid[-1]
    _require(inside, "slider", f"a value from {grid[0]:g} to {grid[-1]:g}", value)
    assert value is not None
    return nearest(grid, value, log)


def nearest(grid: Sequence[float], value: float, log: bool) -> int:
    """The position of the grid value nearest to `value`, on the slider's own scale."""
    scale = math.log if log else float
    return min(range(len(grid)), key=lambda i: abs(scale(grid[i]) - scale(value)))


def choice(
    *values: Any, value: Any = None, label: str | None = None,
    brings: Mapping[Any, Mapping[str, Any]] | None = None,
) -> Control:  # fmt: skip
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


def toggle(value: bool = False, *, label: str | None = None) -> Control:
    """A yes or a no.

    (book: How to read and run this book, Figures that move)

    >>> toggle(True, label="show the margin").default
    True
    """
    _require(isinstance(value, bool), "toggle", "True or False", value)
    return Control("toggle", (False, True), int(value), label)


def play(values: Iterable[Any], *, value: Any = None, label: str | None = None) -> Control:
    """A stepper through `values`, e.g. `range(41)`, that the reader may also let run.

    (book: How to read and run this book, Figures that move)

    >>> play(range(41), label="step").default
    0
    """
    return _listed("play", tuple(values), value, label)


def _listed(kind: str, values: Iterable[Any], value: Any, label: str | None) -> Control:
    """A control over the given values, which must differ and can be written as JSON."""
    plain = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    _require(len(plain) > 0, kind, "at least one value", plain)
    _require(all(isinstance(v, str | int | float) for v in plain), kind, "texts or numbers", plain)
    _require(len(set(plain)) == len(plain), kind, "values that differ", plain)
    _require(value is None or value in plain, kind, f"a default among {list(plain)}", value)
    return Control(kind, plain, 0 if value is None else plain.index(value), label)


def handle(x: Any, y: Any, *, label: str | None = None, panel: int = 0) -> Handle:
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


def prompt(
    question: str, answer: str, *, at: Mapping[str, Any] | None = None, says: str = "", draws: str = "",
    expect: Predicate | Condition | Sequence[Predicate | Condition] = (),
) -> Prompt:  # fmt: skip
    """A question to the reader, with the answer that is unfolded after the attempt (both Markdown).

    `at` gives values of controls; the answer then offers to show that position, and `says` must be
    part of the figure's sentence there, or the build stops. `expect` are conditions on the facts that the
    figure's function returns; a function alone is about that position, or where the figure starts.
    `draws` is the key of an arrow: the reader turns a dashed one to where it will point at that position,
    and is told by how many degrees.
    (book: How to read and run this book, Figures that move)

    >>> prompt("Raise $C$.", "The street narrows.", at={"C": 100.0}, says="margin is 0.80").at
    {'C': 100.0}
    """
    for text, what in ((question, "a question"), (answer, "an answer")):
        if not isinstance(text, str) or not text.strip():
            raise ExplorableError(f"prompt: expected {what}, a text, but got {text!r}")
    if says and not at:
        raise ExplorableError("prompt: `says` needs `at`, the values at which the figure says it")
    if draws and not at:
        raise ExplorableError("prompt: `draws` needs `at`, the values at which the arrow is drawn")
    if at and not says:
        raise ExplorableError("prompt: `at` needs `says`, words of the figure's sentence there")
    return Prompt(question, answer, dict(at or {}), says, as_conditions(expect), draws)


def expand(controls: Mapping[str, Any]) -> tuple[dict[str, Control], dict[str, Handle]]:
    """The parameters of the function by name, and the handles, whose sliders are replaced by their names."""
    parameters: dict[str, Control] = {}
    handles: dict[str, Handle] = {}
    for name, control in controls.items():
        if isinstance(control, Handle):
            sliders = {axis: c for axis in "xy" if isinstance(c := getattr(control, axis), Control)}
            parameters |= {f"{name}_{axis}": c for axis, c in sliders.items()}
            names: dict[str, Any] = {axis: f"{name}_{axis}" for axis in sliders}
            handles[name] = replace(control, **names)
        elif isinstance(control, Control):
            parameters[name] = control
        else:
            raise ExplorableError(
                f"control {name!r}: expected slider, choice, toggle, play or handle, but got {control!r}"
            )
    for control in parameters.values():
        _check_brought(control, parameters)
    return parameters, handles


def _check_brought(control: Control, parameters: Mapping[str, Control]) -> None:
    """Refuses a choice that brings values which the other controls have not."""
    for brought in control.brings:
        for name, value in brought.items():
            known = parameters[name].values if name in parameters else ()
            _require(value in known, "choice", f"to bring a value of {', '.join(parameters)}", {name: value})


def _require(fits: bool, kind: str, expected: str, got: Any) -> None:
    if not fits:
        raise ExplorableError(f"{kind}: expected {expected}, but got {got!r}")


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any, *, at_least: int) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and int(value) >= at_least
