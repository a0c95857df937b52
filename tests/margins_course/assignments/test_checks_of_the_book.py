"""Checks bite: the reference passes, the stub fails every check, each mistake and each mutant some check."""

import numpy as np
import pytest

from conftest import full
from margins_book.page.chapter import exercises_of
from margins_book.page.solutions import stubbed
from tests.margins_course.exercises import (
    CHAPTERS,
    agree,
    coded_exercises,
    equivalent,
    is_refused,
    outcomes,
    said,
    seconds_of_reference,
    slips,
    solutions,
    variants,
)

SAMPLED = [CHAPTERS[8], *full(*CHAPTERS[:8], *CHAPTERS[9:])]
CALLS = 40
SLOW = {"lo-lower-rank", "svm-leave-one-out"}  # mutants of which run until they are stopped


@pytest.fixture(autouse=True)
def numpys_own_warnings():
    """An answer that is stopped inside a decomposition may leave NumPy's handling of errors changed."""
    with np.errstate():
        yield


def name(value):
    return getattr(value, "stem", value)


FIRST = {path: (path, label) for path, label in reversed(coded_exercises()) if label not in SLOW}
each_exercise = pytest.mark.parametrize(
    ("path", "label"),
    [pytest.param(*one, marks=[pytest.mark.full] * (one not in FIRST.values())) for one in coded_exercises()],
    ids=name,
)


@each_exercise
def test_reference_passes_and_stub_fails_every_check(path, label):
    reference = solutions(path)[label]
    assert len(said(path, label, reference)) >= 2, "a visible and a hidden check"
    assert set(said(path, label, reference)) == {None}
    messages = said(path, label, stubbed(reference))
    assert None not in messages
    assert "Nothing is written here yet" in messages[0]


@each_exercise
def test_three_mistakes_are_known(path, label):
    file = exercises_of(path) / label / "wrong.py"
    assert file.exists(), f"{file} is missing: write three known mistakes into it, each under '# wrong: ...'"
    assert len(variants(label)) >= 3, f"{file} has {len(variants(label))} known mistakes; expected three"


@each_exercise
def test_every_known_mistake_fails_a_check(path, label):
    for title, code in variants(label).items():
        messages = said(path, label, code)
        assert any(messages), f"every check passes: {title}"
        assert not [
            message for message in messages if (message or "").startswith(("NameError", "SyntaxError"))
        ]


@each_exercise
def test_every_mutant_fails_a_check_or_is_known_to_be_as_good(path, label):
    seconds = 0.5 + 10 * seconds_of_reference(path, label)
    found = slips(path, label)
    passing = {slip for slip, mutant in found.items() if not is_refused(path, label, mutant, seconds)}
    blind = "\n".join(sorted(passing - equivalent(label).keys()))
    assert not blind, f"no check sees these; sharpen one, or say in {label}/equivalent.txt why not:\n{blind}"
    refused = "\n".join(sorted(equivalent(label).keys() - passing))
    assert not refused, f"{label}/equivalent.txt has these, but they are no mutants, or fail:\n{refused}"


@each_exercise
def test_random_data_tell_every_mistake_and_no_equivalent_from_the_reference(path, label):
    right, found = list(outcomes(path, label, solutions(path)[label], CALLS)), slips(path, label)
    for slip, reason in equivalent(label).items():
        as_good = all(map(agree, outcomes(path, label, found[slip], CALLS), right))
        assert as_good, f"{slip}: not so, {reason!r}"
    for title, code in variants(label).items():
        told = not all(map(agree, outcomes(path, label, code, CALLS), right))  # by the first that differs
        assert told, f"{title}: right in every random call"
