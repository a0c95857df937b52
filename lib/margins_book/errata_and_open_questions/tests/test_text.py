"""What chapter 11 says about numbers and of the errors as a whole, and the answers of its worksheet."""

import itertools
import math
import re

import numpy as np
import pytest

from margins.attention_svm import TokenData, all_choices, train
from margins_book.chapters import ROOT
from margins_book.errata_and_open_questions import figures
from margins_book.ledger import ERRORS, read_ledger
from margins_book.page.quotes import quotes
from margins_book.page.seeds import moved_seeds

NUMBERS = "cosine", "cka", "overlap"  # by which values of heads are compared with axes


@quotes("about two in five of the statements are wrong, half right, imprecise or without support")
def test_the_share_of_statements_that_are_errors():
    verdicts = [claim["verdict"] for claim in read_ledger().claims]
    judged = [verdict for verdict in verdicts if verdict not in ("opinion", "open")]
    assert abs(sum(verdict in ERRORS for verdict in judged) / len(judged) - 0.4) < 0.03


@quotes(
    r"so the second key gets $e^2/(e^1+e^2)\approx0.73$ of the attention",
    "Now the second key gets $0.38$, and the first one leads.",
    r"so attention gives the first key $1/(1+e^{-1})\approx0.73$ and the second one $0.27$",
    r"Attention gives $1/(1+e^{-2})\approx0.88$ and $0.12$.",
)
def test_weights_of_two_keys():
    for keys, right, printed in (
        ([[1, 0], [2, 0]], [0.27, 0.73], [0.62, 0.38]),
        ([[2, 0], [1, 1]], [0.73, 0.27], [0.5, 0.5]),
        ([[2, 0], [0, 2]], [0.88, 0.12], [0.88, 0.12]),
    ):
        logits, squares = np.array(keys) @ [1, 0], (np.array(keys) ** 2).sum(axis=1)
        for a, wanted in ((logits, right), (logits - squares / 2, printed)):
            assert (np.exp(a) / np.exp(a).sum()).round(2).tolist() == wanted


@quotes(
    r"At $\mu=0$ the slope is $-0.094$. At $\mu=5$ it is $-0.0018$",
    r"At $\mu=-5$ it is $-0.0033$",
    r"the slope is $-0.105/3.41\approx-0.031$",
    r"the product is the same, and the slope is $-0.105/2.13\approx-0.049$",
    r"by a factor below $\frac{1+e}2\approx1.86$",
)
def test_slopes_at_five_leads():
    for lead, size, digits in ((0, 0.094, 3), (5, 0.0018, 4), (-5, 0.0033, 4), (2, 0.031, 3), (-2, 0.049, 3)):
        s = 1 / (1 + np.exp(-lead))
        assert round(s * (1 - s) / (1 + np.exp(s)), digits) == size
    leads = np.linspace(0.01, 10, 500)
    factors = figures.slope_size(-leads) / figures.slope_size(leads)
    assert factors.min() > 1 and factors.max() < (1 + np.e) / 2 < 1.01 * factors[-1]
    assert round((1 + np.e) / 2, 2) == 1.86


@quotes("of their 36 choices of tokens the best one is the only one that is locally optimal")
def test_choices_of_the_twelve_points(twelve, asked):
    data = TokenData(twelve.reshape(2, 6, 2), asked, Y=[1, -1], v=[2, 1])
    verdicts = [choice.verdict for choice in all_choices(data)]
    assert (len(verdicts), verdicts.count("optimal"), verdicts.count("unstable")) == (36, 1, 35)


@quotes("For equal tokens and $w=1$ the matrix of three positions has the determinant $-1$")
def test_the_determinant_of_a_band():
    band = np.abs(np.subtract.outer(range(3), range(3))) <= 1
    assert round(np.linalg.det(band.astype(float)), 12) == -1


@quotes("No exception, and the control shows that there might have been some.")
def test_no_exception_without_a_spurious_choice(without, having):
    assert without.all()
    assert not having.all()


@quotes(
    "At this size the power is $-2$ in the median, as for two tokens.",
    "The winner is nearly always the token that the *final* head scores best, and often another than the one "
    "that the head of step 10 scores best",
)
def test_winners_of_joint_training(slopes, scored, chosen, fixed, steps):
    assert abs(np.median(slopes) + 2) < 0.15
    early, final = ((chosen == scored[when].argmax(axis=-1)).mean() for when in (1, -1))
    assert steps[1] == 10
    assert early < 0.85
    assert final > 0.95
    assert (chosen == fixed.tokens).mean() > 0.9


@quotes(
    "the cosine is $0.30$ in the mean of the heads, and $0.20$ with shuffled values",
    "There the cosine is $0.22$, where shuffled values and random values of the same spectrum have $0.19$.",
    "for the cosine and for CKA it could be chance",
    "Of what is left of the cosine three quarters come from six heads, "
    "all in the first layers of two networks; the other 34 heads have a cosine below $0.25$.",
    "The largest, $0.39$, belongs to a head that attends to $47$ of $48.5$ keys on average.",
    "the correlation of the cosine with the number of keys attended is $0.96$",
    "With the plain components the overlap is $0.37$ before training and $0.48$ after it, "
    "so training now *raises* it, and the other two numbers with it.",
    "no trained head has an overlap above $0.62$ with the plain components",
)
def test_agreement_of_heads_with_principal_axes(agreement, keys_attended):
    for name, before, after in (
        ("cosine", 0.30, 0.22),
        ("shuffled_cosine", 0.20, 0.19),
        ("random_cosine", None, 0.19),
        ("linear_overlap", 0.37, 0.48),
    ):
        found = [agreement[f"{moment} training", name].mean().round(2) for moment in ("before", "after")]
        assert found[1] == after and before in (None, found[0])
    cosines = agreement["after training", "cosine"]
    assert (cosines.size, (cosines < 0.25).sum(), round(cosines.max(), 2)) == (40, 34, 0.39)
    soft = np.argwhere(cosines >= 0.25)
    assert (len(set(soft[:, 0])), soft[:, 1].max() < 4) == (2, True)
    rest = {
        of: agreement["after training", of] - agreement["after training", f"shuffled_{of}"] for of in NUMBERS
    }
    assert abs(rest["cosine"][cosines >= 0.25].sum() / rest["cosine"].sum() - 0.75) < 0.02
    assert round(keys_attended.flat[cosines.argmax()]) == 47
    assert round(np.corrcoef(cosines.ravel(), keys_attended.ravel())[0, 1], 2) == 0.96
    left = [figures.over_seeds(rest[of]).low for of in NUMBERS]
    assert max(left[:2]) < 0 < left[2] < 0.01
    assert agreement["after training", "linear_overlap"].max() < 0.62


@quotes(
    "and $0.9$ % are within a hundredth of a standard deviation of $0$, where normal variables have $0.8$ %",
    r"in each head, more than $1000$ times the median one, and in one head $2\cdot10^8$ times",
    "the same quotients are now between $5$ and $68$",
)
def test_multipliers_of_trained_heads(near_zero, quotients, trained_values):
    assert trained_values.size == 4096
    assert round(100 * near_zero, 1) == 0.9
    assert round(100 * math.erf(0.01 / math.sqrt(2)), 1) == 0.8
    own, half = quotients["the network's keys"], quotients["half of them"]
    assert own.min() > 1000
    assert round(own.max() / 1e8) == 2
    assert (round(half.min()), round(half.max())) == (5, 68)


def test_the_worksheet_has_every_kind_of_error_and_two_sentences_that_are_right():
    page = (ROOT / "chapters" / "11_errata_and_open_questions.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^\| \d+ \| ", page, re.MULTILINE)) == 10
    solution = page.partition(":::{solution-start} err-ten\n")[2].partition(":::{solution-end}")[0]
    answers = re.findall(r"^\d+\. \*([\w ]+)[:.]?\*(.*)$", solution, re.MULTILINE)
    named = [kind for kind, _ in answers]
    assert (len(named), named.count("Right"), len(set(named))) == (10, 2, 7)  # six kinds, and "Right"
    (claims,) = re.findall(r"^% ledger: (.*)$", solution, re.MULTILINE)
    assert set(claims.split(", ")) <= {claim["id"] for claim in read_ledger().claims}
    assert claims.count(", ") + 1 + sum("{prf:ref}" in answer for _, answer in answers) == 10


@pytest.mark.full
@quotes(
    "In 20 other draws of the problems, with starts of size $3$, there was no exception in 15.",
    "a single problem, of which some starts stood at worse tokens after 4000 steps, with weights that print",
    "Given ten times as many steps, all of them ended at the best tokens.",
)
def test_exceptions_in_other_draws(by_verdict):
    draws = []
    for draw, d in itertools.product(range(1, 21), (3, 5)):
        with moved_seeds(draw):
            data, start = six_starts(by_verdict(d, 40)[0], d)
        run = train(data, start, iterations=4000, record=1)
        late = (run.tokens != data.optimal_tokens).any(axis=1)
        if late.any():
            draws.append(draw)
            assert len(set(np.flatnonzero(late) // 6)) == 1
            assert run.weights[-1][late].max(axis=-1).min() > 0.9995
            longer = train(data[late], start[late], iterations=40_000, record=1)
            assert (longer.tokens == data[late].optimal_tokens).all()
    assert len(draws) == len(set(draws)) == 5


def six_starts(group, d):
    """The page's runs: each problem six times, and where these start."""
    data = TokenData(*(np.repeat([getattr(one, name) for one in group], 6, axis=0) for name in "XZYv"))
    return data, 3 * np.random.default_rng(d).normal(size=(len(data.X), d, d))
