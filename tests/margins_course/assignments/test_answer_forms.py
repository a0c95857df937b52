"""The form of answers: learned from the reference, kept as JSON, asked of everybody."""

import dataclasses
import json

import nbformat
import numpy as np
import pytest

from margins_book.checking.forms import WrongForm
from margins_course.assignments.answer_forms import FORMS_KEY, Form, form_of, from_json, merge_forms
from margins_course.assignments.cells import label_of
from tests.margins_course.exercises import CHAPTERS, source

NONE, ENDLESS = np.array([], dtype=int), []
ENDLESS.append(ENDLESS)
TWO = "two numbers, the second may be infinite"
ANSWERS = {
    "a number": [2.5],
    "a number or NaN": [2.5, np.nan],
    "whole numbers": [np.array([3, 1])],
    "a truth value": [True, np.False_],
    "a vector or None": [np.zeros(3), None],
    "a matrix": [np.eye(2)],
    TWO: [(1.0, 2.0), (0.0, np.inf)],
    "a number and a vector": [(1.0, np.ones(2))],
    "two lists of whole numbers, perhaps empty": [(np.array([1]), NONE), (NONE, np.array([2]))],
    "a list": [[1.0, 2.0]],
    "text": ["left"],
    "a dict": [{"a": 1}],
    "parts or a number": [(1.0, 2.0), 3.0],
    "nothing learned": [],
}


def learned(kind):
    """The form of some answers, as it comes back from the notebook in which it is kept."""
    form = Form()
    for answer in ANSWERS[kind]:
        form = merge_forms(form, form_of(answer))
    assert from_json(json.loads(json.dumps(dataclasses.asdict(form)))) == form
    return form


@pytest.mark.parametrize("kind", ANSWERS)
def test_what_the_reference_gives_is_taken_as_it_is(kind):
    form = learned(kind)
    for answer in ANSWERS[kind]:
        np.testing.assert_equal(form.conform(answer), answer)


TAKEN = {  # what comes, and as what it is taken
    "a number": [(3, 3), (np.float64(0.5), 0.5), (np.array(0.5), 0.5), (np.int8(7), 7.0), (10**30, 10**30)],
    "a number or NaN": [(float("nan"), np.nan)],
    "whole numbers": [([3.0, 1.0], np.array([3, 1])), ((2.5, 1), np.array([2.5, 1.0]))],
    "a truth value": [(1.0, True), (np.array(0), False)],
    "a vector or None": [
        ([1, 2], np.array([1.0, 2.0])),
        ((np.float64(1), np.array(2)), np.array([1.0, 2.0])),
        (None, None),
    ],
    "a matrix": [([np.array([1, 2]), (3, 4)], np.array([[1.0, 2.0], [3.0, 4.0]]))],
    TWO: [([1, np.inf], (1, np.inf)), (np.array([1.0, 2.0]), (1.0, 2.0))],
    "a number and a vector": [([np.array(1.0), [1, 2]], (1.0, np.array([1.0, 2.0])))],
    "two lists of whole numbers, perhaps empty": [(([], [2]), (np.array([]), np.array([2])))],
    "a list": [(np.array([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0])],
    "a dict": [({"b": None}, {"b": None})],
    "parts or a number": [(np.float64(4), 4.0), ([1, 2], (1, 2))],
    "nothing learned": [("anything", "anything")],
}


@pytest.mark.parametrize("kind", TAKEN)
def test_another_form_of_the_same_becomes_the_references(kind):
    for got, taken in TAKEN[kind]:
        conformed = learned(kind).conform(got)
        assert type(conformed) is type(taken)
        np.testing.assert_equal(conformed, taken)
        if isinstance(taken, np.ndarray):
            assert conformed.dtype == taken.dtype or taken.size == 0


@pytest.mark.parametrize(
    ("kind", "got", "said"),
    [
        ("a number", np.nan, "the answer holds NaN"),
        ("a number", -np.inf, "the answer holds infinity"),
        ("a number", 1 + 0j, "expected real numbers, but got complex ones; `.real` takes the real part"),
        ("a number", np.float32(1), "single precision (float32); expected double precision, float64"),
        ("a number", np.longdouble(1), "unusual precision"),
        ("a number", True, "expected numbers, but got truth values"),
        ("a number", np.array([1.0]), "expected a number, but got an array of shape (1,)"),
        ("a number", "1", "expected a number, but got text"),
        ("a number", None, "expected a number, but got None; does your function end in a `return`?"),
        ("a number", {1}, "expected a number, but got an object of type set"),
        ("a truth value", 0.5, "expected True or False, but got other numbers than 0 and 1"),
        ("a vector or None", [], "the answer is empty"),
        ("a vector or None", [[1, 2]], "expected numbers in 1 dimension, but got an array of shape (1, 2)"),
        ("a vector or None", 3.0, "expected numbers in 1 dimension, but got a number"),
        ("a vector or None", [1, np.float32(2)], "single precision"),
        ("a vector or None", [1, True], "but got truth values"),
        ("a vector or None", [1, None], "but got None"),
        ("a vector or None", np.array(["a"]), "in 1 dimension, but got an array of shape (1,) of"),
        ("a matrix", [[1, 2], [3]], "but got a list whose rows differ in shape"),
        ("a matrix", [[1, 2], [3, np.nan]], "the answer holds NaN at index 1, 1"),
        ("a matrix", [10**400], "too large for double precision"),
        ("a matrix", ENDLESS, "but got a list of 1"),
        (TWO, (np.inf, 1.0), "part 1: the answer holds infinity"),
        (TWO, (1.0, np.nan), "part 2: the answer holds NaN"),
        (TWO, (1.0,), "expected 2 parts, but got a tuple of 1"),
        (TWO, np.empty((2, 0)), "part 1: expected a number, but got"),
        ("a list", [], "the answer is empty"),
        ("text", 3, "expected text, but got a number"),
    ],
)
def test_what_is_none_is_refused_with_what_came_and_what_should(kind, got, said):
    with pytest.raises(WrongForm) as refused:
        learned(kind).conform(got)
    assert said in str(refused.value)


def test_every_function_of_the_book_has_its_form_in_the_notebook_and_none_takes_single_precision():
    for path in CHAPTERS:
        for cell in nbformat.reads(source(path), as_version=4).cells:
            if cell.cell_type == "code" and cell.metadata.nbgrader.solution:
                for form in cell.metadata[FORMS_KEY].values():
                    assert form, label_of(cell)
                    assert '"single": true' not in json.dumps(form)
