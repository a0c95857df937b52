"""Training against descent written out by hand, with the head too, and along the layers of a stack."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins.attention_svm import (
    TokenData,
    loss_gradient,
    random_start,
    random_token_data,
    train_together,
    training,
    training_loss,
)
from margins.attention_svm.gradient import softmax_weights
from margins.attention_svm.losses import CORRELATION
from margins.attention_svm.normalisers import softplus_power
from margins.attention_svm.objective import Objective
from margins.attention_svm.parameters import FullMatrix, LogitSpace, QuerySpace
from margins.attention_svm.training import parametrisation, train
from tests.margins.attention_svm.draws import small as draw
from tests.margins.attention_svm.plain_attention import plain_descent
from tests.margins.attention_svm.test_gradient import HEADS, NORMALISERS

CASES = {
    "normalised": {},
    "plain": {"normalised": False},
    "ridge": {"normalised": False, "ridge": 0.1},
    "normalised with ridge": {"ridge": 0.1},
    "textbook": {"gradient": "textbook"},
    "other choices": {"head": HEADS["two layers"][0], "loss": CORRELATION, "normaliser": softplus_power(2)},
}
OTHER = {"head": HEADS["two layers"][1], "loss": lambda u: -u, "phi": NORMALISERS["softplus squared"][1]}


def hand_trained(data, start, ours, iterations):
    """The oracle's W with the settings that our `train` is given."""
    direct = OTHER | {"head": OTHER["head"](data.v)} if "head" in ours else {}
    rule = {"normalised": ours.get("normalised", True), "ridge": ours.get("ridge", 0.0)}
    return plain_descent(data, start, iterations=iterations, step=0.2, **rule, **direct)


@pytest.mark.parametrize("factors", [False, True], ids=["W", "KQ"])
@pytest.mark.parametrize("case", CASES)
def test_trajectory_is_the_hand_written_one(case, factors):
    ours, data = CASES[case], draw(self_attention=case == "plain")
    start = random_start(data, rng=np.random.default_rng(1), width=2 if factors else None)
    trained = train(data, start, iterations=25, step=0.2, **ours)
    assert_allclose(trained.W[-1], hand_trained(data, start, ours, 25), atol=1e-11)


@pytest.mark.parametrize("largest_gram", [0, training.LARGEST_GRAM], ids=["queries", "logits"])
def test_dual_form_gives_the_trajectory_of_the_full_matrix(monkeypatch, largest_gram):
    monkeypatch.setattr(training, "LARGEST_GRAM", largest_gram)
    data = draw(batch=3, d=12)
    start = random_start(data, rng=np.random.default_rng(1))
    dual = train(data, start, iterations=60)
    direct = train(data, start, iterations=60, ridge=1e-300)  # a ridge this small only chooses the form
    assert_allclose(dual.W, direct.W, atol=1e-12)


FORMS = [({"d": 3}, FullMatrix), ({"d": 12}, LogitSpace), ({"n": 40, "T": 16, "d": 65}, QuerySpace)]


@pytest.mark.parametrize(("sizes", "form"), FORMS)
def test_dual_form_serves_where_the_matrix_is_large(sizes, form):
    data = draw(**sizes)
    assert isinstance(parametrisation(None, data, Objective(data), dual=True), form)


def test_records_are_what_was_passed_through():
    data = draw(batch=2)
    every = train(data, iterations=12, record=13)
    assert_array_equal(every.iterations, np.arange(13))
    some = train(data, iterations=12, record=[0, 3, 12])
    assert_allclose(some.W, every.W[[0, 3, 12]], rtol=0)
    assert_allclose(every.losses[7], training_loss(data, every.W[7]))
    assert_allclose(every.weights[7], softmax_weights(data, every.W[7]))
    assert_array_equal(every.tokens, every.weights[-1].argmax(axis=-1))


@pytest.mark.parametrize(("record", "kept"), [(1, [5]), (2, [0, 5]), (100, range(6)), ([4, 2, 2], [2, 4])])
def test_records_are_bounded(record, kept):
    assert_array_equal(train(draw(), iterations=5, record=record).iterations, list(kept))


def test_records_of_factors_multiply_to_the_matrix():
    data = draw(batch=2)
    start = random_start(data, rng=np.random.default_rng(0), width=2)
    trained = train(data, start, iterations=5)
    assert trained.K.shape == trained.Q.shape == (6, 2, 3, 2)
    assert_array_equal([trained.K[0], trained.Q[0]], start, "the start is not changed")
    assert_allclose(trained.W, trained.K @ np.swapaxes(trained.Q, -1, -2), atol=1e-15)


def test_descent_says_where_it_cannot_move():
    """Zero keys and queries, and sequences whose tokens are all equal, have the gradient zero."""
    data = draw(batch=2)
    zero = np.zeros((3, 2))
    assert train(data, (zero, zero), iterations=3).status.tolist() == ["stationary"] * 2
    X = data.X.copy()
    X[1] = X[1, :, :1]
    trained = train(TokenData(X, data.Z, data.Y, data.v), iterations=50)
    assert trained.status.tolist() == ["moving", "stationary"]
    assert_array_equal(trained.W[-1, 1], np.zeros((3, 3)))


def test_an_unscaled_guard_stops_the_textbook_descent_only():
    data = draw()
    guarded = train(data, iterations=1000, gradient="textbook", guard=1e-3, record=[600, 1000])
    assert np.linalg.norm(guarded.W[1] - guarded.W[0]) < 20
    free = train(data, iterations=1000, record=[600, 1000])
    assert np.linalg.norm(free.W[1] - free.W[0]) > 36


def test_a_start_is_uniform_up_to_the_root_of_the_dimension():
    data = random_token_data(2, 3, 16, rng=np.random.default_rng(0), batch=(20,))
    for start in (
        random_start(data, rng=np.random.default_rng(1)),
        random_start(data, rng=np.random.default_rng(1), width=5)[1],
    ):
        assert 0.24 < np.abs(start).max() <= 0.25
        assert np.abs(start).mean() == pytest.approx(0.125, abs=0.01)


DATA = random_token_data(3, 4, 5, rng=np.random.default_rng(0), batch=2)


def with_head(v):
    return TokenData(DATA.X, DATA.Z, DATA.Y, v)


@pytest.mark.parametrize("normalised", [True, False])
def test_a_step_goes_along_both_gradients(normalised):
    run = train_together(DATA, record=(7, 0, 6), step=0.3, normalised=normalised)
    assert_array_equal(run.iterations, [0, 6, 7])
    assert not run.W[0].any()
    assert not run.v[0].any()
    W, v = run.W[1], run.v[1]
    losses = [training_loss(with_head(v + e), W) for e in 1e-6 * np.vstack([np.eye(5), -np.eye(5)])]
    by_W, by_v = loss_gradient(with_head(v), W), (np.array(losses[:5]) - losses[5:]).T / 2e-6
    size = np.sqrt((by_W**2).sum(axis=(1, 2)) + (by_v**2).sum(axis=1)) if normalised else np.ones(2)
    assert_allclose(run.W[2] - W, -0.3 * by_W / size[:, None, None], atol=1e-8)
    assert_allclose(run.v[2] - v, -0.3 * by_v / size[:, None], atol=1e-8)


def test_without_any_gradient_it_stays():
    data = TokenData([[[1.0, 0.0], [-1.0, 0.0]]], [[1.0, 0.0]], [1.0], [1.0, 0.0])
    run = train_together(data, record=(5,))
    assert not run.W.any()
    assert not run.v.any()
