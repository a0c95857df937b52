"""The check of what a page says of a figure by the facts of all its positions, while the page is built.

(book: How to read and run this book, Figures that move)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorable.conditions import Condition, Facts, shortened
from explorable.controls import Control
from explorable.errors import figure_error

SHOWN_PLACES = 5  # of a line along a control, in a message


@dataclass(frozen=True)
class Words:
    """Words of the page about a figure, and the conditions that must hold of its facts."""

    label: str  # for messages: "the answer 'It doubles.'"
    conditions: Sequence[Condition]
    at: Mapping[str, Any] = field(default_factory=dict)  # where a function that stands alone is evaluated


def check_conditions(name: str, words: Words, parameters: Mapping[str, Control]) -> None:
    """Refuses conditions about controls or values that the figure `name` has not."""
    for condition in words.conditions:
        for key, value in condition.fixed.items():
            if key not in parameters or not callable(value):
                require_position(name, f"{words.label} has a condition", parameters, key, value)
        if condition.kind == "along" and condition.control not in parameters:
            problem = f"{words.label} has a condition along {condition.control!r}, which is no control"
            raise figure_error(name, problem, remedy=f"there are {', '.join(parameters)}")


def require_position(name: str, words: str, parameters: Mapping[str, Control], key: str, value: Any) -> None:
    """Refuses words about a control, or a value of it, that the figure `name` has not."""
    control = parameters.get(key)
    if control and value in control.values:
        return
    if control and control.kind == "slider" and isinstance(value, int | float):
        remedy = f"the nearest is {min(control.values, key=lambda v: abs(v - value)):g}"
    else:
        remedy = f"there are {', '.join(map(str, control.values if control else parameters))}"
    raise figure_error(name, f"{words} at {key}={value!r}, which is no position", remedy=remedy)


def require(name: str, words: Words, places: Sequence[Facts]) -> None:
    """Refuses words about the figure `name` that the facts of its `places` deny."""
    for number, condition in enumerate(words.conditions, 1):
        count = f", condition {number} of {len(words.conditions)}" if len(words.conditions) > 1 else ""
        try:
            _require_one(condition, places, words.at)
        except DeniedError as denied:
            problem = f"{words.label}{count}: {denied.problem}"
            raise figure_error(name, problem, values=denied.position, remedy=denied.remedy) from None


class DeniedError(Exception):
    """A condition that fails: why, the position, and the next step."""

    def __init__(
        self, problem: str, position: Mapping[str, Any] | None = None,
        remedy: str = "mend the words, or the condition if it does not say what they say",
    ) -> None:  # fmt: skip
        self.problem, self.position, self.remedy = problem, position, remedy


def _require_one(condition: Condition, places: Sequence[Facts], at: Mapping[str, Any]) -> None:
    """Raises `DeniedError` unless the condition holds."""
    chosen = _chosen(condition, places, at)
    for place in chosen:
        place._was_read = False
    _KINDS[condition.kind](condition, chosen)
    if not any(place._was_read for place in chosen):
        raise DeniedError("its condition asks for no fact, so it cannot fail", remedy="let it compare facts")


def _chosen(condition: Condition, places: Sequence[Facts], at: Mapping[str, Any]) -> list[Facts]:
    """The places that the condition is about."""
    fixed = at if condition.kind == "at" else condition.fixed
    chosen = [place for place in places if _is_among(place._position, fixed)]
    if not chosen:
        problem = f"its condition is about no position: {_told(fixed)} leaves none of {len(places)}"
        raise DeniedError(
            problem, remedy="fix values that the controls have, or functions that are true of some"
        )
    return chosen


def _is_among(position: Mapping[str, Any], fixed: Mapping[str, Any]) -> bool:
    return all(value(position[k]) if callable(value) else position[k] == value for k, value in fixed.items())


def _told(fixed: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} by a function" if callable(v) else f"{k}={v!r}" for k, v in fixed.items())


def _everywhere(condition: Condition, chosen: Sequence[Facts]) -> None:
    denying = [place for place in chosen if not _true(condition, place, place)]
    if denying:
        more = f" and at {len(denying) - 1} more of {len(chosen)} positions" if len(denying) > 1 else ""
        raise DeniedError(f"denied there{more}; the facts there: {denying[0]}", denying[0]._position)


def _somewhere(condition: Condition, chosen: Sequence[Facts]) -> None:
    if not any(_true(condition, place, place) for place in chosen):
        first = chosen[0]
        problem = f"denied at all {len(chosen)} positions, this one for example; the facts there: {first}"
        raise DeniedError(problem, first._position)


def _along(condition: Condition, chosen: Sequence[Facts]) -> None:
    lines: dict[tuple[Any, ...], list[Facts]] = {}
    for place in chosen:
        rest = tuple(item for item in place._position.items() if item[0] != condition.control)
        lines.setdefault(rest, []).append(place)
    for rest, line in lines.items():
        if len(line) < 2:
            raise DeniedError(f"it has one position along {condition.control}", remedy="leave it two or more")
        if not _true(condition, line, line[0]):
            problem = f"denied along {condition.control}; the facts there: {_line(condition.control, line)}"
            raise DeniedError(problem, dict(rest))


def _line(control: str, line: Sequence[Facts]) -> str:
    """Some places of a line, both ends among them."""
    chosen = sorted({round(k * (len(line) - 1) / (SHOWN_PLACES - 1)) for k in range(SHOWN_PLACES)})
    return "; ".join(f"{control}={line[k]._position[control]!r}: {line[k]}" for k in chosen)


_KINDS = {"at": _everywhere, "everywhere": _everywhere, "somewhere": _somewhere, "along": _along}


def _true(condition: Condition, argument: Any, place: Facts) -> bool:
    """What the predicate says of its argument, if it says yes or no."""
    try:
        result = condition.predicate(argument)
    except Exception as error:
        problem = f"its condition raised {type(error).__name__}: {error}"
        raise DeniedError(
            problem, place._position, "compare facts that the figure's function returns"
        ) from error
    if not isinstance(result, bool | np.bool_):
        problem = f"its condition gave {shortened(result)}; expected True or False"
        raise DeniedError(problem, place._position, "end it with a comparison")
    return bool(result)
