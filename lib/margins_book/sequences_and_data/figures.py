"""The figures of the chapter on sequences and data: their controls, questions, and what holds their words.

What takes more than a moment is computed when it is asked for; results of the page are arguments.
(book: Sequences, causality, depth and real data)
"""

import warnings
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.linalg import norm
from scipy.optimize import nnls

from explorable import along, choice, everywhere, explore, handle, play, prompt, show, slider
from margins import attention_svm as att
from margins import data as real
from margins.attention_svm import layers
from margins_book.sequences_and_data import drawings as draw
from margins_book.sequences_and_data import idle_tokens as idle
from margins_book.sequences_and_data import optimisers
from margins_book.sequences_and_data.next_token import Language
from margins_book.sequences_and_data.studies import accuracy, by_content, together

record = [0, 1, 3, 10, 30, 100, 300, 1000, 3000]


def off_shortest(rows, w, p):
    """How far `w` is from the least p-norm with rows @ w >= 1, 0 where it is: by the conditions of Karush.

    The gradient of the p-norm must be a sum of the active rows with multipliers that are not negative.
    """
    gradient = np.sign(w) * np.abs(w) ** (p - 1)
    gradient /= np.linalg.norm(gradient)
    return float(nnls(rows[np.isclose(rows @ w, 1)].T, gradient)[1])


def falls_in_proportion(line):
    """Whether margin / distance is steady for near twins, and the arrow turns to them as they come nearer."""
    near = [f.margin / f.distance for f in line if f.distance < 0.1]
    turning = all(a.cosine > b.cosine for a, b in pairwise(line))
    return max(near) < 1.1 * min(near) and turning


def forgets_the_twin(line):
    """Whether the margin is nearer to that without the twin, the nearer the twin is, and at last the same."""
    change = [abs(f.margin - f.plain) for f in line]
    return change[0] < 1e-3 and all(a <= b + 1e-12 for a, b in pairwise(change))


@by_content
def masked(five, asks, reader):
    """For each mask the token data, W and the weights in training, and the machine of the best tokens."""
    seen = {"all tokens": att.sequence_data(five[None], asks[None], reader),
            "the past": att.causal_data(five[None], asks[None], reader)}
    both = att.train(together([*seen.values()], [*"XZYv", "allowed"]), iterations=3000, record=record)  # at once
    runs = {mask: (both.W[:, j], both.weights[:, j]) for j, mask in enumerate(seen)}
    machines = {mask: att.frobenius_svm(data, data.optimal_tokens) for mask, data in seen.items()}
    return seen, runs, machines


def degrees_of(w):
    return np.degrees(np.arctan2(w[1], w[0]))


def triangle(five, asks, reader):
    """The figure for tokens (T, 2) in a row, a label for each, and the head v."""
    seen, trained, machines = masked(five, asks, reader)
    only_query_2 = att.TokenData(five[None, :2], five[None, 1], asks[1:2], reader)
    sent_alone = att.frobenius_svm(only_query_2, np.array([1])).W @ five[1]

    @explore(
        steps=play(record, value=100, label="training steps"),
        position=choice(*range(1, len(five) + 1), value=min(4, len(five)), label="who asks"),
        mask=choice("the past", "all tokens", label="sees"),
        caption="First panel: the ringed token asks; discs are its attention, hollow tokens are hidden from it. The arrow is "
        "where training sends its query, the dotted ray where the machine sends it. Dashed and dotted across: the machine's "
        "hyperplanes through the best token and the next one. Second panel: the attention of all five, a row for each query.",
        asides=draw.ASIDES,
        prompts=[
            prompt("Which token has the attention of token 4 in the end, if token 4 sees everything?",
                   "Token 5, which scores more than token 3. A mask changes who is the best.",
                   at={"steps": 3000, "position": 4, "mask": "all tokens"}, says="token 5 has 100.0%",
                   expect=lambda f: f.winner == {"the past": 3, "all tokens": 5}),
            prompt("Let token 1 ask. Why is there no hyperplane?",
                   "It sees itself alone, has all of its own attention at every $W$, and constrains nothing.",
                   at={"steps": 0, "position": 1, "mask": "the past"}, says="token 1 has 100.0%",
                   expect=everywhere(lambda f: f.weight == 1 and f.rivals == 0, position=1, mask="the past")),
            prompt("Go through all five positions at the end of training. Are the arrows on their rays?",
                   "Yes: $W$ is half a degree away from the machine.",
                   at={"steps": 3000, "position": 5, "mask": "the past"}, says="W is 0.5°",
                   expect=everywhere(lambda f: 0.4 < f.off < 0.6, steps=3000, mask="the past"))],
        expect={"On its own it would like to send its query to $-163°$": everywhere(
            lambda f: f.angles == [-136, -163, -163], steps=3000, position=2, mask="the past")})
    def triangle(steps, position, mask):
        data, k, at, machine = seen[mask], position - 1, record.index(steps), machines[mask]
        W, weights = (values[at] for values in trained[mask])
        best = data.optimal_tokens[k]
        off = np.degrees(np.arccos(np.clip(att.correlation(W, machine.W), -1, 1))) if steps else 90.0
        verdict = f"W is {off:.1f}° away from the machine" if machine.feasible else "no matrix selects all best tokens"
        tables = weights, data.allowed, data.scores
        drawing = draw.triangle_drawing(five, asks, tables, k, (W @ five[k], np.nan_to_num(machine.W) @ five[k]), reader)
        facts = {"winner": {name: int(seen_now[at][k].argmax()) + 1 for name, (_, seen_now) in trained.items()},
                 "angles": [round(float(np.nan_to_num(degrees_of(w)))) for w in (W @ five[k], sent_alone, five[1] - five[0])],
                 "weight": weights[k, best], "off": off, "rivals": int(np.sum(data.allowed[k])) - 1}
        return drawing, (f"Token {position} sees {mask}: after {steps} steps token {best + 1} has {weights[k, best]:.1%} of its "
                         f"attention; {verdict}."), facts

    return triangle


three_tokens = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])  # their sum is 0


@explore(
    angle=slider(-180, 180, steps=73, value=45, label="angle of u"),
    caption="Three tokens that add up to zero, and the arrow $u=W^\\top(x_1-x_2)$. "
    "Bars: its inner products with the queries, by which token 1 is ahead of token 2.",
    prompts=[
        prompt("Where does $u$ have to point so that two bars are as high as they can be together? What does the third do?",
               "At 45° the queries 1 and 2 have 0.71 each, and query 3 pays for both.",
               at={"angle": 45.0}, says="0.71, 0.71 and -1.41",
               expect=along("angle", lambda line: max(line, key=lambda f: np.sort(f.leads)[1]).angle == 45.0)),
        prompt("How far up can you bring the lowest of the three bars?",
               "To 0.48 below zero, at 115° or at $-25$°. One bar is high then, and the other two share what it costs.",
               at={"angle": 115.0}, says="-0.42, 0.91 and -0.48",
               expect=along("angle", lambda line: np.allclose(
                   [max(f.leads.min() for f in line), *(f.leads.min() for f in line if f.angle in (-25, 115))], -0.484, atol=5e-4)))],
    expect={"It cannot be done": everywhere(lambda f: abs(f.leads.sum()) < 1e-12 and f.leads.min() < 0)})
def no_lift(angle):
    u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    leads = three_tokens @ u
    words = "{:.2f}, {:.2f} and {:.2f}".format(*leads)
    return draw.lift_drawing(three_tokens, u, leads), f"The three bars are {words}; their sum is 0.", {"leads": leads}


def six_problems(tokens, labels):
    """The figure of two sequences of three tokens under the causal mask; the head reads the first coordinate."""
    show(
        draw.six_problems_figure(tokens, labels, np.array([1.0, 0])),
        name="six-problems", dock=False,
        caption="The two sequences of the proposition under the causal mask, as six small problems: a row for each sequence, "
        "a column for each position. Arrows lead to the best token, ringed, from the other tokens that are seen; the thick "
        "line is the query, from the origin. In the middle column the queries have one direction, the arrows opposite ones.",
        alt="Six small planes. In the upper middle one the arrow points from token 2 to token 1, up and to the left; in the "
        "lower middle one from token 1 to token 2, down and to the right. Both queries point to the right.")


pair = np.array([[[2.29, 1.03], [0.76, 1.57], [-0.42, 0.17]], [[0.58, -0.34], [0.86, -2.17], [-1.86, -0.12]]])
pair_labels = np.array([[-1.0, -1, 1], [-1, -1, -1]])
across, up = slider(-0.3, 2.1, steps=25, value=0.9), slider(-1.2, 2.1, steps=34, value=1.5)


def moved(place):
    """The two sequences with token 2 of the first at `place`."""
    sequences = pair.copy()
    sequences[0, 1] = place
    return sequences


def both_margins(places):
    """The margins (places, 2) of the full and of the causal machine, 0 where there is none, with token 2 at each place."""
    sequences = np.array([moved(place) for place in places])
    labels, heads = np.broadcast_to(pair_labels, sequences.shape[:-1]), np.tile([1.0, 0], (len(places), 1))
    problems = (reduced(sequences, labels, heads) for reduced in (att.sequence_data, att.causal_data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # where the margin fades, so does its accuracy
        return np.array([[one.margin for one in att.frobenius_svm(data, data.optimal_tokens)] for data in problems]).T


@cache
def walked():
    """Both margins by the place of token 2, and their map (34, 25, 2), rows from the top."""
    places = [(x, y) for y in up.values[::-1] for x in across.values]
    found = both_margins(places)
    return dict(zip(places, found.tolist(), strict=True)), found.reshape(len(up.values), len(across.values), 2)


@explore(
    token=handle(x=across, y=up, label="token 2 of the circles"),
    caption="Two sequences (circles and squares, filled where the label is $+$); the head reads $x_1$. The shading says "
    "where the causal margin is larger (blue) or smaller (orange) than the full one, as the token moves.",
    prompts=[
        prompt("Where is only the full machine feasible?",
               "At the top: the causal bar is gone, and the full one is not.",
               at={"token_x": 0.9, "token_y": 1.5}, says="causal 0.000",
               expect=[lambda f: f.full > 5e-4,
                      everywhere(lambda f: f.full < 5e-4 or f.causal > 5e-4 or f.token_y > 0.9)]),
        prompt("Where is only the causal machine feasible?", "Below the middle: there the full bar is gone.",
               at={"token_x": 0.9, "token_y": -0.4}, says="full 0.000",
               expect=[lambda f: f.causal > 5e-4,
                      everywhere(lambda f: f.causal < 5e-4 or f.full > 5e-4 or f.token_y < 0.45, token_x=0.9)]),
        prompt("Walk down the middle slowly. Is there a place where both fail?",
               "No: there is a band in which both can be had.",
               at={"token_x": 0.9, "token_y": 0.6}, says="full 0.174",
               expect=[lambda f: min(f.full, f.causal) > 0.05,
                      everywhere(lambda f: max(f.full, f.causal) > 5e-4, token_x=0.9)])],
    expect={"In the middle both machines exist": everywhere(
               lambda f: min(f.full, f.causal) > 0.05, token_x=0.9, token_y=lambda y: 0.5 < y < 0.7),
           "At this place the [causal bar]": everywhere(lambda f: f.causal < 5e-4 < f.full, token_x=0.9, token_y=lambda y: y > 1.4),
           "further down the [full one]": everywhere(lambda f: f.full < 5e-4 < f.causal, token_x=0.9,
                                                     token_y=lambda y: -0.5 < y < -0.3)})
def prefix(token_x, token_y):
    place = (token_x, token_y)
    here, margins_by_place = walked()
    margins = here[place] if place in here else both_margins([place])[0]
    drawing = draw.counterexample_drawing(
        moved(place), pair_labels, (0, 1), margins, margins_by_place[..., 1] - margins_by_place[..., 0], (-0.3, 2.1, -1.2, 2.1))
    return drawing, f"Token 2 at ({token_x:.2f}, {token_y:.2f}): margins full {margins[0]:.3f}, causal {margins[1]:.3f}.", {
        "full": margins[0], "causal": margins[1]}


moments = [0, 10, 30, 60, 100, 200, 400, 700, 1000]


def readings_at(W, residual, alone, shown):
    """The weights of both layers in the first sequence, and the correlations with their machines."""
    now = layers.forward(alone, W, residual=residual)
    asked, found = layers.asked_positions(now.weights, residual=residual), []
    for l, queries in ((0, np.ones((4, 4), bool)), (0, asked[0, 0]), (1, asked[1, 0])):
        chosen = now.weights[l][0].argmax(axis=-1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            machine = att.frobenius_svm(layers.layer_data(now.tokens[l][0], shown, queries), chosen[queries])
        found.append(att.correlation(W[l, 0], machine.W) if machine.feasible else 0.0)
    names = "layer 1, all queries", "layer 1, those asked", "layer 2"
    return now.weights[0][0, 0], now.weights[1][0, 0], dict(zip(names, found, strict=True))


@cache
def readings_at_moments():
    """By residual connections and step, what `readings_at` finds in the first of 24 problems."""
    shown = att.random_token_data(4, 4, 10, rng=np.random.default_rng(1), batch=24)[0]
    alone = att.TokenData(shown.X[None], shown.Z[None], shown.Y[None], shown.v[None])
    start = 0.1 * np.random.default_rng(2).normal(size=(2, 1, 10, 10))
    histories = {residual: layers.train_layers(alone, start, residual=residual, iterations=1000, record=moments)
                 for residual in (True, False)}
    return {(residual, k): readings_at(W, residual, alone, shown)
            for residual, history in histories.items() for k, W in zip(moments, history, strict=True)}


@explore(
    steps=play(moments, value=100, label="training steps"),
    residual=choice("on", "off", label="residual connections"),
    caption="One of four sequences in two layers: discs are weights, rows are queries. Bars: how far each layer's "
    "matrix has turned to the machine of the tokens that it selects now.",
    until="sd-layers",
    prompts=[
        prompt("Train to the end. Which bar of layer 1 does not come along, and why?",
               "That of all queries: layer 2 attends to one position, and what the others would select is not asked.",
               at={"steps": 1000, "residual": "on"}, says="those asked 0.9",
               expect=lambda f: f.layer_1_all < 0.9 < 0.95 < min(f.layer_1_asked, f.layer_2) and f.most > 0.95),
        prompt("Switch the residual connections off. How many positions share the attention of layer 2 at the end?",
               "All that carry the same token: they are twins, and twins get equal shares.",
               at={"steps": 1000, "residual": "off"}, says="gives 3 of 4 positions",
               expect=lambda f: f.sharing == f.twins and f.uneven < 0.01)])
def hierarchy(steps, residual):
    first, second, found = readings_at_moments()[residual == "on", steps]
    verdict = ", ".join(f"{name} {value:.2f}" for name, value in found.items())
    sharing, chosen = second[0] > 0.01, first.argmax(axis=1)
    twins = chosen == chosen[second[0].argmax()]  # positions that carry the token most attended to
    facts = dict(zip(("layer_1_all", "layer_1_asked", "layer_2"), found.values(), strict=True)) | {
        "most": second[0].max(), "sharing": sharing.tolist(), "twins": twins.tolist(),
        "uneven": np.ptp(second[0][twins])}
    return draw.layers_drawing(first, second, found), (
        f"After {steps} steps: correlations {verdict}; layer 2 gives {sharing.sum()} of 4 positions 1% or more."), facts


def asked_or_all(table):
    """The figure for what `read_layers` found, by depth and residual connections: layer 1 in two layers."""
    found = {"on": table[2, True], "off": table[2, False]}

    @explore(
        residual=choice(*found, label="residual connections"),
        caption="Layer 1 at the end of training, a dot for each of 24 problems: its correlation with the machine of "
        "all its queries, and with that of the queries asked. On the line both are equal. Bars: the median margins "
        "of the machines of both layers.",
        prompts=[
            prompt("Switch the residual connections off. What becomes of the dots, and what of the margin of layer 2?",
                   "The dots stay above the line. The margin of layer 2 is gone.",
                   at={"residual": "off"}, says="layer 2 0.00",
                   expect=lambda f: f.above == 24 and f.margins[1] < 1e-3),
            prompt("With residual connections, which layer has the wider street?",
                   "The upper one, by the medians of the two margins.",
                   at={"residual": "on"}, says="layer 1 0.38, layer 2 0.82",
                   expect=lambda f: f.margins[1] > f.margins[0])],
        expect={"They lie on top": everywhere(lambda f: f.above == 24 and f.asked > 0.94, residual="on"),
                "The median correlation is $0.99$ in the lower layer and $0.98$": everywhere(
                    lambda f: np.allclose(f.medians, [0.99, 0.98]), residual="on")})
    def asked_or_all(residual):
        asked, every = found[residual][0, :, :2].T
        margin = np.median(found[residual][:, :, 2], axis=1)
        above = int((asked > every).sum())
        drawing = draw.asked_drawing(every, asked, margin)
        return drawing, (f"Layer 1 is nearer to the machine of the queries asked in {above} of {len(asked)} problems; "
                         f"margins: layer 1 {margin[0]:.2f}, layer 2 {margin[1]:.2f}."), {
            "above": above, "asked": asked.min(), "margins": margin,
            "medians": np.median(found[residual][:, :, 0], axis=1).round(2)}

    return asked_or_all


def mean_losses(sets, W):
    """The mean logistic loss of attention on token data `sets`, at a matrix for each."""
    outputs = [(att.softmax_weights(data, w) * data.scores).sum(axis=1) for data, w in zip(sets, W, strict=True)]
    return float(np.mean([np.logaddexp(0, -u).mean() for u in outputs]))


def two_losses(problems, run):
    """The figure for splits (train, test, baseline) and the training run of all of them."""
    train, test, _ = zip(*problems, strict=True)
    counts = [int(k) for k in run.iterations]
    losses = {name: np.array([mean_losses(sets, W) for W in run.W])
              for name, sets in (("training images", train), ("new images", test))}
    right = np.array([[accuracy(data, w) for data, w in zip(test, W, strict=True)] for W in run.W])

    @explore(
        steps=play(counts, value=0, label="training steps"),
        caption="First panel: the mean loss of attention over ten splits, at six moments of the training. "
        "Second panel: the accuracy on new images, a dot for each split, over the accuracy at the start.",
        prompts=[
            prompt("At 5000 steps, how many of the ten splits have gained over the start, and how many have lost?",
                   "One has gained, one is where it was, and eight have lost.",
                   at={"steps": 5000}, says="gained in 1 and lost in",
                   expect=lambda f: (f.gained, f.lost) == (1, 8)),
            prompt("And after 30 steps, where of these six moments the loss on new images is lowest?",
                   "More splits have gained than have lost.",
                   at={"steps": 30}, says="After 30 steps",
                   expect=lambda f: f.gained > f.lost)],
        expect={"goes down and down": along("steps", lambda line: all(a.train > b.train for a, b in pairwise(line))),
                "and after that it rises": along(
                    "steps", lambda line: min(line, key=lambda f: f.new).steps == 30 and line[-1].new > line[0].new)})
    def two_losses(steps):
        at = counts.index(steps)
        gain = right[at] - right[0]
        gained, lost = int((gain > 0).sum()), int((gain < 0).sum())
        facts = {"train": losses["training images"][at], "new": losses["new images"][at], "gained": gained, "lost": lost}
        return draw.losses_drawing(losses, at, counts, right), (
            f"After {steps} steps the loss is {facts['train']:.4f} on training images and {facts['new']:.2f} on new ones; "
            f"the accuracy has gained in {gained} and lost in {lost} of {len(gain)} splits."), facts

    return two_losses


stops = [0, 3, 10, 30, 100, 300, 1000, 2000]


@by_content
def way_of(data, steps, record):
    """W after the numbers of steps of `record`."""
    return att.train(data, iterations=steps, record=record).W


def patches_chosen(images, digits, problem):
    """The figure for the first of the splits of the digits: `problem` is its training set, its test set, its baseline."""
    first_train, first_test, _ = problem
    digit_way = way_of(first_train, 2000, stops)
    order = np.random.default_rng(0).permutation(len(digits))
    outcome = (att.softmax_weights(first_test, digit_way[-1]) * first_test.scores).sum(axis=1)
    right, wrong = np.flatnonzero(outcome > 0)[:2], np.flatnonzero(outcome < 0)[:2]
    on_show = {f"{'trained' if part == 0 else 'new'} {digits[order[40 * part + i]]} (no. {i + 1})": (part, int(i))
               for part, picked in ((0, (0, 3, 5)), (1, (*right, *wrong))) for i in picked}

    @explore(
        steps=play(stops, value=30, label="training steps"),
        image=choice(*on_show, label="image"),
        caption="Discs: the attention of a trained query to the 16 patches, on images of the training set and on new "
        "ones. Second panel: attention over the score, which knows the answer; right of 0 speaks for it.",
        until="sd-real",
        prompts=[
            prompt("Take a trained image to the end. Where does its attention go?",
                   "To one patch, and to the right of the other picture: a patch with a high score.",
                   at={"steps": 2000, "image": next(iter(on_show))}, says="right answer",
                   expect=everywhere(lambda f: f.most > 0.95 and f.score > 0, steps=2000,
                                    image=lambda name: name.startswith("trained"))),
            prompt("Now the last of the new images, to the end. Is its attention as decided, and is it right?",
                   "Decided, and wrong: the patch with all the attention lies left of 0.",
                   at={"steps": 2000, "image": list(on_show)[-1]}, says="wrong answer",
                   expect=lambda f: f.most > 0.95 and f.score < 0)],
        expect={"In the first trained image the attention ends": everywhere(
            lambda f: f.patch == 13 and f.ink == 0, steps=2000, image=next(iter(on_show)))})
    def patches_chosen(steps, image):
        part, i = on_show[image]
        data, W = (first_train, first_test)[part], digit_way[stops.index(steps)]
        s, scores = att.softmax_weights(data, W)[i], data.scores[i]
        image_shown = images[order[40 * part + i]]
        drawing = draw.digit_drawing(image_shown, s, scores, (-13, 13))
        facts = {"most": s.max(), "score": scores[s.argmax()], "patch": int(s.argmax()) + 1,
                 "ink": real.digit_patches(image_shown[None])[0, s.argmax()].sum()}
        return drawing, (f"After {steps} steps one patch has {s.max():.0%} of the attention; the output times the label is "
                         f"{s @ scores:+.2f}: the {'right' if s @ scores > 0 else 'wrong'} answer."), facts

    return patches_chosen


plane = {"two constraints": np.array([[1.0, 0.45], [0.3, 1.0]]), "one constraint": np.array([[1.0, 0.45]])}
exponent = slider(1.1, 8, log=True, steps=65, value=2, label="exponent p")


def shortest(rows, p):
    """The w of least p-norm with rows @ w >= 1: that of one row, or where both rows meet."""
    q = p / (p - 1)
    alone = [np.sign(a) * np.abs(a) ** (q - 1) / (np.abs(a) ** q).sum() for a in rows]
    right = [w for w in alone if (rows @ w >= 1 - 1e-12).all()]
    return min(right, key=lambda w: (np.abs(w) ** p).sum()) if right else np.linalg.solve(rows, [1.0, 1.0])


entries = {name: np.array([shortest(rows, p) for p in exponent.values]) for name, rows in plane.items()}


@explore(
    p=exponent,
    problem=choice("one constraint", "two constraints", label="problem"),
    caption="The ball of the $p$-norm grows until it touches the place where all margins are 1 or more: "
    "there is the machine. Second panel: its two entries over $p$.",
    prompts=[
        prompt("Take $p$ to its left end. What does the machine do with its smaller entry?",
               "It becomes zero, nearly: the ball is nearly a square on its corner, which touches the line with a corner.",
               at={"p": 1.1, "problem": "one constraint"}, says="w = (1.00, 0.00)",
               expect=along("p", lambda line: all(a.ratio < b.ratio for a, b in pairwise(line)), problem="one constraint")),
        prompt("And at the right end?", "The ball is nearly a square, and both entries become alike.",
               at={"p": 8.0, "problem": "one constraint"}, says="ratio 0.89",
               expect=along("p", lambda line: line[-1].ratio == max(f.ratio for f in line) > 0.85, problem="one constraint")),
        prompt("With two constraints, is there a range of $p$ in which the machine stays where it is?",
               "Yes, from the left end up to about $p=6$: while both are active, the machine is their meeting point "
               "whatever the norm.",
               at={"p": 1.1, "problem": "two constraints"}, says="w = (0.64, 0.81)",
               expect=everywhere(lambda f: (abs(f.ratio - f.meeting) < 1e-9) == (f.p < 6), problem="two constraints",
                                p=lambda p: abs(p - 6) > 0.3))],
    expect={"move apart as $p$ falls": along("p", lambda line: all(a.ratio < b.ratio < 1 for a, b in pairwise(line)),
                                            problem="one constraint"),
           "The ball of the $p$-norm grows until": everywhere(lambda f: abs(f.margin - 1) < 1e-9 and f.off < 1e-7)})
def norms(p, problem):
    rows = plane[problem]
    w = shortest(rows, p)
    return draw.ball_drawing(rows, w, p, p / (p - 1), (np.array(exponent.values), entries[problem])), (
        f"At p = {p:.2f} the machine is w = ({w[0]:.2f}, {w[1]:.2f}), ratio {w[1] / w[0]:.2f}."), {
            "ratio": w[1] / w[0], "meeting": 0.7 / 0.55,  # rows @ (0.55, 0.7) are equal
            "margin": (rows @ w).min(), "off": off_shortest(rows, w, p)}


marked = [1, 2, 4, 8, 15, 30, 60, 120, 250, 500, 1000, 2000, 3000]  # steps at which optimisers are compared


def adam_or_descent(tokens, head):
    """One sequence, turned about the origin with its head: where four optimisers send its query."""
    turns = list(range(0, 91, 15))
    cosines, sines, ones = np.cos(np.radians(turns)), np.sin(np.radians(turns)), np.ones((len(turns), 1))
    turned = np.moveaxis(np.array([[cosines, -sines], [sines, cosines]]), -1, 0)  # (turns, 2, 2)
    batch = att.TokenData((tokens @ turned.mT)[:, None], ones[:, :, None] * [1, 0], ones, turned @ head)
    rays = [{"Frobenius norm": att.frobenius_svm(batch[t], batch[t].optimal_tokens).W[:, 0],
             "max norm": optimisers.max_svm(batch[t])[0][:, 0]} for t in range(len(turns))]
    rules = {"gradient descent": optimisers.normalised, "sign descent": optimisers.signs, "Adam": optimisers.adam(),
             "Adam, ε = 10⁻⁸": optimisers.adam(epsilon=1e-8)}
    sent = optimisers.descend(batch, rules, marked)  # (13, turns, 2, 2) each

    @explore(
        steps=play(marked, value=30, label="training steps"),
        optimiser=choice(*rules, label="optimiser"),
        turn=choice(*turns, label="turn the tokens by"),
        caption="One sequence and its query along the first axis; disc, the attention; the large dot, the best token. Arrow, where "
        "training sends the query; dotted, the machine of the Frobenius norm; dashed, that of the max norm.",
        prompts=[
            prompt("Let gradient descent train to the end, then Adam, on the same loss. Where do the two arrows end?",
                   "Gradient descent ends on the dotted ray, Adam near the dashed one: from 22° and from 43° above the first axis "
                   "they look at the same tokens.",
                   at={"steps": 3000, "optimiser": "Adam", "turn": 0}, says="1.7° from the machine of the max norm", expect=[
                       along("optimiser", lambda line: [round(f.aim) for f in line[::2]] == [22, 43], steps=3000, turn=0)]),
            prompt("Turn the tokens by 15°. Which of the two arrows turns with them?",
                   "That of gradient descent: it knows nothing of axes. Adam's stays near the diagonal, along which every entry of "
                   "$W$ has moved by the same amount.",
                   at={"steps": 3000, "optimiser": "Adam", "turn": 15}, says="0.5° from the machine of the max norm", expect=[
                       along("turn", lambda line: np.allclose([f.aim - f.turn for f in line], line[0].aim),
                             optimiser="gradient descent", steps=3000),
                       along("turn", lambda line: all(abs(f.aim - 45) < 3 for f in line if f.turn <= 45), optimiser="Adam",
                             steps=3000)]),
            prompt("Choose Adam with ε = 10⁻⁸. From where on does it differ from Adam, and what stops it?",
                   "From about 1,000 steps on, when the gradient has become as small as ε. Then it is gradient descent with momentum, "
                   "whose steps shrink with the gradient, and it turns back, slower and slower.",
                   at={"steps": 3000, "optimiser": "Adam, ε = 10⁻⁸", "turn": 0}, says="7.2° from the machine of the max norm", expect=[
                       along("optimiser", lambda line: abs(line[2].aim - line[3].aim) < 0.1, steps=lambda k: k <= 500, turn=0),
                       along("optimiser", lambda line: line[2].aim - line[3].aim > 0.9, steps=lambda k: k >= 1000, turn=0)])])
    def adam_or_descent(steps, optimiser, turn):
        k, t = marked.index(steps), turns.index(turn)
        W, ways = sent[optimiser][k, t], sent[optimiser][:, t, :, 0] @ [1, 1j]
        away = {name: np.degrees(np.abs(np.angle(ways / (ray @ [1, 1j])))) for name, ray in rays[t].items()}
        drawing = draw.optimiser_drawing(batch.X[t, 0], att.softmax_weights(batch[t], W)[0], W[:, 0], rays[t], marked, away, k)
        each = ", ".join(f"{values[k]:.1f}° from the machine of the {name}" for name, values in away.items())
        return drawing, f"{optimiser[0].upper() + optimiser[1:]}, {steps} steps, tokens turned by {turns[t]}°: W is {each}.", {
            "aim": np.degrees(np.arctan2(W[1, 0], W[0, 0])), "away": {name: values[k] for name, values in away.items()}}

    return adam_or_descent


heights, walked_length = slider(0, 4, steps=49, value=3, label="start: w₂"), 12
kept_tokens = {"three tokens": 3, "r dropped": 2}


@cache
def paths_from_the_axis(name, third):
    """The flow from all starts (0, w2), (25, 49, 2)."""
    first, head = idle.PROBLEMS[name]
    starts = np.column_stack([np.zeros(49), heights.values])
    return idle.flow_paths(starts, [first[:kept_tokens[third]], idle.PAIR], head, walked_length, 25)


@explore(
    height=heights,
    third=choice(*kept_tokens, label="first sequence"),
    problem=choice(*idle.PROBLEMS, label="dropping r"),
    caption="First panel: gradient flow of $w=Wz$ from $(0,w_2)$, the end of its path as a dot; dash-dotted, the ray of the machine. "
    "To the right of the line $o=t$ the best token $o$ is ahead of $t$, to the right of $o=r$ ahead of $r$. "
    "Second panel: the attention of the first sequence along the path.",
    prompts=[
        prompt("Start at $w_2=4$ with three tokens. Which way does $w$ go first, and who has the attention in the end?",
               "Straight to the right, since $t$ and $r$ pull apart; once it is past both lines, $o$ has the attention.",
               at={"height": 4.0, "third": "three tokens", "problem": "creates a trap"}, says="o has 100%",
               expect=[lambda f: f.first_step[0] > 0.99, everywhere(lambda f: f.winner == "o", third="three tokens", problem="creates a trap")]),
        prompt("Drop $r$ and start there again.",
               "Now $w$ goes straight up, and $t$ keeps the attention, although it scores less than $o$.",
               at={"height": 4.0, "third": "r dropped", "problem": "creates a trap"}, says="t has 100%",
               expect=lambda f: f.first_step[1] > 0.99 and f.winner == "t"),
        prompt("Take the other problem, where dropping $r$ removes a trap. Which token keeps the attention?",
               "It is $r$ itself, which has the lowest score. Without it every start on the axis ends at $o$.",
               at={"height": 4.0, "third": "three tokens", "problem": "removes a trap"}, says="r has 100%",
               expect=[lambda f: f.winner == "r", everywhere(lambda f: f.winner == "o", third="r dropped", problem="removes a trap")])],
    expect={"crosses both lines, from every start on the axis": everywhere(
               lambda f: f.winner == "o", third="three tokens", problem="creates a trap"),
           "from low starts only": along("height", lambda line: "".join(f.winner for f in line).rstrip("t").rstrip("o") == ""
                                         and line[0].winner == "o" and line[-1].winner == "t",
                                         third="r dropped", problem="creates a trap")})
def idle_token(height, third, problem):
    first, _ = idle.PROBLEMS[problem]
    count = kept_tokens[third]
    path = paths_from_the_axis(problem, third)[:, int(np.abs(np.array(heights.values) - height).argmin())]
    logits = path @ first[:count].T
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    machine = np.linalg.lstsq(np.array([first[0] - first[1], [0.0, 1.0]]), np.ones(2), rcond=None)[0]
    winner = "otr"[int(weights[-1].argmax())]
    step = path[1] - path[0]
    return draw.pruning_drawing(path, first[:count], weights, machine, walked_length), (
        f"From (0, {height:.2f}) with {third} w goes to ({path[-1, 0]:.1f}, {path[-1, 1]:.1f}); "
        f"there {winner} has {weights[-1].max():.0%} of the attention of the first sequence."), {
            "winner": winner, "first_step": step / norm(step)}


quartet = np.array([[1.2, 0.5], [-0.2, 1.1], [0.3, -1.0], [-1.4, -0.3]])  # token 1 is selected, z = (1, 0)
aside, distances = np.array([-0.35, 0.94]) / norm([-0.35, 0.94]), slider(0.003, 1, log=True, steps=61, value=0.3,
                                                                 label="distance of the twin")
of = {"the selected": 0, "a support": 1, "a far": 3}


def machine_with(twin):
    """w of least norm with token 1 ahead of the other tokens and of the twin by 1."""
    data = att.TokenData(np.vstack([quartet, twin])[None], np.array([[1.0, 0.0]]), np.ones(1), np.array([1.0, 0.0]))
    return att.frobenius_svm(data, np.array([0])).W[:, 0]


@cache
def margins_of_twins():
    """The margin without a twin, and over the distance of each kind of twin."""
    plain = 1 / norm(machine_with(np.array([-9.0, 0.0])))  # a token so far away is no support token
    return plain, {kind: np.array([1 / norm(machine_with(quartet[t] - d * aside)) for d in distances.values])
                   for kind, t in of.items()}


@explore(
    distance=distances,
    kind=choice(*of, label="twin of"),
    caption="Token 1 is selected. The diamond is a twin, at the distance that you choose, of token 1, of token 2 "
    "or of token 4; dashed and dotted, the hyperplanes of the machine. Second panel: the margin with each twin.",
    prompts=[
        prompt("Bring the twin of the selected token nearer. How does the margin fall, and where does the arrow go?",
               "Nearly in proportion to the distance; the arrow turns towards where the twins differ.",
               at={"distance": 0.003, "kind": "the selected"}, says="margin is 0.0022",
               expect=along("distance", falls_in_proportion, kind="the selected")),
        prompt("Do the same with the twin of token 4. What changes?",
               "Nothing: it is no support token, and neither is its twin.",
               at={"distance": 0.003, "kind": "a far"}, says="margin is 1.2230",
               expect=everywhere(lambda f: abs(f.margin - f.plain) < 1e-9, kind="a far")),
        prompt("And with a twin of token 2, a support token?",
               "Hardly anything: the nearer it comes, the less the margin knows of it.",
               at={"distance": 0.003, "kind": "a support"}, says="margin is 1.2227",
               expect=along("distance", forgets_the_twin, kind="a support"))],
    expect={"down a line of slope 1": along("distance", falls_in_proportion, kind="the selected")})
def twins(distance, kind):
    twin = quartet[of[kind]] - distance * aside
    w, place = machine_with(twin), int(np.abs(np.log(np.array(distances.values) / distance)).argmin())
    plain, curves = margins_of_twins()
    drawing = draw.twin_drawing(quartet, twin, 0, w, np.array(distances.values), curves, (kind, place))
    facts = {"margin": 1 / norm(w), "plain": plain, "cosine": w @ aside / norm(w)}
    return drawing, f"With a twin of {kind} token at distance {distance:.3f} the margin is {1 / norm(w):.4f}.", facts


paces = [0, 1, 3, 10, 30, 100, 300, 1000, 10_000]
shares_of_sat = {"3 of 4": 0.75, "1 of 2": 0.5, "always": 1.0}


@cache
def two_contexts(share):
    """The language in which *sat* has this share after *the cat*, and its descent: W at `paces`."""
    sat = shares_of_sat[share]
    language = Language(np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[sat, 1 - sat, 0], [0, 0, 1]]), np.full(2, 0.5))
    return language, language.descend(paces)


@explore(
    steps=play(paces, value=0, label="training steps"),
    share=choice(*shares_of_sat, label="sat follows the cat"),
    caption="First panel: by how much *sat* leads the two other words after *the cat*, along gradient descent; dashed, the "
    "log-odds of the data. Second panel: the probabilities of the three words, with those of the data as short strokes.",
    prompts=[
        prompt("Let *sat* follow always. Which way does the path go now?",
               "Up and to the right: now *ran* never follows either, and both leads grow without end.",
               at={"steps": 10_000, "share": "always"}, says="leads ran by 10.",
               expect=along("steps", lambda line: all(a.over_ran < b.over_ran for a, b in pairwise(line)), share="always")),
        prompt("And if both follow equally often?", "Straight up: neither of the two gets ahead.",
               at={"steps": 10_000, "share": "1 of 2"}, says="leads ran by 0.000",
               expect=along("steps", lambda line: max(abs(f.over_ran) for f in line) < 1e-9, share="1 of 2"))],
    expect={"first goes to the right, a little too far, and then turns": along(
                "steps", lambda line: max(f.over_ran for f in line) > 1.25 and abs(line[-1].over_ran - np.log(3)) < 1e-3,
                share="3 of 4"),
            "After $1000$ steps *sat* leads *ran* by $1.101$": everywhere(
                lambda f: round(f.over_ran, 3) == 1.101, steps=1000, share="3 of 4"),
            "while $B$ is $4.5°$ away from its machine": everywhere(
                lambda f: round(f.off, 1) == 4.5, steps=1000, share="3 of 4"),
            "still more than $3°$": everywhere(lambda f: 3 < f.off < 3.5, steps=10_000, share="3 of 4")})
def next_token(steps, share):
    language, path = two_contexts(share)
    leads = np.array([[(W[0] - W[1]) @ language.contexts[0], (W[0] - W[2]) @ language.contexts[0]] for W in path])
    at = paces.index(steps)
    (over_ran, over_fell), B = leads[at], language.split(path[at])[1]
    off = np.degrees(np.arccos(min(1, att.correlation(B, language.machine)))) if steps else 90.0
    drawing = draw.leads_drawing(leads[:at + 1], language.predicted(path[at])[0], language.chances[0])
    return drawing, (f"After {steps} steps sat leads ran by {over_ran:.3f} and fell by {over_fell:.2f}; "
                     f"B is {off:.1f}° away from its machine."), {"over_ran": over_ran, "over_fell": over_fell, "off": off}


def sentence(texts, pairs, problems):
    """The figure for two libraries: `problems` are two splits for each of the `pairs`, `texts` the words of each library."""
    train, test, _ = problems[2 * pairs.index(("sklearn", "matplotlib"))]
    way = way_of(train, 1000, stops[:-1])
    own_texts = texts["sklearn"] + texts["matplotlib"]
    order = np.random.default_rng(0).permutation(200)
    before, after = ((att.softmax_weights(test, W) * test.scores).sum(axis=1) for W in way[[0, -1]])
    turned = int(np.flatnonzero((before > 0) & (after < 0))[0])  # right by the mean, wrong by attention
    titles = {f"{'trained' if part == 0 else 'new'}: {own_texts[order[40 * part + i]][0]} …": (part, i)
              for part, picked in ((0, (0, 1, 2)), (1, (0, 1, turned))) for i in picked}

    @explore(
        steps=play(stops[:-1], value=30, label="training steps"),
        text=choice(*titles, label="docstring"),
        caption="Sixteen words of a docstring of scikit-learn or matplotlib, with their attention while $W$ trains, and "
        "their scores: bars to the right speak for the library that it comes from.",
        prompts=[
            prompt("Let it train on a docstring of the training set. Which word is left?",
                   "One word, with a bar to the right: it speaks for the right library.",
                   at={"steps": 1000, "text": next(iter(titles))}, says="right library",
                   expect=everywhere(lambda f: f.most > 0.9 and f.winner > 0, steps=1000,
                                    text=lambda title: title.startswith("trained"))),
            prompt("Take the last docstring, a new one, at 0 steps and at the end. What has training done for it?",
                   "The mean of its words was right, by a little; the word that gets the attention is wrong, by more.",
                   at={"steps": 1000, "text": list(titles)[-1]}, says="wrong library",
                   expect=lambda f: 0 < f.mean < -f.winner and f.most > 0.5)])
    def sentence(steps, text):
        part, i = titles[text]
        data, W = (train, test)[part], way[stops.index(steps)]
        s, scores, shown = att.softmax_weights(data, W)[i], data.scores[i], own_texts[order[40 * part + i]]
        drawing = draw.sentence_drawing(shown, s, scores, (-11, 11))
        leader = f"“{shown[int(s.argmax())]}” has {s.max():.0%}" if steps else "every word has a sixteenth"
        return drawing, (f"After {steps} steps {leader} of the attention; the output speaks for the "
                         f"{'right' if s @ scores > 0 else 'wrong'} library ({s @ scores:+.2f})."), {
            "most": s.max(), "mean": scores.mean(), "winner": scores[s.argmax()]}

    return sentence
