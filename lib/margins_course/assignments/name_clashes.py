"""Names that two chapters of one assignment use for different things: the assignment is refused.

All code of an assignment is run side by side, so a name may mean one thing only. What two chapters import
from the same place they share. A module that each imports from another place, as every chapter does with its
`checks`, is given the chapter's name as an ending where a check or set-up says `checks.`
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from margins_book.page.chapter import Cell
from margins_book.page.selection import Selection, bound_names, free_names
from margins_course import CourseProblem


def with_distinct_names(cuts: list[Selection]) -> list[Selection]:
    """The selections, with other names for modules; a CourseProblem if one name still means two things."""
    cuts = [_with_own_modules(cut, cuts[:place]) for place, cut in enumerate(cuts)]
    for place, cut in enumerate(cuts):
        for other in cuts[:place]:
            if found := ", ".join(map(repr, sorted(_clashes(cut, other) | _clashes(other, cut)))):
                problem = f"{other.chapter.name} and {cut.chapter.name} use {found} for different things"
                raise CourseProblem(f"{problem}; make two assignments of them")
    return cuts


def _clashes(cut: Selection, other: Selection) -> set[str]:
    """The names of one selection's code that mean something else in another's."""
    own, theirs = _bound(_given(cut)), _bound(_given(other))
    written = _written(other)
    read = frozenset().union(*(free_names(cell.source) for cell in (*other.setup, *other.work)))
    outside = read - theirs.keys() - written  # such as Python's own functions
    both = {name for name in own.keys() & theirs.keys() if None in own[name] or own[name] != theirs[name]}
    return both | (own.keys() & (written | outside)) | (_written(cut) & written)


def _with_own_modules(cut: Selection, earlier: list[Selection]) -> Selection:
    """The selection with its own names for modules that earlier ones import from other places."""
    own, theirs = _bound(_given(cut)), [_bound(_given(other)) for other in earlier]
    for name, origins in own.items():
        if None not in origins and any(origins != found.get(name, origins) for found in theirs):
            ending = re.sub(r"\W+", "_", cut.chapter.name.lstrip("0123456789_")).lower()
            renamed = partial(_with_module, name=name, new=f"{name}_{ending}")
            cut = replace(cut, setup=tuple(map(renamed, cut.setup)), work=tuple(map(renamed, cut.work)))
    return cut


def _with_module(cell: Cell, name: str, new: str) -> Cell:
    """A cell in which an imported module has another name, where its text says `import name` and `name.`"""
    if cell.kind == "solution":
        return cell
    source = re.sub(rf"(?m)^(from .* import .*?)\b{name}\b", rf"\1{name} as {new}", cell.source)
    return replace(cell, source=re.sub(rf"(?<![\w.]){name}(?=\.\w)", new, source))


def _given(cut: Selection) -> list[Cell]:
    """The cells of code that students are given, hidden ones too."""
    return [*cut.setup, *(cell for cell in cut.work if cell.kind == "example")]


def _written(cut: Selection) -> frozenset[str]:
    """The names that the cells of students bind."""
    return frozenset().union(*(bound_names(cell.source) for cell in cut.solutions))


def _bound(cells: list[Cell]) -> dict[str, set]:
    """The names that cells bind: for each the places that it is imported from, None for other ways."""
    found: dict[str, set] = {}
    for statement in (node for cell in cells for node in ast.parse(cell.source).body):
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
