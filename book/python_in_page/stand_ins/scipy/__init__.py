"""The functions of SciPy that the book uses, for its pages, where there is no SciPy: NumPy alone.

Names, arguments and answers are SciPy's, for small dense problems. A name that is not here can be imported
and says what is missing when it is used. `tests/python_in_page/test_scipy_of_the_page.py` holds each function
against SciPy itself.
"""

from in_page.missing import Missing

__version__ = "0, of the page"


def names_missing_from(module):
    """A module's `__getattr__`: every name that it does not have is one of SciPy that is missing."""

    def __getattr__(name):  # noqa: N807
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{module}.{name}")

    return __getattr__
