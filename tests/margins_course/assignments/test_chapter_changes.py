"""Points shared among checks and rubric lines."""

import pytest

from margins_course.assignments.chapter_changes import share_points
from margins_course.assignments.sheet import Exercise, Line


@pytest.mark.parametrize("points", [0.05, 1, 2.5, 7, 99.99])
@pytest.mark.parametrize("parts", [[1, 1, 1], [3.0, 0.1, 7], [2], [1, 2, 4, 8, 16]])
def test_shares_sum_to_the_whole(points, parts):
    made = share_points(points, parts)
    lines = tuple(Line("", share) for share in made)
    assert Exercise("a", "", "prove", 1, "", "", "", rubric=lines).points == points
    assert made == [round(share, 2) for share in made]
    for share, part in zip(made, parts, strict=True):
        assert abs(share - points * part / sum(parts)) < 0.01
