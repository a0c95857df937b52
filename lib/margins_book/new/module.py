"""A Python module as text: what it defines, one more import, one more entry of a list or table."""

import ast
import itertools
import subprocess
import sys
from typing import TypeAlias

from margins_book.chapters import ROOT
from margins_book.new.edits import Refusal

Import: TypeAlias = ast.Import | ast.ImportFrom


def joined(text: str, part: str) -> str:
    """The module with what `part` defines at its end, and with the imports of `part` among its own."""
    tree = ast.parse(part)
    wanted = [node for node in tree.body if isinstance(node, Import)]
    text = with_imports(text, *map(ast.unparse, wanted))
    ends = [node.end_lineno or 0 for node in wanted or tree.body[:1]]
    return at_end(text, "\n".join(part.splitlines()[max(ends) :]))


def with_imports(text: str, *statements: str) -> str:
    """The module with more imports at its head, merged and put in order by ruff, with the book's settings."""
    tree = ast.parse(text)
    docstring = tree.body[0].end_lineno or 0 if ast.get_docstring(tree) else 0
    first = head(text)
    place = first[0].lineno - 1 if first else docstring
    lines = text.splitlines()
    gap = [""] if docstring and not first else []
    whole = "\n".join([*lines[:place], *gap, *statements, *lines[place:]]) + "\n"
    options = ["-m", "ruff", "check", "--quiet", "--no-cache", "--select", "I001", "--fix", "--config"]
    name = f"{ROOT}/lib/margins_book/module.py"
    command = [sys.executable, *options, f"{ROOT}/pyproject.toml", "--stdin-filename", name, "-"]
    done = subprocess.run(command, input=whole, capture_output=True, text=True)
    if done.returncode:
        raise Refusal(f"ruff cannot put imports in order: {done.stderr.strip()}")
    return done.stdout


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


def with_entry(text: str, name: str, entry: str) -> str:
    """The module with one more line in the list or dict `name` that stands over several lines."""
    node = assignment(text, name)
    last = (node.end_lineno or node.lineno) - 1
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:last], f"    {entry},\n", *lines[last:]])


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
