"""Solution cells of a chapter: students' part between two markers, the stub in its place.

(book: Teaching with this book, Release)
"""

import ast
import re

from margins_book.page import ChapterProblem


def functions_of(source: str) -> tuple[str, ...]:
    """The functions that a solution cell defines."""
    return tuple(node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))


BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
SOLUTION = re.compile(rf"(?ms)^([ \t]*){BEGIN}[ \t]*\n.*?^[ \t]*{END}[ \t]*$")
MARKER = re.compile(rf"(?m)^[ \t]*({BEGIN}|{END})[ \t]*\n?")
STUB = '# your code here\nraise NotImplementedError("nothing is written here yet")'


def stubbed(source: str) -> str:
    """A solution cell as students get it: the part between the markers is left to them."""
    return SOLUTION.sub(lambda match: re.sub("(?m)^", match[1], STUB), source)


def require_python(source: str, where: str) -> None:
    """Raises a ChapterProblem unless a code cell is Python."""
    try:
        ast.parse(source)
    except SyntaxError as reason:
        line = (source.splitlines() or [""])[min((reason.lineno or 1), source.count("\n") + 1) - 1].strip()
        raise ChapterProblem(
            f"{where}: this is not Python ({reason.msg}): {line[:80]!r}; lines such as %matplotlib are for "
            "notebooks alone, take them out"
        ) from None
    except (ValueError, MemoryError, RecursionError) as reason:
        raise ChapterProblem(f"{where}: this is not Python: {reason or type(reason).__name__}") from None


def require_markers(source: str, where: str) -> None:
    """Raises a ChapterProblem unless there is a part for students and each marker has its partner."""
    left_over = [mark for mark in (BEGIN, END) if mark in SOLUTION.sub("", source)]
    if left_over:
        raise ChapterProblem(f"{where}: the line {left_over[0]!r} has no partner")
    if not SOLUTION.search(source):
        raise ChapterProblem(
            f"{where}: a solution needs the lines {BEGIN!r} and {END!r} around students' part"
        )


def require_functions(source: str, where: str) -> None:
    """Raises a ChapterProblem unless a solution defines functions alone: only calls enter the sandbox."""
    kinds = [type(node) for node in ast.parse(source).body]
    other = [kind.__name__ for kind in kinds if kind not in (ast.FunctionDef, ast.Import, ast.ImportFrom)]
    if other or ast.FunctionDef not in kinds:
        got = other[0] if other else "nothing"
        raise ChapterProblem(
            f"{where}: a solution cell must define functions and nothing else, but got {got}"
        )
