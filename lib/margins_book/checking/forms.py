"""The form of an answer: numbers in an array or alone, or several parts. The rest is refused in a sentence.

A list of numbers is as good as an array, a number of Python's as good as one of NumPy's. Self-checks and the
marking of coursework call the same functions: both take and refuse the same answers, with the same words
(book: How to read and run this book, Reading).
"""

from dataclasses import dataclass

import numpy as np

TRUTH, WHOLE, NUMBER, COMPLEX = "truth", "whole", "number", "complex"
LOW_PRECISION = "efFgG"  # NumPy's letters for what is not of double precision
DEEPEST = 30  # lists in lists


class WrongForm(Exception):  # noqa: N818 - the name says what happened
    """An answer of a form that is not expected; the message says what came, and what should have."""


@dataclass(frozen=True)
class Numbers:
    """Numbers alone or in arrays: how many dimensions, of which kinds, and which special ones may occur."""

    dims: tuple[int, ...] | None = None  # 0: a number alone; None: any number of dimensions
    kinds: tuple[str, ...] = (NUMBER,)
    nan: bool = False
    infinite: bool = False
    empty: bool = False
    single: bool = False  # whether numbers of single precision are taken

    @property
    def words(self) -> str:
        """What is expected, in words."""
        one, many = ("True or False", "truth values") if self.kinds == (TRUTH,) else ("a number", "numbers")
        if self.dims is None:
            return many
        named = [one if d == 0 else f"{many} in {d} dimension{'s' * (d > 1)}" for d in self.dims]
        return " or ".join(named)

    def conform(self, came: object) -> object:
        """The answer as a number of Python's or as an array of double precision, or a WrongForm."""
        self._require_kinds(set(_letters(came, self.words)))
        array = self._array(came)
        if self.dims is not None and array.ndim not in self.dims:
            raise refusal(self.words, array if array.ndim else array[()])
        if array.size == 0 and not self.empty:
            raise WrongForm("the answer is empty")
        if not self.nan and np.isnan(array).any():
            raise WrongForm(f"the answer holds NaN{_place(np.isnan(array))}")
        if not self.infinite and np.isinf(array).any():
            raise WrongForm(f"the answer holds infinity{_place(np.isinf(array))}")
        if array.ndim == 0 and type(came) is int and TRUTH not in self.kinds:
            return came  # of any length
        array = self._of_kind(array)
        return array if array.ndim else array.item()

    def _require_kinds(self, letters):
        if letters & set("FDG") and COMPLEX not in self.kinds:
            raise WrongForm("expected real numbers, but complex ones came; `.real` takes the real part")
        low = letters & set(LOW_PRECISION)
        if low and not (self.single and low <= set("ef")):
            names = ", ".join(sorted(np.dtype(letter).name for letter in low))
            kind = "single" if low <= set("efF") else "unusual"
            raise WrongForm(f"the answer has {kind} precision ({names}); expected double precision, float64")
        if "?" in letters and TRUTH not in self.kinds:
            raise WrongForm("expected numbers, but truth values came")

    def _array(self, came):
        try:
            return np.asarray(came, dtype=complex if COMPLEX in self.kinds else float)
        except OverflowError:
            raise WrongForm("a number came that is too large for double precision") from None
        except (TypeError, ValueError):
            raise WrongForm(f"expected {self.words}, but a list came whose rows differ in shape") from None

    def _of_kind(self, array):
        """The array as truth values or whole numbers, where nothing else is expected and it holds them."""
        if self.kinds == (TRUTH,):
            if not np.isin(array, (0, 1)).all():
                raise WrongForm(f"expected {self.words}, but other numbers than 0 and 1 came")
            return array.astype(bool)
        is_whole = self.kinds == (WHOLE,) and (array == np.round(array)).all()
        return array.astype(np.int64) if is_whole and (np.abs(array) < 2**53).all() else array


def parts(came: object, count: int) -> tuple:
    """The `count` parts of an answer: a tuple, a list, or an array with a part in each row."""
    if (isinstance(came, np.ndarray) and came.ndim > 0) or type(came) in (list, tuple):
        divided: tuple = tuple(came)  # type: ignore[arg-type]  # mypy does not narrow by type()
        if len(divided) == count:
            return divided
    raise refusal(f"{count} parts", came)


def refusal(expected: str, came: object) -> WrongForm:
    """A WrongForm that names what was `expected`, in words, and what came."""
    if came is None:
        return WrongForm(f"expected {expected}, but None came; does your function end in a `return`?")
    return WrongForm(f"expected {expected}, but {_named(came)} came")


def _place(marked):
    """The index of the first marked entry, in words; nothing for a number alone."""
    return f" at index {', '.join(map(str, np.argwhere(marked)[0]))}" if marked.ndim else ""


def _named(came):
    """A description of what came."""
    if isinstance(came, np.ndarray) and came.ndim:
        kind = "" if came.dtype.kind in "biufc" else f" of {came.dtype.name}"
        return f"an array of shape {came.shape}{kind}"
    if type(came) in (list, tuple):
        return f"a {type(came).__name__} of {len(came)}"
    if isinstance(came, str):
        return "text"
    if isinstance(came, bool | np.bool_):
        return str(bool(came))
    is_number = isinstance(came, int | float | complex | np.number | np.ndarray)
    return "a number" if is_number else f"an object of type {type(came).__name__}"


def _letters(came, expected, depth=0):
    """NumPy's letters for the kinds of all numbers in an answer; a WrongForm at anything else."""
    if type(came) in (list, tuple) and depth < DEEPEST:
        for part in came:
            yield from _letters(part, expected, depth + 1)
    elif isinstance(came, np.ndarray | np.generic) and came.dtype.kind in "biufc":
        yield came.dtype.char
    elif type(came) in (bool, int, float, complex):
        yield {bool: "?", int: "q", float: "d", complex: "D"}[type(came)]
    else:
        raise refusal(expected, came)
