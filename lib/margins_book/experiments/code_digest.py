"""A name for the code that made a record, by which a test says that the record is not of this code any more.

(book: The softmax kernel, A trained head)
"""

import ast
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

LENGTH = 12  # hexadecimal digits


def code_digest(files: Iterable[Path]) -> str:
    """A name for what some modules compute, whatever their docstrings, types, imports and layout."""
    trees = [Bare().visit(ast.parse(file.read_text(encoding="utf-8"))) for file in files]
    return _digest("".join(_digest(ast.unparse(tree)) for tree in trees))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:LENGTH]


class Bare(ast.NodeTransformer):
    """Code without docstrings, annotations of functions, imports."""

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
