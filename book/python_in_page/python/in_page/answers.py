"""A reader's answer to an exercise, and the verdict of the exercise's check on it."""

import ast
import sys

from in_page.cells import execute, new_space
from in_page.printed import last_line_held
from in_page.told import told

ANSWER = "your answer"


def check(setup, code, functions, check):
    """The verdict on the answer `code`: a dict of `verdict` ("right", "wrong" or "error"), `text`, `detail`.

    `setup` is the code that the chapter has before the exercise, `functions` are the names that an answer
    defines, `check` is the code of the check. A right answer's text is the check's praise.
    """
    space, refusal = answered(setup, code, functions)
    return refusal or _judged(check, space)


def answered(setup, code, functions):
    """The namespace in which the answer `code` has been executed, and the verdict if it cannot be used."""
    space = new_space()
    execute(setup, "the chapter", space)
    before = dict(space)
    try:
        execute(code, ANSWER, space)
    except BaseException as reason:
        return space, error(reason)
    lost = [name for name in functions if space.get(name) is before.get(name)]
    return space, _verdict("wrong", _without(lost, code)) if lost else None


def _judged(check, space):
    """The verdict of the check in the namespace of the answer."""
    with last_line_held(sys.stdout) as held:
        try:
            execute(check, "the check", space)
        except BaseException as reason:
            held.release()  # it is the reader's own
            return _refused(reason) if isinstance(reason, AssertionError) else error(reason)
    return _verdict("right", held.last.strip())


def _refused(reason):
    """The verdict on an answer that is wrong, or that stopped when the check called it."""
    cause = reason.__cause__
    is_told = cause is not None and not isinstance(cause, NotImplementedError)
    return _verdict("wrong", str(reason), told(cause, {ANSWER}) if is_told else "")


def _without(lost, code):
    """What to say of an answer that defines other functions than those asked for."""
    names = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    got = f"it defines {', '.join(names)}" if names else "it defines no function"
    return f"The check calls {' and '.join(lost)}, but {got}. Reset brings back the first line."


def error(reason):
    """The verdict on an answer that stopped: its last words, and the lines that led there."""
    text = told(reason, {ANSWER})
    return _verdict("error", text.strip().splitlines()[-1], text.rstrip())


def _verdict(verdict, text, detail=""):
    return {"verdict": verdict, "text": text, "detail": detail.rstrip()}
