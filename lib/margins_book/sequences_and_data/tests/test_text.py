"""What holds the words of the chapter on sequences: each test quotes them, with names of the page."""

import numpy as np
import pytest
from numpy.linalg import norm

from margins import attention_svm as att
from margins import data as real
from margins_book.experiments.estimates import mean
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.page.seeds import moved_seeds
from margins_book.sequences_and_data import optimisers
from margins_book.sequences_and_data.figures import marked, two_contexts
from margins_book.sequences_and_data.studies import study, together


@quotes(
    "Their scores are $-2.3$, $-4.6$, $2.8$ and $1.8$, so that token 3 is its best token.",
    "The two tokens that it sees score $2.3$ and $4.6$, so the best token for token 2 is token 2 itself.",
)
def test_scores_of_two_positions(asks, five, reader):
    scores = att.causal_data(five[None], asks[None], reader).scores.round(9)
    assert scores[3, :4].tolist() == [-2.3, -4.6, 2.8, 1.8] and scores[1, :2].tolist() == [2.3, 4.6]


@quotes("the standard error of the difference is more than 3.")
def test_fifth_question_of_the_card():
    assert np.sqrt(0.93 * 0.07 / 100 + 0.95 * 0.05 / 100) > 0.03


@quotes(
    r"has all margins at least $1$: for the three queries $\frac{25}4,3$; $1,1$; $\frac{25}{12},1$"
    r" in the first sequence and $\frac{25}9,\frac43$; $1,\frac{13}9$; $1,\frac{13}2$ in the second"
)
def test_margins_of_the_proof(by_hand, full):
    margins = np.sort(att.token_margins(full, full.optimal_tokens, by_hand), axis=1)[:, :2]
    said = [[25 / 4, 3], [1, 1], [25 / 12, 1], [25 / 9, 4 / 3], [1, 13 / 9], [1, 13 / 2]]
    assert np.allclose(margins, np.sort(said, axis=1))


@quotes(
    "more of the token $(3,1)$ in this output lowers the loss at the rate $0.6$, and more of $(1,5)$ at the"
    " rate $0.2$. So at this moment $(3,1)$ is the better token, by a factor of three.",
    story="Then more of the token $(3,1)$ lowers it at the rate 0.6, more of $(1,5)$ at the rate 0.2",
)
def test_momentary_scores_by_hand():
    assert np.allclose(np.array([[3, 1], [1, 5]]) @ [0.2, 0], [0.6, 0.2])


@quotes(
    "Three layers give the same picture; the last one has turned less far.",
    "Without residual connections the lower layer has its machine, and the upper one has none to speak of",
    "A layer's matrix correlates at $0.7$ only with the machine of all its queries.",
)
def test_what_trained_layers_turn_to(deep, table):
    assert 0.6 < np.median(deep[0, :, 1]) < 0.8
    medians = np.median(table[3, True][:, :, 0], axis=1)
    assert medians[:2].min() > 0.95 > medians[2] > 0.8
    lower, upper = table[2, False]
    assert np.median(lower[:, 0]) > 0.95 and np.nanmedian(upper[:, 0]) < 0.8
    assert lower[:, 3].mean() > 0.95 and abs(upper[:, 3].mean() - 0.8) < 0.15  # with the best momentary score
    assert np.median(upper[:, 2]) < 1e-3 < 0.1 < np.median(deep[1, :, 2])


@quotes(
    "with a correlation above $0.99$ on average. Most of the selected patches are the best ones",
    "a little less accurate than the linear machine on mean tokens from which it started, by a point or two.",
    "It rises by a point in the first tens of steps and falls again, in these splits.",
    "And a linear machine on the raw pixels does better, with these features and splits.",
    "with a correlation above $0.99$. What follows for new images?",
    "nothing makes it so: in one of the ten it was better.",
)
def test_what_training_on_digits_gives(digit_study, curve, pixels):
    assert digit_study["correlation with the machine"].mean() > 0.99
    selected = digit_study["share of best tokens selected"]
    assert 0.5 < selected.min() <= selected.mean() < 1
    start, end = digit_study["test, machine on means"], digit_study["test, at the end"]
    assert -0.025 < np.mean(end - start) < -0.005 and np.sum(end > start) == 1
    assert 0.005 < max(curve[1:4]) - curve[0] < 0.015 and curve[-1] < max(curve[1:4])
    assert all(mean(pixels - other).low > 0 for other in (start, end))


@quotes("it goes down for some fifty steps, and after that it rises")
def test_where_the_loss_on_new_images_turns(problems):
    assert 45 <= turn(problems) <= 60


def turn(problems):
    """The step after which the mean loss on new images rises."""
    steps = np.arange(0, 201, 5)
    run = att.train(together([train for train, _, _ in problems]), iterations=200, record=steps)
    return steps[np.argmin([loss_on_new(problems, W) for W in run.W])]


def loss_on_new(problems, W):
    return np.mean([att.training_loss(test, w) for (_, test, _), w in zip(problems, W, strict=True)])


@pytest.mark.full
@quotes(
    "(In 20 other draws of features and splits the turn came between the steps $50$ and $100$, and in two"
    " of them the loss ended a little below its start.)",
    "the gain of thirty steps was positive each time, by between $0.3$ and $3.2$ points, and that of all"
    " steps was negative in 19.",
    "In about two thirds of them the linear machine on pixels was ahead of both the start and the end, with"
    " intervals of its lead that lie above zero.",
)
def test_digits_in_other_draws(prepared, raw, images, is_three):
    found = []
    for draw in range(1, 21):
        with moved_seeds(draw):
            patches = real.embed_patches(
                real.digit_patches(images), 64, rng=np.random.default_rng(0), reach=1.5
            )
            problems = [prepared(patches, is_three, 40, seed) for seed in range(10)]
            pixels = np.array([raw(seed) for seed in range(10)])
        run, of = study(problems, 5000)
        start, end = of["test, machine on means"], of["test, at the end"]
        gains = [100 * np.mean(of[when] - start) for when in ("test, after 30 steps", "test, at the end")]
        leads = all(mean(pixels - other).low > 0 for other in (start, end))
        rise = loss_on_new(problems, run.W[-1]) - loss_on_new(problems, run.W[0])
        found.append([turn(problems), rise, *gains, leads])
    turns, rises, soon, late, leads = np.transpose(found)
    assert turns.min() >= 50 and turns.max() <= 100
    assert np.sum(rises < 0) == 2 and rises.min() > -0.05
    assert [soon.min(), soon.max()] == pytest.approx([0.3, 3.2], abs=0.05)
    assert np.sum(late < 0) == 19 and 12 <= leads.sum() <= 14


@quotes(
    "the causal problem is feasible more often than the full one, at all four sizes",
    "With two sequences and more it need not be zero: there *are* problems",
)
def test_how_often_the_best_tokens_are_feasible(feasible):
    assert len(feasible) == 4
    assert all(np.diff(np.mean(both, axis=1)) > 0 for both in feasible.values())
    lost = [(full & ~causal).sum() for (n, _, _), (full, causal) in feasible.items() if n > 1]
    assert sum(lost) > 0


@quotes("In a few of a hundred random problems pruning an idle token does the one, in a few the other.")
def test_how_often_pruning_makes_and_removes_traps(created, removed):
    assert 0.01 < np.mean(created) < 0.06 and 0.01 < np.mean(removed) < 0.07


@quotes(
    r"the margins of $t$ and of the pair are $1$, that of $r$ is $2$",
    "With the head $(2,1)$ the scores are $0,-1,-2$ and $1,0$",
)
def test_idle_token_by_hand():
    first, pair = np.array([[0, 0], [-2, 3], [-2.5, 3]]), np.array([[0, 1], [0, 0]])
    assert [(X @ [2, 1]).tolist() for X in (first, pair)] == [[0, -1, -2], [1, 0]]
    rows = np.array([first[0] - first[1], first[0] - first[2], pair[0] - pair[1]])
    assert (rows @ [2, 1]).tolist() == [1, 2, 1]


@quotes(
    r"For $\delta=0.01$ the margin has fallen from $2$ to about $\delta$, and the direction has"
    " *turned by nearly 90 degrees*",
    "a cosine of $0.99$ is a distance of $0.14$, and the bound divides a margin of $0.5$ by at least three"
    " and a half",
)
def test_twins_by_hand():
    w = np.array([0.5, 1 / 0.01])
    assert abs(0.01 * norm(w) - 1) < 1e-3 and np.degrees(np.arctan2(w[1], w[0])) > 89
    distance = np.sqrt(2 - 2 * 0.99)
    assert round(distance, 2) == 0.14 and 0.5 / distance > 3.5


@quotes(
    "hashed letters of sixteen words tell two libraries apart in some sixty of a hundred cases",
    "at these sizes, no better than the mean it began with, to within a few in a hundred",
)
def test_what_training_on_words_gives(text_study):
    start = text_study["test, machine on means"]
    assert 0.55 < start.mean() < 0.7 and abs(np.mean(text_study["test, at the end"] - start)) < 0.04


@quotes(
    "it serves two choices out of sixteen.",
    "no matrix serves $12$ of the $64$ choices, in every data set that we drew",
)
def test_choices_that_no_matrix_serves(refused_choices, refused):
    one = att.sequence_data(np.array([[[1.0], [2.0]], [[-1.0], [3.0]]]), np.ones((2, 2)), np.ones(1))
    assert refused_choices(one) == 14 / 16 and np.allclose(refused["full", 3], 12 / 64)


@quotes(
    r"*sat* must be ahead of *ran* by $\log3\approx1.10$",
    "equals the *entropy* of the data, $0.28$ here",
)
def test_next_token_by_hand():
    language, _ = two_contexts("3 of 4")
    assert round(np.log(3), 2) == 1.1
    p = np.array([0.75, 0.25])
    assert round(-0.5 * p @ np.log(p), 2) == 0.28 and np.allclose(language.chances[0, :2], p)


@quotes(
    "the cosine of $B$ and the machine is between $0.56$ and $0.87$ after $10{,}000$ steps, when the loss is"
    " within $0.002$ of the entropy"
)
def test_ten_random_languages(approach):
    excess, _, cosine = approach[:, 1].T
    assert excess.max() < 0.002 and [round(cosine.min(), 2), round(cosine.max(), 2)] == [0.56, 0.87]


@quotes("No $u$ separates them, but only position 2 has a choice, and $W=I$ puts its best token ahead.")
def test_a_mask_makes_do_without_separable_queries():
    X, Y, v = [[[1.0, 0], [2, 0]]], [[-1, 1]], [1, 0]
    full, causal = (reduced(np.array(X), Y, v) for reduced in (att.sequence_data, att.causal_data))
    assert not att.is_feasible(full, full.optimal_tokens)
    assert att.token_margins(causal, causal.optimal_tokens, np.eye(2)).min() > 0


@quotes("The margins of $W=vu^\\top$ are, under the mask, $1\\cdot2=2$ for position 2, and $(-2)(-1)=2$ and")
def test_exercise_by_hand():
    X, v, W = np.array([[[1.0, 0], [0, 2], [-1, 1]]]), [1, 0], np.outer([1, 0], [2, 1])
    for reduced, found, other in (
        (att.sequence_data, [1, 2, 2, 2, 4, 4], [0, 2, 2]),
        (att.causal_data, [1, 2, 2], [0, 1, 2]),
    ):
        data = reduced(X, [[1, 1, -1]], v)
        assert data.optimal_tokens.tolist() == [0, 0, 2]
        margins = att.token_margins(data, data.optimal_tokens, W)
        assert sorted(margins[np.isfinite(margins)].tolist()) == found
        assert reduced(X, [[1, -1, -1]], v).optimal_tokens.tolist() == other


@quotes(
    "ends on the ray of the attention SVM $W^{mm}$, 22° above the first axis.",
    "Its first step goes along the diagonal, at 45°. It then comes as near to the ray of $W^{mm}$ as 11°",
    "after some 250 steps it turns back: 3,000 steps later it points to 43°",
)
def test_where_descent_and_adam_send_the_query(turnable):
    problem = att.TokenData([turnable], [[1, 0]], [1], [2, 1])
    rules = {"plain": optimisers.normalised, "Adam": optimisers.adam()}
    sent = [W[:, 0] for W in optimisers.descend(problem, rules, marked).values()]
    machine = att.frobenius_svm(problem, problem.optimal_tokens).W[None]
    plain, adam, ray = (np.degrees(np.arctan2(W[:, 1, 0], W[:, 0, 0])) for W in (*sent, machine))
    assert round(plain[-1]) == round(ray[0]) == 22
    assert abs(adam[0] - 45) < 1e-6 and round(adam.min() - ray[0]) == 11 and marked[adam.argmin()] == 250
    assert round(adam[-1]) == 43 and (np.diff(adam[adam.argmin() :]) > 0).all()


@quotes(
    r"with $x_{\mathrm{opt}}-x_t=(2,1)$", r"the one whose larger entry is smallest is $(\frac13,\frac13)$."
)
def test_one_rival_by_hand():
    pair = att.TokenData([[[2, 1], [0, 0]]], [[1, 0]], [1], [1, 0])
    machine = optimisers.max_svm(pair)[0]
    assert np.allclose(machine[:, 0], 1 / 3)


@quotes(
    "gradient descent attains 92% of the largest margin in the Frobenius norm and 70% in the max norm; sign "
    "descent 80% and 96%, Adam 81% and 93%.",
    "In the twenty problems this Adam ends in between, at 85% and 87%.",
)
def test_shares_of_the_largest_margins(attained):
    found = [np.median(shares, axis=1) for shares in attained.values()]
    assert (100 * np.array(found)).round().tolist() == [[92, 70], [80, 96], [81, 93], [85, 87]]
