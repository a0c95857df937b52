"""The figures of the chapter on random features: their data, controls, questions, and what holds their words.

What takes more than a moment is computed when it is asked for.
(book: Random features and linear attention)
"""

import math
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from explorable import along, choice, everywhere, explore, handle, play, prompt, show, slider
from margins import kernels
from margins import random_features as rf
from margins.attention import softmax_attention
from margins_book.drawing.planes import span
from margins_book.random_features import drawings as draw

widths = [2**i for i in range(11)]


@cache
def draws():
    """Two hundred draws of up to 1,024 projections of the plane, (200, 1024, 2)."""
    return np.random.default_rng(0).normal(size=(200, widths[-1], 2))


def estimator(points, labels):
    """A function: the answers (200, 11) to the query (q_x, 0.6) of all draws, with their first 1, 2, 4, ... projections.

    Query and points are halved, so that the weights are exp(<query, point> / 4).
    """
    keys = points / 2
    on_keys = np.exp(draws() @ keys.T - (keys**2).sum(axis=1) / 2)  # (200, 1024, n)

    @lru_cache(64)
    def estimates(q_x):
        shares = np.exp(draws() @ [q_x / 2, 0.3])[..., None] * on_keys
        sums = np.cumsum(shares, axis=1)[:, np.array(widths) - 1]  # (200, 11, n)
        return sums @ labels / sums.sum(axis=-1)

    return estimates


def cloud(points, labels):
    """The figure for points (n, 2) of the plane and their labels (n,), the values of attention."""
    estimates = estimator(points, labels)

    @explore(
        m=play(widths, value=8, label="projections m"),
        q=handle(x=slider(-3, 3, steps=51, value=1.8), y=0.6, label="the query"),
        caption="First panel: the points, larger the more attention they get from the query. Second panel: the exact answer (diamond), "
        "forty estimates (dots, one a row) and the mean of two hundred (cross).",
        asides={"weights": "the share of attention of each point"},
        prompts=[
            prompt("Set $m=1$ and drag the query from end to end. What moves, and what does not?",
                   "The exact answer moves, the estimates stand still: a single projection gives every query the same answer.", at={"m": 1, "q_x": -3.0}, says="With 1 projection",
                   expect=along("q_x", lambda line: np.ptp([f.first for f in line]) < 1e-9
                               and np.ptp([f.exact for f in line]) > 1.5, m=1)),
            prompt("Query at the left, $m=4$. On which side of the diamond is the cross now?",
                   "On the side of the circles. Again the points to which the query attends most get too little of the estimates.",
                   at={"m": 4, "q_x": -3.0}, says="their mean by 0.47",
                   expect=lambda f: f.off > 8 * f.scatter / math.sqrt(200)),
            prompt("Query at the right: how do scatter and bias shrink from $m=64$ to sixteen times as many?",
                   "The scatter from $0.15$ to $0.05$, the bias from $0.10$ to $0.02$; in the long run to a fourth and "
                   "to a sixteenth.",
                   at={"m": 1024, "q_x": 3.0}, says="off by 0.05, their mean by -0.02",
                   expect=along("m", lambda line: [(round(f.scatter, 2), round(-f.off, 2)) for f in line if f.m in (64, 1024)]
                               == [(0.15, 0.1), (0.05, 0.02)], q_x=3.0))])
    def cloud(m, q_x):
        answers = estimates(q_x)[:, widths.index(m)]  # (200,)
        weights = np.exp(points / 2 @ [q_x / 2, 0.3])
        weights /= weights.sum()
        exact, mean = weights @ labels, answers.mean()
        scatter, off = np.sqrt(((answers - exact) ** 2).mean()), mean - exact
        drawing = draw.estimates_drawing((q_x, 0.6), points, labels, weights, exact, answers[:40], mean)
        facts = {"first": answers[0], "exact": exact, "scatter": scatter, "off": off}
        return drawing, (f"Exact answer {exact:.2f}. With {m:,} projection{'s' * (m > 1)} an estimate is off by "
                         f"{scatter:.2f}, their mean by {off:.2f}."), facts

    return cloud


rng = np.random.default_rng(0)
tokens = [size * rng.normal(size=(256, 64)) for size in (0.25, 0.25, 1.0)]  # queries, keys, values


@cache
def relative_errors(size, D):
    """Relative errors of Performers, a draw each, for queries and keys `size` times as long."""
    Q, K, V = size * tokens[0], size * tokens[1], tokens[2]
    exact = softmax_attention(Q, K, V)
    omegas = (rf.projections(D, 64, rng=seed, orthogonal=True) for seed in range(8))
    size_of = np.linalg.norm(exact)
    return [np.linalg.norm(rf.performer_attention(Q, K, V, omega) - exact) / size_of for omega in omegas]


@cache
def spread():
    """For each number of features the mean and the standard deviation of the relative error."""
    found = {D: relative_errors(1, D) for D in (16, 64, 256, 1024)}
    return {D: (np.mean(errors), np.std(errors, ddof=1)) for D, errors in found.items()}


@cache
def error_of_the_mean(size):
    """The relative error of the mean of all values as the answer to every query."""
    exact = softmax_attention(size * tokens[0], size * tokens[1], tokens[2])
    return np.linalg.norm(exact - tokens[2].mean(axis=0)) / np.linalg.norm(exact)


lengths = np.geomspace(64, 65_536, 61)


@explore(
    n=slider(64, 65_536, log=True, steps=61, value=4096, label="tokens n"),
    D=choice(16, 64, 256, 1024, value=256, label="features D"),
    order=choice("(Q Kᵀ) V", "φ(Q) (φ(K)ᵀ V)", label="brackets"),
    caption="The matrices, to a logarithmic scale, and what the brackets make first; the operations over the tokens, "
    "with a dotted line where the two meet; and the error of $D$ features, with a dashed line for that of the mean of all values.",
    prompts=[
        prompt("At $n=65{,}536$ change the brackets. What becomes of the large matrix below?",
               "It turns from $n\\times n$ into $D\\times d$: the sequence is summed before any query is looked at.",
               at={"n": 65536.0, "order": "φ(Q) (φ(K)ᵀ V)"}, says="127.0 times as many",
               expect=along("order", lambda line: [f.made for f in line] == [(65_536, 65_536), (line[0].D, 64)],
                           n=65536.0)),
        prompt("From which $n$ on do 1,024 features pay? Is that a long sequence?",
               "Above $n=1024\\,(2+\\frac1{64})=2064$. Below it, exact attention is cheaper and exact.",
               at={"n": 2048.0, "D": 1024}, says="1.0 times as many",
               expect=everywhere(lambda f: (f.ratio > 1) == (round(f.n) > 2064), D=1024)),
        prompt("Which number of features makes linear attention cheapest at $n=4096$, and what is its error?",
               "Sixteen; its answers are off by a quarter, about four times as far as the mean of all values.",
               at={"n": 4096.0, "D": 16}, says="error is 0.24",
               expect=[along("D", lambda line: min(line, key=lambda f: f.operations).D == 16, n=4096.0),
                      lambda f: 0.2 < f.error < 0.3 and 3.5 < f.error / error_of_the_mean(1) < 4.5])],
    expect={"Four times the features cost four times the operations and about halve the error": along(
        "D", lambda line: all(b.operations == 4 * a.operations and 0.4 < b.error / a.error < 0.6
                              for a, b in pairwise(line))),
           "with a dotted line where the two meet": everywhere(lambda f: (f.ratio > 1) == (round(f.n) > f.crossing))})
def brackets(n, D, order):
    n, d = round(n), 64
    exact = [rf.attention_flops(round(length), d) for length in lengths]
    linear = [rf.linear_attention_flops(round(length), d, D) for length in lengths]
    now = rf.attention_flops(n, d), rf.linear_attention_flops(n, d, D)
    flops = lengths, exact, linear, *now
    drawing = draw.brackets_drawing(n, d, D, order.startswith("φ"), flops, spread(), error_of_the_mean(1))
    return drawing, (f"n = {n}, D = {D}: exact attention takes {now[0] / now[1]:.1f} times as many operations as linear "
                     f"attention, whose relative error is {spread()[D][0]:.2f}."), {
                         "ratio": now[0] / now[1], "operations": now[1], "error": spread()[D][0],
                         "made": draw.made_first(n, d, D, order.startswith("φ")),
                         "crossing": draw.crossing(d, D)}


@explore(
    s=slider(0, 3, steps=61, value=1, label="distance of the bells, |q + k|"),
    caption="Blue: the density of the draws $g$. Vermilion: the same density times the positive estimate, as a share of its mean. "
    "Shaded: the draws beyond the middle of the second bell, from which half of the mean comes.",
    prompts=[
        prompt("How far apart are the bells when only one draw in a hundred reaches the middle of the second?",
               "About $2.3$. Query and key of length $1.2$ in the same direction are enough for that.",
               at={"s": 2.35}, says="0.94 in 100",
               expect=along("s", lambda line: all((f.beyond < 0.01) == (f.s > 2.33) for f in line))),
        prompt("Put one bell upon the other. Which key is that, and what do the estimates do there?",
               "The key $-q$. Every draw gives the exact weight, so that the variance is $0$.",
               at={"s": 0}, says="relative variance 0.0",
               expect=everywhere(lambda f: (f.variance < 1e-9) == (f.s < 1e-9)))],
    expect={"from which half of the mean comes": everywhere(lambda f: abs(f.from_beyond - 0.5) < 1e-3),
           "of a hundred draws only about two get there": everywhere(lambda f: 0.02 < f.beyond < 0.025, s=2.0)})
def two_bells(s):
    g = np.linspace(-3.5, 7.1, 213)
    draws_of_g = np.exp(-g**2 / 2) / math.sqrt(2 * math.pi)
    of_the_mean = draws_of_g * np.exp(s * g - s**2 / 2)
    beyond, variance = math.erfc(s / math.sqrt(2)) / 2, math.expm1(s**2)
    drawing = draw.bells_drawing(g, draws_of_g, of_the_mean, s)
    sentence = (f"Distance {s:.2f}: half of the mean comes from draws beyond it, {100 * beyond:.2g} in 100; "
                f"one projection has the relative variance {variance:,.1f}.")
    half = np.where(np.isclose(g, s), 0.5, g > s)  # the draw in the middle counts half
    return drawing, sentence, {"beyond": beyond, "variance": variance, "from_beyond": (of_the_mean * half).sum() * (g[1] - g[0])}


@explore(
    coins=play([1, 2, 4, 8, 16, 32], value=1, label="coins"), dock=False,
    caption="The mean $Z$ of a number of coins, $1$ or $3$ each: discs as large as the chance of each value, on the curve of $1/Z$. "
    "Cross: the means of $Z$ and of $1/Z$. Diamond: $1$ over the mean of $Z$.",
    prompts=[
        prompt("Go on tossing. To what does the number of coins times the bias tend?",
               "To an eighth, the variance of a coin over the cube of its mean. At first it is a sixth.",
               at={"coins": 32}, says="32 times the bias is 0.128",
               expect=along("coins", lambda line: all(a.scaled > b.scaled - 1e-12 for a, b in pairwise(line))
                            and abs(line[0].scaled - 1 / 6) < 1e-12 and abs(line[-1].scaled - 1 / 8) < 0.005))],
    expect={"The dots gather at $2$": along("coins", lambda line: all(a.scatter > b.scatter for a, b in pairwise(line)))})
def coins(coins):
    threes = np.arange(coins + 1)
    chances = np.array([math.comb(coins, int(k)) for k in threes]) / 2**coins
    Z = 1 + 2 * threes / coins
    mean = chances @ (1 / Z)
    drawing = draw.coins_drawing(Z, chances, mean)
    sentence = (f"{coins} coin{'s' * (coins > 1)}: the mean of 1/Z is {mean:.4f} instead of 0.5; "
                f"{coins} times the bias is {coins * (mean - 0.5):.3f}.")
    return drawing, sentence, {"scaled": coins * (mean - 0.5), "scatter": math.sqrt(chances @ (Z - 2) ** 2)}


limit = 1.6
axis = np.linspace(-limit, limit, 26)[:-1] + limit / 25  # the middles of 25 cells
q_cells, k_cells = np.meshgrid(axis, axis[::-1])
plus, minus = np.expm1((q_cells + k_cells) ** 2), np.cosh((q_cells - k_cells) ** 2) - 1
advantage = np.log10(np.maximum(plus, 1e-9) / np.maximum(minus, 1e-9)) / 2
sides = np.linspace(-2.1, 2.1, 121)
tops = np.sqrt(np.log(np.cosh(sides**2)))
equal = [np.column_stack([(sign * tops + sides) / 2, (sign * tops - sides) / 2]) for sign in (1, -1)]
equal = [branch[np.abs(branch).max(axis=1) <= limit] for branch in equal]


@explore(
    pair=handle(x=slider(-1.6, 1.6, steps=65, value=0.65), y=slider(-1.6, 1.6, steps=65, value=0.45), label="q and k"),
    caption="Query and key on a line. Blue: positive features err less than trigonometric ones; vermilion: more; stronger "
    "colour, larger ratio. On the solid curves both err alike. Bars: the errors at the point. Grey: $q=k$ and $q=-k$.",
    asides={"direction": "the direction from the origin to the pair"},
    prompts=[
        prompt("In which direction from the origin, with $q>0$, do positive features make no error? Turn the dashed arrow there, "
               "then compare. Where do trigonometric ones make none?",
               "Positive features on the falling diagonal $k=-q$, trigonometric ones on the rising one, $k=q$.",
               at={"pair_x": 0.65, "pair_y": -0.65}, says="positive 0.00", draws="direction of the pair",
               expect=[everywhere(lambda f: (f.errors["trigonometric"] < 1e-6) == (abs(f.pair_x - f.pair_y) < 1e-9)),
                      everywhere(lambda f: (f.errors["positive"] < 1e-6) == (abs(f.pair_x + f.pair_y) < 1e-9))]),
        prompt("In which quadrants do hyperbolic features beat trigonometric ones?",
               "Where $q$ and $k$ have opposite signs: upper left and lower right, and nowhere else.",
               at={"pair_x": 0.65, "pair_y": -1.3}, says="hyperbolic 0.30, trigonometric 4.63",
               expect=everywhere(lambda f: (f.errors["hyperbolic"] < f.errors["trigonometric"] - 1e-9)
                                == (f.pair_x * f.pair_y < -1e-9))),
        prompt("Move the pair along a line that is parallel to the falling diagonal. Positive features keep their error; which others do?",
               "Hyperbolic ones: their error, too, depends on $q+k$ alone.", at={"pair_x": 1.3, "pair_y": -0.3}, says="positive 1.31, hyperbolic 0.74",
               expect=[everywhere(lambda f: abs(f.errors["positive"] ** 2 + 1 - math.exp((f.pair_x + f.pair_y) ** 2)) < 1e-6 * math.exp((f.pair_x + f.pair_y) ** 2)),
                      everywhere(lambda f: abs(f.errors["hyperbolic"] ** 2 + 1 - math.cosh((f.pair_x + f.pair_y) ** 2)) < 1e-6 * math.exp((f.pair_x + f.pair_y) ** 2))])])
def variance_map(pair_x, pair_y):
    a, b = (pair_x + pair_y) ** 2, (pair_x - pair_y) ** 2
    errors = {"positive": math.sqrt(math.expm1(a)), "hyperbolic": math.sqrt(math.cosh(a) - 1),
              "trigonometric": math.sqrt(math.cosh(b) - 1)}
    drawing = draw.variance_map_drawing(pair_x, pair_y, np.array([-limit, limit]), advantage, equal, errors)
    found = ", ".join(f"{kind} {error:.2f}" for kind, error in errors.items())
    place = f"q = {pair_x:.2f}, k = {pair_y:.2f}: exp(qk) = {math.exp(pair_x * pair_y):.2f}"
    return drawing, f"{place}; relative errors of one projection: {found}.", {"errors": errors}


def bias(counts, shares, errors):
    """The figure for m times the bias as shares of c_1 at `counts` of projections, and their standard errors."""
    show(
        draw.bias_figure(counts, shares, errors), name="bias", dock=False,
        caption="$m$ times the bias of Performer attention on 32 keys as a share of $c_1$, with two standard errors.",
        alt="Points with error bars over m = 16 to 256 lie near the dashed line at 1, the first below it.")


bill_errors = {"1/2": 0.5, "1/10": 0.1, "1/100": 0.01}
bill_lengths = np.linspace(0, 2, 49)


def bill_of(length, error, n):
    """Projections, operations and numbers kept (exact, features) for a query on its key, d = 64."""
    m = max(1, math.ceil(math.expm1(4 * length**2) / error**2))
    operations = rf.attention_flops(n, 64), rf.linear_attention_flops(n, 64, m)
    return m, operations, (2 * n * 64, m * (64 + 1))


bill_needed = {error: np.maximum(1, np.expm1(4 * bill_lengths**2) / error**2) for error in bill_errors.values()}


@explore(
    r=slider(0, 2, steps=49, value=1, label="length r of query and key"),
    error=choice(*bill_errors, value="1/10", label="relative error of the kernel value"),
    n=choice(1024, 8192, 65_536, value=8192, label="tokens n"),
    caption="A query on its key in $\\mathbb{R}^{64}$: the positive projections for this relative error of its kernel value, "
    "and the cost of attention with them. The dotted line is the cost of exact attention.",
    prompts=[
        prompt("8,192 tokens, an error of a tenth. Up to which length do the features save operations?",
               "Up to $0.96$. At length $1$ they already take a third more.",
               at={"r": 1.0}, says="1.32 times the operations",
               expect=[along("r", lambda line: all((f.work < 1) == (f.r < 0.97) for f in line), error="1/10", n=8192),
                      lambda f: 0.3 < f.work - 1 < 0.35]),
        prompt("Which makes the bill larger: ten times the accuracy, or twice the length?",
               "From length $0.6$ on, twice the length: from $1$ to $2$ it takes more than a hundred thousand times as many "
               "projections, ten times the accuracy a hundred times.",
               at={"r": 2.0}, says="888,610,953 projections",
               expect=[along("r", lambda line: all((100 * a.m < b.m) == (a.r > 0.6) for a, b in zip(line[:25], line[::2], strict=True)), error="1/10"),
                      along("r", lambda line: 1e5 < line[48].m / line[24].m < 2e5, error="1/10"),
                      along("error", lambda line: abs(line[2].m / line[1].m / 100 - 1) < 0.01, r=1.0)])],
    expect={"The dotted line is the cost of exact attention": everywhere(lambda f: f.exact == 4 * f.n**2 * 64),
           "8,192 tokens the features then take a third more operations": lambda f: (
               f.m == 5360 and 0.3 < f.work - 1 < 0.35 and abs(f.memory - 1 / 3) < 0.01),
           "At length $2$ they save no operations before 1.8 billion tokens": along(
               "r", lambda line: round(line[48].m * (2 + 1 / 64) / 1e9, 1) == 1.8, error="1/10"),
           "At length $\\frac12$ 172 projections are enough": along(
               "r", lambda line: line[12].m == 172 and 0.04 < line[12].work < 0.05, error="1/10", n=8192)})
def bill(r, error, n):
    m, operations, numbers = bill_of(r, bill_errors[error], n)
    work, memory = operations[1] / operations[0], numbers[1] / numbers[0]
    drawing = draw.bill_drawing(r, bill_errors[error], bill_lengths, bill_needed, operations, numbers)
    return drawing, (f"Length {r:.2f}, error {error}: {m:,} projections; for {n:,} tokens {work:,.3g} times the operations "
                     f"of exact attention, and {memory:,.3g} times the numbers."), {
                         "m": m, "work": work, "memory": memory, "exact": operations[0]}


def fast_weights(slots, tape):
    """The figure for the features `slots` (keys, features) of keys A, B, ..., and pairs of a key and a value."""
    places = np.array(["ABCDEF".index(name) for name, _ in tape])
    on_tape = np.array([value for _, value in tape])

    @explore(
        t=play(range(len(tape) + 1), value=min(4, len(tape)), label="tokens written"),
        rule=choice("sum", "delta rule", label="rule"),
        rate=slider(0.1, 2.2, steps=64, value=1.0, label="rate η of the delta rule"),
        caption="Eight tokens write values under four keys with features of length 1 that overlap. The fast weights, "
        "and what is read at each key (bars) beside what was stored there last (diamonds).",
        prompts=[
            prompt("Write four tokens by the sum. At which key is the answer worst, and why there?",
                   "At B, where even the sign is wrong: its own value is the only negative one, and the features of B overlap with all others.",
                   at={"t": 4, "rule": "sum"}, says="largest error 1.28",
                   expect=lambda f: int(np.argmax(f.errors)) == 1 and f.errors[1] > 0.8 and (slots[1] @ slots.T > 0.3).all()),
            prompt("Let the delta rule with $\\eta=1$ write all eight tokens. Which bars are on their diamonds, and why not all?",
                   "Only that of A, which was written last. What is written at A changes what the others read.",
                   at={"t": 8, "rule": "delta rule", "rate": 1.0}, says="A reads 0.80",
                   expect=lambda f: f.errors[0] < 1e-12 and min(f.errors[1:]) > 0.05),
            prompt("At which rate does the delta rule go wrong?",
                   "Above $2/\\lVert\\phi\\rVert^2=2$: the error at the key just written changes its sign and grows. "
                   "The very first token shows it.",
                   at={"t": 1, "rule": "delta rule", "rate": 2.2}, says="largest error 1.20",
                   expect=everywhere(lambda f: (f.errors[0] > 1 + 1e-9) == (f.rate > 2), t=1, rule="delta rule"))])
    def fast_weights(t, rule, rate):
        step, stored = rate if rule == "delta rule" else None, np.full(len(slots), np.nan)
        written = [np.zeros((1, slots.shape[1])), *(rf.fast_weights(slots[places[:t]], on_tape[:t, None], rate=step) if t else ())]
        stored[places[:t]] = on_tape[:t]
        W, read = written[-1], slots @ written[-1][0]
        worst = np.nanmax(np.abs(read - stored)) if t else 0.0
        drawing = draw.fast_weights_drawing(W[0], stored, read, limits=span(on_tape, least=(-2.4, 2.4)))
        return drawing, f"{t} token{'s' * (t != 1)} written, {rule}: A reads {read[0]:.2f}, largest error {worst:.2f}.", {
            "errors": np.abs(read - stored).tolist()}

    return fast_weights


def states(slots, tape):
    """The figure of what each token counts in the answers, for keys with features `slots` and a tape of keys and values."""
    places = np.array(["ABCDEF".index(name) for name, _ in tape])
    keys, on_tape, n = slots[places], np.array([value for _, value in tape]), len(tape)
    names = "ABCDEF"[: len(slots)]

    def table(rule, asked, keep):
        """What token j counts in the answer after token t, (n, n): the recurrence for the values 1, 0, ... and so on."""
        S, rows = np.zeros((n, slots.shape[1])), []
        for t, k in enumerate(keys):
            kept = {"sum": 1.0, "decay": keep, "gate": keep if t == 4 else 1.0, "delta rule": 1.0}[rule]
            read = S @ k if rule == "delta rule" else np.zeros(n)
            S = kept * S + np.outer(np.eye(n)[t] - read, k)
            rows.append(S @ slots[asked])
        return np.array(rows)

    @explore(
        rule=choice("sum", "decay", "gate", "delta rule", label="rule"),
        key=choice(*names, label="key that is asked"),
        keep=slider(0, 1, steps=51, value=0.5, label="decay γ, or gate at token 5"),
        caption="How much each token (columns) counts in the answer after token $t$ (rows), all answers at one key: blue above zero, "
        "vermilion below. Second panel: the answers (line), and what was stored at this key last (diamonds).",
        prompts=[
            prompt("Decay with $\\gamma=\\frac12$, key A. How much does the first token count after the fifth?",
                   "A sixteenth: it was written at A, and has been halved four times.",
                   at={"rule": "decay", "key": "A", "keep": 0.5}, says="token 1 counts 0.06 after token 5",
                   expect=lambda f: abs(f.table[4][0] - 1 / 16) < 1e-12),
            prompt("Shut the gate at token 5. Which entries of the table vanish?",
                   "Those of tokens 1 to 4 in the rows 5 to 8: nothing passes from the one to the other.",
                   at={"rule": "gate", "key": "A", "keep": 0.0}, says="token 1 counts 0.00 after token 5",
                   expect=everywhere(lambda f: np.abs(np.array(f.table)[4:, :4]).max() < 1e-12 < np.abs(np.array(f.table)[:4, :4]).max(),
                                    rule="gate", keep=0.0)),
            prompt("Ask key C with the delta rule. Which rows have a single entry?",
                   "Rows 3 and 6, right after C has been written: there the answer is what was stored.",
                   at={"rule": "delta rule", "key": "C"}, says="alone in their rows: 3, 6",
                   expect=lambda f: f.alone == [3, 6])],
        expect={"the rows 1, 5 and 8, in which A has just been written, have a single entry": everywhere(
                   lambda f: f.alone == [1, 5, 8], rule="delta rule", key="A"),
               "a column never changes once it has begun": everywhere(
                   lambda f: all(np.ptp(np.array(f.table)[j:, j]) < 1e-12 for j in range(8)), rule="sum"),
               "In other rows entries may be negative": everywhere(lambda f: np.min(f.table) < -0.1, rule="delta rule")})
    def states(rule, key, keep):
        asked = names.index(key)
        M = table(rule, asked, keep)
        stored = [on_tape[: t + 1][places[: t + 1] == asked] for t in range(n)]
        last = np.array([values[-1] if len(values) else np.nan for values in stored])
        alone = [t + 1 for t in range(n) if np.abs(M[t, t] - 1) < 1e-9 and np.abs(M[t, :t]).max(initial=0) < 1e-9]
        sentence = (f"{rule.capitalize()}, key {key}: token 1 counts {M[4, 0]:.2f} after token 5; "
                    f"tokens that count alone in their rows: {', '.join(map(str, alone)) or 'none'}.")
        return draw.states_drawing(M, M @ on_tape, last), sentence, {"table": M.tolist(), "alone": alone}

    return states


distance, up_to = np.linspace(0, 4, 81), np.arange(1, 513)
counted = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]
targets = {"Gaussian": np.exp(-distance**2 / 2), "Laplacian": np.exp(-distance)}
drawers = {"Gaussian": rf.projections, "Laplacian": rf.cauchy_projections}


@cache
def running_estimates(kernel):
    """Estimates (512, 81) from the first 1, 2, ... frequencies of a draw; largest errors (30, 512) of 30."""
    frequencies = (drawers[kernel](512, 1, rng=seed) for seed in range(30))
    means = [np.cumsum(np.cos(omega * distance), axis=0) / up_to[:, None] for omega in frequencies]
    return means[0], np.array([np.abs(mean - targets[kernel]).max(axis=1) for mean in means])


@explore(
    m=play(counted, value=8, label="frequencies m"),
    kernel=choice("Gaussian", "Laplacian", label="kernel"),
    caption="A kernel of the distance (dashed) and the mean of $m$ cosines with random frequencies; and the largest error "
    "of this draw (diamond) among thirty draws, with their mean and one standard deviation to either side. The stroke in the first panel "
    "is that error.",
    prompts=[
        prompt("How many cosines until the largest error is below a tenth, for the Gaussian kernel and this draw?",
               "At 48; the average over draws passes a tenth at 67, and with 512 cosines it is 0.04.",
               at={"m": 48}, says="48 cosines: the largest error is 0.09",
               expect=[along("m", lambda line: all((f.error < 0.1) == (f.m >= 48) for f in line), kernel="Gaussian"),
                      along("m", lambda line: line[0].passes == 67 and round(line[-1].mean, 2) == 0.04,
                            kernel="Gaussian")]),
        prompt("Watch the left end, distance $0$, while you move $m$. Why is there never an error?",
               "Every cosine is $1$ there, so the mean is: pairs are exact at $x=y$.", at={"m": 1}, says="1 cosine", expect=everywhere(lambda f: f.at_zero < 1e-12)),
        prompt("The Laplacian kernel has a corner at $0$. Is its largest error of another order in $m$?",
               "No: the two bands fall alike, as $1/\\sqrt m$; the Laplacian's lies higher.",
               at={"m": 512, "kernel": "Laplacian"}, says="512 cosines",
               expect=[along("m", lambda line: abs(np.polyfit(np.log([f.m for f in line]), np.log([f.mean for f in line]), 1)[0] + 0.5) < 0.1),
                      along("kernel", lambda line: line[0].mean < line[1].mean)])])
def cosines(m, kernel):
    estimates, largest = running_estimates(kernel)
    exact = targets[kernel]
    some = np.unique(np.geomspace(1, 512, 40).round().astype(int)) - 1
    band = largest.mean(axis=0)[some], largest.std(axis=0, ddof=1)[some]
    drawing = draw.cosines_drawing(distance, exact, estimates[m - 1], up_to[some], band, m, largest[0, m - 1])
    return drawing, (f"{m} cosine{'s' * (m > 1)}: the largest error is {largest[0, m - 1]:.2f}; "
                     f"over 30 draws {largest[:, m - 1].mean():.2f} on average."), {
                         "error": largest[0, m - 1], "mean": largest[:, m - 1].mean(),
                         "at_zero": abs(estimates[m - 1, 0] - exact[0]),
                         "passes": up_to[largest.mean(axis=0) >= 0.1][-1] + 1}


def orthogonality(lengths, ratio):
    """The figure of `ratio(kind, d)`, the variance with orthogonal over that with independent projections, at `lengths`."""
    shown = [("positive", 8), ("hyperbolic", 8), ("trigonometric", 8), ("trigonometric", 64)]
    show(
        draw.orthogonality_figure(lengths, {f"{kind}, d = {d}": ratio(kind, d) for kind, d in shown}), name="orthogonality",
        caption="Variance with $d$ orthogonal projections, as a share of that with $d$ independent ones, over the length of $q+k$ "
        "(positive, hyperbolic) or $q-k$ (trigonometric).",
        alt="Four curves over a length from 0 to 5. Positive and hyperbolic stay below 1 and tend to 1; trigonometric in "
        "dimension 8 starts at three tenths and rises slightly above 1 between 3 and 4; in dimension 64 it starts near zero.")


positions, angles = np.arange(16), np.linspace(0, np.pi, 121)
unit = np.random.default_rng(0).normal(size=(16, 8))
unit /= np.linalg.norm(unit, axis=1, keepdims=True)
contents = {"all equal": np.ones((16, 16)), "unit vectors": kernels.exponential(unit, gamma=8**-0.5)}


@explore(
    hardness=slider(0, 1, steps=51, value=1, label="from triangle (0) to box (1)"),
    w=play(range(1, 7), value=2, label="width w"),
    content=choice("all equal", "unit vectors", label="tokens"),
    caption="A window over positions, its Fourier transform, and the eigenvalues of the softmax kernel's Gram matrix of "
    "16 tokens under it. Vermilion: negative.",
    prompts=[
        prompt("Equal tokens, the box. Is there a width for which no eigenvalue is negative?",
               "None from 1 to 6: the smallest is always $1-\\sqrt2$ or less.",
               at={"w": 1, "hardness": 1.0}, says="smallest eigenvalue -0.966",
               expect=everywhere(lambda f: f.smallest < 1 - math.sqrt(2) + 1e-9, hardness=1.0, content="all equal")),
        prompt("Equal tokens, width 2: move from the box towards the triangle. When does the last negative eigenvalue go?",
               "Only just before the triangle is reached: with four per cent of box it is there, with two it is gone.",
               at={"w": 2, "hardness": 0.02}, says="smallest eigenvalue 0.0",
               expect=everywhere(lambda f: (f.smallest < -1e-9) == (f.hardness > 0.03), w=2, content="all equal")),
        prompt("Do different tokens help the box, with attention's scale $1/\\sqrt{d_k}$?",
               "Hardly: for unit vectors in $\\mathbb{R}^8$ all weights are nearly equal, and the eigenvalue stays negative.",
               at={"w": 2, "content": "unit vectors"}, says="smallest eigenvalue -",
               expect=everywhere(lambda f: f.smallest < -0.1, hardness=1.0, content="unit vectors"))])
def window(hardness, w, content):
    def taper(distances):
        box, triangle = np.abs(distances) <= w, np.maximum(0, 1 - np.abs(distances) / (w + 1))
        return hardness * box + (1 - hardness) * triangle
    around = np.arange(-8, 9)
    transform = np.cos(np.outer(angles, around)) @ taper(around)
    eigenvalues = kernels.spectrum(contents[content] * taper(positions[:, None] - positions))
    drawing = draw.window_drawing(around, taper(around), eigenvalues, (np.degrees(angles), transform))
    return drawing, f"Width {w}, {hardness:.0%} box: smallest eigenvalue {eigenvalues[-1]:.3f}.", {"smallest": eigenvalues[-1]}
