"""Names that two chapters of one assignment use for different things: renamed where possible, else refused.

All code of an assignment is run side by side, so a name may mean one thing only. A name that two chapters
import from the same place is shared. Another one is given the chapter's name as an ending, in its set-up and
checks. The functions that students write, and the names that their solutions use, keep their names.
(book: Teaching with this book, Release)
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from margins_book.page.chapter import Cell
from margins_book.page.selection import Selection, bound_names, free_names
from margins_course import CourseProblem
from margins_course.assignments.renaming import CannotRenameError, rename_globals

REMEDY = "make two assignments of them"


def with_distinct_names(cuts: list[Selection]) -> list[Selection]:
    """The selections, with other names where two of them use one name for different things."""
    _refuse_functions(cuts)
    taken = frozenset().union(*(bound_names(cell.source) | free_names(cell.source) for cell in _cells(cuts)))
    return [
        _with_own_names(cut, dict(_clashes(cut, cuts[:place], cuts[place + 1 :])), taken)
        for place, cut in enumerate(cuts)
    ]


def _refuse_functions(cuts: list[Selection]) -> None:
    """Raises a CourseProblem if two exercises ask for functions of the same name."""
    written: dict[str, str] = {}
    for cut in cuts:
        for cell in cut.solutions:
            here = f"{cell.exercise} ({cut.chapter.name})"
            for name in cell.functions:
                if name in written:
                    both = f"{written[name]} and {here}"
                    raise CourseProblem(f"the exercises {both} both ask for a function {name!r}; {REMEDY}")
                written[name] = here


def _clashes(cut: Selection, earlier: list[Selection], later: list[Selection]) -> Iterator[tuple[str, str]]:
    """Each name of a selection's given code that must change, and the chapter that uses it otherwise."""
    own = _bound(cut)
    for other in earlier:
        theirs = _bound(other)
        for name in own.keys() & theirs.keys():
            if None in own[name] or own[name] != theirs[name]:
                yield name, other.chapter.name
    for other in [*earlier, *later]:
        for name in own.keys() & (_written(other) | _from_outside(other)):
            yield name, other.chapter.name


def _with_own_names(cut: Selection, clashes: dict[str, str], taken: frozenset[str]) -> Selection:
    """A selection without clashes; a CourseProblem where a name cannot change."""
    own = cut.chapter.name
    fixed = frozenset().union(*(free_names(cell.source) for cell in cut.solutions)) - _written(cut)
    for name in sorted(clashes.keys() & fixed):
        raise CourseProblem(
            f"{clashes[name]} and {own} use the name {name!r} for different things, and a solution of {own} "
            f"needs it; {REMEDY}"
        )
    names = {name: _new_name(name, own, taken) for name in clashes}
    try:
        return replace(
            cut,
            setup=tuple(_renamed(c, names) for c in cut.setup),
            work=tuple(_renamed(c, names) for c in cut.work),
        )
    except CannotRenameError as place:
        raise CourseProblem(
            f"{own} and another chapter use the name {place.name!r} for different things, and in {own} it "
            f"cannot be replaced in {place}; {REMEDY}"
        ) from None


def _renamed(cell: Cell, names: dict[str, str]) -> Cell:
    """A cell under the new names; students' part keeps its own."""
    return (
        cell
        if cell.kind == "solution" or not names
        else replace(cell, source=rename_globals(cell.source, names))
    )


def _new_name(name: str, chapter: str, taken: frozenset[str]) -> str:
    """A name that ends with the chapter's, and that nobody has."""
    ending = re.sub(r"\W+", "_", chapter.lstrip("0123456789_")).lower()
    made = f"{name}_{ending}"
    while made in taken:
        made += "_"
    return made


def _cells(cuts: list[Selection]) -> Iterator[Cell]:
    for cut in cuts:
        yield from [*cut.setup, *cut.work]


def _written(cut: Selection) -> frozenset[str]:
    """The names that the cells of students bind."""
    return frozenset().union(*(bound_names(cell.source) for cell in cut.solutions))


def _from_outside(cut: Selection) -> frozenset[str]:
    """The names that a selection reads and does not bind, such as Python's own functions."""
    read = frozenset().union(*(free_names(cell.source) for cell in _cells([cut])))
    return read - _bound(cut).keys() - _written(cut)


def _bound(cut: Selection) -> dict[str, set]:
    """The names that given code binds: for each the places that it is imported from, None for other ways."""
    found: dict[str, set] = {}
    given = [*cut.setup, *(cell for cell in cut.work if cell.kind == "example")]
    for statement in (node for cell in given for node in ast.parse(cell.source).body):
        imported = dict(_imports(statement))
        for name in bound_names(ast.unparse(statement)):
            found.setdefault(name, set()).add(imported.get(name))
    return found


def _imports(statement: ast.stmt) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that a statement imports, each with module and attribute."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, (alias.name, "")) if alias.asname else (first, (first, ""))
    elif isinstance(statement, ast.ImportFrom):
        origin = "." * statement.level + (statement.module or "")
        yield from ((alias.asname or alias.name, (origin, alias.name)) for alias in statement.names)
