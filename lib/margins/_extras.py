"""Imports of packages that are not needed to install the library, with errors that name the extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str, user: str) -> Iterator[None]:
    """The context of an import that the extra `name` brings, for the function or package `user`.

    >>> with extra("solvers", "margins.svm.dual_qp"):
    ...     import a_package_that_is_missing
    Traceback (most recent call last):
    ModuleNotFoundError: margins.svm.dual_qp needs a_package_that_is_missing: pip install 'margins[solvers]'
    """
    try:
        yield
    except ImportError as error:
        missing = (error.name or "a package").partition(".")[0]
        if missing == "margins":
            raise
        message = f"{user} needs {missing}: pip install 'margins[{name}]'"
        raise ModuleNotFoundError(message, name=missing) from None
