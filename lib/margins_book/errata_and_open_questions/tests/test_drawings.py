"""The drawings of errata and open questions: regions, discs and curves lie where the numbers say."""

import numpy as np
import pytest

from margins_book.errata_and_open_questions import drawings as draw
from margins_book.experiments.estimates import Estimate
from tests.margins_book.drawn import data, marks


def traps(first=(0.5, -1.4), trap=None, lost=(True, False, False, True)):
    turns = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    second = np.array([0.25, 0.7])
    return draw.traps_drawing(np.array(first), second, np.array([1.0, 1.0]), trap, turns, np.array(lost))


def test_rims_of_the_regions_are_where_the_rows_outweigh_each_other():
    second = np.array([0.25, 0.7])
    rim, (left, right, *_) = draw.disc(second), draw.half_plane(second)
    np.testing.assert_allclose((rim * rim).sum(axis=1), -rim @ second, atol=1e-12)
    np.testing.assert_allclose([left @ second, right @ second], -second @ second, atol=1e-12)
    assert (draw.half_plane(second)[2:] @ second < -second @ second).all()


def test_rows_end_where_they_point_and_lost_starts_are_larger():
    drawing = traps()
    found = marks(drawing)
    for name, end in (("a 1", (0.5, -1.4)), ("a 2", (0.25, 0.7))):
        np.testing.assert_allclose(data(drawing.panels[0], found[0, name]["n"])[1], end, atol=0.02)
    sizes = [found[1, f"start {k}"]["n"][2] for k in (1, 2, 3, 4)]
    assert sizes[0] == sizes[3] > 1.5 * sizes[1] == 1.5 * sizes[2]


def test_only_a_trap_has_an_arrow():
    assert (1, "trap") not in marks(traps())
    found = marks(traps(trap=np.array([0.25, 0.7])))
    assert found[1, "trap"]["n"] != found[1, "machine"]["n"]


def test_bars_are_right_weights_and_diamonds_printed_ones():
    keys = np.array([[1.5, 0.2], [-0.6, 0.8], [0.8, 0.6]])
    exact, printed = np.array([0.6, 0.1, 0.3]), np.array([0.2, 0.3, 0.5])
    drawing = draw.prefactor_drawing(keys, np.array([1.0, 0.4]), exact, printed)
    found = marks(drawing)
    for j in range(3):
        bar, diamond = found[1, f"right {j + 1}"], found[1, f"printed {j + 1}"]
        assert data(drawing.panels[1], bar["n"][2:])[0, 1] == pytest.approx(exact[j], abs=2e-3)
        assert data(drawing.panels[1], diamond["n"][:2])[0, 1] == pytest.approx(printed[j], abs=2e-3)
        assert bar["l"] == f"key {j + 1}"
    radii = [found[0, f"key {j}"]["n"][2] for j in (1, 2, 3)]
    assert radii[0] > radii[2] > radii[1]


def test_moments_lie_on_their_curves_and_what_is_too_small_is_not_drawn():
    steps = (1, 3, 10, 100, 1000)
    weights = [np.column_stack([1 - r, r]) for r in (1 / (1.0 + np.arange(5)), np.full(5, 0.3))]
    rivals = [np.array([0.8, 0.5, 0.1, 1e-2, 1e-4]), np.array([0.8, 0.4, 1e-3, 1e-7, 1e-12])]
    found = marks(draw.joint_training_drawing(steps, weights, rivals, 3))
    curve = np.reshape(found[1, "together"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "together now"]["n"][:2], curve[3], atol=1)
    assert len(np.reshape(found[1, "fixed head"]["n"], (-1, 2))) == 3
    assert (1, "fixed head now") not in found


def test_moments_of_both_norms_lie_on_their_curves():
    steps = [0, 1, 10, 100]
    lengths, pulls = np.array([[3, 3], [3.1, 3], [4, 3.2], [6, 4]]), np.geomspace(1e-1, 1e-4, 8).reshape(4, 2)
    for now in range(4):
        found = marks(draw.norms_drawing(steps, lengths, pulls, now))
        for panel, what in enumerate(("length", "gradient")):
            for name in ("best tokens", "wrong token"):
                curve = np.reshape(found[panel, f"{what} at the {name}"]["n"], (-1, 2))
                moment = found[panel, f"{what} at the {name}, now"]["n"][:2]
                np.testing.assert_allclose(moment, curve[max(now - 1, 0)], atol=1)


def test_bars_of_shares_end_inside_their_intervals():
    shares = [Estimate(0.4, 0.3, 0.5), Estimate(0.0, 0.0, 0.1), Estimate(0.25, 0.05, 0.7)]
    names = ("one", "two", "three")
    drawing = draw.shares_drawing(names, shares)
    found = marks(drawing)
    for name, one in zip(names, shares, strict=True):
        bar = data(drawing.panels[0], found[0, name]["n"][2:])[0, 1]
        (_, low), (_, high) = data(drawing.panels[0], found[0, f"interval, {name}"]["n"])
        assert bar == pytest.approx(one.value, abs=5e-3)
        assert (low, high) == pytest.approx((one.low, one.high), abs=5e-3)
