"""Chapter 10, beyond the equivalence: what trained networks do, as the record of their training says."""

import numpy as np
import pytest

from margins.data import measured, prompt_measures, prompt_networks
from margins_book.beyond_the_equivalence import networks
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.estimates import mean
from margins_book.experiments.recorded import recorded

TRAINING, TABLE = prompt_measures()
NUMBERS = TRAINING["numbers"]
STEPS = TRAINING["plan"]["steps"]
WIDTHS = networks.WIDTHS


def tasks(name, heads, inner, number):
    """The measures called `name` of the networks of a shape that learnt `number` tasks, one a seed."""
    return measured(TABLE, name, system="tasks", heads=heads, inner=inner, tasks=number)


def known(name, number):
    """The errors of a learner of the book on the same prompts, one a seed."""
    return measured(TABLE, name, system="tasks", tasks=number)


def width(name, inner, steps):
    return measured(TABLE, name, system="width", inner=inner, steps=steps)


def transfer(source, steps):
    return measured(TABLE, "stored", system="transfer", source=source, steps=steps)


@pytest.mark.parametrize("number", NUMBERS[2:])
def test_c10_08_two_trained_heads_are_opposite(number):
    assert tasks("alike", 2, 0, number).max() < -0.99
    assert tasks("opposed", 2, 0, number).max() < -0.99


def test_c10_08_one_head_costs_half_as_much_error_again():
    one, two = (mean(tasks("new", heads, 0, 1024)) for heads in (1, 2))
    np.testing.assert_allclose([*one, *two], [0.606, 0.599, 0.613, 0.414, 0.413, 0.416], atol=6e-4)
    assert one.low / two.high > 1.4


SHAPES = ((1, 0), (2, 0), (1, 64), (2, 64), (4, 64))  # that learnt all numbers of tasks


def test_c10_09_correction_beyond_a_fixed_kernel_for_two_or_four_tasks_only():
    """Against the best learner that is linear in the values, on a network's own tasks, in every seed."""
    for heads in (2, 4):
        assert np.all(tasks("stored", heads, 64, 2) < 0.4 * known("stored linear", 2))
    assert np.sum(tasks("stored", 4, 64, 4) < known("stored linear", 4)) == 4
    less = mean(tasks("stored", 4, 64, 4) - known("stored linear", 4))
    np.testing.assert_allclose(less, [-0.013, -0.030, 0.003], atol=6e-4)
    for number in NUMBERS[1:]:
        for shape in SHAPES:
            if (shape, number) != ((4, 64), 4):
                assert np.all(tasks("stored", *shape, number) > known("stored linear", number))
        assert np.all(known("stored posterior", number) < known("stored linear", number))


@pytest.mark.parametrize("number", NUMBERS)
def test_c10_09_correction_networks_stay_behind_the_best_learners(number):
    """On their own tasks behind the posterior mean, on new ones far behind ridge, in every seed."""
    for shape in SHAPES:
        assert np.all(tasks("stored", *shape, number) > known("stored posterior", number))
        assert np.all(tasks("new", *shape, number) > 3 * known("new ridge", number))


def test_c10_10_correction_most_is_gained_by_the_heads_and_half_of_the_rest_by_256_units():
    """On the same eight tasks and prompts: nothing trained, the heads, the heads with random units, all."""
    nothing, alone, random, trained = (
        width(name, 256, steps)
        for name, steps in (("fitted", 0), ("heads alone", STEPS), ("random units", STEPS), ("stored", STEPS))
    )
    np.testing.assert_allclose(mean(nothing), [0.59, 0.42, 0.75], atol=6e-3)
    np.testing.assert_allclose(mean(alone), [0.34, 0.24, 0.43], atol=6e-3)
    np.testing.assert_allclose(mean(random), [0.31, 0.24, 0.39], atol=6e-3)
    np.testing.assert_allclose(mean(trained), [0.155, 0.142, 0.168], atol=6e-4)
    np.testing.assert_allclose(mean((nothing - alone) / (nothing - trained))[1:], [0.45, 0.73], atol=6e-3)
    assert mean(random - trained).low > 0.05
    for inner in WIDTHS:
        assert np.all(width("stored", inner, STEPS) < width("fitted", inner, 0))
        assert np.all(width("random units", inner, STEPS) < width("fitted", inner, 0))


def test_c10_11_correction_at_equal_steps_and_with_fresh_prompts_nothing_is_gained():
    for source in ("2 others", "16 others", "1024 others"):
        for steps in (100, 300, 1000, 3000):
            gain = mean(transfer("none", STEPS + steps) - transfer(source, steps))
            assert gain.value < 0, (source, steps)


def test_c10_11_other_tasks_help_if_they_are_enough():
    none = transfer("none", 100)
    for source in ("16 others", "1024 others"):
        assert mean(transfer(source, 100) / none).value < 0.5
        assert mean(transfer(source, 100) - none).high < 0
    assert mean(transfer("2 others", 100) - none).low > -0.01


def test_c10_11_the_kernel_that_was_learnt_is_better_and_its_norm_smaller():
    names = ("2 others", "none", "16 others", "1024 others", "itself")
    for measure in ("kernel", "norm"):
        found = [mean(measured(TABLE, measure, system="kernel", source=name)) for name in names]
        assert np.all(np.diff([estimate.value for estimate in found]) < 0)
        assert found[2].high < found[1].low


def test_c10_12_wider_layers_have_richer_features():
    dimensions = [mean(width("dimension", inner, STEPS)) for inner in WIDTHS]
    errors = [mean(width("stored", inner, STEPS)).value for inner in WIDTHS]
    np.testing.assert_allclose([dimensions[0].value, *dimensions[-1]], [17, 57, 46, 69], atol=0.6)
    assert np.all(np.diff([estimate.value for estimate in dimensions]) > 0)
    np.testing.assert_allclose([errors[0], errors[-1]], [0.294, 0.155], atol=6e-4)
    assert np.all(np.diff(errors) < 0)


def test_c10_13_correction_trained_heads_attend_several_keys():
    found = [mean(tasks("attended", heads, 0, 1024)) for heads in (2, 1)]
    np.testing.assert_allclose([estimate.value for estimate in found], [5.2, 3.7], atol=0.05)
    assert max(estimate.high - estimate.low for estimate in found) < 0.1


def test_c10_15_half_the_dimension_is_mostly_enough():
    shares = EXPERIMENTS["feasibility"].estimates(recorded("feasibility"))
    half = {(10, 5): 5, (5, 10): 5, (2, 20): 10}
    found = [found["any"].value for where, found in shares if half[where["n"], where["T"]] == where["d"]]
    assert len(found) == 6
    assert all(d <= 0.56 * max(T - 1, n) for (n, T), d in half.items())
    assert min(found) >= 0.96


def test_c10_15_networks_are_of_moderate_size():
    last = {name: network for name, network in prompt_networks().items() if "training" not in name}
    sizes = [sum(part.size for part in network) for network in last.values()]
    widest = 2 * 36 + 18 + 19 * 256
    assert max(*sizes, widest) < 5000
