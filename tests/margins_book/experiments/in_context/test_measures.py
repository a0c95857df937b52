"""Measures on networks and features of which the answer is known."""

import numpy as np
import pytest

from margins.prompt_network import PromptNetwork
from margins_book.experiments.in_context import measures
from margins_book.experiments.in_context.training import World, draw_prompts

WORLD = World(d=3, n=6, noise=0.4)


def some(tasks, number=500, seed=0):
    return measures.own(draw_prompts([tasks], number, WORLD, np.random.default_rng(seed)), 0)


def blank(heads, inner=0):
    e, w = 5, 5 * (heads + 1)
    return PromptNetwork(np.zeros((heads, e, e)), np.zeros(w), np.zeros((w, inner)), np.zeros(inner))


def test_the_answer_zero_has_an_error_of_about_one():
    prompts = some(np.random.default_rng(1).normal(size=(5000, 3)), 20_000)
    assert measures.network_error(blank(1), prompts) == pytest.approx(1, abs=0.05)


def test_heads_that_compare_nothing_attend_all_keys():
    network = blank(1)
    network.heads[0, :3, :3] = 1e-9 * np.eye(3)
    found = measures.of_heads(network, some(np.eye(3)))
    assert found["attended"] == pytest.approx(6)
    assert found["least"] == pytest.approx(1)


def test_opposite_heads_are_recognised():
    network = blank(2)
    network.heads[0, :3, :3], network.heads[1, :3, :3] = np.eye(3), -np.eye(3)
    network.out[[8, 13]] = 2.0, -2.0
    found = measures.of_heads(network, some(np.eye(3)))
    assert [found["alike"], found["opposed"]] == pytest.approx([-1, -1])
    assert found["attended"] < 5


def test_the_best_linear_learner_is_best_among_those_for_its_tasks():
    tasks = np.array([[2.0, 0, 0], [-2.0, 0, 0], [0, 0, 1.0]])
    prompts = some(tasks, 20_000)
    found = measures.of_learners(prompts, tasks, WORLD)
    assert found["posterior"] < found["linear"] < found["ridge"]
    for factor in (0.9, 1.1):
        answers = factor * measures.best_linear_answers(prompts, tasks, WORLD.noise)
        assert measures.error(answers, prompts) > found["linear"]


def test_few_tasks_of_one_direction_make_the_best_linear_learner_of_two_opposite_tasks():
    w = np.array([1.0, 2, -1])
    prompts = some(np.array([w, -w]), 50)
    G = prompts.X @ w
    expected = (G * prompts.y).sum(axis=1) / ((G**2).sum(axis=1) + WORLD.noise**2) * (prompts.queries @ w)
    found = measures.best_linear_answers(prompts, np.array([w, -w]), WORLD.noise)
    np.testing.assert_allclose(found, expected)


def test_the_effective_dimension_counts_directions():
    rows = np.random.default_rng(2).normal(size=(4000, 7))
    assert measures.effective_dimension(rows) == pytest.approx(7, rel=0.01)
    assert measures.effective_dimension(rows[:, :1] * np.ones(7)) == pytest.approx(1, rel=0.01)


def test_a_fitted_read_out_is_no_worse_than_the_network_s_own():
    rng = np.random.default_rng(3)
    network = PromptNetwork(*(rng.normal(size=shape) for shape in ((1, 5, 5), (10,), (10, 4), (4,))))
    learnt, fresh = some(np.eye(3), 4000, 4), some(np.eye(3), 4000, 5)
    found = measures.of_features(network, learnt, fresh)
    assert found["fitted"] < found["stored"]
    Phi = measures.features(network, learnt)
    w = np.linalg.lstsq(Phi, learnt.right)[0]
    expected = measures.error(measures.features(network, fresh) @ w, fresh)
    assert found["fitted"] == pytest.approx(expected, rel=1e-3)


def test_a_kernel_machine_with_the_right_feature_makes_no_error():
    """The last task's answer is the query's last coordinate, which is a feature of every network."""
    tasks = np.eye(3)[2:]
    found = measures.of_kernel(blank(1), some(tasks, 60), some(tasks, 500, 6))
    assert found["kernel"] < 1e-3
    assert 0 < found["norm"] < 100
