"""What the chapter on the softmax kernel says about numbers: each test quotes the words."""

import itertools
import math

import numpy as np
from numpy.linalg import norm
from scipy.stats import chi2

from margins import kernels, softmax_kernel
from margins.attention import attention_weights
from margins.kernels import exponential
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.softmax_kernel.figures import largest_errors, of_head, schemes, weights_of_rule
from margins_book.softmax_kernel.weights import keys_attended, softened


@quotes(
    "The three exponentials add up to $7$",
    r"The exponentials are $1$, $2$ and $2$, the weights $\frac15$, $\frac25$ and $\frac25$",
    story=(
        r"with each of the three keys: 0, 1 and 2, in units of $\log2$",
        r"Exponentials turn them into 1, 2 and 4",
        r"\tfrac17\cdot0+\tfrac27\cdot7+\tfrac47\cdot14=10",
    ),
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


@quotes(r"attention gives them $\frac23$ and $\frac13$, and (d) gives $\frac45$ and $\frac15$")
def test_which_functions_make_the_weights_of_attention():
    q, k, c = np.random.default_rng(0).normal(size=(3, 4, 2))
    inner, query, key = q @ k.T, (q**2).sum(axis=1)[:, None], (k**2).sum(axis=1)
    candidates = [
        inner - query / 2,
        inner - (query + key) / 2,
        inner - q @ c[:1].T,
        2 * inner,
        inner + np.log((1 + query) * (1 + key)),
    ]
    makes = [np.allclose(softened(a, 1), softened(inner, 1)) for a in candidates]
    assert makes == [True, False, True, False, False]
    pairs = [softened(np.array([a, 0]), 1) for a in (math.log(2), 2 * math.log(2))]
    np.testing.assert_allclose(pairs, [[2 / 3, 1 / 3], [4 / 5, 1 / 5]])


@quotes(
    "a key with the logit $8$ beats one with the logit $0$",
    r"For $m$ equal weights it is $\log m$, so $e^H$ gives back",
    "For our three weights $e^H$ is $2.6$",
)
def test_ratios_of_weights_and_keys_attended():
    assert round(math.exp(8), -3) == 3000
    assert [keys_attended(np.array(w)).round(9) for w in ([0.2] * 5, [0, 1, 0])] == [5, 1]
    assert round(keys_attended(np.array([1, 2, 4]) / 7), 1) == 2.6


@quotes(
    "For many normal keys it tends to",
    "which falls from $0.71$ in dimension $1$ towards",
    "in dimension $64$, the one that",
    "With the root the share stays between 0.60 and 0.68",
    "without it the share falls from a third",
    behind="law = [",
)
def test_shares_of_the_keys_attended(share, law, dimensions):
    scaled, unscaled = (share[name].mean(axis=1) for name in ("scaled", "unscaled"))
    error = share["scaled"].std(axis=1, ddof=1) / np.sqrt(40)
    assert (np.abs(scaled - law) < 4 * error + 0.01).all()
    assert 0.60 <= scaled.min() <= scaled.max() <= 0.68
    assert share["scaled"][2:].std(axis=1).max() < share["scaled"][0].std() / 1.5
    without = dict(zip(dimensions, unscaled, strict=True))
    assert (round(without[4], 1), round(without[64], 2), without[1024] < 0.01) == (0.3, 0.01, True)
    assert 256 * without[64] < 3


@quotes(
    "At $x=y=1$ the features up to degree",
    "part at the ends, by as much as $1.06$ on the right",
    "we have to go up to degree $15$",
    "In the plane these are $136$ features",
    "they are $5\\cdot10^{15}$",
    "would fill some twenty petabytes",
    "a computer that ignores those below a millionth sees a rank of $12$",
    behind="for tolerance in",
    story=r"vectors of length 2 in 64 dimensions need $5\cdot10^{15}$ features for an error of one per cent",
)
def test_errors_degrees_and_numbers_of_features(p, grid):
    assert round(sum(1 / math.factorial(k) for k in range(4)), 3) == 2.667
    assert round(largest_errors(1.0, prefactor=False)[3], 2) == 1.06
    assert (p, math.comb(2 + p, p)) == (15, 136)
    assert 5.0e15 < math.comb(64 + p, p) < 5.5e15
    assert 20 < 4 * math.comb(64 + p, p) / 1e15 < 23  # petabytes
    assert (len(grid), np.linalg.matrix_rank(exponential(grid), tol=1e-6)) == (40, 12)


@quotes(
    "Key 1 is $1.5$ away",
    r"so the Gaussian gives it $e^{-1.5^2/2}\approx0.32$",
    "the feature vector of key 1 is ten times as long",
    "just what the bars of {numref}`ex-votes` show, $0.47$ against $0.14$",
    "but the two factors have changed places",
    story=(
        "gives key 1 more than three times as much",
        "0.32 times as much for nearness and 10.5 times as much for length, together 3.4 times",
        "shift all keys, not the query, until key 1 is the origin: no weight changes",
        "the two factors change places",
    ),
)
def test_nearness_and_length_of_key_1(seven):
    def factors(keys):
        near = (norm(seven[0] - keys[0]) ** 2 - norm(seven[0] - keys[1]) ** 2) / 2
        return np.exp([near, (keys[1] @ keys[1] - keys[0] @ keys[0]) / 2])

    assert round(norm(seven[1] - seven[0]), 1) == 1.5
    assert factors(seven).round(2).tolist() == [0.32, 10.54]
    assert attention_weights(seven[:1], seven, scale=1.0)[0, :2].round(2).tolist() == [0.14, 0.47]
    assert round(factors(seven).prod(), 1) == round(0.47 / 0.14, 1) == 3.4
    # seen from key 1 the query stays at (0.8, 0.3), and the keys move: key 1 lies at the origin
    assert factors(seven - seven[1]).round(2).tolist() == [10.54, 0.32]


@quotes("Such determinants are sums of large numbers that nearly cancel")
def test_signs_of_determinants_in_floats(low, points):
    table = np.exp(np.outer(*2 * [np.array(points, dtype=float)]))
    terms = [math.prod(table[range(6), columns]) for columns in itertools.permutations(range(6))]
    assert sum(terms) > 2800 * low  # by their moduli
    twenties = np.sort(np.random.default_rng(0).uniform(-2, 2, size=(200, 20)), axis=1)
    wrong = (np.linalg.det(np.exp(twenties[:, :, None] * twenties[:, None, :])) < 0).mean()
    assert 0.3 < wrong < 0.7


@quotes("none of the three parts holds")
def test_untied_attention(untied, values):
    stationary = np.linalg.matrix_power(untied, 20_000)[0]
    root = np.sqrt(stationary)
    assert np.abs(values.imag).max() > 0.01
    assert kernels.asymmetry(stationary[:, None] * untied) > 0.001
    unforgotten = norm(root[:, None] * (untied - stationary) / root, 2)
    assert unforgotten > (1 + 1e-6) * np.sort(np.abs(values))[-2]  # part 3 would have it at most this


@quotes("the eigenvalue is then $-2.68$ and not $-2.24$")
def test_star_and_chain(chain, least):
    assert attention_weights(chain, chain, scale=1.0).argmax(axis=1).tolist() == 28 * [28] + [29, 29]
    assert [round(least(chain), 2), round((1 - 30**0.5) / 2, 2)] == [-2.68, -2.24]


@quotes("On three neighbouring positions its factors", "which is negative between")
def test_the_band(symbol, theta):
    factors = np.exp(kernels.band_mask(np.arange(3), width=1).astype(float))
    u = np.array([1, -2, 1])
    assert abs(u @ factors @ u + 2 * (math.e - 1)) < 1e-12
    assert np.array_equal(symbol < -1e-9, theta > 2 * math.pi / 3 + 1e-9)


@quotes(
    "None of this forbids a learned table or a mask.",
    "Normalisation asks for something other than definiteness",
)
def test_definiteness_and_row_sums(K, eigenvalue, query, pair):
    for factor in (schemes[name](0.52) for name in ("learned table", "ALiBi, causal")):
        assert factor.sum(axis=1).min() > 0
        assert not softmax_kernel.factor_verdict(factor).safe_for_every_content
    assert eigenvalue < 0 < K.sum(axis=1).min()  # squared ReLU
    opposed = softmax_kernel.cosine(np.vstack([query, -pair[:1]]))
    assert kernels.is_psd(opposed)
    assert abs(opposed[0, 1] + 0.6) < 1e-12  # of one key: a negative row sum


@quotes(
    "The share of the keys that is attended to tends to", "which falls from $0.71$ to", "which falls to $0$"
)
def test_laws_of_the_share():
    million = np.random.default_rng(8).normal(size=10**6)
    for sigma in (0.5, 1.0, 1.5):
        share = keys_attended(softened(sigma * million, 1)) / 10**6
        assert abs(share - math.exp(-(sigma**2) / 2)) < 0.01
    for d in (1, 4, 64):
        means = [chi2(d).expect(lambda s, by=by: math.exp(-s / by / 2)) for by in (d, 1)]
        np.testing.assert_allclose(means, [(1 + 1 / d) ** (-d / 2), 2 ** (-d / 2)], atol=1e-6)
    falling = [(1 + 1 / d) ** (-d / 2) for d in range(1, 2000)]
    assert (np.diff(falling) < 0).all()
    assert np.round([falling[0], falling[-1], math.exp(-1 / 2)], 2).tolist() == [0.71, 0.61, 0.61]


@quotes(
    r"$e^5\approx148$ times the weight",
    "Among $100$ keys it has the weight $0.60$, and among $10{,}000$ it has $0.015$",
    "For $w=0.9$ it is $6.8$ among $100$ keys",
    "it outweighs $54$ keys of logit $0$, but not $55$",
)
def test_what_a_lead_of_5_can_do():
    weights = [weights_of_rule("softmax", m, 5)["wanted key"] for m in (100, 10_000)]
    assert [round(weights[0], 2), round(weights[1], 3), round(math.exp(5))] == [0.60, 0.015, 148]
    assert [round(math.log((m - 1) * 9), 1) for m in (100, 100_000)] == [6.8, 13.7]
    assert 54 < math.exp(4) < 55
    assert round(math.exp(4), 1) == 54.6


@quotes("Head 1.3 is the third head of the first layer.", "They are also small, with $d_k=8$")
def test_names_and_sizes_of_heads(heads):
    assert np.array_equal(of_head("1.3")[0], heads.tokens[0] @ heads.W_Q[0, 2] / 8**0.25)
    assert heads.W_Q.shape[-1] == heads.W_K.shape[-1] == 8


@quotes(
    "may attend to 48.5 keys on average",
    "Before training the heads attend to 26 to 36 keys, and the law misses no share by more than $0.072$",
    "Training spreads the logits of most heads further.",
    "After training the median is $4.0$ keys, and 30 of the 40 heads attend to fewer than 8",
    "Two are nearly hard: $0.95$ of their weight goes to the letter before",
    "Three, all in first layers, still attend to more than 30 keys",
    "the mean of one seed's heads is anything from $4.8$ to $15.7$ keys",
    "34 attend to half as many keys as any head did before, or fewer, and 2 are nearly hard",
)
def test_keys_attended_by_trained_heads(before, after, off_the_law):
    was, now = before["attended"], after["attended"]
    assert np.mean(range(33, 65)) == 48.5
    assert [round(was.min()), round(was.max()), math.ceil(1000 * off_the_law)] == [26, 36, 72]
    assert (after["spread"] > before["spread"]).sum() == 39
    assert (round(np.median(now), 1), (now < 8).sum(), len(now)) == (4.0, 30, 40)
    assert np.sort(after["previous"])[-2:].round(2).tolist() == [0.95, 0.95]
    assert np.sort(after["previous"])[-3] < 0.7
    assert after["layer"][now > 30].tolist() == [0, 0, 0]
    means = [now[after["seed"] == seed].mean() for seed in range(5)]
    assert [round(min(means), 1), round(max(means), 1)] == [4.8, 15.7]
    assert [(now < was.min() / 2).sum(), (now < 2).sum()] == [34, 2]


@quotes(
    "the longest key got the largest weight for 4 per cent of the letters, the nearest for 53",
    "Without it, as Gaussian smoothing, $0.31$ of the weight",
    "by the prior alone $0.88$, more than by equal weights, $0.79$",
    "is the nearest one for $0.53$ of the letters, the longest for $0.04$",
    "the numbers are $0.27$ for smoothing and $0.61$ for the nearest key",
    story="the nearest key won far more often than the longest",
)
def test_priors_of_trained_heads(moved):
    assert (moved["of_smoothing"], moved["of_prior"], moved["of_equal"]) == (0.31, 0.88, 0.79)
    assert (moved["nearest"], moved["longest"]) == (0.53, 0.04)
    assert (moved["of_smoothing_centred"], moved["nearest_centred"]) == (0.27, 0.61)


@quotes(
    "No head of the first seed is a kernel on tokens",
    "Before training the two numbers are $0.97$ and $0.50$",
    "after it they are $0.99$ and $0.48$, with standard deviations of $0.05$ and $0.07$",
    "the first has risen by $0.020$ on average, with a standard error of $0.010$, and the second has",
)
def test_definiteness_of_trained_heads(kernels_found, pairs, stray, changed):
    assert (kernels_found, len(pairs)) == (0, 8)
    assert (stray["before"][::2], stray["after"]) == ([0.97, 0.5], [0.99, 0.05, 0.48, 0.07])
    assert [round(by.mean(), 3) for by in changed.values()] == [0.020, -0.014]
    assert [round(by.std(ddof=1) / len(by) ** 0.5, 3) for by in changed.values()] == [0.010, 0.011]


@quotes("the five networks have losses from", "the networks have $1.93$ to $2.08$", "has $2.19$ there")
def test_losses_and_those_of_pairs(of_networks, of_pairs):
    ends = np.sort(of_networks, axis=0)[[0, -1]].round(2)
    assert ends[:, 1:].T.tolist() == [[1.34, 1.44], [1.93, 2.08]]
    assert of_pairs[1:].round(2).tolist() == [2.19, 2.43]
