"""Answers derived from the reference's for trials of the checks: constants, empty arrays, other types."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins_course.grading.reference import InProcessAnswers, Reference

Change = Callable[[Any], Any]


class ChangedReference(InProcessAnswers):
    """An exercise's own solution with every answer changed."""

    def __init__(self, reference: Reference, solution: str, change: Change):
        super().__init__(reference, solution)
        self.change = change

    def raw_function(self, name: str) -> Callable:
        answer = super().raw_function(name)
        return lambda *positional, **named: self.change(answer(*positional, **named))


def each_number(change: Change) -> Change:
    """A change of all numbers and arrays in an answer, whatever it is made of."""

    def changed(answer):
        if type(answer) in (list, tuple):
            return type(answer)(map(changed, answer))
        is_number = isinstance(answer, bool | int | float | complex | np.generic | np.ndarray)
        return change(answer) if is_number else answer

    return changed


def in_lists(answer: Any) -> Any:
    """The answer with lists of numbers of Python's in the place of arrays and tuples."""
    if type(answer) in (list, tuple):
        return list(map(in_lists, answer))
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


def in_tuples(answer: Any) -> Any:
    """The answer with tuples of numbers of NumPy's in the place of arrays and lists."""
    is_array = isinstance(answer, np.ndarray) and answer.ndim > 0
    return tuple(map(in_tuples, answer)) if is_array or type(answer) in (list, tuple) else answer


def in_single_precision(answer: Any) -> Any:
    return each_number(lambda n: np.float32(n) if np.asarray(n).dtype.kind == "f" else n)(answer)


def rows_of_an_array(answer: Any) -> Any:
    """An answer of several numbers as an array of them; any other as it is."""
    is_numbers = type(answer) in (list, tuple) and answer and all(np.ndim(part) == 0 for part in answer)
    return np.asarray(answer) if is_numbers and all(part is not None for part in answer) else answer


def _filled(constant):
    return each_number(lambda number: np.full(np.shape(number), constant)[()])


def _constant(value):
    return lambda answer: value


CONSTANTS = {name: float(name) for name in ("0", "1", "-1", "1e-300", "1e300")}
CONSTANTS |= {"NaN": np.nan, "infinity": np.inf}
EMPTY_ARRAYS = {"no number in 1 dimension": np.empty(0), "no number in 2 dimensions": np.empty((0, 1))}

WORTHLESS_ANSWERS = {
    **{f"always {name}": _constant(value) for name, value in CONSTANTS.items()},
    **{f"always {value!r}": _constant(value) for value in (True, "", None)},
    **{f"always {name}": _constant(value) for name, value in EMPTY_ARRAYS.items()},
    **{f"every number is {name}": _filled(value) for name, value in CONSTANTS.items()},
    **{f"every number is {name}": each_number(_constant(value)) for name, value in EMPTY_ARRAYS.items()},
    "0.3i is added": each_number(lambda number: number + 0.3j),
}
RIGHT_ANSWERS = {
    "the reference": lambda answer: answer,
    "in lists": in_lists,
    "in tuples": in_tuples,
    "numbers of Python's": each_number(lambda n: n if np.ndim(n) else np.asarray(n).item()),
    "numbers of NumPy's": each_number(lambda n: n if np.ndim(n) else np.asarray(n)[()]),
    "numbers as arrays of 0 dimensions": each_number(np.asarray),
    "several numbers in an array": rows_of_an_array,
}
