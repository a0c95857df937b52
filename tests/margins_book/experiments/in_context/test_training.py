"""Gradients are those of finite differences, networks side by side do not mix, training lowers the error."""

import numpy as np
import pytest

from margins.prompt_network import PromptNetwork
from margins_book.experiments.in_context.training import (
    Plan,
    Prompts,
    World,
    draw_prompts,
    initial,
    loss_and_gradients,
    rate,
    trained,
)

WORLD = World(d=3, n=5, noise=0.3)


def double(parts):
    return type(parts)(*(np.asarray(part, dtype=float) for part in parts))


def example(sizes=(2, 7), networks=2):
    rng = np.random.default_rng(0)
    tasks = [rng.normal(size=(3, WORLD.d)) for _ in range(networks)]
    return double(initial(sizes, networks, WORLD, rng)), double(draw_prompts(tasks, 6, WORLD, rng)), tasks


@pytest.mark.parametrize("name", PromptNetwork._fields)
@pytest.mark.parametrize("sizes", [(1, 0), (2, 7)])
def test_gradients_are_those_of_finite_differences(name, sizes):
    network, prompts, _ = example(sizes)
    way, step = np.random.default_rng(1).normal(size=getattr(network, name).shape), 1e-6
    up, down = (
        loss_and_gradients(network._replace(**{name: getattr(network, name) + s * step * way}), prompts)[0]
        for s in (1, -1)
    )
    slope = (getattr(loss_and_gradients(network, prompts)[1], name) * way).reshape(2, -1).sum(axis=1)
    assert (np.abs(slope) > 1e-4).all() or not way.size
    np.testing.assert_allclose((up - down) / (2 * step), slope, rtol=1e-5, atol=1e-9)


def test_networks_side_by_side_do_not_mix():
    network, prompts, _ = example()
    alone = [loss_and_gradients(PromptNetwork(*(a[r] for a in network)), Prompts(*(a[r] for a in prompts)))
             for r in range(2)]  # fmt: skip
    losses, slopes = loss_and_gradients(network, prompts)
    for r, (loss, slope) in enumerate(alone):
        assert losses[r] == pytest.approx(loss)
        for one, all_ in zip(slope, slopes, strict=True):
            np.testing.assert_allclose(one, all_[r], atol=1e-12)


def test_prompts_are_of_the_tasks_and_have_errors_of_the_given_size():
    tasks = [np.eye(3)[:1], 2 * np.eye(3)[1:]]
    prompts = draw_prompts(tasks, 4000, WORLD, np.random.default_rng(2))
    np.testing.assert_allclose(prompts.right[0], prompts.queries[0, :, 0], atol=1e-6)
    errors = prompts.y[0] - prompts.X[0, ..., 0]
    assert errors.std() == pytest.approx(0.3, rel=0.02)
    said = prompts.right[1][:, None] - 2 * prompts.queries[1][:, 1:]
    assert (np.abs(said).min(axis=1) < 1e-5).all()
    assert np.mean(np.abs(said[:, 0]) < 1e-5) == pytest.approx(0.5, abs=0.03)


def test_training_lowers_the_error_and_keeps_what_was_asked_for():
    losses = []
    network, tasks = initial((2, 0), 3, WORLD, np.random.default_rng(5)), [np.eye(3)] * 3
    kept = trained(network, tasks, Plan(steps=300, prompts=64, rate=0.02), np.random.default_rng(6), WORLD,
                   kept=(0, 7), watch=losses.append)  # fmt: skip
    assert sorted(kept) == [0, 7, 300]
    assert all(np.array_equal(a, b) for a, b in zip(kept[0], network, strict=True))
    assert (np.mean(losses[-50:], axis=0) < 0.6 * np.mean(losses[:20], axis=0)).all()


def test_the_rate_rises_and_then_falls_or_stays():
    plan = Plan(steps=1000, rate=1.0)
    assert rate(plan, 0) == pytest.approx(0.01, rel=1e-3)
    assert rate(plan, 500) == pytest.approx(0.5)
    assert rate(plan, 999) < 1e-4
    assert rate(plan._replace(falls=False), 999) == 1.0
