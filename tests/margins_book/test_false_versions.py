"""The records of false versions: which checks have changed since, which rows count, and the whole book's."""

import pytest

from margins_book.chapters import chapters
from margins_book.false_versions import (
    Row,
    are_false,
    read_rows,
    reasons_of,
    record_of,
    renewed,
    stale,
    write_rows,
)
from margins_course.assignments.check_cells import digests
from tests.check_cells.worked import WORKED

LEAST_SHARE = 0.95  # of the false versions of a chapter that was worked through
LARGEST = 130_000  # bytes of a chapter's record, which every clone carries
RECORDED = [chapter for chapter in chapters() if record_of(chapter).exists()]


def row(check="a-1", outcome="refused", digest="now", change="x -> y"):
    return Row(check, change, outcome, "", digest)


def test_checks_that_changed_came_or_went_are_stale():
    rows = [row("same-1"), row("changed-1", digest="before"), row("gone-1")]
    assert stale(rows, dict.fromkeys(("same-1", "changed-1", "new-1"), "now")) == {
        "changed-1",
        "gone-1",
        "new-1",
    }


def test_rows_of_checks_that_were_tried_again_replace_the_stale_ones_in_the_order_of_the_page():
    rows = [row("gone-1"), row("same-1"), row("changed-1", digest="before"), row("again-1", change="old")]
    fresh = [row("new-1"), row("again-1"), row("changed-1")]
    now = dict.fromkeys(("changed-1", "same-1", "again-1", "new-1"), "now")
    assert renewed(rows, fresh, now) == [row(check) for check in now]


def test_what_rows_have_in_common_is_written_once(tmp_path, monkeypatch):
    said = ["x < 1e-09: 2 < 1e-09", "x < 1e-09: 3 < 1e-09", "", "is_psd(K)", "is_psd(K)", "f({1: 2}): 1 < 0"]
    rows = [Row("a-1", f"{k} -> 0", "refused", words, "d") for k, words in enumerate(said)]
    rows += [Row("b-1", "x -> y", "refused", said[-1], "e")]
    monkeypatch.setattr("margins_book.false_versions.record_of", lambda chapter: tmp_path / "rows.csv")
    write_rows(None, rows)
    assert read_rows(None) == rows
    assert (tmp_path / "rows.csv").read_text().count("a-1") == 1


def test_weaker_versions_and_survivors_that_are_equal_or_other_data_do_not_count():
    rows = [row(), row(outcome="weaker")]
    rows += [row(outcome="survived", change=f"{kind} -> b") for kind in ("equal", "data", "slack", "none")]
    why = {f"a-1: {kind} -> b": f"{kind}: a reason" for kind in ("equal", "data", "slack")}
    assert [kept.change for kept in are_false(rows, why)] == ["x -> y", "slack -> b", "none -> b"]


@pytest.mark.parametrize("chapter", RECORDED, ids=lambda chapter: chapter.topic)
def test_the_record_is_small_and_its_reasons_are_of_its_survivors(chapter):
    assert record_of(chapter).stat().st_size < LARGEST
    survivors = {row.name for row in read_rows(chapter) if row.survived}
    assert reasons_of(chapter).keys() - survivors == set(), "these lines belong to no survivor"


@pytest.mark.parametrize("chapter", [c for c in chapters() if c.number in WORKED], ids=lambda c: c.page.stem)
def test_the_checks_of_a_chapter_refuse_false_versions(chapter):
    """Of the page as it is, at least 95 of 100, and each survivor has a reason."""
    rows, why = read_rows(chapter), reasons_of(chapter)
    old = stale(rows, digests(chapter))
    assert not old, f"run `make mutants CHAPTER={chapter.number:02}`: {', '.join(sorted(old))} changed"
    false = are_false(rows, why)
    survivors = [row.name for row in false if row.survived]
    assert [name for name in survivors if not why.get(name)] == [], "sharpen the check, or give a reason"
    assert len(survivors) <= (1 - LEAST_SHARE) * len(false)
