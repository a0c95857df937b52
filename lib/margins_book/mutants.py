"""The record of the library's mutants: what the tests noticed, and which functions have changed since.

(book: How well the tests bite)
"""

import ast
import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from margins_book.chapters import ROOT
from margins_book.digests import digest

LIBRARY = ROOT / "lib" / "margins"
RECORD = ROOT / "tests" / "mutants" / "recorded.csv"
REASONS = ROOT / "tests" / "mutants" / "reasons.txt"


@dataclass(frozen=True)
class Row:
    """What became of one mutant."""

    package: str
    place: str  # module and function, from the library's root on
    change: str  # the lines that changed, `old -> new`
    formula: str  # "formula", or nothing
    outcome: str  # killed, stopped or survived
    digest: str  # of the code of the function when the mutant was tried

    @property
    def survived(self) -> bool:
        return self.outcome == "survived"

    @property
    def name(self) -> str:
        """The mutant's line in the file of reasons."""
        return f"{self.place}: {self.change}"


def read_rows() -> list[Row]:
    """The recorded mutants."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def reasons(path: Path = REASONS) -> dict[str, str]:
    """The reason of every line of a file; the lines before the first `# reason` have the empty one."""
    found: dict[str, str] = {}
    reason = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            found[line] = reason
    return found


def split_stale(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """The rows whose function is as it was when they were recorded, and those whose function is not."""
    now = digests(LIBRARY)
    current: list[Row] = []
    stale: list[Row] = []
    for row in rows:
        (current if now.get(row.place) == row.digest else stale).append(row)
    return current, stale


def digests(library: Path = LIBRARY) -> dict[str, str]:
    """By place, the digest of every function of the library, and of each module's code outside functions."""
    found: dict[str, str] = {}
    for file in sorted(library.rglob("*.py")):
        module = ".".join(file.relative_to(library).with_suffix("").parts)
        tree = Bare().visit(ast.parse(file.read_text(encoding="utf-8")))
        found |= {f"{module}.{name}": digest(node) for name, node in functions(tree)}
        found[module] = digest(WithoutFunctions().visit(tree))
    return found


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions below a node with their qualified names."""
    for child in ast.iter_child_nodes(node):
        below = prefix
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child
            below = f"{prefix}{child.name}.<locals>."
        elif isinstance(child, ast.ClassDef):
            below = f"{prefix}{child.name}."
        yield from functions(child, below)


class Bare(ast.NodeTransformer):
    """Code without what no mutant changes: docstrings, annotations of functions, imports."""

    def visit_FunctionDef(self, node):
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self.generic_visit(node)

    def visit_Expr(self, node):
        return ast.Pass() if isinstance(node.value, ast.Constant) else node

    def visit_Import(self, node):
        return ast.Pass()

    visit_ImportFrom = visit_Import  # noqa: N815


class WithoutFunctions(ast.NodeTransformer):
    """A module's code outside functions."""

    def visit_FunctionDef(self, node):
        return ast.Pass()
