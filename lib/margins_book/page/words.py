"""Where words stand on a chapter's page: in its prose, or in a figure of the chapter's module."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CELL = re.compile(r"^```\{code-cell\}.*\n(?:(?!```[ \t]*$).*\n)*?```[ \t]*$", re.MULTILINE)


def line_of(words: str, text: str) -> int:
    """The line of a page on which words end, 0 if its prose does not say them."""
    prose = CELL.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    found = re.search(r"\s+".join(map(re.escape, words.split())), prose)
    return prose.count("\n", 0, found.end()) + 1 if found else 0


def lengths_of_scenes(text: str) -> dict[str, int]:
    """By heading the words of each section of a story, without cells, directives and displayed formulas."""
    prose = re.sub(r"^(```|\$\$).*?^(```|\$\$)[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    scenes = (scene.partition("\n") for scene in re.split(r"^## ", prose, flags=re.MULTILINE)[1:])
    return {title: len(re.sub(r"\$[^$]+\$", "x", words).split()) for title, _, words in scenes}


def figure_saying(words: str, module: str) -> str:
    """The figure of a module whose caption, answers or alternative text say words; "" if none does."""
    wanted = " ".join(words.split())
    for node in ast.parse(module).body:
        if isinstance(node, ast.FunctionDef) and wanted in " ".join(" ".join(_strings(node)).split()):
            return node.name
    return ""


def words_of_conditions(module: str) -> list[str]:
    """The words of the page to which the figures of a module give conditions."""
    keys = [key for part in _dicts_of_conditions(ast.parse(module)) for key in part.keys]
    return [str(key.value) for key in keys if isinstance(key, ast.Constant)]


def _strings(node: ast.AST) -> Iterator[str]:
    """The strings of code, without the words that conditions quote."""
    quoted = {id(key) for part in _dicts_of_conditions(node) for key in part.keys}
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in quoted:
            yield part.value


def _dicts_of_conditions(node: ast.AST) -> Iterator[ast.Dict]:
    """The dicts `expect={words: condition}` of figures."""
    for part in ast.walk(node):
        if isinstance(part, ast.keyword) and part.arg == "expect" and isinstance(part.value, ast.Dict):
            yield part.value


def figure_named(source: str) -> str:
    """The figure that a cell shows by one expression, `figures.lift` or `figures.counts(...)`; else ""."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # output, or IPython's own syntax
        return ""
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        return ""
    shown: ast.expr = body[0].value.func if isinstance(body[0].value, ast.Call) else body[0].value
    if isinstance(shown, ast.Attribute) and isinstance(shown.value, ast.Name) and shown.value.id == "figures":
        return shown.attr
    return ""


def figures_module(folder: Path) -> str:
    """The source of the figures of a chapter in this folder, "" if it has none."""
    file = folder / "figures.py"
    return file.read_text("utf8") if file.is_file() else ""
