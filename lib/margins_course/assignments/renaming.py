"""Renaming of global variables in Python source; everything else in the text stays, comments included.

Names of functions' own (arguments, local variables), attributes, keywords and strings are left alone.
(book: Teaching with this book, Release)
"""

import ast
import re
import symtable
from collections.abc import Iterator

SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
DEFINED = re.compile(rb"(?:async\s+)?(?:def|class)\s+")
Edit = tuple[int, int, int, int, str]  # from line and byte, to line and byte, and the new text


class CannotRenameError(Exception):
    """A name that cannot be replaced where it stands; the message says where that is."""

    def __init__(self, name: str, where: str):
        super().__init__(where)
        self.name = name


def rename_globals(source: str, names: dict[str, str]) -> str:
    """Python source in which each global name that is a key of `names` is replaced by its value."""
    lines = source.encode().split(b"\n")
    edits = _Edits(names, lines).of(ast.parse(source), frozenset())
    for first, start, last, end, text in sorted(edits, reverse=True):
        tail = lines[last - 1][end:]
        lines[first - 1 : last] = [lines[first - 1][:start] + text.encode() + tail]
    return b"\n".join(lines).decode()


class _Edits:
    """The replacements in a syntax tree; `hidden` are the names that a function has for itself."""

    def __init__(self, names: dict[str, str], lines: list[bytes]):
        self.names, self.lines = names, lines

    def of(self, node: ast.AST, hidden: frozenset[str]) -> Iterator[Edit]:
        match node:
            case ast.Name():
                yield from self._exchanged(node, node.id, hidden, "{}")
            case ast.alias():
                yield from self._imported(node, hidden)
            case ast.JoinedStr():
                yield from self._formatted(node, hidden)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from self._function(node, hidden)
            case ast.ClassDef():
                yield from self._class(node, hidden)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                yield from self._comprehension(node, hidden)
            case _:
                self._refuse_other_uses(node, hidden)
                yield from self._all(ast.iter_child_nodes(node), hidden)

    def _all(self, nodes, hidden: frozenset[str]) -> Iterator[Edit]:
        for node in nodes:
            yield from self.of(node, hidden)

    def _exchanged(self, node, name: str, hidden: frozenset[str], form: str) -> Iterator[Edit]:
        """The whole text of a node replaced, if it stands for one of the names."""
        if name in self.names and name not in hidden:
            text = form.format(self.names[name])
            yield node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, text

    def _imported(self, node: ast.alias, hidden: frozenset[str]) -> Iterator[Edit]:
        if not node.asname and "." in node.name and node.name.partition(".")[0] in self.names:
            raise CannotRenameError(node.name.partition(".")[0], f"import {node.name}")
        yield from self._exchanged(node, node.asname or node.name, hidden, f"{node.name} as {{}}")

    def _formatted(self, node: ast.JoinedStr, hidden: frozenset[str]) -> Iterator[Edit]:
        """An f-string written anew: before Python 3.12 the places of names in it are not known."""
        names = {name: new for name, new in self.names.items() if name not in hidden}
        inside = ast.unparse(node)
        changed = ast.unparse(_Formatted(names).visit(ast.parse(inside, mode="eval").body))
        if changed != inside:
            end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
            yield node.lineno, node.col_offset, *end, changed

    def _function(self, node: SCOPES, hidden: frozenset[str]) -> Iterator[Edit]:
        body = node.body if isinstance(node.body, list) else [node.body]
        if not isinstance(node, ast.Lambda):
            yield from self._defined(node, hidden)
            yield from self._all([*node.decorator_list, *filter(None, [node.returns])], hidden)
        yield from self._all(ast.iter_child_nodes(node.args), hidden)
        yield from self._all(body, hidden | _own_names(node))

    def _class(self, node: ast.ClassDef, hidden: frozenset[str]) -> Iterator[Edit]:
        for name in sorted(_own_names(node) & self.names.keys()):
            raise CannotRenameError(name, f"class {node.name}, which sets {name} for itself")
        yield from self._defined(node, hidden)
        yield from self._all([*node.decorator_list, *node.bases, *node.keywords, *node.body], hidden)

    def _defined(self, node, hidden: frozenset[str]) -> Iterator[Edit]:
        """The name of a function or class that is defined."""
        if node.name in self.names and node.name not in hidden:
            line = self.lines[node.lineno - 1]
            found = DEFINED.match(line, node.col_offset)
            start = found.end() if found else node.col_offset
            yield node.lineno, start, node.lineno, start + len(node.name.encode()), self.names[node.name]

    def _comprehension(self, node: COMPREHENSIONS, hidden: frozenset[str]) -> Iterator[Edit]:
        first = node.generators[0].iter  # it is read outside
        own = hidden | _own_names(node)
        yield from self.of(first, hidden)
        for generator in node.generators:
            parts = [generator.target, *([] if generator.iter is first else [generator.iter]), *generator.ifs]
            yield from self._all(parts, own)
        yield from self._all((n for n in ast.iter_child_nodes(node) if n not in node.generators), own)

    def _refuse_other_uses(self, node: ast.AST, hidden: frozenset[str]) -> None:
        """A refusal where a name is set that has no place in the tree, as in `except E as name`."""
        if isinstance(node, ast.arg | ast.keyword):  # arguments are the function's own, keywords another's
            return
        for field in ("name", "names", "rest"):
            given = getattr(node, field, None)
            given = [given] if isinstance(given, str) else given if isinstance(given, list) else []
            if found := [name for name in given if name in self.names and name not in hidden]:
                line = getattr(node, "lineno", 0)
                raise CannotRenameError(found[0], f"line {line} of a cell")


class _Formatted(ast.NodeTransformer):
    """The expressions in an f-string, exchanged in the tree."""

    def __init__(self, names: dict[str, str]):
        self.names = names

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        code = rename_globals(ast.unparse(node.value), self.names)
        node.value = ast.parse(code, mode="eval").body
        return self.generic_visit(node) if node.format_spec else node


def _own_names(node: ast.AST) -> frozenset[str]:
    """The names that a function, lambda, comprehension or class sets for itself."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    scope = table.get_children()[-1]  # those of its arguments' defaults come before
    return frozenset(symbol.get_name() for symbol in scope.get_symbols() if symbol.is_local())
