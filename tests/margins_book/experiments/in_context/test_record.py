"""The record of the trained networks is of these settings, begins as training does, fits the kept ones."""

import numpy as np
import pytest

from margins.data.prompts import measured, prompt_measures, prompt_networks
from margins_book.experiments.in_context import measures, systems
from margins_book.experiments.in_context.record import EARLY, Losses, moments, record, title, write
from margins_book.experiments.in_context.systems import NUMBERS, SHAPES, Size, over_tasks, unseen
from margins_book.experiments.in_context.training import WORLD, Plan, draw_prompts

TRAINING, TABLE = prompt_measures()


def test_the_record_is_of_these_settings():
    assert TRAINING["seeds"] == Size().seeds
    assert TRAINING["numbers"] == list(NUMBERS)
    assert TRAINING["plan"] == Size().plan._asdict()
    assert TRAINING["transfer"] == Size().transfer._asdict()
    assert TRAINING["world"] == WORLD._asdict()
    assert TRAINING["moments"] == moments(Size().plan.steps)


def test_training_begins_with_the_recorded_losses(monkeypatch):
    """The rate falls over all steps, and hardly within the first ones."""
    losses = Losses()
    size = Size(plan=Size().plan._replace(steps=EARLY))
    over_tasks((2, 0), size, (), losses)
    np.testing.assert_allclose(losses.early[:3], TRAINING["early losses"]["2 heads"][:3], rtol=1e-3)


def test_the_kept_networks_are_those_that_were_measured():
    new = unseen(np.random.default_rng([2]))
    for shape in SHAPES:
        heads, inner = shape
        found = measures.network_error(prompt_networks()[title(shape)], new)
        kept = measured(TABLE, "new", system="tasks", heads=heads, inner=inner, tasks=NUMBERS[-1], seed=0)
        assert found == pytest.approx(kept[0], rel=0.01), shape


def test_the_heads_in_training_end_as_the_trained_ones():
    networks = prompt_networks()
    watched, last = networks["2 heads in training"], networks["2 heads"]
    assert len(watched.heads) == len(TRAINING["moments"])
    np.testing.assert_array_equal(watched.heads[-1], last.heads)
    assert np.abs(watched.heads[0] - watched.heads[-1]).max() > 0.3


def test_learners_of_the_book_are_measured_again():
    rng = np.random.default_rng(0)
    tasks = [systems.normal_tasks(number, rng) for number in NUMBERS for _ in range(TRAINING["seeds"])]
    most = tasks[-TRAINING["seeds"]]
    fresh = measures.own(draw_prompts([most], 4000, WORLD, np.random.default_rng(1)), 0)
    found = measures.of_learners(fresh, most.astype(float), WORLD)
    for name, value in found.items():
        kept = measured(TABLE, f"stored {name}", tasks=NUMBERS[-1], seed=0)
        assert value == pytest.approx(kept[0], rel=0.12), name


def test_what_is_not_measured_is_refused():
    with pytest.raises(ValueError, match=r"no row called 'new' has {'tasks': 3}"):
        measured(TABLE, "new", tasks=3)


@pytest.mark.full
def test_a_record_is_written_and_read(tmp_path, monkeypatch):
    for name in ("NETWORKS", "MEASURES"):
        for module in ("margins_book.experiments.in_context.record", "margins.data.prompts"):
            monkeypatch.setattr(f"{module}.{name}", tmp_path / name)
    for name in ("MARKS", "FEW_MARKS"):
        monkeypatch.setattr(systems, name, (0, 2))
    monkeypatch.setattr(systems, "WIDTHS", (4,))
    write(*record(Size(1, Plan(steps=2, prompts=4), Plan(steps=2, prompts=4, falls=False)), workers=1))
    training, table = prompt_measures()
    assert training["seeds"] == 1
    assert set(table["system"]) == {"tasks", "width", "transfer", "few", "kernel"}
    assert {"stored posterior", "new ridge"} < set(table["name"])
    assert prompt_networks()["1 head, width 64"].up.shape == (12, 64)
