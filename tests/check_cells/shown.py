"""A value of a check in a few words, for a line of a report."""

import re

import numpy as np

LONGEST = 40  # letters of what is no number
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def shown(value: object) -> str:
    """A number with four digits; of an array its shape and its least and largest entry."""
    array = numbers(value)
    if array is None:
        said = ADDRESS.sub("", " ".join(repr(value).split()))
        return said if len(said) <= LONGEST else said[: LONGEST - 3] + "..."
    if array.ndim == 0:
        return f"{array[()]:.4g}" if array.dtype.kind in "iuf" else str(array[()])
    if array.dtype.kind == "b":
        return f"{array.sum()} of {array.size} true"
    if array.dtype.kind == "c" or array.size == 0:
        return f"an array {array.shape}"
    return f"{array.shape} from {array.min():.4g} to {array.max():.4g}"


def numbers(value: object) -> np.ndarray | None:
    """The value as an array of numbers or truth values; None if it is none."""
    try:
        array = np.asarray(value)
    except Exception:  # a ragged list, or whatever an object's own conversion raises
        return None
    return array if array.dtype.kind in "biufc" else None
