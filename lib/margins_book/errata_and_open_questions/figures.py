"""The figures of chapter 11: printed features, slopes, norms along runs, traps of two pairs, joint training, heads.

(book: Errata and open questions)
"""

from functools import cache

import numpy as np
from numpy.linalg import norm

from explorable import along, baking, choice, everywhere, explore, handle, play, prompt, slider, somewhere
from margins import attention_svm as engine
from margins.attention_svm import TokenData, train
from margins.descent import hard_margin_direction
from margins_book.drawing.planes import span
from margins_book.errata_and_open_questions import drawings as draw
from margins_book.experiments.estimates import mean


def printed_features(query, keys):
    """The figure for a query (2,) and keys (n, 2), of which the first is dragged."""
    ends = span(keys[:, 0], least=(-2, 2)), span(keys[:, 1], least=(-1.5, 1.5))
    half_width = span(np.abs([*ends[0], query[0], *np.multiply([*ends[1], query[1]], 1.5)]), least=(0, 2.5))[1]

    @explore(
        k1=handle(x=slider(*ends[0], steps=49, value=keys[0, 0]), y=slider(*ends[1], steps=37, value=keys[0, 1]), label="key 1"),
        caption="A query and three keys, two of them on the circle. Discs and bars: attention with $e^{\\langle q,k\\rangle}$. "
        "Diamonds: what the printed features make of it.",
        prompts=[
            prompt("Drag key 1 onto the circle. Where are the diamonds?",
                   "At the tops of the bars: keys of one length hide the factor.",
                   at={"k1_x": 0.0, "k1_y": -1.0}, says="move 0.000", expect=lambda f: f.moved < 1e-12),
            prompt("And far away from it, in the direction of the query?",
                   "Most of the true attention goes to key 1; the printed features give it less than a third, because it is long.",
                   at={"k1_x": 2.0, "k1_y": 1.0}, says="Key 1 gets 0.75, with the printed features 0.29",
                   expect=[lambda f: f.exact.argmax() == 0 and f.printed.argmax() != 0, lambda f: f.exact[0] > 0.5 and f.printed[0] < 1 / 3])],
        expect={"attention gives key 1 more than half of the weight": somewhere(
                    lambda f: f.exact[0].round(2) == 0.54 and f.printed[0].round(2) == 0.24, k1_x=1.75, k1_y=-0.75),
               "One such place is on the dotted circle": somewhere(lambda f: abs(f.length - 1) < 1e-9 and f.moved < 1e-12, k1_x=0.0, k1_y=-1.0),
               "it is key 1, while key 3 is nearest": somewhere(lambda f: f.exact.argmax() == 0 and f.nearest == 2, k1_x=2.0, k1_y=1.0),
               "bars and [diamonds]": everywhere(lambda f: (f.moved < 1e-12) == (abs(f.length - 1) < 1e-9))})
    def printed_features(k1_x, k1_y):
        now = np.vstack([[k1_x, k1_y], keys[1:]])
        logits = now @ query
        exact, printed = (np.exp(a) / np.exp(a).sum() for a in (logits, logits - (now**2).sum(axis=1) / 2))
        sentence = (f"Key 1 gets {exact[0]:.2f}, with the printed features {printed[0]:.2f}; "
                    f"they move {np.abs(exact - printed).sum() / 2:.3f} of the attention.")
        facts = {"moved": np.abs(exact - printed).sum() / 2, "exact": exact, "printed": printed, "length": norm(now[0]),
                 "nearest": norm(now - query, axis=1).argmin()}
        return draw.prefactor_drawing(now, query, exact, printed, half_width), sentence, facts

    return printed_features


@explore(
    place=slider(-2, 5, steps=71, value=2, label="place of key 2"),
    caption="The query and key 1 stand at 1 on a line. Solid: the weight of key 2 by attention; dashed: by the printed features.",
    prompts=[
        prompt("Where should key 2 be to get as much weight as possible, by either rule?",
               "By attention as far to the right as it can. By the printed features at $1$, beside the query, where it gets one half.",
               at={"place": 1.0}, says="0.50 by the printed features",
               expect=[along("place", lambda line: (np.diff([f.right for f in line]) > 0).all()),
                      along("place", lambda line: max(line, key=lambda f: f.printed).place == 1)]),
        prompt("Where do the two rules agree?", "At $1$ and at $-1$, where both keys have the length $1$.",
               at={"place": -1.0}, says="0.12 by attention and 0.12",
               expect=along("place", lambda line: [round(f.place, 9) for f in line if abs(f.right - f.printed) < 1e-9] == [-1, 1]))],
    expect={"it never gets more than one half": everywhere(lambda f: f.printed <= 0.5 + 1e-12)})
def second_key(place):
    places = np.linspace(-2, 5, 71)
    rules = [lambda k: 1 / (1 + np.exp(1 - k)), lambda k: 1 / (1 + np.exp((k - 1) ** 2 / 2))]
    right, printed = (rule(place) for rule in rules)
    sentence = f"Key 2 at {place:.1f} gets {right:.2f} by attention and {printed:.2f} by the printed features."
    return draw.second_key_drawing(places, [rule(places) for rule in rules], place, [right, printed]), sentence, {"right": right, "printed": printed}


def slope_size(lead):
    """The size of the slope of the loss in the lead of the right one of two tokens with the scores 1 and 0."""
    s = 1 / (1 + np.exp(-lead))
    return s * (1 - s) / (1 + np.exp(s))


@explore(
    lead=slider(-8, 8, steps=65, value=0, label="lead of the right token μ"),
    caption="Two tokens with the scores 1 and 0. First panel: their attention. Second panel: the size of the slope of the loss.",
    prompts=[
        prompt("Lead by $5$, then lag by $5$. At which of the two ends is the slope larger?",
               "At the wrong one, but less than twice as large: $0.0033$ against $0.0018$.",
               at={"lead": -5.0}, says="the slope is -0.0033",
               expect=everywhere(lambda f: f.lead <= 0 or 1 < slope_size(-f.lead) / f.size < 2)),
        prompt("Somebody tells you that the slope has the size $0.01$. Who has the attention?",
               "You cannot know: the size is passed once on either side.", at={"lead": 3.25}, says="the slope is -0.0099",
               expect=along("lead", lambda line: (np.diff(np.sign([f.size - 0.01 for f in line])) != 0).sum() == 2))],
    expect={"is a hill that falls on both sides": along(
        "lead", lambda line: (np.diff(np.sign(np.diff([f.size for f in line]))) != 0).sum() == 1)})
def slope_of_lead(lead):
    leads = np.linspace(-8, 8, 161)
    s, size = 1 / (1 + np.exp(-lead)), slope_size(lead)
    sentence = f"With the lead {lead:.2f} the right token has {s:.3f} of the attention, and the slope is {-size:.4f}."
    return draw.slope_drawing(leads, slope_size(leads), (lead, size), [s, 1 - s]), sentence, {"size": size}


moments = [0, *np.unique(np.geomspace(1, 10_000, 25).astype(int)).tolist()]  # steps of training


@cache
def two_runs():
    """Two sequences of the same two tokens, trained from two starts: the run, and the lengths of the gradients (26, 2)."""
    tokens = np.stack([[[0.55, -1.45], [0.0, 0.0]], [[0.26, 0.69], [0.0, 0.0]]])
    twice = TokenData(np.stack([tokens, tokens]), np.tile([1.0, 0.0], (2, 2, 1)), np.ones((2, 2)), np.tile([1.0, 0.0], (2, 1)))
    begin = 3 * np.stack([np.outer([1.0, 0.0], [1.0, 0.0]), np.outer([-0.5, 0.85], [1.0, 0.0])])
    run = train(twice, begin, iterations=10_000, step=1.0, normalised=False, record=moments)
    return run, np.array([norm(engine.loss_gradient(twice, W), axis=(1, 2)) for W in run.W])


def growth(line):
    """By how much the lengths grow from 1000 steps on, for each factor of e in the steps."""
    ends = [f for f in line if f.step >= 1000]
    return np.diff([f.lengths for f in ends], axis=0) / np.diff(np.log([f.step for f in ends]))[:, None]


def falls_like_one_over_steps(line):
    """Whether steps times gradient stay what they are after 1000 steps."""
    at_1000 = next(f for f in line if f.step == 1000)
    return all((np.abs(f.step * f.pulls / (1000 * at_1000.pulls) - 1) < 0.15).all() for f in line if f.step >= 1000)


def lengths_grow(line):
    """Whether the lengths of both runs grow from each moment to the next."""
    return (np.diff([f.lengths for f in line], axis=0) > 0).all()


@explore(
    step=play(moments, value=100, label="training steps"),
    caption="Plain descent from two starts: the length of $W$, and that of the gradient. Solid: the start that finds the best tokens; "
    "dashed: the start that ends at a wrong one.",
    prompts=[
        prompt("Go to the end. Which of the two norms has diverged?",
               "That of the parameters, slowly, in the end like a logarithm. The gradient is less than a thirtieth of what it was.",
               at={"step": 10_000}, says="after 10000 steps",
               expect=[lambda f: (f.pulls < f.first_pulls / 30).all(),
                      along("step", lengths_grow),
                      along("step", lambda line: (np.ptp(growth(line), axis=0) < 0.15 * growth(line)[-1]).all())]),
        prompt("Can you tell from the gradient alone which run went wrong?", "No: both fall like one over the number of steps.",
               at={"step": 1000}, says="a wrong token",
               expect=along("step", falls_like_one_over_steps))],
    expect={"The [length of W]": along("step", lambda line: lengths_grow(line) and falls_like_one_over_steps(line))})
def saturated(step):
    run, pulls = two_runs()
    now, lengths = moments.index(step), norm(run.W, axis=(2, 3))  # (26, 2)
    sentence = (f"At the best tokens, and at a wrong token, after {step} steps: ‖W‖ = {lengths[now, 0]:.2f} and {lengths[now, 1]:.2f}, "
                f"‖gradient‖ = {pulls[now, 0]:.1e} and {pulls[now, 1]:.1e}.")
    facts = {"lengths": lengths[now], "pulls": pulls[now], "first_pulls": pulls[0]}
    return draw.norms_drawing(moments, lengths, pulls, now), sentence, facts


def how_often(found, caught):
    """The figure for shares of problems by their dimension, and for what part of the trapped ones is lost from zero."""

    @explore(
        d=choice(*found, label="dimension", value=2),
        caption="Shares of random pairs of two tokens, with 95 % intervals: a trap exists; descent from zero ends at a wrong token; "
        "descent from afar does, where there is a trap.",
        prompts=[
            prompt("Go from 2 to 6 dimensions. Which bar goes with the traps, and which was never there?",
                   "The first falls. The second is next to nothing in every dimension: from zero hardly any run is lost, "
                   "at most one in twenty where there is a trap.",
                   at={"d": 6}, says="In 6 dimensions",
                   expect=[along("d", lambda line: (np.diff([f.trap.value for f in line]) < 0).all()),
                          everywhere(lambda f: f.zero.value < 0.01 and f.caught <= 1 / 20)]),
            prompt("At which dimension is the last interval too wide to say much?", "At 6: too few problems have a trap.",
                   at={"d": 6}, says="lost from afar",
                   expect=[lambda f: f.afar.high - f.afar.low > 0.5, everywhere(lambda f: f.afar.high - f.afar.low < 0.5, d=lambda d: d < 6)])])
    def how_often(d):
        names = "a trap exists", "lost from 0", "lost from afar"
        words = ", ".join(f"{name} in {one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for name, one in zip(names, found[d], strict=True))
        facts = dict(zip(("trap", "zero", "afar"), found[d], strict=True)) | {"caught": caught[d]}
        return draw.shares_drawing(names, found[d]), f"In {d} dimensions: {words}.", facts

    return how_often


def together(data, steps, joint, fixed):
    """The figure for sequence 1 of problem 10: trained together with the head, and with the final head fixed."""
    kept = [np.array(run.weights)[:, 10, 0] for run in (joint, fixed)]
    left_over = [1 - weights.max(axis=1) for weights in kept]
    liked = [int((data.X[10, 0] @ v[10] * data.Y[10, 0]).argmax()) + 1 for v in joint.v]  # by the head of each step

    @explore(
        step=play(steps, value=100, label="training steps"),
        caption="First panel: attention in one sequence, matrix and head trained together (bars) and with the final head fixed "
        "from the start (diamonds). Second panel: what is left for all tokens but the winner.",
        prompts=[
            prompt("Step through the first thirty. Do both favour the same token?",
                   "No: trained together, token 2 leads, although the head scores token 3 best already, as the final one does.",
                   at={"step": 30}, says="token 2 leads together, token 3 with the fixed head",
                   expect=lambda f: f.leaders == (2, 3) and f.liked == [3] * len(steps)),
            prompt("Go on to the end. Who wins, and how far are the losers down?",
                   "Token 3 in both. With the fixed head its rivals are below a thousandth after 300 steps, together only after 3000.",
                   at={"step": 3000}, says="token 3 leads together",
                   expect=[lambda f: f.leaders == (3, 3), along("step", lambda line: line[4].left[1] < 1e-3 < line[5].left[0]),
                          lambda f: max(f.left) < 1e-3])])
    def together(step):
        now = steps.index(step)
        first, other = (weights[now].argmax() + 1 for weights in kept)
        sentence = (f"After {step} steps token {first} leads together, token {other} with the fixed head; "
                    f"left for the others: {left_over[0][now]:.2g} and {left_over[1][now]:.2g}.")
        facts = {"leaders": (first, other), "left": (left_over[0][now], left_over[1][now]), "liked": liked}
        return draw.joint_training_drawing(steps, kept, left_over, now), sentence, facts

    return together


def follow(square, inner, p, u, steps=1500, eta=0.2):
    """The leads (..., k) of two pairs after normalised descent; squares and inner product of their rows (..., 1)."""
    for _ in range(steps):
        far, near = np.abs(p), np.abs(u)
        low = np.minimum(far, near)
        f1, f2 = np.exp(low - far) / (1 + np.exp(-far)) ** 2, np.exp(low - near) / (1 + np.exp(-near)) ** 2
        by1, by2 = square[0] * f1 + inner * f2, square[1] * f2 + inner * f1
        length = np.sqrt(f1 * by1 + f2 * by2) / eta
        p, u = p + by1 / length, u + by2 / length
    return p, u


a2, angles = np.array([0.26, 0.69]), 2 * np.pi * np.arange(40) / 40
circle = np.column_stack([np.cos(angles), np.sin(angles)])
across, up = slider(0.05, 2.6, steps=52, value=0.55), slider(-1.65, 0.65, steps=47, value=-1.45)


def ends_wrong(a1):
    """Which starts of length 6 are at a wrong token of which sequence in the end, for rows a1 (P, 2) beside a2: (P, 40, 2)."""
    squares = (a1**2).sum(axis=1, keepdims=True), np.full((len(a1), 1), a2 @ a2)
    p, u = follow(squares, a1 @ a2[:, None], 6 * a1 @ circle.T, 6 * np.ones((len(a1), 1)) * (circle @ a2))
    return np.stack([p < 0, u < 0], axis=-1)


def degrees_of(w):
    """The direction of w (2,) in degrees."""
    return np.degrees(np.arctan2(w[1], w[0]))


def lost_way(a1):
    """The directions in degrees of w after 1500 steps from those of the starts that are lost."""
    p, u = follow((a1 @ a1, a2 @ a2), a1 @ a2, 6 * circle @ a1, 6 * circle @ a2)
    return degrees_of(np.linalg.solve([a1, a2], [p, u])[:, (p < 0) | (u < 0)])


@cache
def known():
    """For every place of a_1 which starts are lost, where figures are computed ahead."""
    places = np.array([[x, y] for x in across.values for y in up.values])
    parts = np.array_split(places, 8) if baking() else []  # of a size that the processor's cache holds
    return {tuple(a1): lost for part in parts for a1, lost in zip(part, ends_wrong(part), strict=True)}


@explore(
    a1=handle(x=across, y=up, label="a₁"),
    caption="First panel: the vector $a_i$ is the best token of sequence $i$ minus the other; to the right of the "
    "dotted line the first token stays the best, and in the shaded regions there is a trap. Second panel: forty starts of $w=Wz$, "
    "at length 6, large and vermilion if descent from there is at a wrong token after 1500 steps; the solid arrow is the machine of "
    "the best tokens, the dashed one a trap.",
    prompts=[
        prompt("Bring $a_1$ up out of the shaded half-plane. What becomes of the lost starts?",
               "All forty find the best tokens.", at={"a1_x": 0.55, "a1_y": -0.65}, says="0 of 40",
               expect=lambda f: not f.wrong.any() and f.back < a2 @ a2),
        prompt("There is a second shaded region, the half disc by the dotted line. Bring $a_1$ to $(0.15,\\,-0.35)$. In which "
               "direction does $w$ go from the lost starts? Turn the ringed arrow there, then compare. Who is lost?",
               "Along $a_1$, at −67°, and no longer along $a_2$, at 69°. Lost is sequence 2: on a walk along $a_1$ its lead falls faster "
               "than that of sequence 1 rises, because $-\\langle a_1,a_2\\rangle$ exceeds $\\lVert a_1\\rVert^2$.",
               at={"a1_x": 0.15, "a1_y": -0.35}, says="sequence 2", draws="trap",
               expect=[lambda f: f.loses == 2 and f.wrong[:, 1].any() and not f.wrong[:, 0].any() and f.back > f.square,
                      lambda f: f.directions == [-67, 69] and np.abs(lost_way(np.array([f.a1_x, f.a1_y])) + 67).max() < 2]),
        prompt("Can it happen if $a_1$ and $a_2$ point to the same side?", "Never: both pull up.",
               at={"a1_x": 1.55, "a1_y": 0.35}, says="no trap; 0 of 40",
               expect=everywhere(lambda f: f.back > 0 or not f.wrong.any()))])
def two_pairs(a1_x, a1_y):
    a1 = np.array([a1_x, a1_y])
    wrong = known().get((a1_x, a1_y))
    wrong = ends_wrong(a1[None])[0] if wrong is None else wrong
    lost = wrong.any(axis=1)
    machine = hard_margin_direction(np.vstack([a1, a2, -a1, -a2]), np.array([1, 1, -1, -1]))
    back = -(a1 @ a2)
    trap = a2 if back > a2 @ a2 else a1 if back > a1 @ a1 else None
    loses = None if trap is None else 1 if trap is a2 else 2
    kind = "no trap" if trap is None else f"a trap that loses sequence {loses}"
    sentence = (f"−⟨a₁, a₂⟩ = {back:.2f}, ‖a₁‖² = {a1 @ a1:.2f}, ‖a₂‖² = {a2 @ a2:.2f}: "
                f"{kind}; {lost.sum()} of 40 starts are at a wrong token after 1500 steps.")
    facts = {"wrong": wrong, "back": back, "square": a1 @ a1, "loses": loses,
             "directions": [round(degrees_of(a)) for a in (a1, a2)]}
    return draw.traps_drawing(a1, a2, machine, trap, circle, lost), sentence, facts


def over_seeds(values):
    """The mean of numbers (seeds, heads) and Student's interval, from the means of the independent seeds."""
    return mean(np.asarray(values).mean(axis=1))


def of_heads(training, rows, name, steps):
    """One measured number of all heads, (seeds, heads), before training (0 steps) or after it."""
    return rows[name][rows["steps"] == steps].reshape(len(training["seeds"]), -1)


def heads_and_axes(training, rows):
    """The figure for the record of the trained heads: their values beside those of principal axes of the keys."""
    moments = {"before training": 0, "after training": training["plan"]["steps"]}

    @explore(
        number=choice("cosine", "cka", "overlap", value="cosine", label="number"),
        moment=choice(*moments, value="after training", label="heads"),
        caption="A disc for each of the eight heads of five networks: how far its values agree with those of the principal axes of "
        "its keys, the mean over twelve texts. Rings: the same values in another order of the letters. At the dotted line they would be equal.",
        prompts=[
            prompt("Before training nothing has been learnt. Are the discs on their rings?",
                   "No, all of them are above: keys and values are made from the same tokens.",
                   at={"number": "cosine", "moment": "before training"}, says="The cosine before training",
                   expect=everywhere(lambda f: (f.own > f.other).all(), moment="before training")),
            prompt("Choose the overlap, which allows for any mixing of the columns. Does it bring a trained head near the dotted line?",
                   "No: each head stays below one half, and most are close to their rings.",
                   at={"number": "overlap", "moment": "after training"}, says="The overlap after training",
                   expect=[everywhere(lambda f: f.own.max() < 0.5), everywhere(lambda f: np.median(f.own - f.other) < 0.03, moment="after training")])],
        expect={"In each of the five networks all three numbers are smaller": along("moment", lambda line: all(
            (line[1].own.mean(axis=1) < line[0].own.mean(axis=1)).tolist()))})
    def heads_and_axes(number, moment):
        own, other = (of_heads(training, rows, name, moments[moment]) for name in (number, f"shuffled_{number}"))
        sentence = f"The {number} {moment}: {over_seeds(own)} on average, with shuffled values {over_seeds(other)}; at most {own.max():.2f}."
        return draw.alignments_drawing(own, other), sentence, {"own": own, "other": other}

    return heads_and_axes
