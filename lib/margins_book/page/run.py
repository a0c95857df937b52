"""Runs the cells of a page in order in one namespace, and says where and why one fails.

Assertions are rewritten as pytest rewrites its own, where pytest is installed: a failure shows both sides.
"""

import ast
import contextlib
import copy
import io
import os
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorable.figures import Explorable, baking
from margins_book.chapters import ROOT
from margins_book.page.chapter import read_chapter


class CellError(AssertionError):
    """A cell that fails: its place in the page and the cause."""


class PageRun:
    """The code cells of a page, and after `run` the values that names had behind some of them, in `kept`."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self._read = [cell for cell in read_chapter(page).cells if cell.kind != "text"]
        self.cells = [cell for cell in self._read if cell.is_on_page]
        self.kept: dict[int, dict[str, Any]] = {}
        self.failure: CellError | None = None

    def run(self, wanted: Mapping[int, set[str]] | None = None) -> "PageRun":
        """Runs all cells up to the first that fails.

        `wanted` gives names to keep by the number of a cell (-1: before the first). Hidden checks of
        exercises run too; they change no name of the page.
        """
        space: dict[str, Any] = {"__name__": "__main__"}
        self.wanted, self.kept, self.failure = wanted or {}, {}, None
        self._keep(-1, space)
        for cell in self._read:
            own = space if cell.is_on_page else dict(space)
            try:
                run_code(cell.source, Path(cell.file or self.page), cell.line, own)
            except CellError as failure:
                self.failure = failure
                break
            if cell.is_on_page:
                self._keep(len(self.kept) - 1, space)
        return self

    def _keep(self, number: int, space: dict[str, Any]) -> None:
        """Copies of the values that are wanted behind a cell: later cells may change them in place."""
        self.kept[number] = {
            name: _copied(space[name]) for name in self.wanted.get(number, ()) if name in space
        }


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # a module, a lock: what no cell changes
        return value


def run_code(source: str, file: Path, line: int, space: dict[str, Any]) -> None:
    """Executes code whose first line is `line` of `file`; a CellError says what fails, and where."""
    name = name_of(file)
    try:
        tree = ast.parse(source, name)
        ast.increment_lineno(tree, line - 1)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        _explain_assertions(tree, source, file)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, str(file), "exec"), space)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), str(file), "eval"), space)
                if isinstance(value, Explorable) and baking():
                    value.bundle()
    except SyntaxError as reason:
        raise CellError(f"{name}:{(reason.lineno or 1) + line - 1}: SyntaxError: {reason.msg}") from None
    except Exception as reason:
        raise _failure(reason, file) from None


def name_of(file: Path) -> str:
    """A file's path in the book, such as chapters/02_kernels.md."""
    return os.path.relpath(file, ROOT) if file.is_relative_to(ROOT) else str(file)


def _explain_assertions(tree: ast.Module, source: str, file: Path) -> None:
    with contextlib.suppress(ImportError):
        from _pytest.assertion.rewrite import rewrite_asserts

        rewrite_asserts(tree, source.encode(), str(file))


def _failure(reason: Exception, file: Path) -> CellError:
    """The error of a cell: the line of the page, the cause, the line's code."""
    steps = [step for step in traceback.extract_tb(reason.__traceback__) if step.filename == str(file)]
    place = f"{name_of(file)}:{steps[-1].lineno}" if steps else name_of(file)
    code = "".join(f"\n    {step.line}" for step in steps[-1:])
    return CellError(f"{place}: {type(reason).__name__}: {reason}{code}")
