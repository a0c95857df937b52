"""What the words of a panel are given: coordinates of one length, one value for all marks or one each."""

import numpy as np

from margins.explore.errors import ExplorableError


def same_length(key, x, y, count=None):
    """The two coordinates as arrays of one length, of `count` where there are as many keys."""
    x, y = np.atleast_1d(np.asarray(x, float)), np.atleast_1d(np.asarray(y, float))
    if x.ndim != 1 or x.shape != y.shape or (count is not None and len(x) != count):
        expected = f"{count} x and y, one a key" if count is not None else "as many x as y"
        raise ExplorableError(f"mark {key!r}: expected {expected}, but shapes {x.shape} and {y.shape} came")
    return x, y


def each(value, count, name):
    """`value` for each of `count` marks: one for all, or a list of as many."""
    if value is None or isinstance(value, str):
        return [value] * count
    if len(value) != count:
        raise ExplorableError(f"{name}: expected one or {count}, but {len(value)} came")
    return list(value)


def named(key, names, values):
    """What a mark tells: each of two values by its name."""
    if isinstance(names, str) or len(names) != len(values):
        raise ExplorableError(f"mark {key!r}: expected tell, two names, but {names!r} came")
    return dict(zip(names, values, strict=True))
