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


def test_a_right_answer_hears_the_praise_and_sees_what_it_printed(capsys):
    told = verdict("def half(x):\n    print('got', x)\n    return x / 2")
    assert told == {"verdict": "right", "text": "Right: it is a half.", "detail": ""}
    assert capsys.readouterr().out == "got 2.0\ngot 3.0\n"


def test_a_wrong_answer_hears_what_is_wrong_and_sees_what_it_printed(capsys):
    told = verdict("def half(x):\n    print('got', x)\n    return x")
    assert told["verdict"] == "wrong"
    assert told["text"] == "x = 2.0: the answer is 2, expected 1. Hint: divide."
    assert capsys.readouterr().out == "got 2.0\n"


def test_an_empty_stub_hears_that_nothing_is_written():
    told = verdict('def half(x):\n    raise NotImplementedError("nothing")')
    assert told["verdict"] == "wrong"
    assert told["text"].startswith("Nothing is written here yet")
    assert told["detail"] == ""


def test_an_answer_that_stops_sees_its_own_lines_alone():
    told = verdict("def inner(x):\n    return x / 0\n\ndef half(x):\n    return inner(x)")
    assert told["verdict"] == "wrong"
    assert told["text"] == "x = 2.0: your function stopped with ZeroDivisionError: float division by zero"
    assert told["detail"].splitlines() == [
        "  your answer, line 5, in half",
        "    return inner(x)",
        "  your answer, line 2, in inner",
        "    return x / 0",
        "ZeroDivisionError: float division by zero",
    ]


def test_a_recursion_without_end_is_cut_short():
    told = verdict("def half(x):\n    return half(x)")
    assert told["verdict"] == "wrong"
    assert "RecursionError" in told["text"]
    assert len(told["detail"].splitlines()) == 14


@pytest.mark.parametrize(
    ("code", "said", "line"),
    [
        ("def half(x)\n    return x", "SyntaxError: expected ':'", 'File "your answer", line 1'),
        ("y = unknown\n", "NameError: name 'unknown' is not defined", "your answer, line 1"),
        ("raise SystemExit", "SystemExit", "your answer, line 1"),
    ],
)
def test_code_that_does_not_run_is_told_with_its_line(code, said, line):
    told = verdict(code)
    assert told["verdict"] == "error"
    assert told["text"] == said
    assert line in told["detail"]


@pytest.mark.parametrize(("code", "got"), [("def halve(x): ...", "halve"), ("x = 1", "no function")])
def test_an_answer_without_the_function_says_which_is_called(code, got):
    told = verdict(code)
    assert told["verdict"] == "wrong"
    assert told["text"].startswith("The check calls half, but it defines ")
    assert got in told["text"]


def test_a_function_of_the_same_name_before_the_exercise_is_no_answer():
    told = verdict("x = 1", setup=f"{HALF}\ndef half(x): return x / 2")
    assert told["verdict"] == "wrong"


def test_one_answer_leaves_nothing_for_the_next():
    verdict("kept = 1\ndef half(x):\n    return x / 2")
    assert verdict("print(kept)")["text"] == "NameError: name 'kept' is not defined"


def test_names_of_the_chapter_can_be_used():
    told = verdict("def half(x):\n    return np.divide(x, 2)", setup=f"import numpy as np\n{HALF}")
    assert told["verdict"] == "right"
