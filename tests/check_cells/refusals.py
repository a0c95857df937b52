"""What a check said when it refused: the part of its assertion that is false, with the numbers compared."""

import ast
import traceback

from margins_course.assignments.check_cells import Piece

LONGEST = 64  # characters that are recorded
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def said(error: Exception, piece: Piece) -> str:
    """The false part of the assertion that failed, or the first line of another error."""
    words = str(error).partition("\n")[0]
    if not isinstance(error, AssertionError):
        return f"{type(error).__name__}: {words}"[:LONGEST]
    frames = [frame for frame in traceback.walk_tb(error.__traceback__) if _is_in(frame, piece)]
    if words or not frames:
        return (words or "AssertionError")[:LONGEST]
    frame, line = frames[-1]
    failed = [
        node
        for node in ast.walk(ast.parse(piece.source))
        if isinstance(node, ast.Assert) and node.lineno <= line <= node.end_lineno
    ]
    return _false_part(failed[0].test, frame)[:LONGEST] if failed else "AssertionError"


def _is_in(frame, piece):
    return frame[0].f_code.co_filename == (piece.check or "chapter")


def _false_part(test, frame):
    """The first false operand of `and`, and the numbers on its two sides."""
    for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
        value = _value(part, frame)
        if value is not None and not value:
            return f"{ast.unparse(part)}{_numbers(part, frame)}"
    return ast.unparse(test)


def _numbers(part, frame):
    """`: 0.31 < 1e-12` of a comparison of numbers."""
    if not isinstance(part, ast.Compare):
        return ""
    values = [_value(side, frame) for side in (part.left, *part.comparators)]
    try:
        shown = [f"{float(value):.3g}" for value in values]
    except (TypeError, ValueError):
        return ""
    signs = [SIGNS.get(type(operator), "?") for operator in part.ops]
    return ": " + shown[0] + "".join(f" {sign} {value}" for sign, value in zip(signs, shown[1:], strict=True))


def _value(node, frame):
    try:
        code = compile(ast.Expression(node), "refusal", "eval")
        return eval(code, frame.f_globals | frame.f_locals)
    except Exception:
        return None
