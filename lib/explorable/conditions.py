"""Conditions: what words about a figure claim, as functions of the facts that the figure returns.

A condition is a function of the facts of one position, or of those along one control.
(book: How to read and run this book, Figures that move)
"""

import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorable.errors import ExplorableError


class Short(reprlib.Repr):
    """A value in a message: numbers of NumPy as plain ones, six digits, 60 characters."""

    def __init__(self) -> None:
        super().__init__()
        self.maxother = self.maxstring = 60

    def repr1(self, x: Any, level: int) -> str:
        plain = x.item() if isinstance(x, np.generic) else x
        return f"{plain:.6g}" if isinstance(plain, float) else super().repr1(plain, level)


class Facts:
    """The values of the controls at one position and what the figure's function says of it, as attributes."""

    _position: dict[str, Any]
    _was_read: bool  # whether a condition has read a value

    def __init__(self, position: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        self._position, self._values = dict(position), {**position, **facts}
        self._was_read = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copy and pickle ask for such names
            raise AttributeError(name)
        if name not in self._values:
            raise AttributeError(f"no fact {name!r}; there are: {', '.join(self._values)}")
        self._was_read = True
        return self._values[name]

    def __repr__(self) -> str:
        facts = {name: value for name, value in self._values.items() if name not in self._position}
        words = ", ".join(f"{name}={shortened(value)}" for name, value in facts.items())
        return words or "none but the controls"


def shortened(value: Any) -> str:
    return Short().repr(value)


Predicate = Callable[[Any], Any]


@dataclass(frozen=True)
class Condition:
    """A predicate and where it holds: at one place, at all or some positions, or along a control."""

    kind: str  # "at", "everywhere", "somewhere" or "along"
    predicate: Predicate
    control: str = ""  # that "along" runs through
    fixed: Mapping[str, Any] = field(default_factory=dict)  # values of controls, or functions of them


def everywhere(predicate: Predicate, /, **fixed: Any) -> Condition:
    """The condition that `predicate` holds of the facts at every position.

    `fixed` gives controls a value, or a function that says which values count.
    (book: How to read and run this book, Figures that move)

    >>> everywhere(lambda f: f.short == 0, kernel="Laplacian", gamma=lambda g: g >= 0.056).kind
    'everywhere'
    """
    return Condition("everywhere", _callable(predicate), fixed=fixed)


def somewhere(predicate: Predicate, /, **fixed: Any) -> Condition:
    """The condition that `predicate` holds of the facts at one position at least.

    (book: How to read and run this book, Figures that move)

    >>> somewhere(lambda f: f.laplacian < f.gaussian, C=100.0).fixed
    {'C': 100.0}
    """
    return Condition("somewhere", _callable(predicate), fixed=fixed)


def along(control: str, predicate: Predicate, /, **fixed: Any) -> Condition:
    """The condition that `predicate` holds of the list of facts along `control`, in the order of its values.

    Of controls that are neither `control` nor `fixed`, it must hold for each combination of values.
    (book: How to read and run this book, Figures that move)

    >>> along("C", lambda line: line[-1].margin < line[0].margin).control
    'C'
    """
    return Condition("along", _callable(predicate), control, fixed)


def as_conditions(expect: Any) -> tuple[Condition, ...]:
    """The conditions in `expect`: a function of the facts, a condition, or a list of such."""
    several = expect if isinstance(expect, list | tuple) else [expect]
    return tuple(one if isinstance(one, Condition) else Condition("at", _callable(one)) for one in several)


def _callable(predicate: Any) -> Predicate:
    if not callable(predicate):
        raise ExplorableError(
            f"expect: needed a function of the facts, as `lambda f: f.short == 0`, but got {predicate!r}"
        )
    return predicate
