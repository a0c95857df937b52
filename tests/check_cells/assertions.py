"""The assertions of a cell, rewritten: a watcher sees what they compare, and none ends the cell.

The conditions joined by `and` in one assertion are watched apart. `bounded(measured, bound, ...)` is an
assertion too.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.check_cells.shown import shown

WATCHER = "__watcher__"  # its name among those of the page


@dataclass(frozen=True)
class Assertion:
    """One asserted condition of a check."""

    check: str
    node: ast.expr = field(compare=False)  # the condition, or the call of `bounded`
    number: int  # on the page
    text: str  # as it stands on the page, in one line


class Watcher:
    """Notes what the assertions of a page compare and which of them fail; made to be derived from."""

    def __init__(self):
        self.assertions: list[Assertion] = []
        self.denials: dict[Assertion, str] = {}  # what each compared when it failed first
        self.last: dict[int, dict[tuple[int, int], object]] = {}

    def seen(self, number: int, place: tuple[int, int], value: object) -> object:
        """Called with the value at a place, (comparison, operand), of an assertion."""
        self.last.setdefault(number, {})[place] = value
        return value

    def denied(self, number: int) -> None:
        """Called where an assertion fails."""
        values = ", ".join(map(shown, self.last.get(number, {}).values()))
        self.denials.setdefault(self.assertions[number], values)


def watched(source: str, check: str, watcher: Watcher) -> Iterator[tuple[str, ast.stmt]]:
    """The statements of a cell: the code of each, and itself with its assertions rewritten."""
    for statement in ast.parse(source).body:
        code = ast.unparse(statement)
        yield code, ast.fix_missing_locations(_Rewritten(source, check, watcher).visit(statement))


def comparisons(condition: ast.expr) -> Iterator[ast.Compare]:
    """The comparisons that a condition asserts: those in an index, or of a function's argument, are none."""
    match condition:
        case ast.Compare():
            yield condition
        case ast.BoolOp():
            for part in condition.values:
                yield from comparisons(part)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            yield from comparisons(condition.left)
            yield from comparisons(condition.right)
        case ast.IfExp():
            yield from comparisons(condition.body)
            yield from comparisons(condition.orelse)
        case ast.UnaryOp(op=ast.Not() | ast.Invert()):
            yield from comparisons(condition.operand)
        case ast.GeneratorExp() | ast.ListComp():
            yield from comparisons(condition.elt)
        case ast.Call(func=ast.Name("all" | "any"), args=[part]):
            yield from comparisons(part)
        case ast.Call(func=ast.Attribute(part, "all" | "any"), args=arguments):
            yield from comparisons(arguments[0] if ast.unparse(part) == "np" else part)


def is_bounded(statement: ast.stmt) -> bool:
    """Whether a statement is a call of `bounded`."""
    match statement:
        case ast.Expr(ast.Call(func=ast.Name("bounded") | ast.Attribute(attr="bounded"))):
            return True
    return False


class _Rewritten(ast.NodeTransformer):
    def __init__(self, source, check, watcher):
        self.source, self.check, self.watcher = source, check, watcher

    def visit_Assert(self, node):
        joined = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
        conditions = node.test.values if joined else [node.test]
        numbers, chain = [self._noted(condition) for condition in conditions], []
        for number, condition in zip(reversed(numbers), reversed(conditions), strict=True):
            test = ast.UnaryOp(ast.Not(), _with_places(condition, number))
            chain = [ast.If(test, [ast.Expr(_call("denied", number))], chain)]
        return ast.copy_location(chain[0], node)

    def visit_Expr(self, node):
        if not is_bounded(node):
            return node
        number = self._noted(node.value)
        for place, argument in enumerate(node.value.args[:2]):
            node.value.args[place] = _call("seen", number, (0, place), argument)
        denied = [ast.Expr(_call("denied", number))]
        handler = ast.ExceptHandler(ast.Name("AssertionError", ast.Load()), None, denied)
        return ast.copy_location(ast.Try([node], [handler], [], []), node)

    def _noted(self, condition):
        """The number of a new assertion."""
        number = len(self.watcher.assertions)
        text = " ".join(ast.get_source_segment(self.source, condition).split())
        self.watcher.assertions.append(Assertion(self.check, copy.deepcopy(condition), number, text))
        return number


def _with_places(condition, number):
    """The condition with the operands of its comparisons, or else the arguments of its calls, shown."""
    found = list(comparisons(condition))
    for place, comparison in enumerate(found):
        comparison.left = _call("seen", number, (place, 0), comparison.left)
        comparison.comparators = [
            _call("seen", number, (place, 1 + k), operand) for k, operand in enumerate(comparison.comparators)
        ]
    if found:
        return condition
    for place, call in enumerate(node for node in ast.walk(condition) if isinstance(node, ast.Call)):
        for k, argument in enumerate(call.args):
            if not isinstance(argument, ast.Starred | ast.GeneratorExp):
                call.args[k] = _call("seen", number, (place, k), argument)
    return _call("seen", number, (-1, 0), condition)


def _call(method, number, *rest):
    function = ast.Attribute(ast.Name(WATCHER, ast.Load()), method, ast.Load())
    place = [ast.Constant(part) if isinstance(part, tuple) else part for part in rest]
    return ast.Call(function, [ast.Constant(number), *place], [])
