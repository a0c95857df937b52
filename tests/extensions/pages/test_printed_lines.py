"""Which printed lines may wrap: those that stand in no columns."""

import pytest

from extensions.pages.typography import has_columns


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("size  sum\n   2    4", True),
        ("a sentence, and its number 4\n  indented", False),
        ("distances [0.0156 0.004  0.0016]", False),
        ("", False),
    ],
)
def test_columns_are_gaps_in_several_lines(text, columns):
    assert has_columns(text) == columns
