"""Trusted code beside an assignment's set-up changes nothing for others."""

import pytest

from margins_course.grading.reference import with_copied_data


@pytest.mark.parametrize("code", ["kept.append(3)", "def change():\n    kept[0] = 3\nchange()"])
def test_what_code_changes_is_its_own(code):
    """What it does not name need not be copied for each of a hundred answers."""
    given = {"kept": [1], "other": [2]}
    own = with_copied_data(given, code)
    exec(code, own)
    assert given["kept"] == [1] != own["kept"]
    assert own["other"] is given["other"]
