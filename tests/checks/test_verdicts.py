"""The parts of a self-check: what they refuse, what they say, and when they keep silent."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import margins.checks
from margins.checks.verdicts import CheckFailed, call, praise, same_array

MODULES = [
    importlib.import_module(f"margins.checks.{module.name}")
    for module in pkgutil.iter_modules(margins.checks.__path__)
    if module.name != "verdicts"
]
EVERY_CHECK = [
    check
    for module in MODULES
    for name, check in inspect.getmembers(module, inspect.isfunction)
    if check.__module__ == module.__name__ and not name.startswith("_")
]


def refusal(came, expected=(1.0, 2.0)):
    with pytest.raises(CheckFailed) as failed:
        same_array(came, expected, case="here", hint="think again.")
    return str(failed.value)


def test_check_failed_is_an_assertion():
    assert issubclass(CheckFailed, AssertionError)


def test_messages_name_what_is_wrong():
    assert "shape (3,), expected (2,)" in refusal([1, 2, 3])
    assert "NaN or infinity" in refusal([1, np.nan])
    assert "returned None" in refusal(None)
    assert "expected numbers, but a str came" in refusal("many")
    message = refusal([1.0, 2.5])
    assert "at index 1 the answer is 2.5, expected 2. Hint: think again." in message


def test_close_enough_is_silent():
    same_array([1.0, 2.0 + 1e-8], [1, 2], case="here", hint="none")


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
