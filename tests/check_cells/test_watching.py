"""What a page runs after an exception: everything but what the exception left without its names."""

import pytest

from margins_course.assignments.check_cells import Piece
from tests.check_cells.assertions import Watcher
from tests.check_cells.watching import limited_time, run_watched


def run(*pieces):
    watcher = Watcher()
    return run_watched([Piece(source, check) for source, check in pieces], watcher), watcher


def test_an_exception_ends_its_statement_alone():
    ran, watcher = run(("a = 1 / 0\nb = 2", ""), ("assert b == 3", "x-1"))
    assert ran.stopped == {"": ("ZeroDivisionError", "division by zero")}
    assert ran.unreached == {}
    assert [denied.text for denied in watcher.denials] == ["b == 3"]


def test_what_needs_a_missing_name_is_not_reached_and_no_old_value_takes_its_place():
    pieces = ("a = 1", ""), ("a = next(iter([]))", ""), ("c = 2 * a", ""), ("assert c == 2", "x-1")
    ran, watcher = run(*pieces, ("a = 5\nassert a == 5", "x-2"))
    assert list(ran.stopped) == [""]
    assert ran.unreached == {"": "a", "x-1": "c"}
    assert not watcher.denials


def test_a_list_that_was_filled_in_part_is_missing():
    ran, _ = run(
        ("found = []\nfor v in (1, 0):\n    found.append(1 / v)", ""), ("assert found == [1]", "x-1")
    )
    assert ran.unreached == {"x-1": "found"}


def test_an_exception_of_a_check_is_its_own():
    ran, _ = run(("assert 1 / 0 < 2", "x-1"), ("assert undefined", "x-2"))
    assert ran.stopped["x-1"] == ("ZeroDivisionError", "division by zero")
    assert ran.stopped["x-2"] == ("NameError", "name 'undefined' is not defined")


def endless():
    while True:
        pass


def test_what_takes_too_long_is_stopped():
    with pytest.raises(TimeoutError, match=r"more than 0\.05 s"), limited_time(0.05):
        endless()
