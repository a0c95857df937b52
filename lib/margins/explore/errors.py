"""The error of the interactive layer: it names the figure, the cell, the values and the remedy."""

import traceback

from margins.explore.notebook import cell


class ExplorableError(ValueError):
    """A figure that cannot be shown as it was asked for."""

    def _render_traceback_(self):
        """What a notebook shows: the lines of the author's function, not of this library."""
        lines = []
        if self.__cause__:
            own = self.__cause__.__traceback__.tb_next  # past the call in this library
            lines = traceback.format_exception(type(self.__cause__), self.__cause__, own)
        return [*"".join(lines).splitlines(), f"{type(self).__name__}: {self}"]


def refuse(name, problem, *, values=None, remedy=None):
    """An `ExplorableError` about the explorable `name`, told so that its author can mend it."""
    at = f" at {', '.join(f'{k}={v!r}' for k, v in values.items())}" if values else ""
    where = f" ({cell()})" if cell() else ""
    advice = f"; {remedy}" if remedy else ""
    return ExplorableError(f"explorable {name!r}{where}{at}: {problem}{advice}")
