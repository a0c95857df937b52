"""The check cells of a page, run one after the other on what they need alone."""

from collections.abc import Iterator

from margins_course.assignments.check_cells import Piece
from margins_course.grading.reference import quiet_marking


def run(pieces: list[Piece], names: dict | None = None) -> Iterator[tuple[Piece, dict]]:
    """Runs the pieces one after the other; yields each check cell, and the names before it, before it is run.

    The caller may change `names`; who would keep them from what a check does tries it in a fork.
    """
    names = {"__name__": "__main__"} if names is None else names
    for piece in pieces:
        if piece.check:
            yield piece, names
        with quiet_marking():
            exec(compile(piece.source, piece.check or "chapter", "exec"), names)
