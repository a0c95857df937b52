"""Checks bite: the reference passes, the stub fails every check, each mistake and each mutant some check."""

import copy
import time
from functools import cache

import numpy as np
import pytest

from conftest import full
from explorable.bake import OutOfTime, cpu_limit
from margins_book.page.solutions import functions_of, stubbed
from margins_course.grading.reference import InProcessAnswers
from margins_course.sandbox.limits import time_limit
from tests.margins_course.exercises import (
    CHAPTERS,
    assigned,
    coded_exercises,
    folder_of,
    messages,
    reference_of,
    solutions,
    variants,
)
from tests.margins_course.slips import mutants

NUMBERS = int | float | complex | np.ndarray | np.generic | list
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


@cache
def reference(path):
    return reference_of(assigned(path))


def said(path, label, answer):
    """What each check says about an answer, None where it is content."""
    with time_limit(60.0):
        return messages(reference(path), label, answer)


def is_refused(path, label, answer, seconds):
    """Whether some check fails, or the answer does not run, or takes more processor time than allowed."""
    try:
        with cpu_limit(seconds):
            return any(messages(reference(path), label, answer))
    except (Exception, OutOfTime):
        return True


def seconds_of_reference(path, label):
    """The processor time that the checks take of the reference, when everything is imported."""
    said(path, label, solutions(path)[label])
    start = time.process_time()
    said(path, label, solutions(path)[label])
    return time.process_time() - start


def equivalent(label):
    """Mutants as good as the reference, with the reason, which heads them in `<label>/equivalent.txt`."""
    path, found, reason = folder_of(label) / "equivalent.txt", {}, ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            found[line] = reason
    return found


def outcomes(path, label, answer):
    """What an answer makes of the arguments of sample.py: what counts of its value, what is left of them."""
    file, made = folder_of(label) / "sample.py", {}
    exec(compile(file.read_text(encoding="utf-8"), file.name, "exec"), made)
    own = InProcessAnswers(reference(path), answer)
    function = own.raw_function(functions_of(solutions(path)[label])[-1])
    essence = made.get("essence", lambda value, *_: value)  # where several answers are right
    for seed in range(CALLS):
        yield outcome(function, essence, list(made["sample"](np.random.default_rng(seed))))


def outcome(function, essence, arguments):
    given = copy.deepcopy(arguments)
    try:
        with np.errstate(all="ignore"):
            value = function(*arguments)
            return value if value is None else essence(value, *given), arguments
    except Exception as reason:
        return type(reason)


def agree(one, other):
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and agree(list(one.values()), [other[key] for key in one])
    if isinstance(one, NUMBERS) and isinstance(other, NUMBERS):
        return np.shape(one) == np.shape(other) and np.allclose(one, other, 1e-6, 1e-8, equal_nan=True)
    return type(one) is type(other) and one == other


@each_exercise
def test_reference_passes_and_stub_fails_every_check(path, label):
    reference = solutions(path)[label]
    assert len(said(path, label, reference)) >= 2, "a visible and a hidden check"
    assert set(said(path, label, reference)) == {None}
    messages = said(path, label, stubbed(reference))
    assert None not in messages
    assert "Nothing is written here yet" in messages[0]


@each_exercise
def test_three_mistakes_are_known_and_each_fails_a_check(path, label):
    mistakes, file = variants(label), folder_of(label) / "wrong.py"
    assert len(mistakes) >= 3, f"{file} has {len(mistakes)} mistakes; write three, each under '# wrong: ...'"
    for title, code in mistakes.items():
        messages = list(filter(None, said(path, label, code)))
        assert messages, f"every check passes: {title}"
        assert not [message for message in messages if message.startswith(("NameError", "SyntaxError"))]


@each_exercise
def test_every_mutant_fails_a_check_or_is_known_to_be_as_good(path, label):
    seconds = 0.5 + 10 * seconds_of_reference(path, label)
    found, known = dict(mutants(solutions(path)[label])), equivalent(label)
    passing = {slip for slip, mutant in found.items() if not is_refused(path, label, mutant, seconds)}
    blind = "\n".join(sorted(passing - known.keys()))
    assert not blind, f"no check sees these; sharpen one, or say in {label}/equivalent.txt why not:\n{blind}"
    refused = "\n".join(sorted(known.keys() - passing))
    assert not refused, f"{label}/equivalent.txt has these, but they are no mutants, or fail:\n{refused}"


@each_exercise
def test_random_data_tell_every_mistake_and_no_equivalent_from_the_reference(path, label):
    right, found = list(outcomes(path, label, solutions(path)[label])), dict(mutants(solutions(path)[label]))
    for slip, reason in equivalent(label).items():
        assert all(map(agree, outcomes(path, label, found[slip]), right)), f"{slip}: not so, {reason!r}"
    for title, code in variants(label).items():
        told = not all(map(agree, outcomes(path, label, code), right))  # by the first that differs
        assert told, f"{title}: right in every random call"
