"""The error that a figure raises: it names the figure, the notebook cell, the values and what to do."""

import sys
import traceback
from collections.abc import Mapping
from typing import Any


class ExplorableError(ValueError):
    """A figure that cannot be shown as it was asked for."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the lines of the author's function, not of this package."""
        lines: list[str] = []
        if self.__cause__ and self.__cause__.__traceback__:
            own = self.__cause__.__traceback__.tb_next  # without the call in this package
            lines = traceback.format_exception(type(self.__cause__), self.__cause__, own)
        return [*"".join(lines).splitlines(), f"{type(self).__name__}: {self}"]


class RefusedFigure(BaseException):
    """An error of a figure that ends a cell: the display machinery would print an Exception and go on."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error

    def _render_traceback_(self) -> list[str]:
        if isinstance(self.error, ExplorableError):
            return self.error._render_traceback_()
        return traceback.format_exception(self.error)


def figure_error(
    name: str, problem: str, *, values: Mapping[str, Any] | None = None, remedy: str | None = None
) -> ExplorableError:
    """The error about the figure `name` at these values of its parameters; `remedy` is the next step."""
    at = f" at {', '.join(f'{k}={v!r}' for k, v in values.items())}" if values else ""
    where = f" ({running_cell()})" if running_cell() else ""
    advice = f"; {remedy}" if remedy else ""
    return ExplorableError(f"explorable {name!r}{where}{at}: {problem}{advice}")


def running_shell() -> Any:
    """The running IPython shell, or None; IPython is not imported to find out."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def running_cell() -> str:
    """The cell that is running, as IPython names it in tracebacks ("Cell In[2]"); empty outside notebooks."""
    if not (shell := running_shell()):
        return ""
    frame = sys._getframe()
    while frame and not (frame.f_code.co_name == "<module>" and frame.f_globals is shell.user_ns):
        frame = frame.f_back  # type: ignore[assignment]
    label = shell.compile.format_code_name(frame.f_code.co_filename) if frame else None
    return " ".join(label or ())
