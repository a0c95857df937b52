"""False versions tried on the checks that they concern: each in a fork, where all before has been run."""

import json
import resource
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from margins_book.page.chapter import Cell
from margins_book.page.selection import needed_cells
from margins_course.assignments.check_cells import Piece
from margins_course.grading.reference import quiet_marking
from tests.check_cells.false_versions import FalseVersion, false_versions
from tests.check_cells.refusals import said
from tests.check_cells.rooms import NAME, Rooms, are_wider, noting
from tests.mutants.trial import MEMORY, in_a_fork

SECONDS, PATIENCE = 5, 4  # of processor time, and how many times as long as the page's own cells take
# errors of code that computes nothing: no version of a statement
BROKEN = (TypeError, IndexError, KeyError, NameError, AttributeError, np.exceptions.AxisError)
MISSHAPEN = (
    "broadcast",
    "mismatch",
    "shapes",
    "dimension",
    "inhomogeneous",
    "aligned",
    "too many values",
    "unpack",
)
REFUSED, SURVIVED, WEAKER, STOPPED, MEANINGLESS = "refused", "survived", "weaker", "stopped", "meaningless"


@dataclass(frozen=True)
class Trial:
    """What became of a false version."""

    version: FalseVersion
    change: str
    outcome: str
    said: str = ""


def tried(pieces: list[Piece], checks: Collection[str] | None = None) -> Iterator[Trial]:
    """The trials of all false versions of the checks among `pieces` (only `checks`) that mean anything."""
    versions = [found for found in false_versions(pieces) if checks is None or found.check in checks]
    seconds = _seconds(pieces)
    names = {"__name__": "__main__"}
    np.random.seed(0)
    for place, piece in enumerate(pieces):
        for version in versions:
            if version.place == place:
                found = _judged(version, pieces, names, seconds)
                if found.outcome != MEANINGLESS:
                    yield found
        _run(piece, names)


def _judged(version, pieces, names, seconds):
    """The trial of a version: its ways to be wrong are tried in turn until one is refused."""
    rest = _rest(version, pieces)
    limit = int(SECONDS + PATIENCE * sum(seconds[version.place :]))
    trials = []
    for change, source in version.sources:
        first = Piece(source, pieces[version.place].check)
        outcome, words = _outcome([first, *rest], names, limit)
        trials.append(Trial(version, change, outcome, words if outcome in (REFUSED, MEANINGLESS) else ""))
        if outcome in (REFUSED, STOPPED):
            return trials[-1]
        if outcome == SURVIVED:
            before = _outcome([pieces[version.place], *rest], names, limit)[1]
            if are_wider(before, words):
                trials[-1] = Trial(version, change, WEAKER)
    return min(trials, key=lambda trial: (SURVIVED, WEAKER, MEANINGLESS).index(trial.outcome))


def _rest(version, pieces):
    """What must run after the changed piece: later checks that it concerns, and what they need."""
    cells = [
        Cell("check" if place in version.checks else "setup", piece.source, name=piece.check)
        for place, piece in enumerate(pieces)
        if place > version.place
    ]
    return [Piece(cell.source, cell.name if cell.kind == "check" else "") for cell in needed_cells(cells)]


def _outcome(chain, names, limit):
    """What becomes of the pieces in `chain`: what the check said that refused, or the rooms it had."""

    def run():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        rooms = Rooms()
        own = names | {NAME: rooms.compared}
        answer.write(json.dumps(_run_all(chain, own) or [SURVIVED, rooms.found]))
        answer.flush()

    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:
        in_a_fork(run)
        answer.seek(0)
        text = answer.read()
    return json.loads(text) if text else (STOPPED, "")


def _run_all(chain, names):
    """What the first piece that fails says; None if none does."""
    for piece in chain:
        try:
            _run(piece, names, noting(piece.source) if piece.check else piece.source)
        except Exception as error:
            return _kind(error), said(error, piece)
    return None


def _kind(error):
    broken = isinstance(error, BROKEN) or (
        isinstance(error, ValueError) and any(word in str(error) for word in MISSHAPEN)
    )
    return MEANINGLESS if broken else REFUSED


def _seconds(pieces):
    """The processor time that each piece takes, run in a fork."""
    found = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:

        def run():
            names = {"__name__": "__main__"}
            for piece in pieces:
                start = time.process_time()
                _run(piece, names)
                found.append(time.process_time() - start)
            json.dump(found, answer)
            answer.flush()

        status = in_a_fork(run)
        answer.seek(0)
        if status:
            raise RuntimeError("the page's checks fail as they are; run its cells by themselves first")
        return json.load(answer)


def _run(piece, names, code=None):
    with quiet_marking():
        exec(compile(code or piece.source, piece.check or "chapter", "exec"), names)
