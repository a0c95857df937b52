"""What code prints: as much as a page can show, and for a check all but its last line, which is praise."""

import contextlib
import io
import time

MOST = 20_000  # characters of one request that the page is told
AT_ONCE = 0.1  # seconds for which prints are gathered before the page is told
LONGEST_LINE = 10_000  # characters that wait for the end of their line
MORE = f"\n… more was printed; these are the first {MOST} characters\n"


class Told(io.TextIOBase):
    """A stream that tells the page what is written, piece by piece, up to a limit."""

    def __init__(self, say, clock=time.monotonic):
        self.say, self.clock = say, clock
        self.room, self.waiting, self.since = MOST, "", 0.0
        self.is_cut = False

    def write(self, text):
        """Takes text; the page is told at most every tenth of a second."""
        if not self.is_cut:
            self.is_cut = len(text) > self.room
            self.waiting += text[: self.room] + MORE * self.is_cut
            self.room -= len(text)
        if self.waiting and self.clock() > self.since + AT_ONCE:
            self.flush()
        return len(text)

    def flush(self):
        """Tells the page all that waits."""
        if self.waiting:
            self.say(self.waiting)
        self.waiting, self.since = "", self.clock()


@contextlib.contextmanager
def telling(say):
    """What is printed inside, errors too, is told by `say`."""
    told = Told(say)
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            yield
        finally:
            told.flush()


class AllButLast(io.TextIOBase):
    """A stream that hands on each line to another stream once a further one has come."""

    def __init__(self, stream):
        self.stream = stream
        self.last = ""

    def write(self, text):
        """Takes text; a line is handed on when text comes after it."""
        whole = self.last + text
        end = whole.rfind("\n", 0, len(whole) - 1) + 1  # where the last line begins
        if end:
            self.stream.write(whole[:end])
        self.last = whole[end:]
        if len(self.last) > LONGEST_LINE:
            self.release()
        return len(text)

    def release(self):
        """Hands on the last line too."""
        self.stream.write(self.last)
        self.last = ""


@contextlib.contextmanager
def last_line_held(stream):
    """What is printed inside goes to `stream`; the value has the last line, which does not."""
    held = AllButLast(stream)
    with contextlib.redirect_stdout(held):
        yield held
