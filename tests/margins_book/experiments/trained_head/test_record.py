"""The record of the trained heads is of these settings, begins as training does, and is measured again."""

import numpy as np
import pytest

from margins.data.heads import ALPHABET, head_measures, trained_heads
from margins_book.experiments.trained_head import record
from margins_book.experiments.trained_head.measures import of_metric
from margins_book.experiments.trained_head.network import Sizes, initial
from margins_book.experiments.trained_head.training import Plan, batches, trained

SIZES = Sizes(len(ALPHABET))
TRAINING, ROWS = head_measures()


def test_the_record_is_of_these_settings():
    assert TRAINING["seeds"] == list(record.SEEDS)
    assert TRAINING["sizes"] == SIZES._asdict()
    assert TRAINING["plan"] == Plan()._asdict()


def test_training_begins_with_the_recorded_losses(monkeypatch):
    """A rate that falls over all steps is needed, so training is cut after the first ones."""
    monkeypatch.setattr(
        "margins_book.experiments.trained_head.training.batches",
        lambda learnt, length, plan, rng: batches(learnt, length, plan._replace(steps=record.EARLY), rng),
    )
    _, losses = trained(record.parts()[0], SIZES, Plan(), record.SEEDS[0])
    np.testing.assert_allclose(losses, TRAINING["early losses"], atol=2e-3)


def test_untrained_heads_are_measured_again():
    seed = record.SEEDS[-1]
    found = record.rows_of(initial(SIZES, np.random.default_rng(seed)), SIZES, seed, 0)
    kept = ROWS[(ROWS["seed"] == seed) & (ROWS["steps"] == 0)]
    for one, row in zip(found, kept, strict=True):
        for name, value in one.items():
            assert row[name] == pytest.approx(value, rel=2e-3, abs=2e-3), name


def test_the_kept_heads_are_those_that_were_measured():
    heads = trained_heads()
    kept = ROWS[(ROWS["seed"] == record.SEEDS[0]) & (ROWS["steps"] == Plan().steps)]
    assert heads.text == "".join(ALPHABET[code] for code in record.zen_pieces(SIZES)[0])
    for row in kept:
        layer, head = int(row["layer"]), int(row["head"])
        for name, value in of_metric(heads.W_Q[layer, head], heads.W_K[layer, head]).items():
            assert row[name] == pytest.approx(value, abs=1e-3)


def test_what_is_not_learnt_is_foretold_better_than_by_counting_letters():
    """By the shares of the letters alone the loss would be their entropy."""
    learnt, unread = record.parts()
    assert len(unread) == pytest.approx(0.1 * (len(learnt) + len(unread)), abs=1)
    shares = np.bincount(learnt, minlength=len(ALPHABET)) / len(learnt)
    entropy = -np.sum(shares * np.log(shares))
    for on_learnt, on_rest, on_zen in TRAINING["losses"].values():
        assert on_learnt < on_rest < on_zen < entropy - 0.5


def test_the_table_of_pairs_is_counted_again_and_foretells_worse_than_the_network():
    assert record.bigram_losses(SIZES) == TRAINING["bigram losses"]
    for of_network in TRAINING["losses"].values():
        assert (np.array(of_network) < np.array(TRAINING["bigram losses"]) - 0.3).all()


@pytest.mark.full
def test_a_record_is_written_and_read(tmp_path, monkeypatch):
    monkeypatch.setattr("margins_book.experiments.trained_head.record.HEADS", tmp_path / "heads.csv")
    monkeypatch.setattr("margins_book.experiments.trained_head.record.MEASURES", tmp_path / "measures.csv")
    monkeypatch.setattr("margins.data.heads.HEADS", tmp_path / "heads.csv")
    monkeypatch.setattr("margins.data.heads.MEASURES", tmp_path / "measures.csv")
    reported = []
    made = record.record((7,), Plan(steps=2, texts=2), reported.append)
    record.write(*made)
    assert len(reported) == 1
    assert "seed 7" in reported[0]
    training, rows = head_measures()
    assert training["seeds"] == [7]
    assert len(training["early losses"]) == 2
    assert len(rows) == 16
    assert trained_heads().W_K.shape == (2, 4, 32, 8)
