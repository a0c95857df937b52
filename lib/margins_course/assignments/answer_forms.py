"""The form of a function's answers: learned from the reference at release, required of students when marking.

A list comes to a check as the array that the reference would give, or not at all, so that no check has to
think of it.
"""

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from margins_book.checking import forms
from margins_book.checking.forms import COMPLEX, NUMBER, TRUTH, WHOLE, Numbers, WrongForm, refusal

KINDS = {"b": TRUTH, "i": WHOLE, "u": WHOLE, "f": NUMBER, "c": COMPLEX}  # of NumPy's letters for kinds
FORMS_KEY = "answers"  # in the metadata of a solution cell


@dataclass(frozen=True)
class Form:
    """What a function's answers may be. Nothing is asked where nothing was learned."""

    nothing: bool = False
    text: bool = False
    other: bool = False  # such as a dict: it is passed on as it came
    empty: bool = False  # whether a list may have no items
    numbers: Numbers | None = None
    parts: tuple["Form", ...] | None = None
    items: "Form | None" = None  # of a list of any length

    def conform(self, got: Any) -> object:
        """The answer as the reference would give it, or a WrongForm."""
        if self.other or self == Form() or (got is None and self.nothing):
            return got
        if isinstance(got, str) and self.text:
            return got
        if self.parts is not None and (self.numbers is None or _length(got) == len(self.parts)):
            return tuple(_conformed(self.parts, forms.parts(got, len(self.parts))))
        if self.items is not None and _length(got) is not None:
            if len(got) == 0 and not self.empty:
                raise WrongForm("the answer is empty")
            return list(_conformed([self.items] * len(got), got))
        if self.numbers is not None:
            return self.numbers.conform(got)
        raise refusal(self.words, got)

    @property
    def words(self) -> str:
        found = [self.numbers.words] if self.numbers else []
        found += [f"{len(self.parts)} parts"] if self.parts is not None else []
        found += ["a list"] if self.items is not None else []
        found += ["text"] if self.text else []
        found += ["None"] if self.nothing else []
        return " or ".join(found)


def form_of(answer: object) -> Form:
    if answer is None:
        return Form(nothing=True)
    if isinstance(answer, str):
        return Form(text=True)
    if type(answer) is tuple:
        return Form(parts=tuple(map(form_of, answer)))
    if type(answer) is list:
        return Form(items=reduce(merge_forms, map(form_of, answer), Form()), empty=not answer)
    if isinstance(answer, bool | int | float | complex | np.generic | np.ndarray):
        array = np.asarray(answer)
        if array.dtype.kind in KINDS:
            return Form(numbers=_numbers_of(array))
    return Form(other=True)


def merge_forms(one: Form, other: Form) -> Form:
    """The form that allows what either of two allows."""
    flags = _flags(one, other, "nothing", "text", "other", "empty")
    numbers = _either(one.numbers, other.numbers, _merged_numbers)
    items = _either(one.items, other.items, merge_forms)
    parts = _either(one.parts, other.parts, _merged_parts)
    if parts is not None and (items is not None or parts == ()):  # of several lengths: a list
        every = [part for form in (one, other) for part in form.parts or ()]
        items, parts = reduce(merge_forms, every, items or Form()), None
    return Form(**flags, numbers=numbers, parts=parts, items=items)


def from_json(kept: dict) -> Form:
    """The form of which `dataclasses.asdict` was kept in a notebook."""
    numbers, parts, items = (kept.get(name) for name in ("numbers", "parts", "items"))
    made: dict[str, Any] = {}
    if numbers is not None:
        tuples = {"dims": tuple(numbers["dims"]), "kinds": tuple(numbers["kinds"])}
        made["numbers"] = Numbers(**(numbers | tuples))
    if parts is not None:
        made["parts"] = tuple(map(from_json, parts))
    if items is not None:
        made["items"] = from_json(items)
    return Form(**(kept | made))


def allow_single_precision(form: Form) -> Form:
    return replace(
        form,
        numbers=form.numbers and replace(form.numbers, single=True),
        parts=form.parts and tuple(map(allow_single_precision, form.parts)),
        items=form.items and allow_single_precision(form.items),
    )


def number_kinds(form: Form) -> set[str]:
    inside = [*(form.parts or ()), *([form.items] if form.items else [])]
    return set(form.numbers.kinds if form.numbers else ()).union(*map(number_kinds, inside))


def _conformed(wanted, got):
    """Each part in its form; a WrongForm says which part it is about."""
    for number, (form, part) in enumerate(zip(wanted, got, strict=True), 1):
        try:
            yield form.conform(part)
        except WrongForm as reason:
            raise WrongForm(f"part {number}: {reason}") from None


def _length(got):
    """How many parts an answer has, None if it has none."""
    is_divided = type(got) in (list, tuple) or (isinstance(got, np.ndarray) and got.ndim > 0)
    return len(got) if is_divided else None


def _numbers_of(array):
    kind, is_exact = KINDS[array.dtype.kind], array.dtype.kind in "biu"
    return Numbers(
        dims=(array.ndim,),
        kinds=(kind,),
        nan=not is_exact and bool(np.isnan(array).any()),
        infinite=not is_exact and bool(np.isinf(array).any()),
        empty=array.size == 0,
    )


def _merged_numbers(one, other):
    return Numbers(
        dims=tuple(sorted({*one.dims, *other.dims})),
        kinds=tuple(sorted({*one.kinds, *other.kinds})),
        **_flags(one, other, "nan", "infinite", "empty", "single"),
    )


def _flags(one, other, *names):
    """What one or the other of two forms allows."""
    return {name: getattr(one, name) or getattr(other, name) for name in names}


def _merged_parts(one, other):
    """Parts pair by pair; none where the numbers of parts differ."""
    return tuple(map(merge_forms, one, other)) if len(one) == len(other) else ()


def _either(one, other, both):
    """What is there of two things, put together if both are."""
    return other if one is None else one if other is None else both(one, other)
