"""Exercises selected from a chapter, with the statements of its set-up that they rest on.

A chapter draws many figures that no exercise needs. What is needed is found from the names that code sets and
uses, read by Python's own symbol tables. Where the reading is in doubt a statement is kept. The reference
runs on the selection, which proves it complete. (book: Teaching with this book, Release)
"""

import ast
import copy
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from margins_book.page.chapter import Cell, Chapter


@dataclass(frozen=True)
class Selection:
    """Some exercises of a chapter, in the order in which students see them; `page` is its address."""

    chapter: Chapter
    page: str
    labels: tuple[str, ...]
    setup: tuple[Cell, ...]  # of the kinds "setup" and "hidden-setup"
    work: tuple[Cell, ...]  # solutions, checks, and the code in statements, of the kind "example"

    @property
    def solutions(self) -> list[Cell]:
        return [cell for cell in self.work if cell.kind == "solution"]

    def work_of(self, label: str) -> list[Cell]:
        """The code of one exercise."""
        return [cell for cell in self.work if cell.exercise == label]


def select(chapter: Chapter, page: str, labels: tuple[str, ...]) -> Selection:
    """The exercises `labels` of a chapter whose published page is `page`."""
    examples = dict(_examples(chapter, labels))
    cells = [examples.get(cell.source, cell) for cell in chapter.cells if cell.kind != "text"]
    cells = [cell for cell in cells if not cell.exercise or cell.exercise in labels]
    work = tuple(cell for cell in cells if cell.exercise)
    return Selection(chapter, page, labels, tuple(_setup(cells)), work)


def _examples(chapter: Chapter, labels: tuple[str, ...]) -> Iterator[tuple[str, Cell]]:
    """The code in the statements of exercises, as cells of these exercises."""
    for label in labels:
        for number, source in enumerate(chapter.text(label).examples, 1):
            yield source, Cell("example", source, label, name=f"{label}--example-{number}")


def _setup(cells: list[Cell]) -> list[Cell]:
    """Set-up in two parts: what students and visible checks use, and what hidden checks use besides."""
    shown = [
        cell for cell in needed_cells([c for c in cells if c.kind != "hidden-check"]) if cell.kind == "setup"
    ]
    everything = [cell for cell in needed_cells(cells) if cell.kind == "setup"]
    return shown + [replace(cell, kind="hidden-setup") for cell in everything if cell not in shown]


SIMPLE = ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef


def needed_cells(cells: Sequence[Cell]) -> list[Cell]:
    """The `cells` without the set-up that no solution and no check uses, directly or through others."""
    modules = frozenset().union(*(imported_names(cell.source) for cell in cells if cell.kind != "text"))
    wanted: set[str] = set()
    kept: list[Cell] = []
    for cell in reversed(cells):
        if cell.kind == "setup":
            cell = replace(cell, source=needed_statements(cell.source, wanted, modules))
            if not cell.source:
                continue
        elif cell.kind != "text":
            wanted -= bound_names(cell.source) if cell.kind == "solution" else set()
            wanted |= free_names(cell.source)
        kept.append(cell)
    return kept[::-1]


def needed_statements(source: str, wanted: set[str], modules: frozenset[str]) -> str:
    """The statements that change a name in `wanted`, to which the names that they use are added."""
    kept = []
    for statement in reversed(statements(source)):
        if wanted & changed_names(statement, modules):
            wanted -= _surely_bound(statement)
            wanted |= used_names(statement)
            kept.append(statement)
    return "\n".join(reversed(kept)).strip("\n")


def changed_names(statement: str, modules: frozenset[str]) -> frozenset[str]:
    """Global names that a statement sets or changes in place; calls on `modules` change nothing."""
    return bound_names(statement) | (mutated_names(statement) - modules)


def _surely_bound(statement):
    """The names that a statement sets whatever happens: what set them before does not matter."""
    nodes = ast.parse(statement).body
    return bound_names(statement) if all(isinstance(node, SIMPLE) for node in nodes) else frozenset()


def statements(source: str) -> list[str]:
    """The lines of each statement of a cell, with the comments before it; those on one line together."""
    lines, start, pieces = source.splitlines(), 0, []
    for statement in ast.parse(source).body:
        end = statement.end_lineno or start
        if end > start:
            pieces.append("\n".join(lines[start:end]))
            start = end
    return pieces


@cache
def free_names(source: str) -> frozenset[str]:
    """Global names that code reads and may not have bound before: what it wants from other cells."""
    found: set[str] = set()
    _find_free(ast.parse(source).body, set(), found)
    return frozenset(found)


def _find_free(statements, bound, found):
    """The free names of statements into `found`; those that they bind for certain into `bound`."""
    for statement in statements:
        if not isinstance(statement, ast.For | ast.With):
            code = ast.unparse(statement)
            found |= (used_names(code) | _increased(statement)) - bound
            bound |= bound_names(code) if isinstance(statement, SIMPLE) else set()
            continue
        head: Any = copy.copy(statement)  # `for` has an `orelse`, `with` has none
        head.body, head.orelse = [ast.Pass()], []
        _find_free([ast.If(ast.Constant(True), [head], [])], bound, found)
        _find_free(statement.body, bound | bound_names(ast.unparse(head)), found)
        _find_free(getattr(statement, "orelse", []), set(bound), found)


def _increased(statement):
    """The name that `+=` reads, which symbol tables call set."""
    is_name = isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name)
    return {statement.target.id} if is_name else set()


@cache
def used_names(source: str) -> frozenset[str]:
    """Global names that code reads, in its functions too."""
    top = symtable.symtable(source, "cell", "exec")
    used = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    inner = list(top.get_children())
    while inner:
        scope = inner.pop()
        used |= {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global()}
        inner += scope.get_children()
    return frozenset(used)


@cache
def imported_names(source: str) -> frozenset[str]:
    """Global names that code binds by import: calls on them are no changes in place."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    return frozenset(symbol.get_name() for symbol in symbols if symbol.is_imported())


@cache
def bound_names(source: str) -> frozenset[str]:
    """Global names that code sets."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    return frozenset(s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace())


@cache
def mutated_names(source: str) -> frozenset[str]:
    """Global names whose objects code may change in place: stores into them, bare calls on them."""
    changed = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            changed |= _root(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed |= _root(node.value.func)  # such as names.append(...)
    return frozenset(changed)


def _root(node):
    """The name at the bottom of an attribute or subscript, if there is one."""
    inside = isinstance(node, ast.Attribute | ast.Subscript)
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if inside and isinstance(node, ast.Name) else set()
