"""Answers that are alike are found under other names, independent ones are not, hostile ones cost nothing."""

import pytest

from margins_course.assignments.sheet import Check, Exercise
from margins_course.grading.results import Piece, Result, Work
from margins_course.similarity.pairs import (
    FingerprintReader,
    like_the_book,
    pairs,
    read_answers,
)
from tests.margins_course.slips import mutants

ORIGINAL = '''
def distance(X, y):
    """My own words."""
    total = 0.0
    for row, sign in zip(X, y):
        step = np.sqrt((row ** 2).sum()) - sign * 0.25
        if step > 1e-3:
            total += np.log(step) / (1 + abs(step))
    return total
'''


RENAMED = """
def distance(points, labels):
    # a comment of the other's
    s = 0.0
    for p, l in zip(points, labels):

        d = np.sqrt((p ** 2).sum()) - l * 0.25
        if d > 1e-3:
            s += np.log(d) / (1 + abs(d))
    return s
"""


OWN = """
def distance(X, y):
    lengths = np.linalg.norm(X, axis=1) - y / 4
    kept = lengths[lengths > 1e-3]
    return float(np.sum(np.log(kept) / (1 + np.abs(kept))))
"""


OTHER = """
def distance(X, y):
    values = []
    i = 0
    while i < len(y):
        v = math.hypot(*X[i]) - y[i] * 0.25
        values.append(math.log(v) / (1 + v) if v > 0.001 else 0)
        i = i + 1
    return sum(values)
"""


EXERCISE = Exercise(
    "dist", "Distance <b>", "code", 1, "Chapter", "", "", checks=(Check("dist--check-1", 2, False),)
)


def result(source):
    return Result("key", {}, {}, work={"dist": Work((Piece("code", source),), "")})


def found(reader, sources, released=""):
    results = {student: result(source) for student, source in sources.items()}
    answers = read_answers(EXERCISE, results, released, reader)
    return {(pair.first.student, pair.second.student): pair for pair in pairs(answers)}, answers


def test_a_renamed_copy_is_found_and_independent_answers_are_not(reader):
    alike, _ = found(reader, {"a": ORIGINAL, "b": OWN, "c": RENAMED, "d": OTHER})
    assert set(alike) == {("a", "c")}
    assert alike["a", "c"].share == pytest.approx(1.0)
    assert alike["a", "c"].first.lines_of(alike["a", "c"].shared) >= {5, 6, 7, 8}


def test_a_copy_with_one_change_is_found_wherever_the_change_is(reader):
    changes = dict(mutants(ORIGINAL))
    for change, mutant in changes.items():
        alike, _ = found(reader, {"a": ORIGINAL, "b": OWN, "c": mutant, "d": OTHER})
        assert ("a", "c") in alike, change
    assert len(changes) > 30


def test_released_text_does_not_make_answers_alike(reader):
    sources = {"a": ORIGINAL, "b": ORIGINAL + OTHER, "c": OWN}
    assert found(reader, sources)[0]
    assert not found(reader, sources, released=ORIGINAL)[0]


def test_what_the_whole_class_shares_counts_for_nothing(reader):
    sources = {
        f"s{n}": ORIGINAL + own for n, own in enumerate([OWN, OTHER, "", RENAMED.replace("0.25", "3")])
    }
    assert ("s0", "s1") not in found(reader, sources)[0]


def test_the_published_solution_is_recognised(reader):
    _, answers = found(reader, {"a": RENAMED, "b": OWN, "c": OTHER})
    copied = like_the_book(reader.read("book", ORIGINAL), answers)
    assert [pair.first.student for pair in copied] == ["a"]


@pytest.mark.parametrize(
    "hostile",
    ["def f(:", "(" * 40_000, "-" * 40_000 + "1", "x" + ".y" * 20_000, "\x00", "9" * 20_000, "\ud800"],
)
def test_code_that_no_parser_likes_has_no_fingerprints_and_costs_nobody_else(reader, hostile):
    alike, answers = found(reader, {"a": ORIGINAL, "b": hostile, "c": RENAMED, "d": OWN})
    assert ("a", "c") in alike
    assert "b" not in [answer.student for answer in answers]


def test_what_could_not_be_compared_is_named():
    """Won: an answer in a string, or one of a line, was left out without a word."""
    hidden = f"exec({ORIGINAL!r})"
    cells = {"a": ORIGINAL, "b": hidden, "c": "def distance(X, y):\n    return 0", "d": OWN}
    results = {who: Result("k", {}, {}, work={"dist": Work((Piece("code", c),))}) for who, c in cells.items()}
    with FingerprintReader() as reader:
        answers = read_answers(EXERCISE, results, "", reader)
    assert [answer.student for answer in answers] == ["a", "d"]
    assert reader.unread == {"b": "it uses exec, which can hide any code", "c": "too short"}
