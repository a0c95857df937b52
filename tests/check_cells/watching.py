"""The cells of a page run under a watcher, statement by statement: none ends the run, whatever it raises."""

import ast
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from margins_book.page.selection import bound_names, imported_names, mutated_names
from margins_course.assignments.check_cells import Piece
from margins_course.grading.reference import quiet_marking
from tests.check_cells.assertions import WATCHER, Watcher, watched

LONGEST_SECONDS = (
    120  # of processor time that one statement may take: with other numbers a loop may never end
)

LONGEST_REASON = 120  # letters of an exception


@dataclass
class Run:
    """What happened to the cells besides the assertions, by the names of checks, "" for the other cells."""

    stopped: dict[str, tuple[str, str]] = field(default_factory=dict)  # the first exception of its own
    unreached: dict[str, str] = field(default_factory=dict)  # the first name that an exception left unset
    missing: set[str] = field(default_factory=set)


def import_modules(pieces: list[Piece]) -> None:
    """Imports what the pieces import, so that the processes forked from this one need not."""
    for piece in pieces:
        for node in ast.walk(ast.parse(piece.source)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                exec(ast.unparse(node), {})


def run_watched(pieces: list[Piece], watcher: Watcher) -> Run:
    """Runs all pieces; what a statement that raised would have set is missing then."""
    run, names = Run(), {"__name__": "__main__", WATCHER: watcher}
    kept = frozenset().union(*(imported_names(piece.source) for piece in pieces))
    for piece in pieces:
        with quiet_marking():
            for source, statement in watched(piece.source, piece.check, watcher):
                if _is_done(run, piece.check, statement, names):
                    run.missing -= bound_names(source)
                    continue
                lost = bound_names(source) | (mutated_names(source) - kept)
                run.missing |= lost
                for name in lost & names.keys():
                    del names[name]
    return run


def _is_done(run, check, statement, names):
    """Whether a statement ran to its end; if not, the run learns why."""
    try:
        with limited_time():
            exec(compile(ast.Module([statement], []), check or "chapter", "exec"), names)
    except NameError as reason:
        if reason.name in run.missing:
            run.unreached.setdefault(check, reason.name)
        else:
            run.stopped.setdefault(check, _words(reason))
    except Exception as reason:
        run.stopped.setdefault(check, _words(reason))
    else:
        return True
    return False


def _words(reason):
    return type(reason).__name__, " ".join(str(reason).split())[:LONGEST_REASON]


@contextmanager
def limited_time(seconds: float = LONGEST_SECONDS) -> Iterator[None]:
    """A TimeoutError where the block takes more processor time."""

    def end(*_):
        raise TimeoutError(f"took more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
