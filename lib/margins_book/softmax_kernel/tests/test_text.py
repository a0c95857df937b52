"""What the chapter on the softmax kernel says about numbers: each test quotes the words."""

import itertools
import math

import numpy as np
from numpy.linalg import norm

from margins import kernels, softmax_kernel
from margins.attention import attention_weights
from margins.kernels import exponential, gaussian
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.softmax_kernel.figures import (
    RULES,
    largest_errors,
    of_head,
    order,
    schemes,
    to_goal,
    way,
    weights_of_rule,
)
from margins_book.softmax_kernel.weights import gaussian_weights, keys_attended, softened


@quotes(
    "The three exponentials add up to $7$",
    r"The exponentials are $1$, $2$ and $2$, the weights $\frac15$, $\frac25$ and $\frac25$",
)
def test_attention_by_hand(by_hand_queries, by_hand_keys, by_hand_values):
    from_pencil = np.array([[1, 2, 2], [1, 1, 2], [1, 2, 4]]) / [[5], [4], [7]]
    weights = attention_weights(np.log(2) * by_hand_queries, by_hand_keys, scale=1.0)
    np.testing.assert_allclose(weights, from_pencil, atol=1e-15)
    np.testing.assert_allclose(from_pencil @ by_hand_values, [8.4, 8.75, 10])


@quotes("The rows on the right add up to", "tokens 1 and 3 have the determinant")
def test_three_tokens_by_hand():
    tokens = np.array([[1, 0], [0, 1], [1, 1]])
    exponentials = 2.0 ** (tokens * [1, -1] @ tokens.T)
    assert exponentials.tolist() == [[2, 1, 2], [1, 0.5, 0.5], [2, 0.5, 1]]
    assert exponentials.sum(axis=1).tolist() == [5, 2, 3.5]
    assert round(np.linalg.det(exponentials[::2, ::2]), 9) == -2


@quotes("find a place for the query where softmax and the Gaussian prefer different keys")
def test_the_two_disagree_at_key_0(seven):
    softmax, smooth = attention_weights(seven[:1], seven, scale=1.0), gaussian_weights(seven[:1], seven)
    assert (softmax.argmax(), smooth.argmax()) == (1, 0)


@quotes(r"Two random vectors of $64$ signs $\pm1$ agree")
def test_signs_agree_in_half_of_their_places_give_or_take_an_eighth():
    assert 0.96 < sum(math.comb(64, agree) for agree in range(24, 41)) / 2**64 < 0.97


@quotes("a key with the logit $8$ beats one with the logit $0$")
def test_e_to_the_8_is_about_3000():
    weights = attention_weights(np.array([[1.0]]), np.array([[8.0], [0.0]]), scale=1.0)[0]
    assert round(weights[0] / weights[1], -2) == 3000


@quotes("Checked on all pairs of sign vectors")
def test_all_pairs_are_there(logits, signs):
    assert len(np.unique(signs, axis=0)) == 2 ** signs.shape[1]
    assert np.array_equal(logits, signs @ signs.T)


@quotes(
    r"For $m$ equal weights it is $\log m$, so $e^H$ gives back",
    "For our three weights $e^H$ is $2.6$",
)
def test_keys_attended():
    assert [keys_attended(np.array(w)).round(9) for w in ([0.2] * 5, [0, 1, 0])] == [5, 1]
    assert round(keys_attended(np.array([1, 2, 4]) / 7), 1) == 2.6


@quotes(
    "For many normal keys it tends to",
    "At this temperature normal queries attend, on average",
    behind="law = [",
)
def test_shares_are_near_the_law(share, law):
    mean = share["scaled"].mean(axis=1)
    error = share["scaled"].std(axis=1, ddof=1) / np.sqrt(40)
    assert (np.abs(mean - law) < 4 * error + 0.01).all()


@quotes("With the root the share stays between 0.60 and 0.68", "without it the share falls from a third")
def test_shares_of_the_figure(share):
    scaled, unscaled = share["scaled"], share["unscaled"]
    assert 0.60 <= scaled.mean(axis=1).min() <= scaled.mean(axis=1).max() <= 0.68
    assert scaled[2:].std(axis=1).max() < scaled[0].std() / 1.5
    assert abs(unscaled[0].mean() - 1 / 3) < 0.1
    assert unscaled[-1].mean() < 0.01


@quotes("which falls from $0.71$ in dimension $1$ towards")
def test_the_law_lies_between_61_and_71_percent(law):
    assert all(0.605 < (1 + 1 / d) ** (-d / 2) < 0.71 for d in range(1, 2000))
    assert round(law[-1], 2) == 0.61


@quotes("in dimension $64$, the one that")
def test_a_third_and_one_in_a_hundred_without_the_root(dimensions, share):
    mean = dict(zip(dimensions, share["unscaled"].mean(axis=1), strict=True))
    assert (round(mean[4], 1), round(mean[64], 2)) == (0.3, 0.01)
    assert 256 * mean[64] < 3


@quotes("The Gaussian is symmetric too and no constant multiple of it")
def test_the_gaussian_is_symmetric_and_no_multiple(keys):
    smooth = gaussian(keys, gamma=0.5)
    assert kernels.asymmetry(smooth) < 1e-15
    assert np.ptp(smooth / exponential(keys)) > 0.1


@quotes("At $x=y=1$ the features up to degree")
def test_four_terms_of_e():
    assert round(sum(1 / math.factorial(k) for k in range(4)), 3) == 2.667


@quotes("part at the ends, by as much as $1.06$ on the right")
def test_the_error_of_degree_3_at_the_ends():
    assert round(largest_errors(1.0, prefactor=False)[3], 2) == 1.06


@quotes(
    "we have to go up to degree $15$",
    "In the plane these are $136$ features",
    "they are $5\\cdot10^{15}$",
    behind="opposite vectors err most",
)
def test_degree_15_and_its_features(p):
    assert p == 15
    assert math.comb(2 + p, p) == 136
    assert 5.0e15 < math.comb(64 + p, p) < 5.5e15
    assert 20 < 4 * math.comb(64 + p, p) / 1e15 < 23  # petabytes


@quotes("a computer that ignores those below a millionth sees a rank of $12$")
def test_rank_of_forty_numbers(grid):
    assert len(grid) == 40
    assert np.linalg.matrix_rank(exponential(grid), tol=1e-6) == 12


@quotes(
    "Key 1 is $1.5$ away",
    "the feature vector of key 1 is ten times as long",
    "but the two factors have changed places",
)
def test_nearness_and_length_of_key_1(seven):
    query, near, far = seven[0], seven[0], seven[1]
    nearness, length = np.exp(-(norm(query - far) ** 2) / 2), np.exp((far @ far - near @ near) / 2)
    assert [round(norm(far - query), 1), round(nearness, 2), round(length, 1)] == [1.5, 0.32, 10.5]
    weights = attention_weights(query[None], seven, scale=1.0)[0]
    assert [round(w, 2) for w in weights[:2]] == [0.14, 0.47]
    assert round(nearness * length, 1) == round(weights[1] / weights[0], 1) == 3.4
    # seen from key 1 the query stays at (0.8, 0.3), and the keys move: key 1 lies at the origin
    moved = seven - far
    nearness = np.exp((norm(query - moved[0]) ** 2 - norm(query - moved[1]) ** 2) / 2)
    length = np.exp((moved[1] @ moved[1] - moved[0] @ moved[0]) / 2)
    assert [round(nearness, 1), round(length, 2)] == [10.5, 0.32]


@quotes("the longest key got the largest weight for 4 per cent of the letters", behind="moved = {what")
def test_longest_and_nearest_keys_of_trained_heads(moved):
    assert (moved["longest"], moved["nearest"]) == (0.04, 0.53)


@quotes("Such determinants are sums of large numbers that nearly cancel")
def test_signs_of_determinants_in_floats(low, points):
    numbers = np.array(points, dtype=float)
    table = np.exp(np.outer(numbers, numbers))
    terms = [math.prod(table[range(6), columns]) for columns in itertools.permutations(range(6))]
    assert max(terms) > 70_000
    assert 2800 < sum(terms) / low < 2850  # by their moduli
    twenties = np.sort(np.random.default_rng(0).uniform(-2, 2, size=(200, 20)), axis=1)
    wrong = [
        (np.linalg.det(np.exp(x[:, :, None] * x[:, None, :])) < 0).mean() for x in (twenties[:, :2], twenties)
    ]
    assert wrong[0] == 0
    assert 0.3 < wrong[1] < 0.7


@quotes("none of the three parts holds")
def test_untied_attention(untied, values):
    stationary = np.linalg.matrix_power(untied, 20_000)[0]
    np.testing.assert_allclose(stationary @ untied, stationary, atol=1e-12)
    flow, root = stationary[:, None] * untied, np.sqrt(stationary)
    assert np.abs(values.imag).max() > 0.01
    assert kernels.asymmetry(flow) > 0.001
    assert np.abs(flow.sum(axis=0) - flow.sum(axis=1)).max() < 1e-12  # as many come as go
    unforgotten = norm(root[:, None] * (untied - stationary) / root, 2)
    assert unforgotten > (1 + 1e-6) * np.sort(np.abs(values))[-2]  # part 3 would have it at most this


@quotes("Let all tokens but two attend to one")
def test_star_and_chain(chain, least):
    assert attention_weights(chain, chain, scale=1.0).argmax(axis=1).tolist() == 28 * [28] + [29, 29]
    assert [round(least(chain), 2), round((1 - 30**0.5) / 2, 2)] == [-2.68, -2.24]


@quotes("though it is too small to see")
def test_the_eigenvalue_near_the_goal():
    eigenvalues, _ = to_goal("W_Q")
    assert 0 < np.interp(0.9, way, eigenvalues) < 0.001


@quotes("Stripes parallel to the diagonal mean")
def test_the_band_has_stripes_and_a_negative_eigenvalue():
    striped = schemes["band"](0.52)
    offsets = range(1 - len(order), len(order))
    assert all(np.ptp(np.diagonal(striped, offset)) == 0 for offset in offsets)
    assert kernels.smallest_eigenvalue(striped) < 0


@quotes("On three neighbouring positions its factors")
def test_three_positions_of_the_band():
    factors = np.exp(kernels.band_mask(np.arange(3), width=1).astype(float))
    u = np.array([1, -2, 1])
    assert abs(u @ factors @ u + 2 * (math.e - 1)) < 1e-12


@quotes("which is negative between")
def test_where_the_symbol_of_the_band_is_negative(symbol, theta):
    assert np.array_equal(symbol < -1e-9, theta > 2 * math.pi / 3 + 1e-9)


@quotes("None of this forbids a learned table or a mask.")
def test_factors_that_are_no_kernels_have_positive_row_sums():
    for factor in (schemes[name](0.52) for name in ("learned table", "ALiBi, causal")):
        assert (factor.sum(axis=1) > 0).all()
        assert not softmax_kernel.factor_verdict(factor).safe_for_every_content


@quotes("Normalisation asks for something other than definiteness")
def test_definiteness_and_row_sums(K, eigenvalue, query, pair):
    assert eigenvalue < 0 < K.sum(axis=1).min()  # squared ReLU
    opposed = softmax_kernel.cosine(np.vstack([query, -pair[:1]]))
    assert kernels.is_psd(opposed)
    assert abs(opposed[0, 1] + 0.6) < 1e-12  # of one key: a negative row sum


@quotes("The share of the keys that is attended to tends to")
def test_share_of_a_million_normal_keys():
    million = np.random.default_rng(8).normal(size=10**6)
    for sigma in (0.5, 1.0, 1.5):
        share = keys_attended(softened(sigma * million, 1)) / 10**6
        assert abs(share - math.exp(-(sigma**2) / 2)) < 0.01


@quotes("For a normal query its mean is")
def test_mean_share_of_a_normal_query():
    from scipy.stats import chi2

    for d in (1, 4, 64):
        squares = chi2(d)
        assert abs(squares.expect(lambda s, d=d: math.exp(-s / d / 2)) - (1 + 1 / d) ** (-d / 2)) < 1e-6
        assert abs(squares.expect(lambda s: math.exp(-s / 2)) - 2 ** (-d / 2)) < 1e-6
    falling = [(1 + 1 / d) ** (-d / 2) for d in range(1, 2000)]
    assert (np.diff(falling) < 0).all()
    assert [round(falling[0], 2), round(falling[-1], 2), round(math.exp(-1 / 2), 2)] == [0.71, 0.61, 0.61]


@quotes(
    "A lead of $5$ gives the wanted key",
    "For $w=0.9$ it is $6.8$ among $100$ keys",
    "it outweighs $54$ keys of logit $0$, but not $55$",
)
def test_what_a_lead_of_5_can_do():
    weights = [softened(np.r_[5.0, np.zeros(m - 1)], 1)[0] for m in (100, 10_000)]
    assert [round(weights[0], 2), round(weights[1], 3), round(math.exp(5))] == [0.60, 0.015, 148]
    assert [round(math.log((m - 1) * 9), 1) for m in (100, 100_000)] == [6.8, 13.7]
    assert 54 < math.exp(4) < 55 and round(math.exp(4), 1) == 54.6


@quotes("the blue curve can lie above the vermilion one", "The wanted key keeps its weight, while the others")
def test_three_rules_of_the_figure():
    for rule, m, lead in itertools.product(RULES, (2, 55, 3000), (0, 5, 8)):
        shares = weights_of_rule(rule, np.array(float(m)), lead)
        ratio = shares["wanted key"] / shares["others together"]
        assert ratio <= 1.000001 * math.exp(lead) / (m - 1)
        assert rule == "sigmoid" or abs(ratio * (m - 1) / math.exp(lead) - 1) < 1e-9
    few, many = (weights_of_rule("sigmoid", np.array(m), 8) for m in (10.0, 1e6))
    assert few["wanted key"] == many["wanted key"]
    assert many["others together"] > 1e4


@quotes("Head 1.3 is the third head of the first layer.", "They are also small, with $d_k=8$")
def test_names_and_sizes_of_heads(heads):
    assert np.array_equal(of_head("1.3")[0], heads.tokens[0] @ heads.W_Q[0, 2] / 8**0.25)
    assert heads.W_Q.shape[-1] == heads.W_K.shape[-1] == 8


@quotes("Training spreads the logits of most heads further.")
def test_training_spreads_the_logits(before, after):
    assert all((after[what] == before[what]).all() for what in ("seed", "layer", "head"))
    assert (after["spread"] > before["spread"]).sum() == 39


@quotes("In the record each letter of the second halves")
def test_keys_that_letters_may_attend_to():
    assert np.mean([letter + 1 for letter in range(32, 64)]) == 48.5


@quotes("Before training the heads attend to 26 to 36 keys")
def test_keys_attended_before_training(before, off_the_law):
    assert [round(before["attended"].min()), round(before["attended"].max())] == [26, 36]
    assert 0.0715 < off_the_law < 0.072


@quotes("After training the median is $4.0$ keys")
def test_keys_attended_after_training(after):
    assert round(np.median(after["attended"]), 1) == 4.0
    assert ((after["attended"] < 8).sum(), len(after)) == (30, 40)


@quotes("$0.95$ of their weight goes to the letter before")
def test_two_heads_are_nearly_hard(after):
    *_, third, second, first = sorted(after["previous"].round(2))
    assert (second, first) == (0.95, 0.95)
    assert third < 0.7


@quotes("Three, all in first layers, still attend")
def test_three_heads_are_soft(after):
    assert after["layer"][after["attended"] > 30].tolist() == [0, 0, 0]


@quotes("Without it, as Gaussian smoothing")
def test_weight_to_be_moved(moved):
    assert (moved["of_smoothing"], moved["of_prior"], moved["of_equal"]) == (0.31, 0.88, 0.79)


@quotes("The key with the largest weight is the nearest one")
def test_nearest_and_longest_keys(moved):
    assert (moved["nearest"], moved["longest"]) == (0.53, 0.04)


@quotes("With the mean key at the origin the numbers are")
def test_the_mean_key_at_the_origin(moved):
    assert (moved["of_smoothing_centred"], moved["nearest_centred"]) == (0.27, 0.61)


@quotes("No head of the first seed is a kernel on tokens")
def test_no_head_is_a_kernel(kernels_found, pairs):
    assert (kernels_found, len(pairs)) == (0, 8)


@quotes("Before training the two numbers are", "Compared head by head, the first has risen")
def test_asymmetry_and_negative_share(stray, changed):
    assert stray["before"][::2] == [0.97, 0.5]
    assert stray["after"] == [0.99, 0.05, 0.48, 0.07]
    assert [round(by.mean(), 3) for by in changed.values()] == [0.020, -0.014]
    assert [round(by.std(ddof=1) / len(by) ** 0.5, 3) for by in changed.values()] == [0.010, 0.011]


@quotes("the mean of one seed's heads is anything from")
def test_keys_attended_by_seed(after):
    means = [after["attended"][after["seed"] == seed].mean() for seed in range(5)]
    assert [round(min(means), 1), round(max(means), 1)] == [4.8, 15.7]


@quotes("the five networks have losses from", "the networks have $1.93$ to $2.08$", "has $2.19$ there")
def test_losses_and_those_of_pairs(of_networks, of_pairs):
    ends = np.sort(of_networks, axis=0)[[0, -1]].round(2)
    assert ends[:, 1:].T.tolist() == [[1.34, 1.44], [1.93, 2.08]]
    assert of_pairs[1:].round(2).tolist() == [2.19, 2.43]


@quotes("Most of these heads are far from their soft start")
def test_most_heads_are_far_from_their_start(before, after):
    assert (after["attended"] < before["attended"].min() / 2).sum() == 34
    assert (after["attended"] < 2).sum() == 2
