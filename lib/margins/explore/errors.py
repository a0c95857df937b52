"""The error of the interactive layer: it names the figure, the cell, the values and the remedy."""

import sys


class ExplorableError(ValueError):
    """A figure that cannot be shown as it was asked for."""


def refuse(name, problem, *, values=None, remedy=None):
    """An `ExplorableError` about the explorable `name`, told so that its author can mend it."""
    at = f" at {', '.join(f'{k}={v!r}' for k, v in values.items())}" if values else ""
    advice = f". {remedy}" if remedy else ""
    return ExplorableError(f"explorable {name!r}{_cell()}{at}: {problem}{advice}")


def _cell():
    """The notebook cell that is running, where there is one."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return f" (code cell {shell.execution_count})" if shell else ""
