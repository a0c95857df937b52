"""The late rule: what lateness costs."""

from datetime import timedelta

from margins_course.assignments.due_dates import LateRule


def test_lateness_costs_what_the_rule_says():
    rule, day, grace = LateRule(0.1, 3, timedelta(minutes=15)), 86400, 900
    late = {-day: 1, 0: 1, grace: 1, grace + 1: 0.9, day: 0.9, day + 1: 0.8, 3 * day: 0.7, 3 * day + 1: 0}
    assert {seconds: rule.factor(seconds) for seconds in late} == late
    assert [LateRule().factor(seconds) for seconds in (0, 1, 1e9)] == [1, 1, 1]
    assert LateRule(0.5).factor(5 * day) == 0
    assert [LateRule(days=0, grace=timedelta(minutes=1)).factor(s) for s in (60, 61)] == [1, 0]
