"""The verdict on an answer: the check's own words, the reader's lines, what was printed."""

import pytest

from in_page.answers import check

HALF = """from margins_book.checking.verdicts import call, praise, same_array
def check_half(half):
    for x in (2.0, 3.0):
        same_array(call(half, x, case=f"x = {x}"), x / 2, case=f"x = {x}", hint="divide.")
    praise("Right: it is a half.")"""


def verdict(code, setup=HALF):
    return check(setup, code, ["half"], "check_half(half)")


STOPPED = "x = 2.0: your function stopped with ZeroDivisionError: float division by zero"
WRONG = "x = 2.0: the answer is 2, expected 1. Hint: divide."


@pytest.mark.parametrize(
    ("code", "kind", "text", "detail", "printed"),
    [
        ("def half(x):\n    print(x)\n    return x / 2", "right", "Right: it is a half.", "", "2.0\n3.0\n"),
        ("def half(x):\n    print(x)\n    return x", "wrong", WRONG, "", "2.0\n"),
        ("def half(x):\n    raise NotImplementedError('no')", "wrong", "Nothing is written here yet", "", ""),
        ("def half(x):\n    return x / 0", "wrong", STOPPED, "  your answer, line 2, in half\n", ""),
        ("def half(x)\n    return x", "error", "SyntaxError: expected ':'", 'File "your answer", line 1', ""),
        ("y = unknown\n", "error", "NameError: name 'unknown' is not", "  your answer, line 1", ""),
        ("raise SystemExit", "error", "SystemExit", "  your answer, line 1", ""),
        ("def halve(x): ...", "wrong", "The check calls half, but it defines halve", "", ""),
        ("x = 1", "wrong", "The check calls half, but it defines no function", "", ""),
    ],
)
def test_an_answer_hears_its_verdict_and_sees_its_lines_and_what_it_printed(
    capsys, code, kind, text, detail, printed
):
    told = verdict(code)
    assert told["verdict"] == kind
    assert told["text"].startswith(text)
    assert detail in told["detail"]
    assert bool(told["detail"]) == bool(detail)
    assert capsys.readouterr().out == printed


def test_an_answer_that_stops_sees_its_own_lines_alone_and_few_of_a_recursion():
    told = verdict("def inner(x):\n    return x / 0\n\ndef half(x):\n    return inner(x)")
    assert told["detail"].splitlines() == [
        "  your answer, line 5, in half",
        "    return inner(x)",
        "  your answer, line 2, in inner",
        "    return x / 0",
        "ZeroDivisionError: float division by zero",
    ]
    told = verdict("def half(x):\n    return half(x)")
    assert "RecursionError" in told["text"]
    assert len(told["detail"].splitlines()) == 14


def test_names_of_the_chapter_can_be_used_but_no_function_of_the_answer_s_name_nor_one_of_the_last():
    told = verdict("def half(x):\n    return np.divide(x, 2)", setup=f"import numpy as np\n{HALF}")
    assert told["verdict"] == "right"
    told = verdict("x = 1", setup=f"{HALF}\ndef half(x): return x / 2")
    assert told["verdict"] == "wrong"
    verdict("kept = 1\ndef half(x):\n    return x / 2")
    assert verdict("print(kept)")["text"] == "NameError: name 'kept' is not defined"
