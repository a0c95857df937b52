"""Conditions as an author writes them: what they are made of, and what is refused at once."""

import numpy as np
import pytest

from explorable import along, everywhere, explore, play, prompt, slider, somewhere
from explorable.conditions import Facts, as_conditions
from tests.explorable.samples import line, refused


def test_facts_are_attributes_beside_the_controls_and_short_and_plain_in_messages():
    facts = Facts({"C": 2.0}, {"short": 3, "margin": np.float64(0.123456789)})
    assert (facts.C, facts.short, facts.margin) == (2.0, 3, 0.123456789)
    assert repr(facts) == "short=3, margin=0.123457"
    with pytest.raises(AttributeError, match="no fact 'shrt'; there are: C, short, margin"):
        _ = facts.shrt
    assert repr(Facts({"C": 2.0}, {})) == "none but the controls"
    facts = Facts({}, {"short": {"a": np.int64(2), "b": np.float64(0.1234567)}, "signs": [np.bool_(True)]})
    assert repr(facts) == "short={'a': 2, 'b': 0.123457}, signs=[True]"
    assert len(repr(Facts({}, {"values": list(range(1000)), "name": "x" * 500}))) < 200


def test_a_function_alone_is_about_one_position_and_a_list_is_of_several():
    def about(f):
        return f.n == 1

    every, some, run = everywhere(about, n=1), somewhere(about), along("n", about, a=2.0)
    assert [one.kind for one in as_conditions([about, every, some, run])] == [
        "at",
        "everywhere",
        "somewhere",
        "along",
    ]
    assert (every.fixed, some.fixed, run.fixed, run.control) == ({"n": 1}, {}, {"a": 2.0}, "n")
    assert prompt("Where?", "There.", expect=about).expect == as_conditions(about)
    assert prompt("Where?", "There.").expect == ()


@pytest.mark.parametrize("make", [as_conditions, everywhere, somewhere, lambda one: along("n", one)])
def test_what_is_no_function_is_refused(make):
    with refused(r"expect: needed a function of the facts, .*but got 'n > 1'"):
        make("n > 1")


@pytest.mark.parametrize("expect", [[lambda f: f.n == 1], {" ": lambda f: f.n == 1}, {"It grows": []}])
def test_words_without_a_condition_and_conditions_without_words_are_refused(expect):
    message = r"'line': expect: needed a dict \{words of the page: condition\}, but"
    with refused(message):
        explore(n=play(range(3)), expect=expect)(line)


def test_a_control_may_bear_the_name_of_what_conditions_are_made_of():
    made = everywhere(lambda f: f.predicate > 0, predicate=1, control=slider(0, 1).default)
    assert made.fixed == {"predicate": 1, "control": 0.5}
