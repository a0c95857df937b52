"""Limits of time name themselves when they are used up."""

import pytest

from margins_course.sandbox.answers import Limits
from margins_course.sandbox.limits import TimeBudget, TimeUsedUp


def test_time_that_is_used_up_is_named_by_its_limit():
    clocks = TimeBudget(Limits(call=10, check=30, submission=100, exercise=5), {"f": "one", "g": "two"})
    assert clocks.for_call("f") == (5, "5 seconds for an exercise")
    clocks.spend("f", 5)
    with pytest.raises(TimeUsedUp, match="the 5 seconds for an exercise are used up"):
        clocks.for_call("f")
    assert clocks.for_call("g") == (5, "5 seconds for an exercise")
    assert clocks.for_cell_again() == (10, "")
