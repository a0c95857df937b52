"""A progress bar on the error stream: cells done, time passed, time left.

(book: The paper in a minute, What ran)
"""

import sys
import time
from typing import TextIO


class Progress:
    """A line such as `ranks [######......] 12/24 cells, 0:31 passed, about 0:31 left`.

    Where the error stream is no terminal, only the last line is written.
    """

    WIDTH = 30

    def __init__(
        self, name: str, total: int, done: int = 0, *, show: bool = True, stream: TextIO | None = None
    ) -> None:
        self.name, self.total, self.done = name, total, done
        self.stream = sys.stderr if stream is None else stream
        self.show, self.before, self.start = show, done, time.monotonic()

    def __enter__(self) -> "Progress":
        self._write()
        return self

    def __exit__(self, *_: object) -> None:
        if self.show:
            self.stream.write(("" if self.stream.isatty() else self._line()) + "\n")

    def advance(self) -> None:
        """One more cell is done."""
        self.done += 1
        self._write()

    def _write(self) -> None:
        if self.show and self.stream.isatty():
            self.stream.write(f"\r{self._line()}\033[K")
            self.stream.flush()

    def _line(self) -> str:
        filled = self.WIDTH * self.done // max(self.total, 1)
        passed = time.monotonic() - self.start
        line = f"{self.name} [{'#' * filled}{'.' * (self.WIDTH - filled)}] {self.done}/{self.total} cells"
        line += f", {_clock(passed)} passed"
        new = self.done - self.before
        if new and self.done < self.total:
            line += f", about {_clock(passed / new * (self.total - self.done))} left"
        return line


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02d}"
