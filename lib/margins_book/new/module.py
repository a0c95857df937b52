"""A Python module as text: what it defines, one more import, one more entry of a list or table.

(book: How to read and run this book, Reading)
"""

import ast
import itertools
import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from margins_book.new.edits import Refusal

LINE = 110  # characters, as in the settings of ruff
OURS = (
    "benchmarks",
    "explorable",
    "extensions",
    "margins",
    "margins_book",
    "margins_course",
    "scripts",
    "tests",
)
Import: TypeAlias = ast.Import | ast.ImportFrom


def defined(text: str) -> set[str]:
    """The names of the module's functions and classes."""
    body = ast.parse(text).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def joined(text: str, part: str) -> str:
    """The module with what `part` defines at its end, and with the imports of `part` among its own."""
    tree = ast.parse(part)
    wanted = [node for node in tree.body if isinstance(node, Import)]
    for node in wanted:
        text = with_import(text, ast.unparse(node))
    ends = [node.end_lineno or 0 for node in wanted or tree.body[:1]]
    body = "\n".join(part.splitlines()[max(ends) :])
    return at_end(text, body)


def with_import(text: str, statement: str) -> str:
    """The module with an import in its place, joined to what it imports from there already."""
    wanted = ast.parse(statement).body[0]
    assert isinstance(wanted, Import)
    for other in head(text):
        if _imported(wanted) <= _imported(other):
            return text
        if _place(other) == _place(wanted) and not _renames(wanted):
            return replaced(text, other, import_line(_source(wanted), [*other.names, *wanted.names]))
    if not _renames(wanted):
        statement = import_line(_source(wanted), wanted.names)
    return _inserted(text, wanted, statement)


def head(text: str) -> list[Import]:
    """The imports at the head of a module, in their order."""
    body = ast.parse(text).body
    body = body[1:] if ast.get_docstring(ast.parse(text)) else body
    return list(itertools.takewhile(lambda node: isinstance(node, Import), body))  # type: ignore[arg-type]


def name_of_import(text: str, package: str, name: str) -> str:
    """Under which name the module imports `name` from `package`, itself if it does not."""
    froms = [node for node in head(text) if isinstance(node, ast.ImportFrom) and node.module == package]
    aliases = [alias for node in froms for alias in node.names if alias.name == name]
    return aliases[0].asname or name if aliases else name


def import_line(source: str, aliases: Iterable[ast.alias]) -> str:
    """The import in one line, or in one line a name where that is too long; constants first, then classes."""
    ordered = sorted(
        {alias.name for alias in aliases},
        key=lambda name: (not _is_constant(name), not name[0].isupper(), name.lower()),
    )
    line = f"from {source} import {', '.join(ordered)}"
    return line if len(line) <= LINE else f"from {source} import (\n    {f',{chr(10)}    '.join(ordered)},\n)"


def _is_constant(name: str) -> bool:
    return len(name) > 1 and name.isupper()


def _imported(node: Import) -> set[tuple[str, ...]]:
    """What an import binds, and from where."""
    source = _source(node)
    return {(type(node).__name__, source, alias.name, alias.asname or "") for alias in node.names}


def _renames(node: Import) -> bool:
    """Whether it cannot be joined to another: `import a`, or `from a import b as c`."""
    return isinstance(node, ast.Import) or any(alias.asname for alias in node.names)


def _source(node: Import) -> str:
    """The module that is imported, or from which."""
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name


def _place(node: Import) -> tuple[int, bool, str, bool]:
    """Where ruff puts an import: standard library, others' packages, ours; `import` before `from`."""
    source = _source(node)
    package = source.partition(".")[0]
    section = 0 if package == "__future__" else 1 if package in sys.stdlib_module_names else 2
    return 3 if package in OURS else section, isinstance(node, ast.ImportFrom), source.lower(), _renames(node)


def _inserted(text: str, wanted: Import, statement: str) -> str:
    """The module with an import as a line of its own, parted by an empty line from other sections."""
    lines, place = text.splitlines(), _place(wanted)
    docstring = ast.parse(text).body[:1] if ast.get_docstring(ast.parse(text)) else []
    above = [*docstring, *(node for node in head(text) if _place(node) <= place)][-1:]
    below = [node for node in head(text) if _place(node) > place][:1]
    if below and _section(below) == place[0] != _section(above):
        at, new = below[0].lineno - 1, [statement]
    else:
        at = (above[0].end_lineno or 0) if above else 0
        gap = [] if above and _section(above) == place[0] else [""]
        new = [*gap, statement] if above else [statement, *gap]
    return "\n".join([*lines[:at], *new, *lines[at:]]).lstrip() + "\n"


def _section(nodes: Sequence[ast.stmt]) -> int | None:
    """The section of the import in a list of one statement at most."""
    return _place(nodes[0])[0] if nodes and isinstance(nodes[0], Import) else None


def with_entry(text: str, name: str, entry: str) -> str:
    """The module with one more line in the list or dict `name` that stands over several lines."""
    node = assignment(text, name)
    last = (node.end_lineno or node.lineno) - 1
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:last], f"    {entry},\n", *lines[last:]])


def with_public_name(text: str, name: str) -> str:
    """The module with `name` in its `__all__`, which stays in order."""
    node = assignment(text, "__all__")
    names = sorted({*ast.literal_eval(node.value), name})
    return replaced(text, node, "__all__ = [\n" + "".join(f'    "{one}",\n' for one in names) + "]")


def before_private(text: str, part: str) -> str:
    """The module with `part` before its first private function, or at its end."""
    private = [
        node.lineno
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_")
    ]
    if not private:
        return f"{text.rstrip()}\n\n\n{part.strip()}\n"
    lines = text.splitlines(keepends=True)
    above, below = "".join(lines[: private[0] - 1]), "".join(lines[private[0] - 1 :])
    return f"{above}{part.strip()}\n\n\n{below}"


def at_end(text: str, part: str) -> str:
    """The module with `part` at its end."""
    return f"{text.rstrip()}\n\n\n{part.strip()}\n"


def assignment(text: str, name: str) -> ast.Assign:
    """The statement of the module that gives `name` its value."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == name:
            return node
    raise Refusal(f"the module has no {name}; expected `{name} = ...` over several lines")


def replaced(text: str, node: ast.stmt, words: str) -> str:
    """The module with `words` in the place of a statement; a remark behind it stays."""
    lines = text.splitlines(keepends=True)
    last = lines[(node.end_lineno or node.lineno) - 1].encode()
    remark = last[node.end_col_offset :].decode().rstrip()
    return "".join([*lines[: node.lineno - 1], words + remark + "\n", *lines[node.end_lineno :]])
