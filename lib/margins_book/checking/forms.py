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
    """An answer of a form that is not expected; the message says what it got, and what it expected."""


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

    def conform(self, got: object) -> object:
        """The answer as a number of Python's or as an array of double precision, or a WrongForm."""
        self._require_kinds(set(_letters(got, self.words)))
        array = self._array(got)
        if self.dims is not None and array.ndim not in self.dims:
            raise refusal(self.words, array if array.ndim else array[()])
        if array.size == 0 and not self.empty:
            raise WrongForm("the answer is empty")
        if not self.nan and np.isnan(array).any():
            raise WrongForm(f"the answer holds NaN{_place(np.isnan(array))}")
        if not self.infinite and np.isinf(array).any():
            raise WrongForm(f"the answer holds infinity{_place(np.isinf(array))}")
        if array.ndim == 0 and type(got) is int and TRUTH not in self.kinds:
            return got  # of any length
        array = self._of_kind(array)
        return array if array.ndim else array.item()

    def _require_kinds(self, letters):
        if letters & set("FDG") and COMPLEX not in self.kinds:
            raise WrongForm("expected real numbers, but got complex ones; `.real` takes the real part")
        low = letters & set(LOW_PRECISION)
        if low and not (self.single and low <= set("ef")):
            names = ", ".join(sorted(np.dtype(letter).name for letter in low))
            kind = "single" if low <= set("efF") else "unusual"
            raise WrongForm(f"the answer has {kind} precision ({names}); expected double precision, float64")
        if "?" in letters and TRUTH not in self.kinds:
            raise WrongForm("expected numbers, but got truth values")

    def _array(self, got):
        try:
            return np.asarray(got, dtype=complex if COMPLEX in self.kinds else float)
        except OverflowError:
            raise WrongForm(f"expected {self.words}, but got one too large for double precision") from None
        except (TypeError, ValueError):
            raise WrongForm(f"expected {self.words}, but got a list whose rows differ in shape") from None

    def _of_kind(self, array):
        """The array as truth values or whole numbers, where nothing else is expected and it holds them."""
        if self.kinds == (TRUTH,):
            if not np.isin(array, (0, 1)).all():
                raise WrongForm(f"expected {self.words}, but got other numbers than 0 and 1")
            return array.astype(bool)
        is_whole = self.kinds == (WHOLE,) and (array == np.round(array)).all()
        return array.astype(np.int64) if is_whole and (np.abs(array) < 2**53).all() else array


def parts(got: object, count: int) -> tuple:
    """The `count` parts of an answer: a tuple, a list, or an array with a part in each row."""
    if (isinstance(got, np.ndarray) and got.ndim > 0) or type(got) in (list, tuple):
        divided: tuple = tuple(got)  # type: ignore[arg-type]  # mypy does not narrow by type()
        if len(divided) == count:
            return divided
    raise refusal(f"{count} parts", got)


def refusal(expected: str, got: object) -> WrongForm:
    """A WrongForm that names what was `expected`, in words, and what it got."""
    if got is None:
        return WrongForm(f"expected {expected}, but got None; does your function end in a `return`?")
    return WrongForm(f"expected {expected}, but got {_named(got)}")


def _place(marked):
    """The index of the first marked entry, in words; nothing for a number alone."""
    return f" at index {', '.join(map(str, np.argwhere(marked)[0]))}" if marked.ndim else ""


def _named(got):
    """A description of an answer."""
    if isinstance(got, np.ndarray) and got.ndim:
        kind = "" if got.dtype.kind in "biufc" else f" of {got.dtype.name}"
        return f"an array of shape {got.shape}{kind}"
    if type(got) in (list, tuple):
        return f"a {type(got).__name__} of {len(got)}"
    if isinstance(got, str):
        return "text"
    if isinstance(got, bool | np.bool_):
        return str(bool(got))
    is_number = isinstance(got, int | float | complex | np.number | np.ndarray)
    return "a number" if is_number else f"an object of type {type(got).__name__}"


def _letters(got, expected, depth=0):
    """NumPy's letters for the kinds of all numbers in an answer; a WrongForm at anything else."""
    if type(got) in (list, tuple) and depth < DEEPEST:
        for part in got:
            yield from _letters(part, expected, depth + 1)
    elif isinstance(got, np.ndarray | np.generic) and got.dtype.kind in "biufc":
        yield got.dtype.char
    elif type(got) in (bool, int, float, complex):
        yield {bool: "?", int: "q", float: "d", complex: "D"}[type(got)]
    else:
        raise refusal(expected, got)
