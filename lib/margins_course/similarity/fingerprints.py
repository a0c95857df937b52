"""Fingerprints of code: hashes of short runs of its syntax tree, which renaming and layout do not change.

This module runs in the sandbox, because Python's parser is not made for hostile text.
"""

import ast
import hashlib

from margins_course.sandbox.server import without_notebook_lines

NODES_PER_FINGERPRINT = 8  # nodes that a fingerprint spans: more than an idiom such as `X @ w + b`


def fingerprints(source: str) -> list[list[int]]:
    """Hash, first and last line of each run of nodes; all names that the author chose count as the same."""
    nodes = list(_nodes(_tree(source)))
    words = [word for word, _ in nodes]
    found = []
    for start in range(len(nodes) - NODES_PER_FINGERPRINT + 1):
        run = slice(start, start + NODES_PER_FINGERPRINT)
        lines = [line for _, line in nodes[run] if line]
        found.append([_hash(words[run]), min(lines, default=0), max(lines, default=0)])
    return found


def _tree(source: str) -> ast.AST:
    """The syntax tree of a cell; lines for the notebook program are passed over, as when it runs."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse(without_notebook_lines(source))


def _nodes(node: ast.AST):
    """A word and a line for every node in the order of the text; docstrings are left out."""
    if isinstance(node, ast.expr_context):
        return
    yield _word(node), getattr(node, "lineno", 0)
    for child in ast.iter_child_nodes(node):
        if not _is_docstring(child):
            yield from _nodes(child)


def _is_docstring(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and type(value.value) is str


def _word(node: ast.AST) -> str:
    """The kind of a node, with what its author took from elsewhere: attributes, keywords, constants."""
    kind = type(node).__name__
    if isinstance(node, ast.Attribute):
        return f"{kind} {node.attr}"
    if isinstance(node, ast.keyword):
        return f"{kind} {node.arg}"
    if isinstance(node, ast.Constant):
        value = node.value  # whole numbers in hex: in decimals Python writes no more than 4,300 digits
        return f"{kind} {hex(value) if type(value) is int else repr(value)}"
    return kind


def _hash(words: list[str]) -> int:
    text = "\n".join(words).encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest())
