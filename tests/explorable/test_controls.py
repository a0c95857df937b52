"""Controls: their grids, their defaults, what they accept and what they refuse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorable import choice, handle, play, slider, toggle
from explorable.controls import expand
from tests.explorable.samples import refused

STEADY = settings(derandomize=True, deadline=None, max_examples=60)


def test_sliders_are_even_grids_with_exact_ends_on_their_own_scale():
    control = slider(-1, 2, steps=7)
    np.testing.assert_allclose(control.values, np.linspace(-1, 2, 7), atol=1e-12)
    assert (control.values[0], control.values[-1]) == (-1.0, 2.0)
    assert control.default == 0.5
    assert 0.0 in slider(-1.4, 0.6, steps=21).values
    assert slider(1e-14, 1, steps=9, log=True).values[1] > 0
    control = slider(0.01, 100, log=True, steps=17, value=1)
    np.testing.assert_allclose(np.diff(np.log10(control.values)), 0.25, atol=1e-5)
    assert control.default == 1.0
    assert slider(0, 10, steps=6, value=4.9).default == 4.0
    assert slider(1, 100, steps=3, log=True, value=4).default == 10.0  # 4 is nearer to 1 on a linear scale
    assert slider(1, 100, steps=3, log=True, value=3).default == 1.0


@STEADY
@given(
    low=st.floats(1e-3, 1e3), factor=st.floats(1.5, 1e4), share=st.floats(0, 1), log=st.booleans(),
    steps=st.integers(2, 50),
)  # fmt: skip
def test_slider_accepts_its_grid_and_all_between(low, factor, share, log, steps):
    control = slider(low, low * factor, steps=steps, log=log)
    assert list(control.values) == sorted(set(control.values))
    assert [control.accept(value) for value in control.values] == list(control.values)
    between = min(low + share * (control.values[-1] - low), control.values[-1])
    assert control.accept(between) == between


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf"), "1", None, True])
def test_slider_refuses_what_lies_outside(value):
    with refused("expected 0 to 1, but"):
        slider(0, 1).accept(value)


def test_lists_start_from_the_first_or_the_named_value_and_accept_their_own_alone():
    assert choice("low", "high").default == "low"
    assert choice("low", "high", value="high").default == "high"
    assert play(range(41)).default == 0
    assert play(range(41), value=40).position == 40
    assert play(np.arange(3)).values == (0, 1, 2)  # plain numbers, as JSON needs them
    assert toggle().default is False
    assert toggle(True).default is True
    assert choice(1, 2, 4).accept(2.0) == 2
    assert isinstance(choice(1, 2, 4).accept(2.0), int)  # as JSON may bring it
    with refused(r"one of \['low', 'high'\], but got 'none'"):
        choice("low", "high").accept("none")
    with refused(r"but got 1\.5"):
        play(range(4)).accept(1.5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: slider(1, 1), "slider: expected low < high, but"),
        (lambda: slider("a", 1), "expected low < high"),
        (lambda: slider(0, float("inf")), "expected low < high"),
        (lambda: slider(0, 1, steps=1), "expected steps, a whole number >= 2, but got 1"),
        (lambda: slider(0, 1, steps=2.5), "steps"),
        (lambda: slider(0, 1, log=True), "expected low > 0 on a log scale, but got 0"),
        (lambda: slider(0, 1, value=2), "expected a value from 0 to 1, but got 2"),
        (lambda: choice(), "choice: expected at least one value"),
        (lambda: choice("a", "a"), "values that differ"),
        (lambda: choice("a", value="b"), r"a default among \['a'\], but got 'b'"),
        (lambda: choice([1], [2]), "texts or numbers"),
        (lambda: play([]), "play: expected at least one value"),
        (lambda: toggle(1), "expected True or False, but got 1"),
        (lambda: handle(x=1, y=2), "expected a slider for x or y"),
        (lambda: handle(x=choice(1, 2), y=2), "expected x, a slider or a number"),
        (lambda: handle(x=slider(0, 1), y="top"), "expected y, a slider or a number, but got 'top'"),
        (lambda: handle(x=slider(0, 1), y=0, panel=-1), "panel, a whole number >= 0"),
    ],
)
def test_bad_controls_say_what_is_wrong(make, message):
    with refused(message):
        make()


def test_handle_gives_a_parameter_for_each_free_coordinate():
    both, along = handle(x=slider(0, 1), y=slider(2, 3)), handle(x=slider(4, 5), y=0, label="foot")
    parameters, handles = expand({"p": both, "n": play(range(3)), "q": along})
    assert list(parameters) == ["p_x", "p_y", "n", "q_x"]
    assert (handles["p"].x, handles["p"].y) == ("p_x", "p_y")
    assert (handles["q"].x, handles["q"].y, handles["q"].label) == ("q_x", 0, "foot")
    with refused(r"control 'C': expected slider, choice.*but got 1"):
        expand({"C": 1})


def test_a_choice_brings_values_that_other_controls_have():
    homes = choice("low", "high", brings={"low": {"a": 0.0}, "high": {"a": 1.0}})
    assert homes.brings == ({"a": 0.0}, {"a": 1.0})
    assert expand({"a": slider(0, 1), "homes": homes})[0]["homes"] is homes
    with refused(r"to bring a value of a, homes, but got \{'a': 0.0\}"):
        expand({"a": slider(0.5, 1), "homes": homes})
    with refused(r"to bring a value of homes, but got \{'a': 0.0\}"):
        expand({"homes": homes})
    with refused(r"expected brings for \['low', 'high'\], but got \{'low': \{\}\}"):
        choice("low", "high", brings={"low": {}})
