"""The parts of a self-check: what they refuse, what they say, and when they keep silent."""

import importlib
import inspect

import numpy as np
import pytest

from margins_book.chapters import chapters
from margins_book.checking.verdicts import CheckFailed, call, parts, praise, real_array, same_array

MODULES = [importlib.import_module(f"margins_book.{chapter.topic}.checks") for chapter in chapters()]
EVERY_CHECK = [
    check
    for module in MODULES
    for name, check in inspect.getmembers(module, inspect.isfunction)
    if check.__module__ == module.__name__ and not name.startswith("_")
]


def refusal(got, expected=(1.0, 2.0)):
    with pytest.raises(CheckFailed) as failed:
        same_array(got, expected, case="here", hint="think again.")
    return str(failed.value)


def refusal_of_parts(got):
    with pytest.raises(
        CheckFailed, match=r"expected 3 parts, .*; the parts are \(peak, total, weighted\)"
    ) as failed:
        parts(got, ("peak", "total", "weighted"), case="here")
    return str(failed.value)


def test_messages_name_what_is_wrong():
    assert "shape (3,), expected (2,)" in refusal([1, 2, 3])
    assert refusal([1, np.nan]) == "here: the answer holds NaN at index 1."
    assert refusal([1, -np.inf]) == "here: the answer holds infinity at index 1."
    assert "but got None; does your function end in a `return`?" in refusal(None)
    assert refusal("many") == "here: expected numbers in 1 dimension, but got text."
    assert refusal([[1, 2]]) == "here: expected numbers in 1 dimension, but got an array of shape (1, 2)."
    assert "but got complex ones; `.real` takes" in refusal([1, 2 + 0j])
    assert "single precision (float32)" in refusal(np.float32([1, 2]))
    assert "single precision (float16)" in refusal([np.float16(1), 2.0])
    assert "but got truth values" in refusal([True, 2])
    assert "but got a list whose rows differ in shape" in refusal([[1, 2], [3]])
    assert "but got an object of type set" in refusal({1, 2})
    assert "but got a tuple of 2" in refusal_of_parts((1, 2))
    assert "but got an array of shape (2, 2)" in refusal_of_parts(np.eye(2))
    message = refusal([1.0, 2.5])
    assert "at index 1 the answer is 2.5, expected 2. Hint: think again." in message


def test_close_enough_is_silent():
    same_array([1.0, 2.0 + 1e-8], [1, 2], case="here", hint="none")
    same_array([0.0, 1e-9], [0, 0], case="zeros", hint="none")


@pytest.mark.parametrize(
    "got", [[1, 2], (1.0, 2.0), [np.float64(1), np.array(2)], np.array([1, 2], np.uint8)]
)
def test_numbers_may_come_in_lists_and_in_arrays(got):
    same_array(got, [1, 2], case="here", hint="none")


@pytest.mark.parametrize("got", [True, np.True_, np.array(True), 1, 1.0])
def test_truth_may_be_a_number(got):
    assert real_array(got, case="here", dims=0, truths=True) == np.array(True)
    with pytest.raises(CheckFailed, match="but got other numbers than 0 and 1"):
        real_array(0.5, case="here", truths=True)


def test_parts_may_come_as_the_rows_of_an_array():
    assert parts(np.array([3.0, 4.0]), ("low", "high"), case="here") == (3.0, 4.0)


def test_exceptions_of_the_function_become_one_kind():
    def broken(x):
        return x[7]

    with pytest.raises(CheckFailed, match="case: your function stopped with IndexError"):
        call(broken, np.zeros(3), case="case")


def test_changed_arguments_are_noticed():
    def careless(x):
        x[0] = 1
        return x

    mine = np.zeros(3)
    with pytest.raises(CheckFailed, match="changed one of its arguments"):
        call(careless, mine, case="case")
    assert not mine.any()


def test_praise_is_for_readers_only(capsys, monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    praise("Well done.")
    assert capsys.readouterr().out == "Well done.\n"
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    praise("Well done.")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("check", EVERY_CHECK, ids=lambda check: check.__name__)
@pytest.mark.parametrize("answer", [None, "x", np.nan, np.zeros((2, 3, 4)), object()])
def test_every_check_refuses_nonsense_with_one_exception(check, answer):
    with pytest.raises(CheckFailed):
        check(lambda *arguments: answer)
