"""The figures of the chapter on the softmax kernel: their data, controls, questions, and conditions on what is said of them.

A figure whose data stand on the page is made by a function of these data.
(book: The softmax kernel)
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.linalg import norm
from scipy.spatial import ConvexHull

from explorable import along, choice, everywhere, explore, handle, play, prompt, show, slider, toggle
from margins import kernels, softmax_kernel
from margins.attention import attention_weights
from margins.data import trained_heads
from margins.kernels import exponential, gaussian
from margins_book.softmax_kernel import drawings
from margins_book.softmax_kernel.weights import gaussian_weights, keys_attended, softened

WORDS = ["Ana", "poured", "water", "from", "the", "jug", "into", "the", "glass", "until", "it", "was"]
meanings = np.zeros((13, 2))  # of each word: whether it is a vessel, and whether that is filled or emptied
meanings[[5, 8]] = [[1, -1], [1, 1]]


@explore(
    last=choice("full", "empty", label="last word"), dock=False,
    caption="The thicker the stroke from “it” to a word, the larger the weight of that word. "
    "We wrote the keys and the query by hand, two numbers each; the last word changes the query. Nothing here was learnt.",
    prompts=[
        prompt("How much do the eleven words that are neither the jug nor the glass get together?",
               "About a quarter. No word gets nothing, and you will soon see why.",
               at={"last": "full"}, says="glass (0.72); the other eleven get 0.24",
               expect=everywhere(lambda f: 0.2 < f.rest < 0.25 and f.least > 0))],
    expect={"and *it* becomes the jug": [everywhere(lambda f: f.winner == 8, last="full"), everywhere(lambda f: f.winner == 5, last="empty")]})
def last_word(last):
    words = [*WORDS, last]
    query = np.array([2, 1.5 if last == "full" else -1.5])
    weights = attention_weights(query[None], meanings, scale=1.0)[0]
    winner, loser = (8, 5) if weights[8] > weights[5] else (5, 8)
    rest = 1 - weights[[5, 8]].sum()
    text = (f"The last word is {last}: “it” attends most to the {words[winner]} ({weights[winner]:.2f}); "
            f"the other eleven get {rest:.2f} together, the {words[loser]} {weights[loser]:.2f}.")
    facts = {"winner": weights.argmax(), "rest": rest, "least": weights.min()}
    return drawings.sentence_drawing(words, WORDS.index("it"), weights), text, facts


def votes(keys):
    """A query among keys that the reader may change, (m, 2)."""

    @explore(
        query=handle(x=slider(-2.2, 2.2, steps=49, value=-0.366667), y=slider(-1.5, 1.5, steps=33, value=1.125), label="query"),
        caption="A query among seven keys. Discs and bars: its softmax weights. Strokes: the weights of Gaussian smoothing.",
        prompts=[
            prompt("Put the query at the origin. Which of the two still tells the keys apart?",
                   "Only the Gaussian, which prefers the shortest key. All inner products are zero, so softmax gives all keys the same weight.",
                   at={"query_x": 0.0, "query_y": 0.0}, says="the same weight; the Gaussian prefers key 4",
                   expect=lambda f: f.near == f.lengths.argmin() and f.unfair < 1e-12 and not f.logits.any()),
            prompt("Find a place where both prefer the same key.",
                   "Near key 1, for example: it is the nearest key there and also the longest.",
                   at={"query_x": 1.65, "query_y": 0.9375}, says="prefers key 1 (0.84); the Gaussian prefers key 1",
                   expect=lambda f: f.soft == f.near == 1 == f.lengths.argmax() == f.distances.argmin()),
            prompt("Move the query past key 0, along its arrow and out to the rim. Does the ratio of the weights of keys 1 and 0 grow or shrink?",
                   "It grows, because the inner product with key 1 grows faster than that with key 0.",
                   at={"query_x": 1.65, "query_y": 0.5625}, says="prefers key 1 (0.75)",
                   expect=lambda f: f.soft == 1 and f.logits[1] - f.logits[0] > 1.9 * (f.keys[1] - f.keys[0]) @ f.keys[0])],
        expect={"Gaussian smoothing prefers [key 0]": [
                   everywhere(lambda f: f.near == f.distances.argmin()),
                   everywhere(lambda f: f.soft == 1 and f.near == 0, query_x=0.825, query_y=0.28125)],
               "Key 1 lies in nearly the same direction": lambda f: keys[0] @ keys[1] > 0.98 * f.lengths[0] * f.lengths[1] > 0,
               "Keys 0 and 4 are preferred nowhere": everywhere(lambda f: f.soft not in (0, 4) or f.unfair < 1e-12),
               "Each lies inside the convex hull of the others": lambda f: {0, 4}.isdisjoint(ConvexHull(f.keys).vertices)})
    def votes(query_x, query_y):
        q = np.array([query_x, query_y])
        soft, near = attention_weights(q[None], keys, scale=1.0)[0], gaussian_weights(q[None], keys)[0]
        if np.ptp(soft) < 1e-9:
            choice_of_softmax = "Softmax gives all keys the same weight"
        else:
            choice_of_softmax = f"Softmax prefers key {soft.argmax()} ({soft.max():.2f})"
        sentence = f"{choice_of_softmax}; the Gaussian prefers key {near.argmax()} ({near.max():.2f}), the nearest."
        facts = {"soft": soft.argmax(), "near": near.argmax(), "unfair": np.ptp(soft), "logits": keys @ q,
                 "keys": keys, "lengths": norm(keys, axis=1), "distances": norm(keys - q, axis=1)}
        return drawings.key_weights_drawing(keys, q, soft, near), sentence, facts

    return votes


def by_hand(queries, keys, values):
    """Attention of whole-numbered queries (n, 2), in units of log 2, to keys (m, 2) with values (m,)."""

    @explore(
        query=choice(*range(1, len(queries) + 1), label="query", value=len(queries)),
        step=choice(*drawings.STEPS, label="step"), until="which-kernel-is-inside-attention",
        caption="Attention by hand: three keys, a query in units of $\\log2$, and discs whose areas are its weights. "
        "Second panel: the table after the chosen step.",
        prompts=[
            prompt("Find the weights of query 2 before you look.",
                   "The logits are $0$, $0$ and $\\log2$; the exponentials 1, 1 and 2; the weights a quarter, a quarter and a half.",
                   at={"query": 2, "step": "weights"}, says="weights 1/4, 1/4, 1/2",
                   expect=lambda f: f.exponentials == [1, 1, 2] and f.weights == [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]),
            prompt("No query gives its largest weight to key 1. Why?",
                   "Its logit is $0$ for every query here, and another key has a larger one.",
                   at={"query": 1, "step": "logits"}, says="logits 0, 1, 1",
                   expect=everywhere(lambda f: f.logits[0] == 0 < max(f.logits)))])
    def by_hand(query, step):
        logits = (queries[query - 1] @ keys.T).tolist()
        exponentials = [Fraction(2) ** a for a in logits]
        weights = [e / sum(exponentials) for e in exponentials]
        output = sum(w * int(v) for w, v in zip(weights, values, strict=True))
        rows = {"logits": logits, "exponentials": exponentials, "weights": weights,
                 "outputs": [*weights, f"so the output is {float(output):g}"]}
        sentence = f"Query {query}: {'weights' if step == 'outputs' else step} {', '.join(map(str, rows[step]))}."
        facts = {"logits": logits, "exponentials": exponentials, "weights": weights}
        return drawings.by_hand_drawing(queries, keys, values, query - 1, step), sentence, facts

    return by_hand


def attended(dimensions, share, law):
    """Shares of the keys {"scaled": (5, 40), "unscaled": (5, 40)} by dimension and draw; `law` is their limit."""
    show(
        drawings.attended_figure(dimensions, share, law),
        name="attended",
        caption="The share of 256 random keys that a random query attends to, with the standard deviation over 40 draws.",
        alt="Two curves over the dimension. With the root the share stays between 0.60 and 0.68 and spreads less in high dimension; "
        "without it the share falls from a third to below one hundredth.")


@explore(
    factor=slider(0.5, 10, steps=96, value=1, label="factor of the query"),
    caption="The exponentials of query 3, all multiplied by one factor, and their shares of the sum.",
    prompts=[
        prompt("Set the factor to 10. What becomes of the differences of the three numbers, and what of their ratios?",
               "The differences grow tenfold. The ratios stay, and shares depend on ratios alone.",
               at={"factor": 10}, says="10, 20, 40", expect=everywhere(lambda f: np.allclose(f.ratios, [1, 2, 4]))),
        prompt("What would the weights be if 10 were added to the three numbers, instead?",
               "11/37, 12/37 and 14/37, nearly equal. A number added to all logits is a factor here; one added to the exponentials is not.",
               at={"factor": 1}, says="1, 2, 4")],
    expect={"A factor that depends on the query alone will always cancel": everywhere(
        lambda f: np.allclose(f.weights, [1 / 7, 2 / 7, 4 / 7], atol=1e-12))})
def hidden_factor(factor):
    exponentials = factor * np.array([1, 2, 4])
    weights = exponentials / exponentials.sum()
    sentence = f"The numbers are {', '.join(f'{e:g}' for e in exponentials)}; the weights are 1/7, 2/7, 4/7."
    return drawings.hidden_factor_drawing(exponentials, weights), sentence, {"weights": weights, "ratios": exponentials / exponentials[0]}


line = np.linspace(-2, 2, 61)
degrees = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12]


@cache
def largest_errors(y, prefactor):
    """The largest error over the line for the degrees from 0 to 12."""
    errors = [softmax_kernel.truncation_error(line[:, None], [[y]], degree=p, prefactor=prefactor) for p in range(13)]
    return np.abs(errors).max(axis=(1, 2))


@explore(
    y=handle(x=slider(-1.5, 1.5, steps=43, value=1), y=0.0, label="y"),
    degree=play(degrees, value=3, label="features up to degree"),
    prefactor=toggle(label="with the prefactor"), until="no-finite-factorisation",
    caption="Two kernels over $x$, and the inner product of the features of $x$ and $y$ up to a degree. "
    "With the prefactor each feature is multiplied by $e^{-x^2/2}$.",
    prompts=[
        prompt("Raise the degree, first without and then with the prefactor. Which curve do the features approach?",
               "Without it the thin solid one, $e^{xy}$; with it the dashed one, the Gaussian. The features are the same but for their length.",
               at={"degree": 12, "prefactor": True}, says="from the Gaussian the features are at most 1.3·10⁻⁷ away",
               expect=[everywhere(lambda f: f.from_exponential < 1e-3, degree=12, prefactor=False),
                      everywhere(lambda f: f.from_gaussian < 1e-3, degree=12, prefactor=True),
                      everywhere(lambda f: f.turned < 1e-12)]),
        prompt("Choose degree 5 and bring $y$ in from $1.5$. From where on does the thick curve stay above zero?",
               "From about $1.1$ on: at the left end $s=xy=-2y$, and $1+s+\\dots+s^5/120$ is negative for $s<-2.18$.",
               at={"y_x": 1.07143, "degree": 5, "prefactor": False}, says="their smallest product is 0.0",
               expect=along("y_x", lambda line: all((f.smallest > 0) == (abs(f.y_x) < 2.1806 / 2) for f in line), degree=5, prefactor=False)),
        prompt("At which $y$ does one feature suffice for every $x$, without the prefactor?",
               "At $y=0$: the kernel is constant there, and degree 0 is exact.",
               at={"y_x": 0.0, "degree": 0, "prefactor": False}, says="at most 0 away",
               expect=lambda f: f.from_exponential == 0)],
    expect={"Up to degree $3$ the two agree near the origin": everywhere(lambda f: 1 < f.from_exponential < 1.1, degree=3, prefactor=False, y_x=1.0),
           "With degree $12$ you cannot tell the curves apart": everywhere(lambda f: f.from_exponential < 1e-3, degree=12, prefactor=False),
           "You see it in the figure if you tick": everywhere(lambda f: f.from_gaussian < 1e-3, degree=12, prefactor=True),
           "the thick curve dips below zero at the left end": everywhere(lambda f: f.smallest < 0, degree=5, prefactor=False, y_x=1.5),
           "$1$, $3$ and $5$ dip, and the even ones never do": [
               along("degree", lambda line: [f.degree for f in line if f.smallest < 0] == [1, 3, 5], y_x=1.5, prefactor=False),
               everywhere(lambda f: f.smallest > 0, prefactor=False, degree=lambda p: p % 2 == 0)]})
def prefactor(y_x, degree, prefactor):
    where, y = line[:, None], np.array([[y_x]])
    soft, near = exponential(where, y)[:, 0], gaussian(where, y, gamma=0.5)[:, 0]
    phi, psi = (softmax_kernel.taylor_features(z, degree=degree, prefactor=prefactor) for z in (where, y))
    errors = largest_errors(y_x, prefactor)
    product = (phi @ psi.T)[:, 0]
    kernel = "Gaussian" if prefactor else "softmax kernel"
    sentence = (f"Degree {degree}: from the {kernel} the features are at most {errors[degree]:.2g} away; "
                f"their smallest product is {product.min():.2f}.")
    plain = softmax_kernel.taylor_features(where, degree=degree)
    facts = {"from_exponential": np.abs(product - soft).max(), "from_gaussian": np.abs(product - near).max(), "smallest": product.min(),
             "turned": np.abs(phi / norm(phi, axis=1, keepdims=True) - plain / norm(plain, axis=1, keepdims=True)).max()}
    return drawings.prefactor_drawing(line, (soft, near, product), y_x, errors, degree, prefactor=prefactor), sentence, facts


def twelve_tokens(tokens):
    """Points (n, 2) as tokens: each asks, and all are its keys."""

    @explore(
        token=choice(*range(len(tokens)), label="token that asks"),
        caption="The twelve points of chapter 1 as tokens. The filled one asks; the areas of the points show the weights it gives.",
        asides={"mean": "the mean of the tokens, each times its weight"},
        prompts=[
            prompt("Token 5 asks. Turn the dashed arrow to where the mean of the tokens points, each times its softmax weight.",
                   "It points 28° below the query, towards token 3. Token 3 has nearly half of the weight, as it is longer than token 5.",
                   at={"token": 5}, says="softmax prefers token 3 (0.45)", draws="weighted mean",
                   expect=lambda f: round(f.below) == 28 and f.soft == 3 and f.lengths[3] > f.lengths[5]),
            prompt("Let each token ask in turn. Which tokens do those prefer that do not prefer themselves?",
                   "Always one that does prefer itself: 3, 4, 10 or 11.",
                   at={"token": 2}, says="softmax prefers token 4",
                   expect=along("token", lambda line: {f.soft for f in line} == {3, 4, 10, 11})),
            prompt("How many other tokens are nearer to token 0 than the one that it prefers?",
                   "Six: 1, 2, 3, 5, 6 and 7; token 8 is just as far. Token 4 is the longest of all.",
                   at={"token": 0}, says="softmax prefers token 4",
                   expect=lambda f: f.soft == 4 == f.lengths.argmax() and (np.delete(f.distances, 0) < f.distances[4] - 1e-9).sum() == 6
                   and abs(f.distances[8] - f.distances[4]) < 1e-9)],
        expect={"which is far away and happens to be the longest of all": everywhere(
                   lambda f: f.soft == f.lengths.argmax() == 4 and 2.8 < f.weights[4] / f.weights[0] < 3, token=0),
               "attention gives it four times as much as 10": everywhere(
                   lambda f: 3.9 < f.weights[11] / f.weights[10] < 4.2 and 0.8 < f.smooth[11] / f.smooth[10] < 1.25, token=9),
               "Under attention only four of the twelve do": along("token", lambda line: [f.token for f in line if f.soft == f.token] == [3, 4, 10, 11]),
               "No other token reaches farther in the direction": everywhere(
                   lambda f: f.farthest == f.token, token=lambda i: i in (3, 4, 10, 11)),
               "By the Gaussian's [strokes]": everywhere(lambda f: f.near == f.token)})
    def twelve_tokens(token):
        query, labels = tokens[token], np.where(2 * np.arange(len(tokens)) < len(tokens), 1, -1)
        soft, near = attention_weights(query[None], tokens, scale=1.0)[0], gaussian_weights(query[None], tokens)[0]
        sentence = (f"Token {token} asks: softmax prefers token {soft.argmax()} ({soft.max():.2f}); "
                    f"the Gaussian prefers token {near.argmax()} ({near.max():.2f}).")
        facts = {"soft": soft.argmax(), "near": near.argmax(), "farthest": (tokens @ query).argmax(), "weights": soft, "smooth": near,
                 "distances": norm(tokens - query, axis=1), "lengths": norm(tokens, axis=1),
                 "below": np.ptp(np.degrees(np.arctan2(*np.transpose([query, soft @ tokens])[::-1])))}
        return drawings.twelve_drawing(tokens, labels, token, soft, near), sentence, facts

    return twelve_tokens


def three_terms(keys):
    """Each logit among keys (m, 2) as a bonus for the key's length less half of the squared distance."""

    @explore(
        query=handle(x=slider(-1.1, 1.65, steps=31, value=0.55), y=slider(-0.75, 0.9375, steps=19, value=0.1875), label="query"),
        caption="Second panel: the bonus of each key (orange) less half of the squared distance (vermilion) leaves the upright mark, "
        "which is the logit up to a number that is the same for all keys. Discs: the weights.",
        prompts=[
            prompt("Which bars change when you drag the query, and which do not?",
                   "The distances change. The bonuses stay: each belongs to its key.",
                   at={"query_x": -0.55, "query_y": 0.5625}, says="key 3",
                   expect=everywhere(lambda f: np.allclose(f.bonus, (keys**2).sum(axis=1) / 2))),
            prompt("Key 3 has the second largest bonus. Why does it get so little with the query on key 0?",
                   "It lies on the other side, and half of its squared distance takes away almost twice what the bonus gives.",
                   at={"query_x": 0.825, "query_y": 0.28125}, says="ahead is key 1",
                   expect=lambda f: f.bonus.argsort()[-2] == 3 and 1.9 < f.distance[3] / f.bonus[3] < 2)],
        expect={"the [prior]": lambda f: np.allclose(f.left - f.left[0], f.logits - f.logits[0])})
    def three_terms(query_x, query_y):
        q = np.array([query_x, query_y])
        bonus, distance = (keys**2).sum(axis=1) / 2, ((keys - q) ** 2).sum(axis=1) / 2
        weights = attention_weights(q[None], keys, scale=1.0)[0]
        best = (bonus - distance).argmax()
        sentence = (f"Farthest ahead is key {best}: bonus {bonus[best]:.2f} less {distance[best]:.2f} for the distance; "
                    f"its weight is {weights[best]:.2f}.")
        facts = {"bonus": bonus, "distance": distance, "left": bonus - distance, "logits": keys @ q}
        return drawings.three_terms_drawing(keys, q, weights, bonus, distance), sentence, facts

    return three_terms


rng = np.random.default_rng(28)  # eight tokens, where the keys' matrix begins, and the queries' matrix
eight, W_from, W_goal = 0.75 * rng.normal(size=(8, 3)), rng.normal(size=(3, 3)) / 1.8, rng.normal(size=(3, 3)) / 1.8
goals = {"W_Q": W_goal, "2 W_Q": 2 * W_goal, "−W_Q": -W_goal}
way = np.linspace(0, 1, 61)


@cache
def to_goal(goal):
    """The smallest eigenvalue and the asymmetry of the token kernel, for each step of the way of W_K."""
    reports = [softmax_kernel.token_report(eight, W_goal, (1 - t) * W_from + t * goals[goal]) for t in way]
    return np.array(reports).T[::-1]


@explore(
    t=slider(0, 1, steps=61, value=0, label="way to the goal"),
    goal=choice(*goals, label="goal"),
    caption="The logits of eight tokens (blue above 0, vermilion below) while $W_K$ goes to its goal. "
    "In the second panel the smallest eigenvalue of the symmetric part of $\\kappa_M$ on these tokens, and the largest $|\\kappa_M(x,x')-\\kappa_M(x',x)|$.",
    prompts=[
        prompt("Go towards $W_Q$. From where on is the smallest eigenvalue positive? Is $\\kappa_M$ a kernel from there on?",
               "From 0.83 of the way on. But it is not symmetric before the very end, so it is no kernel until then.",
               at={"t": 0.833333, "goal": "W_Q"}, says="asymmetry 0.36, smallest eigenvalue 0.0006; no kernel",
               expect=[along("t", lambda line: abs(max(f.t for f in line if f.smallest < 0) + 1 / 60 - 0.8333) < 1e-3, goal="W_Q"),
                      everywhere(lambda f: f.asymmetry > 0.01 and not f.kernel, goal="W_Q", t=lambda t: t < 1)]),
        prompt("Try the goal $2W_Q$. At the end, are query and key the same? Is it a kernel?",
               "No: every key is twice its query. It is a kernel all the same, because $M=2W_QW_Q^\\top$.",
               at={"t": 1.0, "goal": "2 W_Q"}, says="asymmetry 0.00, smallest eigenvalue 0.0051; a kernel",
               expect=lambda f: f.kernel and np.abs(eight @ (f.W - 2 * W_goal)).max() < 1e-12 and np.abs(eight @ (f.W - W_goal)).max() > 0.1),
        prompt("Try $-W_Q$. At the end, which half of the condition is met, and which is not?",
               "It is symmetric, but $M$ has negative eigenvalues: the table of a token and its opposite has a negative determinant.",
               at={"t": 1.0, "goal": "−W_Q"}, says="asymmetry 0.00, smallest eigenvalue -1.8047; no kernel",
               expect=lambda f: f.asymmetry < 1e-9 and not f.kernel and f.largest_of_M < 0 and f.likes.max() < 0)],
    expect={"At the start both say no": everywhere(lambda f: f.smallest < 0 and f.asymmetry > 2, goal="W_Q", t=0.0),
           "The eigenvalue has become positive, though": everywhere(lambda f: f.smallest > 0, goal="W_Q", t=0.9),
           "There $\\kappa_M$ is a kernel on all tokens": everywhere(lambda f: f.kernel, goal="W_Q", t=1.0),
           "each token has a negative logit with itself": everywhere(lambda f: f.asymmetry < 1e-9 and f.likes.max() < 0, goal="−W_Q", t=1.0),
           "Only at the very end, where $W_K=W_Q$": everywhere(lambda f: f.asymmetry > 0.01 and not f.kernel, t=lambda t: t < 1)})
def tied(t, goal):
    W = (1 - t) * W_from + t * goals[goal]
    k = np.argmin(np.abs(way - t))
    eigenvalues, asymmetries = to_goal(goal)
    logits = eight @ softmax_kernel.token_metric(W_goal, W) @ eight.T / np.sqrt(3)
    M, is_kernel = softmax_kernel.token_metric(W_goal, W), softmax_kernel.token_verdict(W_goal, W).positive_definite
    verdict = "a kernel" if is_kernel else "no kernel"
    facts = {"W": W, "kernel": is_kernel, "asymmetry": asymmetries[k], "smallest": eigenvalues[k],
             "largest_of_M": np.linalg.eigvalsh((M + M.T) / 2)[-1], "likes": np.diag(logits)}
    sentence = (f"At {t:.2f} of the way: asymmetry {asymmetries[k] if asymmetries[k] > 1e-9 else 0:.2f}, "
                f"smallest eigenvalue {eigenvalues[k]:.4f}; {verdict} on all tokens.")
    return drawings.tokens_drawing(logits, way, eigenvalues, asymmetries, t), sentence, facts


@explore(
    matrices=choice("unrelated", "W_K = W_Q", label="the two matrices"), dock=False,
    caption="Five tokens, each as a query and as a key: the Gram matrix of these ten points. Attention uses the framed block.",
    prompts=[
        prompt("The framed block is not symmetric, and yet the whole table is. Where is the block's mirror image?",
               "In the lower left corner, keys with queries, which attention never uses.",
               at={"matrices": "unrelated"}, says="differs from its mirror image",
               expect=lambda f: f.asymmetry > 1 and f.asymmetry_of_all < 1e-12),
        prompt("Choose $W_K=W_Q$. What becomes of the four blocks?",
               "They become equal, because each token is then one and the same point as a query and as a key.",
               at={"matrices": "W_K = W_Q"}, says="equals its mirror image",
               expect=lambda f: np.allclose(f.blocks, f.blocks[0]))],
    expect={"Their Gram matrix has four blocks": everywhere(lambda f: f.smallest > -1e-12 and f.asymmetry_of_all < 1e-12)})
def four_blocks(matrices):
    W_K = W_from if matrices == "unrelated" else W_goal
    points = np.vstack([eight[:5] @ W_goal, eight[:5] @ W_K]) / 3**0.25
    table = exponential(points)
    block = table[:5, 5:]
    asymmetry = kernels.asymmetry(block)
    sentence = (f"The framed block {'equals' if asymmetry < 1e-12 else 'differs from'} its mirror image; "
                f"its largest entry is {block.max():.1f}, that of the whole table {table.max():.1f}.")
    facts = {"asymmetry": asymmetry, "asymmetry_of_all": kernels.asymmetry(table), "smallest": kernels.smallest_eigenvalue(table),
             "blocks": [table[:5, :5], block, table[5:, :5], table[5:, 5:]]}
    return drawings.four_blocks_drawing(table), sentence, facts


angles = np.arange(9) * 2.4
circle = np.column_stack([np.cos(angles), np.sin(angles)])
crowds = {
    "equal lengths": circle,
    "one long token": np.vstack([[1.0, 0.3], np.tile([0.25, 0], (8, 1)) + 0.03 * circle[1:]]),
    "a star": np.vstack([np.tile([0.25, 0], (7, 1)) + 0.003 * circle[:7], [0.55, 0.2], [0.52, 1.1]]),
}


@explore(
    c=slider(0.1, 1000, log=True, steps=65, value=2, label="sharpness c"),
    tokens=choice(*crowds, label="tokens"),
    caption="Tied attention of nine tokens with the kernel $e^{c\\langle x,x'\\rangle}$: "
    "its matrix, its eigenvalues, and those of its symmetric part.",
    prompts=[
        prompt("Tokens of equal length: to which matrix does attention tend as it gets sharp, and what do the eigenvalues do?",
               "To the identity, since each token is its own best match; all eigenvalues go to 1.",
               at={"c": 1000.0, "tokens": "equal lengths"}, says="lie between 1.00 and 1.00",
               expect=lambda f: f.winners == list(range(9)) and f.from_identity < 0.01 and f.values.min() > 0.99),
        prompt("One long token: how far do the diamonds leave the interval between the two lines?",
               "Down to $-1=(1-\\sqrt9)/2$, when everybody attends to that token alone.",
               at={"c": 1000.0, "tokens": "one long token"}, says="goes down to -1.00"),
        prompt("Find a lower eigenvalue than that.",
               "The star at its sharpest: tokens 0 to 6 attend to token 7, and that to token 8.",
               at={"c": 1000.0, "tokens": "a star"}, says="goes down to -1.37",
               expect=lambda f: f.winners[:8] == [7] * 7 + [8] and f.lowest < -1.3)],
    expect={"The circles never leave the interval": everywhere(lambda f: f.values.min() > -1e-12 and f.values.max() < 1 + 1e-12)})
def attention_spectrum(c, tokens):
    X = np.sqrt(c) * crowds[tokens]
    A = attention_weights(X, X, scale=1.0)
    root = np.sqrt(A * A.T)  # similar to A: S_ij^2 = A_ij A_ji
    values, part = np.linalg.eigvalsh(root)[::-1], kernels.spectrum(kernels.symmetric_part(A))
    sentence = (f"c = {c:.4g}: the eigenvalues of A lie between {abs(values[-1]):.2f} and {values[0]:.2f}, "
                f"the second largest is {values[1]:.2f}; the symmetric part goes down to {part[-1]:.2f}.")
    facts = {"winners": A.argmax(axis=1).tolist(), "from_identity": np.abs(A - np.eye(9)).max(), "values": values, "lowest": part[-1]}
    return drawings.spectrum_drawing(A, values, part), sentence, facts


order = np.arange(14)
one_token = np.ones((14, 4)) / 2
past = np.random.default_rng(15).normal(size=27)
beside = np.abs(np.arange(-13, 14)) <= 1
schemes = {
    "additive, sinusoidal": lambda s: exponential(softmax_kernel.sinusoidal(order, 4, base=100), gamma=s),
    "rotary, equal tokens": lambda s: exponential(softmax_kernel.rotate(one_token, order, base=100), gamma=2 * s),
    "ALiBi": lambda s: softmax_kernel.alibi(order, slope=s),
    "ALiBi, causal": lambda s: softmax_kernel.alibi(order, slope=s, causal=True),
    "band": lambda s: softmax_kernel.relative_bias(order, s * beside),
    "learned table": lambda s: softmax_kernel.relative_bias(order, s * past / 2),
}


@explore(
    scheme=choice(*schemes, label="encoding"),
    strength=slider(0.04, 2, steps=50, value=0.52, label="strength"),
    caption="What an encoding of position multiplies the kernel by, for fourteen positions (rows ask, columns are asked), "
    "divided by its largest entry; and the smallest eigenvalues of its symmetric part, cut at the frame.",
    prompts=[
        prompt("Which of the six factors are symmetric? Which of these are no kernels?",
               "All but the causal one and the learned table, and of the four only the band is no kernel.",
               at={"scheme": "band", "strength": 0.52}, says="symmetric, but no kernel",
               expect=[along("scheme", lambda line: {f.scheme for f in line if not f.symmetric} == {"ALiBi, causal", "learned table"}),
                      along("scheme", lambda line: {f.scheme for f in line if f.symmetric and not f.kernel} == {"band"})]),
        prompt("Go to and fro between the first two. Why does nothing move?",
               "For equal tokens a rotation by the position is an additive encoding: both logits are sums of cosines of $i-j$.",
               at={"scheme": "rotary, equal tokens", "strength": 0.52}, says="a kernel",
               expect=everywhere(lambda f: f.turned_or_added < 1e-12 and f.off_cosines < 1e-12)),
        prompt("Is the causal form of ALiBi harmless, since no bar is vermilion?",
               "It is not symmetric, and that is enough: no kernel, whatever the eigenvalues of its symmetric part.",
               at={"scheme": "ALiBi, causal", "strength": 0.52}, says="not symmetric, no kernel",
               expect=everywhere(lambda f: not f.symmetric and not f.kernel and f.least > 0, scheme="ALiBi, causal"))])
def positions(scheme, strength):
    factor = schemes[scheme](strength)
    factor = factor / factor.max()
    verdict = softmax_kernel.factor_verdict(factor)
    values = kernels.spectrum(kernels.symmetric_part(factor))[::-1]
    values = np.where(np.abs(values) < 1e-12, 0, values)
    kind = "a kernel" if verdict.safe_for_every_content else "symmetric, but no kernel" if verdict.symmetric else "not symmetric, no kernel"
    sentence = f"{scheme[0].upper()}{scheme[1:]}, strength {strength:.2f}: {kind}; smallest eigenvalue {values[0]:.3f}."
    added, turned = (schemes[name](strength) for name in ("additive, sinusoidal", "rotary, equal tokens"))
    cosines = sum(np.cos(np.subtract.outer(order, order) / speed) for speed in (1, 10))
    facts = {"symmetric": verdict.symmetric, "kernel": verdict.safe_for_every_content, "least": values[0],
             "turned_or_added": np.abs(turned / added - 1).max(), "off_cosines": np.abs(added / np.exp(strength * cosines) - 1).max()}
    return drawings.positions_drawing(factor, values[:9]), sentence, facts


temperatures = np.geomspace(0.0625, 128, 67)


@cache
def logits_of_draws(d):
    """The logits of 200 queries, each with its own twelve keys: (200, 12)."""
    rng = np.random.default_rng(0)
    return np.array([rng.normal(size=(12, d)) @ rng.normal(size=d) for _ in range(200)])


@cache
def attended_by_temperature(d):
    """The keys attended by each of the 200 queries: (67, 200)."""
    logits = logits_of_draws(d)
    return np.array([keys_attended(softened(logits, t)) for t in temperatures])


@explore(
    tau=slider(0.0625, 128, log=True, steps=67, value=1, label="temperature τ"),
    d=choice(4, 16, 64, 256, label="dimension of the keys"),
    caption="Twelve random keys at a temperature of your choice. Grey: the mean of 200 such draws. "
    "The vermilion line is $\\tau=\\sqrt{d_k}$.",
    prompts=[
        prompt("At temperature 1, go through the four dimensions. What happens to the weights?",
               "The higher the dimension, the fewer keys are attended to: in dimension 256 hardly more than one.",
               at={"tau": 1.0, "d": 256}, says="1.0 of 12 keys attended",
               expect=[along("d", lambda line: all(a.keys > b.keys and a.mean > b.mean for a, b in pairwise(line)), tau=1.0),
                      lambda f: f.keys < 1.1 and f.mean < 1.3]),
        prompt("Now put the temperature on the vermilion line. Does the dimension still matter?",
               "Hardly, on average: between eight and nine of the twelve keys are attended to in each of the four dimensions. "
               "Single draws lie above or below.",
               at={"tau": 16.0, "d": 256}, says="8.1 on average over 200 draws",
               expect=everywhere(lambda f: abs(f.tau - f.root) > 1e-9 or (8 < f.mean < 9 and f.least < f.mean < f.most)))],
    expect={"The curves of the second panel never turn": along("tau", lambda line: all(
               a.keys <= b.keys + 1e-12 and a.mean < b.mean for a, b in pairwise(line))),
           "the vermilion line cuts the [grey one]": everywhere(lambda f: abs(f.tau - f.root) > 1e-9 or 8 < f.mean < 9),
           "At the temperature $\\sqrt{256}=16$": everywhere(lambda f: 8 < f.mean < 8.5, tau=16.0, d=256),
           "At the highest temperature nearly all": everywhere(lambda f: 11.5 < f.keys <= 12, tau=128.0, d=256),
           "In dimension 256 and at the temperature": everywhere(lambda f: f.keys < 1.1, tau=1.0, d=256)})
def temperature(tau, d):
    weights, effective = softened(logits_of_draws(d), tau), attended_by_temperature(d)
    A, over_draws = np.sort(weights[0])[::-1], keys_attended(weights)
    facts = {"keys": keys_attended(A), "mean": over_draws.mean(), "least": over_draws.min(),
             "most": over_draws.max(), "root": d**0.5}
    sentence = (f"Temperature {tau:.3g}: {facts['keys']:.1f} of 12 keys attended, {facts['mean']:.1f} on average over 200 draws; "
                f"the largest weight is {A.max():.2f}; √d is {d**0.5:g}.")
    return drawings.temperature_drawing(A, temperatures, effective, tau, d**0.5), sentence, facts


RULES = ("softmax", "softmax with a sink", "sigmoid")
BIAS = 4.0  # logit of the sink, and bias of the sigmoid; keys that are not wanted have the logit 0


def weights_of_rule(rule, keys, lead):
    """The weights of one wanted key of so many `keys`, of all others together, and of the sink."""
    if rule == "sigmoid":
        return {"wanted key": 1 / (1 + np.exp(BIAS - lead)) + 0 * keys, "others together": (keys - 1) / (1 + np.exp(BIAS)), "sink": 0 * keys}
    exponentials = {"wanted key": np.exp(lead) + 0 * keys, "others together": keys - 1.0,
                    "sink": (rule == RULES[1]) * np.exp(BIAS) + 0 * keys}
    return {name: value / sum(exponentials.values()) for name, value in exponentials.items()}


lengths = np.geomspace(2, 2**17, 25)


@explore(
    keys=slider(2, 2**17, log=True, steps=49, value=128, label="number of keys"),
    lead=choice(0, 5, 8, value=8, label="lead of the wanted key"),
    rule=choice(*RULES, label="rule"),
    caption="One wanted key, whose logit is ahead of all others by its lead. The sink has the logit 4, and 4 is the bias of the sigmoid. "
    "Both axes are logarithmic.",
    prompts=[
        prompt("Softmax and a lead of 8. From how many keys on do the others together have more than the wanted one?",
               "From about 3000, since the wanted key has $e^8\\approx2981$ times the weight of each other.",
               at={"keys": 2580.32, "lead": 8, "rule": "softmax"}, says="wanted key 0.54",
               expect=along("keys", lambda line: all((f.wanted < f.others) == (f.keys > 1 + np.exp(8)) for f in line), lead=8, rule="softmax")),
        prompt("Now the lead is 0, so that no key is wanted. How many keys can a sink outweigh?",
               "At most 54, since $e^4\\approx54.6$. In a longer text most of the weight goes to keys that nobody asked for.",
               at={"keys": 50.7968, "lead": 0, "rule": "softmax with a sink"}, says="sink 0.52",
               expect=along("keys", lambda line: all((f.sink < 0.5) == (f.keys > np.exp(4)) for f in line), lead=0, rule="softmax with a sink")),
        prompt("Choose the sigmoid. Which of the two curves is level now, and what does the other one do?",
               "The wanted key keeps its weight however many keys there are. The others together pass it and grow without limit.",
               at={"keys": 131072, "lead": 8, "rule": "sigmoid"}, says="wanted key 0.98",
               expect=[along("keys", lambda line: np.ptp([f.wanted for f in line]) == 0 and line[-1].others > 1000, rule="sigmoid")])],
    expect={"the blue curve can lie above the vermilion one": everywhere(
        lambda f: f.wanted <= f.others * np.exp(f.lead) / (f.keys - 1) * (1 + 1e-12))})
def dispersion(keys, lead, rule):
    shares = weights_of_rule(rule, keys, lead)
    told = ", ".join(f"{name} {share:.2g}" for name, share in shares.items() if share > 0)
    sentence = f"{keys:.0f} keys, {rule}: {told}."
    facts = {"wanted": shares["wanted key"], "others": shares["others together"], "sink": shares["sink"]}
    return drawings.dispersion_drawing(lengths, weights_of_rule(rule, lengths, lead), keys, shares), sentence, facts


heads, hotter = trained_heads(), np.geomspace(0.25, 16, 25)
read_before = np.tri(64, dtype=bool)  # a letter asks itself and those before it


def of_head(head):
    """Queries and keys of head "layer.number", (64, 8) each; the scale is divided between the two."""
    layer, number = (int(part) - 1 for part in head.split("."))
    matrices = heads.W_Q[layer, number], heads.W_K[layer, number]
    return tuple(heads.tokens[layer] @ W / 8**0.25 for W in matrices)


@cache
def weights_of_head(head, tau):
    """The weights (64, 64) of a head at a temperature."""
    q, k = of_head(head)
    return softened(np.where(read_before, q @ k.T, -np.inf), tau)


@cache
def attended_by_letters(head):
    """The keys that the letters of the second line attend to, at each temperature: (25, 33)."""
    return np.array([keys_attended(weights_of_head(head, t))[31:] for t in hotter])


@explore(
    letter=play(range(31, 64), value=47, label="letter that asks"),
    head=choice("1.1", "1.3", "2.3", value="1.3", label="head"),
    tau=choice(0.25, 1, 4, value=1, label="temperature τ"),
    caption="The letter in the green frame asks; the areas of the discs are the weights that it gives. Dots between words are spaces. "
    "Second panel: the keys that it attends to, and in grey the mean over letters 31 to 63.",
    asides={"prior": "rings whose areas are the prior weights, by the lengths of the keys alone"},
    prompts=[
        prompt("Let other letters ask head 1.3. To which letter do they attend?",
               "To the letter before, each with 0.88 of its weight or more.",
               at={"letter": 36, "head": "1.3", "tau": 1}, says="most to letter 35 (0.98)",
               expect=along("letter", lambda line: all(f.winner == f.row - 1 for f in line)
                           and 0.88 <= min(f.largest for f in line) < 0.89, head="1.3", tau=1)),
        prompt("How hot must head 1.3 be to attend, on average, to as many keys as head 1.1 does at temperature 1?",
               "About four times as hot: it attends to 12.3 keys at temperature 4, and head 1.1 to 11.1 at temperature 1.",
               at={"letter": 47, "head": "1.3", "tau": 4}, says="12.3 on average",
               expect=[everywhere(lambda f: f.mean < 1.5, head="1.3", tau=1),
                      everywhere(lambda f: round(f.mean, 1) == 12.3, head="1.3", tau=4),
                      everywhere(lambda f: round(f.mean, 1) == 11.1, head="1.1", tau=1)])],
    expect={"in grey the mean over letters 31 to 63": along(
               "letter", lambda line: [f.row for f in line] == list(range(31, 64))
               and abs(np.mean([f.keys for f in line]) - line[0].mean) < 1e-9),
           "Head 1.3 gives at least": along("letter", lambda line: all(f.winner == f.row - 1 for f in line)
                                            and 0.88 <= min(f.largest for f in line) < 0.89, head="1.3", tau=1),
           "Head 1.1 gives no letter": along("letter", lambda line: 0.33 < max(f.largest for f in line) < 0.34, head="1.1", tau=1),
           "of head 2.3 the longest key": everywhere(lambda f: f.longest == 1 and 0.705 < f.prior < 0.72, head="2.3", tau=1),
           "None of the 33 letters gives": everywhere(lambda f: f.longest == 1 and f.of_longest < 1e-3, head="2.3", tau=1)})
def trained_head(letter, head, tau):
    row = int(letter)
    A, (_, k) = weights_of_head(head, tau)[row], of_head(head)
    prior = softened(np.where(read_before[row], (k**2).sum(axis=1) / 2, -np.inf), 1)
    attended = attended_by_letters(head)
    mean = keys_attended(weights_of_head(head, tau))[31:].mean()
    sentence = (f"Head {head} at temperature {tau:g}: letter {row} attends to {keys_attended(A):.1f} keys of {row + 1}, "
                f"{mean:.1f} on average over letters 31 to 63; most to letter {A.argmax()} ({A.max():.2f}).")
    facts = {"row": row, "winner": A.argmax(), "largest": A.max(), "mean": mean, "keys": keys_attended(A),
             "longest": prior.argmax(), "prior": prior.max(), "of_longest": A[prior.argmax()]}
    return drawings.head_drawing(heads.text, row, A, prior, hotter, attended, tau), sentence, facts
