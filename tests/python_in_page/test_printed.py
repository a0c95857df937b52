"""What code prints goes on line by line, the last line last."""

import io

from hypothesis import given
from hypothesis import strategies as st

from in_page.printed import LONGEST_LINE, MORE, MOST, AllButLast, Told, telling


@given(st.lists(st.text("ab\n", max_size=6), max_size=8))
def test_all_but_the_last_line_goes_on(pieces):
    stream = io.StringIO()
    held = AllButLast(stream)
    for piece in pieces:
        held.write(piece)
    whole = "".join(pieces)
    assert stream.getvalue() + held.last == whole
    assert held.last.rstrip("\n") == (whole.splitlines()[-1] if whole else "")
    held.release()
    assert stream.getvalue() == whole


def test_a_line_without_end_does_not_wait():
    stream = io.StringIO()
    held = AllButLast(stream)
    held.write("x" * (LONGEST_LINE + 1))
    assert len(stream.getvalue()) == LONGEST_LINE + 1


def test_the_page_is_told_at_intervals_and_at_the_end():
    heard, now = [], [1.0]
    told = Told(heard.append, clock=lambda: now[0])
    for text in "abc":
        told.write(text)
    assert heard == ["a"]
    now[0] = 2.0
    told.write("d")
    assert heard == ["a", "bcd"]


def test_what_is_printed_is_told_up_to_a_limit_where_a_line_ends_at_it_too():
    heard = []
    with telling(heard.append):
        for _ in range(3):
            print("x" * (MOST // 2))
    whole = "".join(heard)
    assert whole.endswith(MORE)
    assert len(whole) == MOST + len(MORE)
    heard = []
    with telling(heard.append):
        for _ in range(MOST):
            print("x")
    assert "".join(heard).endswith(MORE)
