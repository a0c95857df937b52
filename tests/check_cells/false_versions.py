"""False versions of checks: the page with one wrong constant, sign, exponent, inequality, term or factor.

What is changed is the statement's side: assertions, and the formulas from which they are computed, those in
functions and in cells before the check too. (book: How well the tests bite)
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from margins_course.assignments.check_cells import Piece
from tests.check_cells.claims import in_statement
from tests.check_cells.slices import mark_noise, stated
from tests.mutants.slips import places

HEAD = 24  # characters of how a statement begins
WIDEST, CONTEXT = 70, 18  # characters of code around a change, and of what is the same on each side of it


@dataclass(frozen=True)
class FalseVersion:
    """One false version of what some checks state, made in one piece of a page."""

    check: str  # the first check that could refuse it
    place: int  # the number of the piece
    checks: tuple[int, ...]  # the numbers of the pieces of all checks that could
    sources: tuple[tuple[str, str], ...]  # changes and sources of the piece, of which one must be refused


def false_versions(pieces: list[Piece]) -> Iterator[FalseVersion]:
    """The false versions of the checks among `pieces`, in the order of the page."""
    trees = [ast.parse(piece.source) for piece in pieces]
    mark_noise(trees)
    for place, (tree, found) in enumerate(zip(trees, _statements(pieces, trees), strict=True)):
        choices = [
            (statement, node, wrong, checks)
            for statement, parts, checks in found
            for part in parts
            for node, wrong in in_statement(part)
        ]
        seen, counts = {ast.unparse(tree)}, Counter()
        for statement, node, wrong, checks in choices or _denials(pieces, tree, place):
            sources = [_changed(tree, statement, node, other) for other in wrong]
            fresh = [(change, source) for change, source in sources if source not in seen]
            seen |= {source for _, source in fresh}
            if fresh:
                named = tuple((_counted(change, counts), source) for change, source in fresh)
                yield FalseVersion(pieces[checks[0]].check, place, checks, named)


def _denials(pieces, tree, place):
    """The opposite of each assertion of a check in which nothing else could be wrong."""
    for node in ast.walk(tree) if pieces[place].check else ():
        if isinstance(node, ast.Assert):
            yield node, node.test, [ast.UnaryOp(ast.Not(), node.test)], (place,)


def _statements(pieces, trees):
    """For each piece its statements behind some check, the expressions that count, and the checks."""
    of_piece = [{} for _ in pieces]
    for number, piece in enumerate(pieces):
        if piece.check:
            for place, pairs in stated(trees, number).items():
                for statement, parts in pairs:
                    known = of_piece[place].setdefault(id(statement), (statement, {}, {}))
                    known[1].update((id(part), part) for part in parts)
                    known[2][number] = None
    for found in of_piece:
        in_order = sorted(found.values(), key=lambda known: (known[0].lineno, known[0].col_offset))
        yield [(statement, parts.values(), tuple(checks)) for statement, parts, checks in in_order]


def _changed(tree, statement, node, other):
    """The change, as `old -> new`, and the source of the piece with `other` in the place of `node`."""
    put = places(tree)[id(node)]
    around = _around(statement, node)
    old = ast.unparse(around)
    put(other)
    new = ast.unparse(other if around is node else around)
    source = ast.unparse(tree)
    put(node)
    return _difference(_line(old), _line(new), "" if around is statement else _head(statement)), source


def _around(statement, node):
    """The largest expression around a node, or the statement, that is short enough to be shown."""
    parents = {id(child): parent for parent in ast.walk(statement) for child in ast.iter_child_nodes(parent)}
    shown = node
    while shown is not statement and len(ast.unparse(parents[id(shown)])) <= WIDEST:
        shown = parents[id(shown)]
    return shown


def _head(statement):
    """How a statement begins, `bound = ` or `assert `, to tell where a part of it stands."""
    if isinstance(statement, ast.Assign):
        return f"{ast.unparse(statement.targets[0])} = "[:HEAD]
    return "assert " if isinstance(statement, ast.Assert) else ""


def _difference(old, new, head):
    """`old -> new`, long parts that are the same left out; `head` stands before a part of a statement."""
    first = _same(old, new)
    last = _same(old[first:][::-1], new[first:][::-1])
    start, end = max(0, first - CONTEXT), max(0, last - CONTEXT)
    start, end = (0 if start < 4 else start), (0 if end < 4 else end)
    if start and not head:
        head = old[: min(start, old.find(" ") + 1)]
    return " -> ".join(
        f"{head}{'…' * bool(start or head)}{text[start : len(text) - end]}{'…' * bool(end)}"
        for head, text in ((head, old), ("", new))
    )


def _line(text):
    return " ".join(text.split())


def _same(old, new):
    """How many characters two texts begin with alike."""
    places = (place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other)
    return next(places, min(len(old), len(new)))


def _counted(change, counts):
    """The change, with a count where it can be made more than once in a piece."""
    counts[change] += 1
    return change if counts[change] == 1 else f"{change} [{counts[change]}]"
