"""Chapter 7: the region from which gradient flow ends at a locally optimal choice, with its inequalities."""

from functools import cache
from itertools import islice

import numpy as np
import pytest
from numpy.linalg import norm

from margins.attention_svm import TokenData, all_choices, loss_gradient, random_token_data, training_loss
from margins_book.local_optima import region as of
from tests.margins_book.samples import SIX, TRAP

SIZES = [(1, 3, 2), (2, 3, 2), (2, 3, 3), (3, 3, 3), (2, 4, 3), (1, 5, 3)]


def spurious_choices():
    """Random problems, each with one spurious choice, and the region of this choice."""
    for seed in range(2000):
        data = random_token_data(*SIZES[seed % len(SIZES)], rng=np.random.default_rng(seed))
        found = [c.tokens for c in all_choices(data) if c.verdict == "spurious"]
        if found:
            yield data, of.region_of(data, found[0])


@cache
def hundred():
    return list(islice(spurious_choices(), 100))


def beside(region, rng):
    """A unit vector at right angles to the direction, in the span of the rows; zero if there is none."""
    step = rng.normal(size=len(region.rows)) @ region.rows
    step -= (step @ region.direction) * region.direction
    return step / norm(step) if norm(step) > 1e-9 else 0 * step


def places():
    """Random places of the cones of a hundred choices, beyond B omega = 1/2."""
    rng = np.random.default_rng(0)
    for data, region in hundred():
        start = np.log(2 * region.factor) / (0.75 * region.rho * region.margin)
        for far in np.exp(rng.uniform(0, 1.5, size=10)):
            aside = rng.uniform() * region.epsilon * beside(region, rng)
            yield data, region, start * far, start * far * (region.direction + aside)


@pytest.mark.parametrize("number", range(4))
def test_c7_18_the_flow_wastes_a_bounded_length_and_turns_to_the_direction(number):
    within = [region for _, region in hundred() if region.neighbours.sum() > 1 and region.radius() < 5000]
    region, rng = within[number], np.random.default_rng(number)
    slope = region.epsilon**2 * region.margin / (4 * region.length)
    r0 = 1.02 * region.radius(slope)
    assert all(region.contains(far * r0, slope * far * r0) for far in np.geomspace(1, 1e6, 50))
    lengths = np.linspace(0, 2 * r0, 41)
    path = of.flow(region, r0 * (region.direction + slope * beside(region, rng)), lengths)
    r = path @ region.direction
    off = norm(path - r[:, None] * region.direction, axis=1)
    wasted = region.lost(r0, off[0])
    assert (r >= r0 + lengths - wasted).all()
    assert (off <= off[0] + np.sqrt(2 * wasted * lengths) + 1e-6).all()
    assert (off <= region.epsilon * r).all()
    assert off[-1] / r[-1] < 0.5 * off[1] / r[1] + 1e-9


def test_c7_18_the_region_is_far_from_sharp():
    region = of.region_of(TokenData([SIX], [[1, 0]], [1], [1, 0.4]), np.array([4]))
    assert region.contains(2663, 0)
    assert not region.contains(2662, 0)
    path = of.flow(region, 5 * region.direction, np.linspace(0, 200, 9))
    assert path[-1] @ region.direction / norm(path[-1]) > 0.999


def curvature_factor(region):
    """H of the exercise on fixed steps, which times P bounds the second derivative; |l''| is at most 1/4."""
    return 4 / len(region.own) * (region.M**2 / 4 + 2 * region.c2 * region.M) * region.length**2


def test_c7_18_the_second_derivative_fades_like_the_neighbours():
    rng = np.random.default_rng(0)
    for _, region, _, W in islice(places(), 300):
        U = rng.normal(size=len(region.rows)) @ region.rows
        U /= norm(U)
        (after, low), (before, high) = (of.scaled_descent(region, W + h * U) for h in (1e-4, -1e-4))
        least = (region.rows @ W).min()
        bend = (np.exp(least - low) * after - np.exp(least - high) * before) @ U / 2e-4
        P = np.exp(least - (region.rows @ W)[region.neighbours]).sum()  # both times e^least
        assert abs(bend) <= curvature_factor(region) * P / 2  # P may double on a step


def test_c7_18_a_fixed_step_loses_a_share_of_its_gain_that_fades():
    rng = np.random.default_rng(0)
    for _, region in hundred():
        N, H, aside = len(region.rows), curvature_factor(region), region.epsilon / 2
        r = np.log(4 * region.factor) / (0.75 * region.rho * region.margin)
        longest = min(aside * r / 2, np.log(2) / region.length)
        speed = 2 * region.c2 * region.M * region.length * N / len(region.own)  # over omega, the proved bound
        eta = min(1 / (2 * H * N), longest / speed) / region.omega(r)
        W = r * (region.direction + rng.uniform() * aside * beside(region, rng))
        pull, least = of.scaled_descent(region, W)
        step = eta * np.exp(-least) * pull
        assert norm(step) <= longest
        kept = 1 - (region.factor + eta * H * N / 2) * region.omega(r)
        assert 0.5 - 1e-9 <= kept < 0.75
        gain = of.log_excess(region, W) - of.log_excess(region, W + step)
        assert gain >= kept * region.margin * norm(step) - 1e-12
        further = (W + step) @ region.direction
        assert further - r >= region.nu * norm(step) - 1e-12
        assert norm(W + step - further * region.direction) <= region.epsilon * further


def test_c7_18_excess_and_descent_are_those_of_the_loss():
    rng = np.random.default_rng(1)
    for data, region in hundred()[:20]:
        level = np.logaddexp(0, -region.own).mean()
        W = 8 / region.margin * region.direction + 0.3 * rng.normal(size=len(region.direction))
        matrix = W.reshape(data.sizes[2], -1)
        pull, least = of.scaled_descent(region, W)
        np.testing.assert_allclose(
            pull * np.exp(-least), -loss_gradient(data, matrix).ravel(), rtol=1e-6, atol=1e-12
        )
        if (excess := training_loss(data, matrix) - level) > 1e-6:
            assert of.log_excess(region, W) == pytest.approx(np.log(excess), abs=1e-6)


def test_a_choice_that_is_not_locally_optimal_has_no_region():
    with pytest.raises(ValueError, match="which is unstable; expected a locally optimal choice"):
        of.region_of(TRAP, np.array([0, 1]))
    with pytest.raises(ValueError, match="no r up to 1e9 is in the region"):
        of.region_of(TRAP, np.array([1, 0])).radius(1.0)
