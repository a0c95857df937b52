"""The progress bar: cells done, time passed, time left."""

import io

from margins_book.experiments.progress import Progress


def test_progress_says_how_far_and_how_long():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    with Progress("toy", 4, 1, stream=stream) as progress:
        progress.advance()
        progress.advance()
    last = stream.getvalue().split("\r")[-1]
    assert "toy [######################........] 3/4 cells, 0:00 passed, about 0:00 left" in last
    quiet = io.StringIO()
    with Progress("toy", 2, 2, stream=quiet):
        pass
    assert quiet.getvalue() == f"toy [{'#' * 30}] 2/2 cells, 0:00 passed\n"
