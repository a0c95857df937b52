"""How a self-check calls an answer, compares it and reports: one exception, comparisons, a line of praise.

Checks call the function under test and judge its answers; none reads its source.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margins_book.checking import forms
from margins_book.checking.forms import NUMBER, TRUTH, Numbers, WrongForm


class CheckFailed(AssertionError):  # noqa: N818 - the name says what happened, in the reader's words
    """An exercise's function gave a wrong answer; the message says which, and where to look.

    (book: How to read and run this book, Reading)

    >>> try:
    ...     call(lambda x: 1 / x, 0, case="a query of length 0")
    ... except CheckFailed as failed:
    ...     print(failed)
    a query of length 0: your function stopped with ZeroDivisionError: division by zero
    """


def require(condition: object, message: str) -> None:
    """The `CheckFailed` with `message`, raised unless `condition` holds.

    (book: How to read and run this book, Reading)

    >>> require(len([1, 2]) == 2, "two points: one answer each is expected.")
    """
    if not condition:
        raise CheckFailed(message)


def call(function: Callable[..., Any], *arguments: Any, case: str) -> Any:
    """What `function(*arguments)` answers; if it raises, a `CheckFailed` that names the `case`.

    So does a function that changes its arguments (book: How to read and run this book, Reading).

    >>> call(np.cumsum, np.array([1, 2, 3]), case="three numbers")
    array([1, 3, 6])
    """
    copies = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        answer = function(*copies)
    except WrongForm as reason:  # while an assignment is marked: the answer was judged before it came here
        raise CheckFailed(f"{case}: {reason}.") from None
    except NotImplementedError as reason:
        raise CheckFailed("Nothing is written here yet: replace the `raise NotImplementedError`.") from reason
    except Exception as reason:
        raise CheckFailed(f"{case}: your function stopped with {type(reason).__name__}: {reason}") from reason
    for given, copy in zip(arguments, copies, strict=True):
        unchanged = not isinstance(given, np.ndarray) or np.array_equal(given, copy)
        require(unchanged, f"{case}: your function changed one of its arguments; work on a copy of it.")
    return answer


def same_array(got: object, expected: ArrayLike, *, case: str, hint: str, tolerance: float = 1e-6) -> None:
    """A failure unless `got` is `expected`: its shape, or the place of its largest error and a `hint`.

    `tolerance` is relative to the largest number expected, or to 1
    (book: How to read and run this book, Reading).

    >>> try:
    ...     same_array([0.5, 0.6], [0.5, 0.5], case="two equal keys", hint="weights sum to 1.")
    ... except CheckFailed as failed:
    ...     print(failed)
    two equal keys: at index 1 the answer is 0.6, expected 0.5. Hint: weights sum to 1.
    """
    expected = np.asarray(expected)
    truths = expected.dtype == bool
    got = real_array(got, case=case, dims=expected.ndim, truths=truths, empty=expected.size == 0)
    require(
        got.shape == expected.shape,
        f"{case}: the answer has shape {got.shape}, expected {expected.shape}.",
    )
    got, expected = got.astype(float), expected.astype(float)
    error = np.abs(got - expected)
    worst = np.unravel_index(error.argmax(), error.shape)
    place = f"at index {', '.join(map(str, worst))} " if error.ndim else ""
    require(
        error.max() <= tolerance * max(1.0, np.abs(expected).max()),
        f"{case}: {place}the answer is {got[worst]:.6g}, expected {expected[worst]:.6g}. Hint: {hint}",
    )


def real_array(
    got: object,
    *,
    case: str,
    dims: int | None = None,
    truths: bool = False,
    nan: bool = False,
    infinite: bool = False,
    empty: bool = False,
) -> NDArray:
    """The answer as an array of numbers, or a `CheckFailed` that says what it got instead.

    `dims` is its number of dimensions, 0 for a number alone. NaN, infinity, truth values and an array of no
    numbers are refused, unless they are allowed (book: How to read and run this book, Reading).

    >>> real_array([1, 2], case="two keys")
    array([1., 2.])
    >>> real_array(True, case="a verdict", truths=True)
    array(True)
    """
    kinds = (TRUTH,) if truths else (NUMBER,)
    form = Numbers(None if dims is None else (dims,), kinds, nan=nan, infinite=infinite, empty=empty)
    try:
        return np.asarray(form.conform(got), dtype=bool if truths else float)
    except WrongForm as reason:
        raise CheckFailed(f"{case}: {reason}.") from None


def parts(got: object, names: Sequence[str], *, case: str) -> tuple:
    """The parts of an answer, as many as there are `names`, or a `CheckFailed` that says what it got instead.

    (book: How to read and run this book, Reading)

    >>> parts([0.5, [1, 2]], ("low", "high"), case="two bounds")
    (0.5, [1, 2])
    """
    try:
        return forms.parts(got, len(names))
    except WrongForm as reason:
        raise CheckFailed(f"{case}: {reason}; the parts are ({', '.join(names)}).") from None


def praise(text: str) -> None:
    """Prints one line of praise, and nothing while an assignment is marked.

    (book: How to read and run this book, Reading)

    >>> praise("Right: the weights sum to 1.")
    Right: the weights sum to 1.
    """
    if "NBGRADER_EXECUTION" not in os.environ:
        print(text)
