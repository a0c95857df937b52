"""A Python module as text: what it defines, one more import, one more entry of a list or table.

(book: How to read and run this book, Reading)
"""

import ast

from margins_book.new.edits import Refusal

LINE = 110  # characters, as in the settings of ruff


def defined(text: str) -> set[str]:
    """The names of the module's functions and classes."""
    body = ast.parse(text).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def with_import(text: str, source: str, *wanted: str) -> str:
    """The module with `from source import wanted`, joined to what it imports from there already."""
    body = ast.parse(text).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    same = [node for node in imports if isinstance(node, ast.ImportFrom) and node.module == source]
    if not same:
        raise Refusal(f"nothing is imported from {source}; expected a line `from {source} import ...`")
    names = {alias.name for alias in same[0].names} | set(wanted)
    return replaced(text, same[0], import_line(source, sorted(names, key=str.lower)))


def import_line(source: str, names: list[str]) -> str:
    """The import in one line, or in one line a name where that is too long."""
    line = f"from {source} import {', '.join(names)}"
    return line if len(line) <= LINE else f"from {source} import (\n    {f',{chr(10)}    '.join(names)},\n)"


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
    """The module with `words` in the place of a statement."""
    lines = text.splitlines(keepends=True)
    return "".join([*lines[: node.lineno - 1], words + "\n", *lines[node.end_lineno :]])
