"""What the quiz, the solutions and the summary of chapter 6 say of examples, computed from these."""

import numpy as np
import pytest

from margins import attention_svm as att
from margins_book.attention_svm import drawings as draw
from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter


@pytest.fixture(scope="module")
def page():
    """The names of the first two cells of the page: the twelve tokens and their queries."""
    (chapter,) = [one for one in chapters() if one.number == 6]
    names: dict = {}
    for cell in [one for one in read_chapter(chapter.page).cells if one.kind != "text"][:2]:
        exec(compile(cell.source, "chapter 6", "exec"), names)
    return names


@pytest.fixture(scope="module")
def run(page):
    """Descent on W from 0, every step up to 60."""
    return att.train(page["data"], np.zeros((2, 2)), iterations=60, record=range(61))


def test_a_shift_of_one_sequence_moves_its_output_alone(page, run):
    data, c, W = page["data"], np.array([0.7, -1.3]), run.W[8]
    shifted = att.TokenData(data.X + np.array([c, 0 * c])[:, None], data.Z, data.Y, data.v)
    before, after = (att.softmax_weights(one, W) for one in (data, shifted))
    np.testing.assert_allclose(after, before)
    outputs = [(s[:, :, None] * one.X).sum(axis=1) @ data.v for s, one in ((before, data), (after, shifted))]
    np.testing.assert_allclose(outputs[1] - outputs[0], [data.v @ c, 0], atol=1e-12)
    np.testing.assert_allclose(np.diff(shifted.scores), np.diff(data.scores))
    np.testing.assert_allclose((shifted.X - data.X)[0] @ W @ data.Z[0], c @ W @ data.Z[0])
    best = data.optimal_tokens
    np.testing.assert_allclose(att.frobenius_svm(shifted, best).W, att.frobenius_svm(data, best).W)


def test_any_long_matrix_that_separates_has_all_but_nothing_of_the_attention(page):
    data, rng = page["data"], np.random.default_rng(0)
    best, machine = data.optimal_tokens, att.frobenius_svm(data, data.optimal_tokens)
    for tilted in machine.W + 0.1 * rng.normal(size=(10, 2, 2)):
        margins = att.token_margins(data, best, tilted)
        assert margins.min() > 0
        assert att.correlation(tilted, machine.W) < 0.9999
        bad = np.exp(-60 / margins.min() * margins).sum(axis=1)  # at the length 60 / mu, of the best weight
        assert bad.max() < 1e-20


def test_tokens_2_and_11_lead_first_and_lose_the_lead_as_the_averages_rise(page, run):
    data, weights = page["data"], run.weights[:61]
    leads, means = weights.argmax(axis=2) + np.array([0, 6]), (weights * data.scores).sum(axis=2)  # (61, 2)
    assert leads[13].tolist() == (np.argsort(data.scores)[:, -2] + np.array([0, 6])).tolist() == [2, 11]
    np.testing.assert_allclose(weights[0], 1 / 6)
    logits = np.einsum("ntd,de,ne->nt", data.X, run.W[1], data.Z).ravel()
    assert logits[2] > logits[3]
    assert logits[11] > logits[9]
    overtaken = {k: (means[:, k // 6] > data.scores.ravel()[k]).argmax() for k in (2, 4, 10, 11)}
    taken = [(leads[:, 0] == 3).argmax(), (leads[:, 1] == 9).argmax()]
    assert (np.diff(means[:, 1]) > 0).all()
    assert (np.diff(weights[:, 1, :3].sum(axis=1)) < 0).all()
    assert 0 < overtaken[10] < overtaken[11] < taken[1]
    assert 0 < overtaken[4] < taken[0] < overtaken[2]


def test_token_4_holds_the_street_wherever_token_2_lies_below_its_place(page):
    lowered = [page["twelve"] + np.outer(np.arange(12) == 2, [0, y - 0.2]) for y in (-0.45, -0.5, -1, -3)]
    found = [
        att.frobenius_svm(att.TokenData(X.reshape(2, 6, 2), page["asked"], [1, -1], [2, 1]), np.array([3, 3]))
        for X in lowered
    ]
    for machine in found:
        bars = draw.multipliers_of(machine)
        assert bars[2] == 0 < bars[4]
        np.testing.assert_allclose(machine.W, found[0].W, atol=1e-9)


def test_a_ridge_lets_the_difference_of_the_factors_fall_exponentially():
    data, r, step = att.random_token_data(3, 4, 3, rng=np.random.default_rng(2)), 0.02, 0.005
    begin = tuple(0.3 * np.random.default_rng(0).normal(size=(2, 3, 3)))
    run = att.train(data, begin, iterations=2000, step=step, normalised=False, record=5, ridge=r)
    balance = run.K.mT @ run.K - run.Q.mT @ run.Q
    times = step * run.iterations[:, None, None]
    np.testing.assert_allclose(balance, np.exp(-4 * r * times) * balance[0], atol=1e-3)


def test_the_example_of_tied_tokens():
    either, both = (att.least_distance(np.array(rows)).point for rows in ([[2.0, 0]], [[2.0, 0], [0, 1]]))
    np.testing.assert_allclose([*either, *both], [0.5, 0, 0.5, 1], atol=1e-9)
    np.testing.assert_allclose([1 / np.linalg.norm(w) for w in (either, both)], [2, 2 / np.sqrt(5)])
    tied = att.TokenData([[[2, 0], [0, 1], [0, 0]]], [[1, 0]], [1], [1, 2])
    weights = att.softmax_weights(tied, 60 * np.outer(either, [1, 0]))[0]
    assert tied.scores[0].max() - weights @ tied.scores[0] < 1e-10
    assert weights[1] == weights[2]
