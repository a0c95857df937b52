"""The figures of the chapter on attention as regression: data, controls, questions, and what holds their words.

Four are made from data of the page: their axes follow other data that a reader puts there.
(book: Attention as Nadaraya-Watson regression)
"""

from functools import cache

import numpy as np
from numpy.linalg import norm

from explorable import (
    along,
    choice,
    everywhere,
    explore,
    handle,
    play,
    prompt,
    show,
    slider,
    somewhere,
    toggle,
)
from margins import attention, kernels, svm
from margins_book.drawing.planes import span
from margins_book.nadaraya_watson import drawings
from margins_book.nadaraya_watson.data import line, noisy_sine


def peaks(places, heights):
    """The places inside at which heights are larger than at both neighbours, the highest first."""
    steps = np.sign(np.diff(heights))
    found = np.flatnonzero((steps[:-1] > 0) & (steps[1:] < 0)) + 1
    return np.array(places)[found[np.argsort(-np.array(heights)[found])]]


def query(keys, values):
    """A query among values that were measured at keys on a line."""
    keys, values = np.array(keys, dtype=float), np.array(values, dtype=float)
    ends = span(keys, least=(-3, 3), margin=0)
    places = np.linspace(*ends, 121)

    @explore(
        query=handle(x=slider(*ends, steps=51, value=0.48), y=-1.8, label="the query"),
        h=slider(0.05, 5, log=True, steps=49, value=0.3, label="bandwidth h"),
        caption="An average of the values over the keys, weighted by how near each key is to the query "
        "(dashed line). The diamond is the answer there.",
        prompts=[
            prompt("Make the bandwidth as small as it gets. What does the curve become, and what is the answer?",
                   "Steps: at most places one key has nearly all the weight, and the answer is the value of the "
                   "nearest key.", at={"query_x": 1.44, "h": 0.05}, says="the largest weight is 1.00",
                   expect=[along("query_x", lambda line: np.mean([max(f.weights) > 0.95 for f in line]) > 0.5, h=0.05),
                          everywhere(lambda f: max(f.weights) < 0.95 or abs(f.answer - f.nearest) < 0.1, h=0.05)]),
            prompt("Make it as large as it gets and drag the query from end to end. What moves?",
                   "The bars, hardly the answer: all keys are asked, none much over twice as much as another; it "
                   "stays near the mean of the values.", at={"query_x": -3.0, "h": 5.0}, says="as if 19.3 of 20 keys",
                   expect=everywhere(lambda f: 0 < max(f.weights) < 2.2 * min(f.weights)
                                    and abs(f.answer - f.mean) < 0.1, h=5.0)),
            prompt("Can you make the answer larger than the largest value?",
                   "No, nowhere: it is an average with positive weights.",
                   expect=everywhere(lambda f: f.answer <= f.largest and min(f.weights) >= 0))],
        expect={"An average of the values over the keys, weighted": everywhere(
                   lambda f: np.all(np.diff(f.by_distance) <= 0)),
               "but the most in a *gap*": along("query_x", lambda line: np.allclose(peaks(
                   [f.query_x for f in line], [f.asked for f in line])[:3], [2.1, -2.3, 1.2], atol=0.1), h=0.309483),
               "and the fewest beyond the last key": along("query_x", lambda line:
                   abs(peaks([f.query_x for f in line], [-f.asked for f in line])[0] + 0.6) < 0.1
                   and min(line, key=lambda f: f.asked).query_x > line[0].last_key, h=0.309483)})
    def query(query_x, h):
        squares = ((query_x - keys) / h) ** 2
        weights = np.exp((squares.min() - squares) / 2)
        weights /= weights.sum()
        answer, curve = weights @ values, attention.nadaraya_watson(places, keys, values, h)
        sentence = (f"At q = {query_x:.1f} with h = {h:.2f} the answer is {answer:.2f}; the largest weight is "
                    f"{weights.max():.2f}, as if {1 / (weights @ weights):.1f} of {len(keys)} keys were asked.")
        order = np.argsort(np.abs(query_x - keys))  # the nearest key first
        facts = {
            "weights": weights, "by_distance": weights[order], "asked": 1 / (weights @ weights),
            "answer": answer, "nearest": values[order[0]], "mean": values.mean(), "largest": values.max(),
            "last_key": keys.max(),
        }
        return drawings.query_drawing(keys, values, weights, query_x, answer, (places, curve)), sentence, facts

    return query


def local_lines(queries, keys, values, h):
    """The weights (n, m) of the constants at queries (n,), those of the lines, and the slopes (n,) of the lines."""
    squares = (queries[:, None] - keys) ** 2
    s = np.exp((squares.min(axis=1, keepdims=True) - squares) / (2 * h**2))
    s /= s.sum(axis=1, keepdims=True)
    off = keys - (s @ keys)[:, None]
    slopes = s * off / (s * off**2).sum(axis=1, keepdims=True)  # how each value counts in the slope
    return s, s + slopes * (queries - s @ keys)[:, None], slopes @ values


def one_line(keys, values):
    """The constant and the line that are fitted at a query, for values that were measured at keys on a line."""
    keys, values = np.array(keys, dtype=float), np.array(values, dtype=float)
    ends = span(keys, least=(-3, 3), margin=0)
    places = np.linspace(*ends, 121)

    @explore(
        query=handle(x=slider(*ends, steps=51, value=0.48), y=-1.8, label="the query"),
        h=play([0.4, 0.5, 0.7, 1, 1.4], value=0.5, label="bandwidth h"),
        caption="A constant (dashed curve) and a line (green) fitted for every query, and the line of this query. "
        "Second panel: the weights of the values, bars for the constant, dots for the line.",
        prompts=[
            prompt("Drag the query past the last key. What do the green dots do, and must they?",
                   "Some fall below $0$. They must: the mean of the keys under these weights is the query, and an average with "
                   "positive weights cannot lie beyond all keys.",
                   at={"query_x": 3.0, "h": 0.5}, says="smallest weight of the line is -0.22",
                   expect=[everywhere(lambda f: abs(f.mean - f.query_x) < 1e-6),
                          everywhere(lambda f: f.query_x <= f.last or min(f.of_line) < 0)]),
            prompt("Where do constant and line give the same answer?",
                   "Where the mean of the keys that are asked is the query itself, or where the slope is $0$, as on top of a hill.",
                   at={"query_x": 0.72, "h": 0.5}, says="the line answers",
                   expect=everywhere(lambda f: abs(f.line - f.constant - f.slope * (f.query_x - f.asked)) < 1e-6))],
        expect={"some of its weights, the green dots, have to be negative": everywhere(
            lambda f: min(f.of_line) < 0, query_x=3.0, h=0.5)})
    def one_line(query_x, h):
        curves = [w @ values for w in local_lines(places, keys, values, h)[:2]]
        (s, w, slopes), q = local_lines(np.array([query_x]), keys, values, h), query_x
        constant, line, slope = s[0] @ values, w[0] @ values, slopes[0]
        sentence = (f"At q = {q:.1f} the constant answers {constant:.2f}, the line answers {line:.2f}; "
                    f"the smallest weight of the line is {w.min():.2f}.")
        facts = {"of_line": w[0], "mean": w[0] @ keys, "asked": s[0] @ keys, "last": keys.max(), "slope": slope,
                 "constant": constant, "line": line}
        return drawings.one_line_drawing(keys, values, (places, *curves), (s[0], w[0]), (q, constant, line, slope)), sentence, facts

    return one_line


def grid_over(points):
    """Columns, rows and all places of a grid over the points; how much wider than that of chapter 1 it is."""
    wider = max(np.abs(span(points * [1, 1.5], least=(-3.4, 3.4)))) / 3.4
    across, up = wider * np.linspace(-3.4, 3.4, 69), wider * np.linspace(-2.3, 2.3, 47)
    return (across, up), np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2), wider


def smoothed(points, labels):
    """Points of the plane with labels 1 and -1 as values, and a query among them."""
    (across, up), meshed, wider = grid_over(points)

    @explore(
        query=handle(x=slider(-3 * wider, 3 * wider, steps=51, value=-0.12), y=0.0, label="the query"),
        h=play([0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8], value=0.7, label="bandwidth h"),
        caption="The twelve points of chapter 1 with their labels as values: circles $1$, squares $-1$. Areas show the "
        "weights, the plus is the query; on the dashed line the average of the labels is $0$.",
        prompts=[
            prompt("Put the query between the classes, at $-0.12$, and try all bandwidths. Does the vote change?",
                   "Yes. Narrow bandwidths ask circle 0, the nearest point; from $h=1$ on the squares have a little more of the weight.",
                   at={"query_x": -0.12, "h": 1.0}, says="the answer is -0.04",
                   expect=along("h", lambda line: [f.h < 1 for f in line] == [f.answer > 0 for f in line]
                       and line[0].nearest == 0, query_x=-0.12)),
            prompt("What becomes of the dashed line as you widen the bandwidth?",
                   "It straightens: every point is heard nearly everywhere, and no single one can bend it any more.",
                   at={"query_x": -0.12, "h": 2.8}, says="as if 11.7 of 12",
                   expect=along("h", lambda line: line[0].bent > 5 * line[-1].bent and np.all(np.diff([f.bent for f in line]) < 0), query_x=-0.12))],
        expect={"Areas show the weights, the plus is the query": everywhere(
            lambda f: np.all(np.diff(f.by_distance) <= 0))})
    def smoothed(query_x, h):
        q = np.array([query_x, 0.0])
        squares = ((points - q) ** 2).sum(axis=1)
        weights = np.exp((squares.min() - squares) / (2 * h**2))
        weights /= weights.sum()
        answer, asked = weights @ labels, 1 / (weights @ weights)
        field = attention.nadaraya_watson(meshed, points, labels, h).reshape(47, 69)
        sentence = f"With h = {h:.2f} the answer is {answer:.2f}, as if {asked:.1f} of {len(points)} points were asked."
        border = across[np.argmax(field > 0, axis=1)]  # the places where the answer turns positive, row by row
        facts = {"answer": answer, "nearest": squares.argmin(), "by_distance": weights[np.argsort(squares)],
                 "bent": np.abs(border - np.polyval(np.polyfit(up, border, 1), up)).max()}  # off a straight line
        return drawings.smoothed_drawing(points, labels, weights, q, (across, up), field), sentence, facts

    return smoothed


def best_constant(keys, values):
    """What one number costs as the answer at the query 1, for keys and values on a line."""
    counts = np.exp(-((keys - 1) ** 2) / 2)
    heights = np.linspace(0, 6, 61)
    payments = counts @ (values[:, None] - heights) ** 2
    answer = counts @ values / counts.sum()

    @explore(
        c=slider(0.5, 5.5, steps=101, value=4, label="height c"),
        caption="Three values, and a number $c$ in their place. A stroke is a distance, and as broad as its key counts at the "
        "query $1$. Second panel: the squared distances, each times its count, added up.",
        prompts=[
            prompt("Find the cheapest height. Where have you met it before?",
                   "At $2.55$, the average that we found by hand.", at={"c": 2.55}, says="at c = 2.55 you pay 5.40",
                   expect=along("c", lambda line: min(line, key=lambda f: f.paid).c == 2.55 == round(answer, 2))),
            prompt("Set the line to the value of key 2. Which of the two other keys costs more?",
                   "Key 0, although it counts less than key 1: it is farther away, and distances are squared.",
                   at={"c": 5.0}, says="at c = 5.00",
                   expect=lambda f: f.parts[2] == 0 and f.parts[0] > f.parts[1] and f.counts[0] < f.counts[1])],
        expect={"the broad ones count more": lambda f: f.counts[1] == max(f.counts)})
    def best_constant(c):
        parts = counts * (values - c) ** 2
        sentence = (f"For the three values you pay {parts[0]:.2f}, {parts[1]:.2f} and {parts[2]:.2f}; "
                    f"at c = {c:.2f} you pay {parts.sum():.2f}.")
        facts = {"paid": parts.sum(), "parts": parts, "counts": counts}
        return drawings.best_constant_drawing(keys, values, counts, c, (heights, payments)), sentence, facts

    return best_constant


def inside_the_hull(keys, values):
    """Keys and values in the plane, a query among the keys, and the answer among the values."""
    from scipy.spatial import ConvexHull

    sides = ConvexHull(values).equations

    @explore(
        query=handle(x=slider(-2.4, 2.4, steps=41, value=1.2), y=slider(-1.68, 1.68, steps=29, value=-0.72),
                     label="the query"),
        scale=play([0.5, 2, 16], value=2, label="scale β"), until="nw-hard",
        caption="First panel: six keys and the query; second panel: their values and the answer. Areas show the weights. "
        "Plus: the query; diamond: the answer.",
        asides={"way": "where the answer lies, from the mean of the values"},
        prompts=[
            prompt("Let the query be $(-1.2,\\,0.72)$ and the scale $16$. Which way from the mean of the values does the answer lie? "
                   "Turn the dashed arrow there, then compare.",
                   "Towards the value of key 2. This key has the largest inner product with the query, and so nearly all of the "
                   "weight; the answer lies at its value, not at the key.",
                   at={"query_x": -1.2, "query_y": 0.72, "scale": 16}, says="that of key 2", draws="way of the answer",
                   expect=lambda f: f.weights[2] > 0.99 and norm(f.answer - values[2]) < 0.01),
            prompt("Put the query at the origin. Where is the answer, and why?",
                   "There all logits are $0$ and all weights equal: the answer is the mean of the values.",
                   at={"query_x": 0.0, "query_y": 0.0, "scale": 2}, says="0.17, shared by all",
                   expect=lambda f: np.ptp(f.weights) < 1e-12 and norm(f.answer - values.mean(axis=0)) < 1e-12),
            prompt("Put the query on key 5, near the middle. Does its own value win?",
                   "No. A longer key in about its direction has the larger inner product: here key 0 has the largest "
                   "weight.", at={"query_x": 0.36, "query_y": 0.24, "scale": 2}, says="that of key 0",
                   expect=lambda f: f.weights.argmax() == 0 and f.lengths[0] > 2 * f.lengths[5] and f.cosines[0] > 0.9),
            prompt("Can you find a query at which key 5 alone has the largest weight?",
                   "There is none: key 5 lies inside the hull of the others, and excursion 4.C proves that "
                   "such a key never wins alone.",
                   expect=everywhere(lambda f: f.weights[5] <= f.weights[:5].max() + 1e-12))],
        expect={"the answer comes near to one of the values, but it stays inside.": everywhere(lambda f: f.outside < 1e-9)})
    def inside_the_hull(query_x, query_y, scale):
        q = np.array([query_x, query_y])
        weights = attention.attention_weights(q[None], keys, scale=scale)[0]
        f = weights @ values
        whose = f"that of key {weights.argmax()}" if np.ptp(weights) > 1e-12 else "shared by all"
        sentence = f"The answer is ({f[0]:.2f}, {f[1]:.2f}); the largest weight is {weights.max():.2f}, {whose}."
        lengths = norm(keys, axis=1)
        facts = {"weights": weights, "answer": f, "lengths": lengths,
                 "cosines": keys @ keys[-1] / lengths / lengths[-1],  # with the last key
                 "outside": (sides[:, :2] @ f + sides[:, 2]).max()}  # how far outside the hull
        return drawings.hull_drawing(keys, values, q, weights, f), sentence, facts

    return inside_the_hull


def compiled(points, labels):
    """A Gaussian machine that was trained on labelled points, and the head made from it."""
    (across, up), meshed, _ = grid_over(points)

    @explore(
        gamma=play([0.1, 0.14, 0.2, 0.28, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0], value=0.5, label="γ of the kernel"),
        scale=choice("1", "1/√d", label="scale of the head"),
        caption="The boundary of a Gaussian machine (broad) and of the attention head made from it (dashed), between "
        "circles, $y=+1$, and squares (filled: support vectors, the keys of the head); and the values of the head, "
        "$\\alpha_jy_j$ and $b$.",
        prompts=[
            prompt("Scale 1: move $\\gamma$ from end to end. Do the two boundaries ever part?",
                   "Never: the head's output is $f/Z$, and $Z>0$.", at={"gamma": 3.0, "scale": "1"},
                   says="agree at 100.0%",
                   expect=everywhere(lambda f: f.share == 1 and f.least_Z > 0 and f.off < 1e-9, scale="1")),
            prompt("Choose the customary scale $1/\\sqrt d$, here $\\frac12$. Which $\\gamma$ would a machine have that weighs in this way?",
                   "Half of this $\\gamma$, since the head weighs with the square root of the kernel. But a machine trained with it would have other "
                   "coefficients.", at={"gamma": 0.5, "scale": "1/√d"}, says="agree at 94",
                   expect=everywhere(lambda f: f.off_half < 1e-9 and f.off_coefficients > 0.1, scale="1/√d")),
            prompt("How many keys does the head keep at $\\gamma=0.4$, how many in the end, and what is the last "
                   "one for?",
                   "Nine, and thirteen: of a narrow kernel all points are support vectors, and the key at the origin "
                   "of the lifted space carries $b$.",
                   at={"gamma": 3.0, "scale": "1"}, says="13 keys",
                   expect=[somewhere(lambda f: f.keys == 9, gamma=0.4, scale="1"), lambda f: f.keys == 12 + 1,
                          everywhere(lambda f: not f.last_key.any() and f.last_value == f.intercept)])])
    def compiled(gamma, scale):
        machine = svm.smo(kernels.gaussian(points, gamma=gamma), labels, 3.0)
        supports = machine.alpha > 0
        coefficients = (machine.alpha * labels)[supports]
        f = kernels.gaussian(meshed, points[supports], gamma=gamma) @ coefficients + machine.b
        head = attention.svm_to_attention(points[supports], coefficients, machine.b, kernel="gaussian", gamma=gamma)
        beta = 1 if scale == "1" else 1 / np.sqrt(4)
        of_head = attention.softmax_attention(head.queries(meshed), head.keys, head.values, scale=beta)[:, 0]
        share = np.mean(np.sign(f) == np.sign(of_head))
        stored = np.r_[machine.alpha * labels, machine.b]
        drawing = drawings.compiled_drawing(points, labels, machine.alpha, (across, up), f.reshape(47, 69),
                                            of_head.reshape(47, 69), stored, [*map(str, range(len(points))), "$b$"])
        K, other = kernels.gaussian(meshed, points[supports], gamma=gamma), svm.smo(
            kernels.gaussian(points, gamma=gamma / 2), labels, 3.0)
        Z, half = 1 + K.sum(axis=1), np.sqrt(K)
        facts = {
            "share": share, "least_Z": Z.min(), "off": np.abs(of_head - f / Z).max(), "keys": len(head.keys),
            "off_half": np.abs(of_head - (half @ coefficients + machine.b) / (1 + half.sum(axis=1))).max(),
            "off_coefficients": np.abs(other.alpha - machine.alpha).max(),
            "last_key": head.keys[-1], "last_value": head.values[-1, 0], "intercept": machine.b,
        }
        return drawing, (f"With γ = {gamma:.2f} a head of {supports.sum() + 1} keys, b = {machine.b:.2f}; "
                         f"the signs agree at {100 * share:.1f}% of the places."), facts

    return compiled


@explore(
    start=slider(0.2, 3, steps=57, value=2, label="distance D at the start"),
    layer=play(range(5), value=0, label="layers"),
    caption="Two tokens under attention alone. Solid: their distance after a layer against that before it (stairs: layer by layer); "
    "dashed, the bound $D^3/4$ of the theorem; grey, no change.",
    prompts=[
        prompt("Start at distance 1. How far apart are the tokens after three layers?",
               "About $10^{-8}$: once they are close, each layer takes the distance to a quarter of its cube.",
               at={"start": 1.0, "layer": 3}, says="1.2·10⁻⁸",
               expect=lambda f: 1e-8 < f.distances[3] < 2e-8 and abs(f.distances[3] / (f.distances[2] ** 3 / 4) - 1) < 1e-4),
        prompt("From which start does the first layer take away half of the distance?",
               "From about $1.5$. Closer tokens lose more than half, tokens farther apart lose less.",
               at={"start": 1.5, "layer": 1}, says="is 0.76",
               expect=along("start", lambda line: all((f.distances[1] < f.distances[0] / 2) == (f.start < 1.4824) for f in line), layer=1))],
    expect={"dashed, the bound $D^3/4$ of the theorem": everywhere(lambda f: np.all(
        np.array(f.distances[1:]) <= np.array(f.distances[:-1]) ** 3 / 4 * (1 + 1e-12)))})
def two_tokens(start, layer):
    by_layer = [start]
    for _ in range(4):
        by_layer.append(by_layer[-1] * np.tanh(by_layer[-1] ** 2 / 4))
    sentence = (f"From D = {start:.1f} the distance after {layer} {'layer' if layer == 1 else 'layers'} "
                f"is {by_layer[layer]:.2g}.")
    return drawings.pair_drawing(by_layer, layer), sentence, {"distances": by_layer}


def stacked(seed, layers, size, residual):
    """Tokens in the plane before and after each of several random layers."""
    rng = np.random.default_rng(seed)
    history = [rng.normal(size=(12, 2))]
    for _ in range(layers):
        W_Q, W_K, W_V = rng.normal(size=(3, 1, 2, 2)) / np.sqrt(2)
        Y = attention.multi_head_attention(history[-1], W_Q, W_K, size * W_V, np.eye(2))
        history.append(history[-1] + Y if residual else Y)
    return history


@explore(
    layer=play(range(7), value=0, label="layer"),
    size=slider(0.25, 3, steps=56, value=1, label="size of the values"),
    residual=toggle(label="residual connection"),
    caption="Twelve tokens after some layers, in units of the longest; and their spread, $\\lVert X-\\mathbf 1\\bar x^\\top\\rVert/\\lVert X\\rVert$ with mean $\\bar x$. "
    "The plus is the origin.",
    prompts=[
        prompt("No residual connection: step through the layers. When can you no longer tell the tokens apart?",
               "After the third: the spread is a few hundred-thousandths, and in the next layer only rounding is "
               "left.", at={"layer": 3, "size": 1.0, "residual": False}, says="spread is 3·10⁻⁵",
               expect=lambda f: f.spreads[2] > 0.005 and 1e-5 < f.spreads[3] < 1e-4 and f.spreads[4] < 1e-12),
        prompt("Make the values larger. Does that save the tokens?",
               "Here it only delays the collapse, by up to three layers; once tokens are close, the cube wins. Other "
               "weights of this size do save them, see excursion 4.F.",
               at={"layer": 6, "size": 3.0, "residual": False}, says="spread is below 10⁻¹²",
               expect=[along("size", lambda line: line[0].gone == 3 == max(f.gone for f in line) - 3,
                            residual=False, size=lambda s: s >= 1),
                      everywhere(lambda f: f.falls, residual=False)]),
        prompt("Residual connection on, size 3. Is as much kept?",
               "No, less than a tenth: the largest distance has doubled, but the tokens have grown sixteenfold.",
               at={"layer": 6, "size": 3.0, "residual": True}, says="spread is 0.076",
               expect=lambda f: f.spreads[6] < f.spreads[0] / 10 and round(f.apart) == 2 and round(f.longer) == 16)],
    expect={"within six layers": everywhere(lambda f: f.spreads[6] < 1e-12, size=1.0, residual=False),
           "With it more than half of the spread is kept.": everywhere(
               lambda f: f.spreads[6] > f.spreads[0] / 2, size=1.0, residual=True)})
def depth(layer, size, residual):
    history = stacked(3, 6, size, residual)
    spreads = np.array([float(attention.token_spread(X)) for X in history])
    now = f"{spreads[layer]:.2g}" if spreads[layer] > 1e-12 else "below 1e-12"
    sentence = (f"After {layer} {'layer' if layer == 1 else 'layers'} the spread is {now} "
                f"(at the start {spreads[0]:.2g}).")
    close = (spreads[:-1] < 0.01) & (spreads[:-1] > 1e-6)  # and far from rounding
    first, last = (norm(X[:, None] - X, axis=-1).max() for X in (history[0], history[6]))  # largest distances
    facts = {"spreads": spreads, "gone": int(np.argmax([*(spreads < 1e-4), True])),  # the layer
             "falls": (spreads[1:][close] < spreads[:-1][close] ** 2).all(),
             "apart": last / first,
             "longer": norm(history[6], axis=1).max() / norm(history[0], axis=1).max()}
    return drawings.depth_drawing(history[layer], spreads, layer), sentence, facts


def rates(counts, means, bars, predicted):
    """The errors at one query over the number of keys."""
    show(
        drawings.rates_figure(counts, means, bars, predicted * counts**-0.8),
        name="rates",
        caption="The expected squared error at one query, with two standard errors over 200 draws of the keys.",
        alt="On logarithmic axes the error falls with the number of keys along the predicted straight line.")


bandwidths = slider(0.005, 3, log=True, steps=61, value=0.3).values
many_keys, many_values = noisy_sine(40, seed=1)
sets = {"noisy": (many_keys, many_values), "without noise": (many_keys, np.sin(2 * many_keys)),
        "each pair twice": (many_keys.repeat(2), many_values.repeat(2))}


@cache
def errors_by_bandwidth(data):
    """The errors of a set of data with each key left out and with none, at all bandwidths."""
    k, v = sets[data]
    training = [np.mean((v - attention.nadaraya_watson(k, k, v, h)) ** 2) for h in bandwidths]
    return attention.loo_errors(k, v, bandwidths)[1], training


@explore(
    h=slider(0.005, 3, log=True, steps=61, value=0.3, label="bandwidth h"),
    data=choice(*sets, label="data"),
    caption="Forty keys. The error with the key's own value in the average, and with it left out. Solid: the estimate; "
    "dashed: the curve that the values were drawn from.",
    prompts=[
        prompt("Noisy data: which bandwidth would the training error choose, and which the error left out?",
               "Training would take the smallest, at which the estimate nearly repeats every value. Left out, the "
               "smallest error is in the middle, where the curve is much smoother.",
               at={"h": 0.005, "data": "noisy"}, says="training 0.000",
               expect=[lambda f: f.training == min(f.all_training) and f.off_values < 0.02,
                      lambda f: 0.05 < f.best["noisy"] < 0.5,
                      along("h", lambda line: 5 * min(line, key=lambda f: f.left_out).turns < line[0].turns, data="noisy")]),
        prompt("Without noise: where is the best bandwidth now?",
               "Smaller: only bias is left to be afraid of. It is not $0$, since without its own value a key "
               "must lean on neighbours on both sides.",
               at={"h": 0.0580668, "data": "without noise"}, says="the smallest of all",
               expect=lambda f: f.best["noisy"] > 2 * f.best["without noise"] and f.best["without noise"] > 2 * 0.005),
        prompt("Each pair twice: what goes wrong?",
               "Without a pair its twin still answers, so the smallest bandwidth seems nearly perfect. Leaving one out "
               "needs errors that are independent.", at={"h": 0.005, "data": "each pair twice"},
               says="left out 0.000 (the smallest of all)",
               expect=lambda f: f.left_out < 1e-4 and f.best["each pair twice"] == f.h)],
    expect={"sinks to nothing on the left": [
        everywhere(lambda f: f.training < 1e-3, h=0.005), along("h", lambda line:
            line[0].left_out > 1.1 * min(f.left_out for f in line), data=lambda d: d != "each pair twice")]})
def bandwidth(h, data):
    (k, v), now = sets[data], int(np.argmin(np.abs(np.log(np.array(bandwidths) / h))))
    left_out, training = errors_by_bandwidth(data)
    curve = attention.nadaraya_watson(line, k, v, h)
    best = " (the smallest of all)" if now == left_out.argmin() else ""
    sentence = (f"h = {h:.3f}: mean squared error left out {left_out[now]:.3f}{best}, "
                f"training {training[now]:.3f}.")
    facts = {
        "training": training[now], "all_training": training, "left_out": left_out[now],
        "best": {name: bandwidths[errors_by_bandwidth(name)[0].argmin()] for name in sets},
        "off_values": np.abs(attention.nadaraya_watson(k, k, v, h) - v).max(),
        "turns": np.count_nonzero(np.diff(np.sign(np.diff(curve)))),  # of the curve
    }
    return drawings.bandwidth_drawing(k, v, (line, curve), (line, np.sin(2 * line)), np.array(bandwidths),
                                      left_out, np.array(training), now), sentence, facts


seven = np.deg2rad([10, 70, 125, 170, 230, 290, 335])
seven_keys = 1.4 * np.c_[np.cos(seven), np.sin(seven)]
stretch = np.array([1.3, 0.35, 1.0, 1.45, 0.75, 0.4, 1.1])
corners = np.array([[-3.0, -2.0], [3, -2], [3, 2], [-3, 2]])
lattice = np.stack(np.meshgrid(np.linspace(-3, 3, 121), np.linspace(-2, 2, 81)), axis=-1).reshape(-1, 2)


@explore(
    unequal=slider(0, 1, steps=49, value=0.5, label="how unequal the norms are"),
    corrected=toggle(label="add −|k|²/2 to the logits"),
    caption="The plane by nearest key, and by the key that wins hard attention, marked by the same colours. "
    "The plus is the origin.",
    prompts=[
        prompt("Start from equal norms. What do the two pictures have in common?",
               "They are the same: the borders of the Voronoi cells all pass through the origin.",
               at={"unequal": 0.0, "corrected": False}, says="differ on 0.0%",
               expect=lambda f: f.further < 1e-9 and np.ptp(f.lengths) < 1e-9),
        prompt("Make the norms unequal. Which keys lose their region in the second panel, and where do they lie?",
               "Keys 1 and 5, the shortest: they end up inside the hull of the others.",
               at={"unequal": 1.0, "corrected": False}, says="keys that never win: 1, 5",
               expect=lambda f: sorted(np.argsort(f.lengths)[:2]) == [1, 5] == list(np.flatnonzero(~f.can_win))),
        prompt("Now add the correction. What happens?",
               "The pictures agree again, at every position: hard attention is the nearest neighbour.",
               at={"unequal": 1.0, "corrected": True}, says="differ on 0.0%",
               expect=everywhere(lambda f: f.further < 1e-9, corrected=True))],
    expect={"shrinks to a sliver and is gone": along("unequal", lambda line:
        all(np.diff([f.won_by_1 for f in line]) <= 0) and line[-1].won_by_1 == 0
        and max(f.near_1 for f in line) < 1.25 * min(f.near_1 for f in line), corrected=False)})
def partitions(unequal, corrected):
    moved = seven_keys * (1 + unequal * (stretch - 1))[:, None]
    half = (moved**2).sum(axis=1) / 2
    offsets = -half if corrected else 0 * half
    near = np.argmax(lattice @ moved.T - half, axis=1)
    wins = np.argmax(lattice @ moved.T + offsets, axis=1)
    never = [str(j) for j in range(7) if not (wins == j).any()]
    sentence = (f"The pictures differ on {100 * np.mean(near != wins):.1f}% of the plane shown; "
                f"keys that never win: {', '.join(never) or 'none'}.")
    squares = ((lattice[:, None] - moved) ** 2).sum(axis=2)  # of the distances
    facts = {
        "further": (squares[np.arange(len(wins)), wins] - squares.min(axis=1)).max(),  # winner than nearest
        "lengths": norm(moved, axis=1), "can_win": attention.winning_keys(moved),
        "won_by_1": np.mean(wins == 1), "near_1": np.mean(near == 1),
    }
    return drawings.partitions_drawing(moved, offsets, corners), sentence, facts


twelve, places_of = np.random.default_rng(8).normal(size=(12, 3)), np.arange(12.0)
triangle = kernels.causal_mask(places_of)
masks = {"none": lambda w: np.ones((12, 12), bool), "causal": lambda w: triangle,
         "local": lambda w: kernels.band_mask(places_of, width=w),
         "causal and local": lambda w: kernels.band_mask(places_of, width=w) & triangle}


@explore(
    mask=choice(*masks, value="local", label="mask"),
    row=play(range(12), value=5, label="query"),
    width=play(range(7), value=2, label="width w of the window"),
    caption="Twelve tokens. Which weights remain under a mask (crosses: not allowed), and one row of them.",
    prompts=[
        prompt("Causal mask: go through the queries. What do the weights of the first one say?",
               "It may ask itself only: its weight is $1$, whatever the tokens are.",
               at={"mask": "causal", "row": 0}, says="asks 1 key",
               expect=lambda f: f.asked == 1 and f.weights[0, 0] == f.of_others[0, 0] == 1),
        prompt("Local mask: which width costs as many pairs as the causal mask, 78 of 144?",
               "None: width 3 has 72 pairs, width 4 has 88.", at={"mask": "local", "width": 3},
               says="72 of 144 pairs",
               expect=[lambda f: f.pairs == 72, everywhere(lambda f: f.pairs == 88, mask="local", width=4),
                      everywhere(lambda f: f.pairs != 78, mask="local"), everywhere(lambda f: f.pairs == 78, mask="causal")]),
        prompt("Both masks, width 0: what is attention then?",
               "Each token asks itself only: the output is its own value.",
               at={"mask": "causal and local", "width": 0}, says="12 of 144 pairs",
               expect=lambda f: np.array_equal(f.weights, np.eye(12)) and np.array_equal(f.weights @ twelve, twelve))])
def window_of_attention(mask, row, width):
    allowed = masks[mask](width)
    weights = attention.attention_weights(twelve, twelve, mask=allowed)
    asked = int(allowed[row].sum())
    sentence = (f"Query {row} asks {asked} {'key' if asked == 1 else 'keys'}, most of all key "
                f"{weights[row].argmax()} ({weights[row].max():.2f}); {allowed.sum()} of 144 pairs are allowed.")
    others = 3 * twelve[::-1]  # other tokens
    facts = {"weights": weights, "of_others": attention.attention_weights(others, others, mask=allowed),
             "asked": asked, "pairs": allowed.sum()}
    return drawings.mask_drawing(allowed, weights, row), sentence, facts
