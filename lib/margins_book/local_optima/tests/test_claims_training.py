"""Chapter 7, Local optima, feasibility and over-parameterisation: the claims that need training."""

from itertools import islice

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from margins import attention_svm as att
from margins import svm
from margins.kernels import gaussian
from margins_book.experiments.global_convergence import trend
from margins_book.experiments.recorded import recorded
from margins_book.local_optima.tests.test_claims import next_margin
from tests.margins_book.samples import TRAP, problem


def stacked(sets):
    return att.TokenData(*(np.stack([getattr(data, name) for data in sets]) for name in ("X", "Z", "Y", "v")))


@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("step", [0.1, 3.0, 30.0])
def test_c7_04_the_norm_diverges_for_every_fixed_step(normalised, step):
    """With separable (z, Y), <W(k), v u'> grows with every step of any size: ||W(k)|| tends to infinity."""
    data = problem(0, 3, 4, 4)
    u = att.query_separator(data)
    iterations = 60 if normalised else 400
    run = att.train(data, iterations=iterations, step=step, normalised=normalised, record=iterations + 1)
    towards = np.einsum("rde,d,e->r", run.W, data.v, u)
    moving = 1 - run.weights.max(axis=-1).max(axis=-1) > 1e-15  # beyond, plain steps are below rounding
    assert (np.diff(towards)[moving[:-1]] > 0).all()
    norms = np.linalg.norm(run.W, axis=(1, 2))
    assert norms[iterations // 4] < norms[iterations // 2] < norms[-1]


@pytest.mark.parametrize(("normalised", "step"), [(True, 0.1), (False, 1.0)])
def test_c7_05_correction_with_two_sequences_equal_scores_are_not_enough(normalised, step):
    """T = 2, so B.2 holds; separable and feasible, but the choice (second, first) is spurious."""
    assert att.equal_scores(TRAP)
    assert att.query_separator(TRAP) is not None
    wrong, right = att.judged_choice(TRAP, np.array([1, 0])), att.frobenius_svm(TRAP, TRAP.optimal_tokens)
    assert right.feasible
    assert wrong.verdict == "spurious"
    assert wrong.solution.margins[0, 0] == pytest.approx(3.0)
    start = np.array([[1.5, 0.0], [3.0, 0.0]])
    run = att.train(TRAP, start, iterations=5000, step=step, normalised=normalised, record=1)
    assert run.tokens.tolist() == [1, 0]
    assert att.correlation(run.W[-1], wrong.solution.W) > 0.999
    assert att.correlation(run.W[-1], right.W) == pytest.approx(0.447, abs=5e-3)


@pytest.mark.parametrize("options", [{"step": 0.1}, {"step": 0.02}, {"step": 0.5, "normalised": False}])
def test_c7_06_correction_both_conditions_together_do_not_suffice(options):
    """The best scores lead by three quarters, the first gradient separates, and descent is caught."""
    X = [[[-0.5, -1.6], [-0.8, 1.9], [-0.9, 1.8]], [[-0.2, 0.4], [-1.1, -4.3], [-1.2, -1.1]]]
    data = att.TokenData(X, [[-1.4, -1.1], [-0.6, -0.5]], [1, 1], [1, 0])
    ranked = np.sort(data.scores, axis=1)
    lead = (ranked[:, 2] - ranked[:, 1]) / (ranked[:, 2] - ranked[:, 0])
    assert lead.min() == pytest.approx(0.75)
    assert att.first_gradient_margin(data) > 0.01
    run = att.train(data, iterations=2000, record=1, **options)
    caught = att.judged_choice(data, run.tokens)
    assert caught.verdict == "spurious"
    assert att.correlation(run.W[-1], caught.solution.W) > 0.999


def test_c7_09_every_size_of_the_recorded_study_shows_the_trend():
    """The shares of both forms rise with d at all five (n, T), and fall with n and with T at d = 5."""
    study, sizes = recorded("global-convergence"), set()
    for form in ("W", "KQ"):
        shares = {}
        for n, T in sorted({*zip(study["n"].tolist(), study["T"].tolist(), strict=True)}):
            part = (study["n"] == n) & (study["T"] == T) & (study["form"] == form)
            levels = np.unique(study["d"][part])
            counts = [(part & (study["d"] == d)).sum() for d in levels]
            sizes |= {(n, T, int(d)) for d, count in zip(levels, counts, strict=True) if count == 200}
            shares[n, T] = [study["all_optimal"][part & (study["d"] == d)].mean() for d in levels]
            assert trend(study["d"][part], study["all_optimal"][part].astype(float)) > 10
        assert shares[5, 5][1] > shares[10, 5][1] > shares[15, 5][1]
    assert len(sizes) == 25


def test_c7_09_no_jump_at_the_threshold_of_feasibility():
    """n = T = 5, threshold 5: the share rises most below it, by less than a quarter with each dimension."""
    shares = []
    for d in range(3, 8):
        data = problem(9, 5, 5, d, batch=300)
        run = att.train(data, iterations=500, record=1)
        shares.append((run.tokens == data.optimal_tokens).all(axis=1).mean())
    rises, error = np.diff(shares), np.sqrt(2 * 0.25 / 300)  # at most, of a difference of two shares
    assert max(rises) < 0.25
    assert max(rises[1:3]) < max(rises[0], rises[3]) + 3 * error
    assert 0.3 < shares[0] < shares[-1] < 0.9


def test_c7_12_the_limit_does_not_depend_on_scores_of_given_order():
    """Shrinking the gap to the runner-up leaves the SVM, and the direction of descent, unchanged."""
    X = np.array([[[1.0, 0.2], [0.6, 1.0], [-1.0, -0.4]]])
    directions = []
    for v in ([1.0, 0.0], [1.0, 0.35]):
        data = att.TokenData(X, [[1.0, 0.0]], [1.0], v)
        run = att.train(data, iterations=5000, record=1)
        assert run.tokens.tolist() == data.optimal_tokens.tolist() == [0]
        directions.append(run.W[-1] / np.linalg.norm(run.W[-1]))
    assert_allclose(directions[0], directions[1], atol=5e-3)


def ties():
    """Two equal good tokens at random places, the bad one at 0, and the brackets of the rate of their tie."""
    for seed in range(40):
        good = np.random.default_rng(seed).normal(loc=[1.5, 0], size=(2, 2))
        data = att.TokenData([[*good, [0, 0]]], [[1.0, 0.0]], [1.0], np.linalg.solve(good, [1, 1]))
        yield data, good, (good[0] @ (good[0] - good[1]), good[1] @ (good[1] - good[0]))


def rates(data, good, leads):
    """The rate of log s_1 / s_2 at these values of it, over the weight of the bad token; its logits vary."""
    for lead in leads:
        for height in (-2.0, 0.0, 5.0):
            W = np.outer(np.linalg.solve(good, [lead + height, height]), [1, 0])
            yield (good[1] - good[0]) @ att.loss_gradient(data, W)[:, 0] / att.softmax_weights(data, W)[0, 2]


def test_c7_12_correction_starts_between_the_two_ends_keep_the_tie_where_each_can_win():
    """At s_1 : s_2 = <d_2, d_2 - d_1> : <d_1, d_1 - d_2> the rate is 0, beside it the tie breaks."""
    found = [tie for tie in ties() if min(tie[2]) > 0]
    for data, good, (first, second) in found:
        balance, size = np.log(second / first), first + second
        assert_allclose(list(rates(data, good, [balance])), 0, atol=1e-12 * size)
        assert min(rates(data, good, balance + np.array([0.01, 1, 5]))) > 0
        assert max(rates(data, good, balance - np.array([0.01, 1, 5]))) < 0
    assert len(found) > 10


def test_c7_12_correction_one_token_wins_from_every_start_where_the_other_cannot():
    """If <d_2, d_2 - d_1> is negative, s_1 : s_2 rises at every W, also from far behind."""
    found = [tie for tie in ties() if min(tie[2]) < 0]
    for data, good, (_, second) in found:
        sign = 1 if second < 0 else -1
        assert min(sign * rate for rate in rates(data, good, np.linspace(-8, 8, 9))) > 0
    assert len(found) > 10


def test_c7_12_two_equal_tokens_stay_a_mixture():
    """T = 2 without a gap has no gradient at all."""
    data = att.TokenData([[[1.0, 0.0], [0.0, 1.0]]], [[1.0, 0.0]], [1.0], [1.0, 1.0])
    assert att.train(data, iterations=10).status == "stationary"


def spurious_choices():
    """Spurious choices of random problems, the tokens that are no neighbours well behind."""
    for seed in range(100):
        data = problem(seed, 2, 3, 3)
        for choice in att.all_choices(data):
            wide = choice.verdict == "spurious" and next_margin(choice.solution) > 1.5
            if (
                wide and choice.solution.support.sum() > 1
            ):  # with one neighbour W_alpha itself is the minimiser
                yield data, choice


def log_excess_over(data, choice, W, R):
    """log(L(W) - L_alpha) / R; 1 where L falls below, outside the cone."""
    chosen = np.take_along_axis(data.scores, choice.tokens[:, None], axis=1)
    lost = (att.softmax_weights(data, W) * (chosen - data.scores)).sum(axis=1)
    excess = np.log1p(np.expm1(lost) / (1 + np.exp(chosen[:, 0]))).mean()
    return np.log(excess) / R if excess > 0 else 1.0


def test_c7_13_on_balls_the_loss_may_be_lower_near_the_origin():
    """Along W_alpha the loss tends to L_alpha from above; for some spurious choices it starts below that."""
    lower = []
    for data, choice in islice(spurious_choices(), 20):
        chosen = np.take_along_axis(data.scores, choice.tokens[:, None], axis=1)[:, 0]
        level = np.log1p(np.exp(-chosen)).mean()
        lower.append(
            min(att.training_loss(data, r * choice.solution.W) for r in np.linspace(0, 8, 41)) < level - 1e-3
        )
    assert 0.1 < np.mean(lower) < 0.6


def test_c7_13_inside_the_cone_of_spurious_tokens_the_path_tends_to_their_svm():
    """Minimisers near W_alpha on spheres, tokens locally optimal but not optimal: distance like 1/R."""
    ratios = []
    for data, choice in islice(spurious_choices(), 5):
        aim = (choice.solution.W * choice.solution.margin).ravel()

        def log_excess(p, R, data=data, choice=choice):
            return log_excess_over(data, choice, R * p.reshape(3, 3) / np.linalg.norm(p), R)

        radii = np.array([150.0, 600.0]) / choice.solution.margin
        found = [minimize(log_excess, aim, (R,), options={"gtol": 1e-9}).x for R in radii]
        near, far = (np.linalg.norm(p / np.linalg.norm(p) - aim) for p in found)
        assert near < 0.03
        ratios.append(near / far)
    assert_allclose(ratios, 4.0, rtol=0.1)


def test_c7_14_correction_which_machine_descent_turns_to_depends_on_the_start():
    """The norm of W diverges; its direction is that of a machine, of tokens that the start selects."""
    starts = np.array([[[1.5, 0.0], [3.0, 0.0]], np.zeros((2, 2))])
    run = att.train(stacked([TRAP] * 2), starts, iterations=4000, record=[1000, 2000, 4000])
    sizes = np.linalg.norm(run.W, axis=(-2, -1))  # (3, 2)
    assert (sizes[1:] > 1.9 * sizes[:-1]).all()
    assert run.tokens.tolist() == [[1, 0], [0, 0]]
    for b in range(2):
        assert att.correlation(run.W[-1, b], att.frobenius_svm(TRAP, run.tokens[b]).W) > 0.99


def test_c1_11_both_models_learn_random_labels_by_heart():
    """A Gaussian machine fits them all, attention with a fixed head what its tokens allow: 1 - 2^-T."""
    data, fitted, possible = problem(0, 30, 4, 30, batch=8), [], []
    s = att.train(data, iterations=1500, record=1).weights[-1]  # (8, n, T)
    for b in range(8):
        K = gaussian(data.X[b].reshape(30, -1), gamma=1.0)
        machine = svm.smo(K, data.Y[b], 1e6)
        assert (data.Y[b] * (K @ (machine.alpha * data.Y[b]) + machine.b) > 0).all()
        fitted.append(((s[b] * data.scores[b]).sum(axis=1) > 0).mean())
        possible.append((data.scores[b].max(axis=1) > 0).mean())
        assert att.query_separator(data[b]) is not None
    assert np.mean(possible) == pytest.approx(1 - 2.0**-4, abs=4 * np.sqrt(2.0**-4 / 240))
    assert np.mean(fitted) > np.mean(possible) - 0.02


def balanced_factors(W, R):
    """K and Q with K Q' = R W / ||W||_nuclear and the least ||K||^2 + ||Q||^2 = 2 R."""
    U, s, V = np.linalg.svd(W)
    root = np.sqrt(R * s / s.sum())
    return U * root, V.T * root


def spurious_nuclear_choices(number):
    """Spurious choices whose neighbours in the nuclear machine score less, and that machine."""
    found = []
    for data, choice in spurious_choices():
        machine = att.nuclear_svm(data, choice.tokens)
        chosen = np.take_along_axis(data.scores, choice.tokens[:, None], axis=1)
        if np.all((data.scores < chosen) | ~machine.support):
            found.append((data, choice, machine))
        if len(found) == number:
            return found
    raise AssertionError("too few problems")


def test_c7_17_near_spurious_tokens_the_path_of_keys_and_queries_tends_to_their_nuclear_svm():
    """Minimisers over K, Q near the factors of W_alpha, on spheres: distance like 1/R, and not to W^mm."""
    ratios = []
    for data, choice, machine in spurious_nuclear_choices(3):
        aim = machine.W * machine.margin  # of nuclear norm 1

        def log_excess(p, R, data=data, choice=choice):
            K, Q = np.sqrt(2 * R) * p.reshape(2, 3, 3) / np.linalg.norm(p)
            return log_excess_over(data, choice, K @ Q.T, R)

        distances = []
        for R in np.array([50.0, 200.0]) / machine.margin:
            noise = 0.02 * np.random.default_rng(0).normal(size=(2, 3, 3))
            start = np.array(balanced_factors(aim, 1.0)) + noise
            p = minimize(log_excess, start.ravel(), (R,), options={"gtol": 1e-9}).x
            K, Q = np.sqrt(2) * p.reshape(2, 3, 3) / np.linalg.norm(p)
            distances.append(np.linalg.norm(K @ Q.T - aim))
        assert distances[1] < 0.02
        ratios.append(distances[0] / distances[1])
    assert_allclose(ratios, 4.0, rtol=0.3)


def test_c7_17_descent_on_keys_and_queries_from_there_stays_with_spurious_tokens():
    stayed = []
    for data, choice, machine in spurious_nuclear_choices(12):
        start = balanced_factors(machine.W, 8 / machine.margin)
        run = att.train(data, start, iterations=400, step=0.05)
        stayed.append(np.array_equal(run.tokens, choice.tokens))
        assert not np.array_equal(choice.tokens, data.optimal_tokens)
    assert np.mean(stayed) > 0.9
