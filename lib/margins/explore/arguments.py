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
    """What a mark tells: each of the values by its name."""
    given = (names,) if isinstance(names, str) else names
    if not isinstance(given, tuple | list) or len(given) != len(values):
        expected = "one name" if len(values) == 1 else "two names"
        raise ExplorableError(f"mark {key!r}: expected tell, {expected}, but {names!r} came")
    return dict(zip(given, values, strict=True))


def told_by_each(keys, tell, values):
    """What each of many marks tells: its `values` by their names, or {name: numbers, one a key}."""
    if not tell:
        return [None] * len(keys)
    told = tell if isinstance(tell, dict) else named(keys, tell, values)
    for name, numbers in told.items():
        if np.shape(numbers) != (len(keys),):
            expected = f"tell {name!r}, {len(keys)} numbers, one a key"
            raise ExplorableError(f"mark {keys!r}: expected {expected}, but {numbers!r} came")
    return [{name: float(numbers[i]) for name, numbers in told.items()} for i in range(len(keys))]
