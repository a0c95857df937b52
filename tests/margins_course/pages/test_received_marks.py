"""Marks from a file that a review page saved: taken, or refused with the reason."""

import json

import pytest

from margins_course import CourseProblem
from margins_course.pages.received_marks import import_marks
from tests.margins_course.review_class import hand_in, journal, mark, result


def saved_file(path, **changes):
    """A file as a page opened from disk saves it."""
    own = result("ada").work["triangle"].fingerprint
    given = {"student": "ada", "exercise": "triangle", "fingerprint": own, "lines": [1, 2, 0]}
    given |= {"adjust": 0, "comment": "Mine.", "base": ""} | changes
    path.write_text(json.dumps({"kind": "margins-course marks 1", "assignment": "sums", "marks": [given]}))
    return path


def test_taking_marks_names_conflicts_and_writes_over_nothing(course, tmp_path):
    mark(course, "ada", comment="Theirs.")
    (said,) = import_marks(course, "sums", saved_file(tmp_path / "marks.json"))
    assert said.startswith("triangle, ada: not taken, because it was marked elsewhere meanwhile.")
    assert "Theirs." in said
    assert "Mine." in said
    assert [line["comment"] for line in journal(course)] == ["Theirs."]


def test_taking_marks_says_what_is_wrong_with_each(course, tmp_path):
    file = tmp_path / "marks.json"
    assert import_marks(course, "sums", saved_file(file, student="nobody")) == [
        "triangle, nobody: not taken, because there is no such answer in sums"
    ]
    (said,) = import_marks(course, "sums", saved_file(file, lines=[9, 9, 9]))
    assert "not taken" in said
    assert journal(course) == []
    hand_in(course, "ada", {("ada", "triangle"): "Another proof."})
    (said,) = import_marks(course, "sums", saved_file(file))
    assert said == "triangle, ada: taken, but the answer changed after it was marked: look again"


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"\xff", b'{"kind": "margins-course marks 1"}', b"[" * 99_999]
)
def test_a_file_that_is_none_of_ours_is_refused_whole(course, tmp_path, content):
    (tmp_path / "file.json").write_bytes(content)
    with pytest.raises(CourseProblem, match="nothing was taken"):
        import_marks(course, "sums", tmp_path / "file.json")
