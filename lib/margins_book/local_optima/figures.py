"""The figures of the chapter on local optima: their data, controls, questions, and what holds their words.

A figure whose data stand on the page is a function of them; what takes long is computed when it is asked for.
(book: Local optima, feasibility and over-parameterisation)
"""

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.linalg import norm
from scipy.spatial import ConvexHull

from explorable import along, choice, everywhere, explore, handle, play, prompt, show, slider, somewhere
from margins.attention_svm import (
    TokenData,
    all_choices,
    frobenius_svm,
    judged_choice,
    loss_gradient,
    query_separator,
    random_token_data,
    softmax_weights,
    train,
    training_loss,
)
from margins_book.drawing.planes import span
from margins_book.experiments.recorded import recorded
from margins_book.local_optima import drawings
from margins_book.local_optima.counting import cover, feasible_share, interval

LETTERS = drawings.LETTERS

def letters(which):
    """The names of the tokens for which `which` is true."""
    return "".join(LETTERS[t] for t in np.flatnonzero(which))


def cones(problem):
    """Descent from far out along the direction of one token of a sequence; the query is (1, 0)."""
    X, scores, moments = problem.X[0], problem.scores[0], np.arange(0, 301, 20)
    hull = "".join(LETTERS[t] for t in ConvexHull(X).vertices)  # the corners, in their order around the hull

    judged = [judged_choice(problem, np.array([t])) for t in range(len(X))]
    cases = [(t, r) for t, c in enumerate(judged) if c.verdict != "infeasible" for r in (3, 5, 12)]
    starts = np.array([r * judged[t].solution.margin * judged[t].solution.W for t, r in cases])
    runs = train(copies_of(problem, len(cases)), starts, iterations=300, record=moments)

    @explore(
        asides=drawings.MEANINGS,
        token=choice(*LETTERS[: len(X)], value=LETTERS[min(4, len(X) - 1)], label="chosen token"),
        radius=choice(3, 5, 12, value=5, label="start at norm"),
        steps=play([int(k) for k in moments], value=160, label="steps of descent"),
        caption="First panel: the chosen token as a disc, its support vector machine (vermilion arrow, lines), tokens "
                "that score more as triangles up, neighbours enlarged. Second panel: the path of $w$ from the start, "
                "and the ray of that machine (dashed).",
        prompts=[
            prompt("Choose E and start at norm 3. Does $w$ become longer and longer on its way to A?",
                   "No: for twenty steps it grows along E's ray, then it turns towards A and becomes shorter, before it grows for good.",
                   at={"token": "E", "radius": 3, "steps": 300}, says="is at A",
                   expect=[lambda f: f.higher == "A", everywhere(lambda f: f.heaviest == "E", token="E", radius=lambda r: r >= 5),
                          along("steps", lambda line: line[0].heaviest == "E" != line[-1].heaviest
                                and line[0].length < line[1].length > line[2].length
                                and all(a.length < b.length for a, b in pairwise(line[2:])), token="E", radius=3)]),
            prompt("Choose C, start as far out as you can, and let it run to the end. Is distance all that E has?",
                   "No: C's neighbour A scores more. From norm 12 it takes longer, but descent leaves.",
                   at={"token": "C", "radius": 12, "steps": 300}, says="is at A",
                   expect=[lambda f: "A" in f.neighbours and "A" in f.higher,
                          along("radius", lambda line: max(f.gone_at for f in line[:-1]) < line[-1].gone_at < np.inf, token="C")]),
            prompt("Which token cannot be selected at all, and why?",
                   "D: it lies inside the hull of the others, so no direction puts it ahead of all of them.",
                   at={"token": "D"}, says="no direction",
                   expect=everywhere(lambda f: (f.verdict == "infeasible") == (f.token == "D") == (f.token not in f.corners))),
            prompt("Which token is the neighbour that pushes E's line from above, and is it a corner?",
                   "D, which is inside the hull. Neighbours are near in margin, not along the polygon.",
                   at={"token": "E"}, says="neighbours B (-0.58), D (1.10)",
                   expect=lambda f: f.above == "D" and "D" not in f.corners and set(f.neighbours) != set(f.beside))],
        expect={"D, an inner point, is a neighbour of E":
               everywhere(lambda f: "D" in f.neighbours and "D" not in f.corners, token="E"),
               "of E although A scores more":
               [lambda f: f.higher == "A", along("steps", lambda line: min(f.aligned for f in line) > 0.9 and line[-1].aligned > 0.997,
                                                 token="E", radius=5)]})
    def cones(token, radius, steps):
        t = LETTERS.index(token)
        chosen, k = judged[t], int(np.searchsorted(moments, steps))
        facts: dict[str, object] = {"verdict": chosen.verdict, "corners": hull}
        if chosen.verdict == "infeasible":
            drawing = drawings.choice_drawing(X, scores, t, chosen.solution, None, k, head=problem.v)
            return drawing, f"{token} is infeasible: no direction puts it ahead of all others.", facts
        case = cases.index((t, radius))
        path, weights = runs.W[:, case, :, 0], runs.weights[:, case, 0]
        drawing = drawings.choice_drawing(X, scores, t, chosen.solution, path, k, head=problem.v)
        support, heaviest, here = chosen.solution.support[0], weights.argmax(axis=1), hull.index(token)
        near = [f"{LETTERS[s]} ({scores[s]:.2f})" for s in np.flatnonzero(support)]
        facts |= {"neighbours": letters(support), "above": letters(support & (X[:, 1] > X[t, 1])),
                  "higher": letters(scores > scores[t]), "beside": hull[here - 1] + (2 * hull)[here + 1],
                  "heaviest": LETTERS[heaviest[k]], "length": norm(path[k]), "gone_at": min(moments[heaviest != t], default=np.inf),
                  "aligned": path[k] @ chosen.solution.W[:, 0] * chosen.solution.margin / norm(path[k])}
        return drawing, (f"{token} scores {scores[t]:.2f}, its neighbours {', '.join(near)}: {chosen.verdict}. "
                         f"After {steps} steps from norm {radius} the largest weight is at {LETTERS[heaviest[k]]}."), facts

    return cones


lengths_on_a_line = np.linspace(0, 6, 601)

@explore(
    score=slider(0, 2, steps=101, value=1.2, label="score c of the token at 0"), dock=False,
    caption="Attention on three tokens on a line, for $w=-R$: by how much the output is above the score $c$ of the token selected. "
            "The disc is the place where the output is lowest.",
    prompts=[
        prompt("Raise $c$ from 0. At which score does the output begin to come to its limit from below, and whose score is that?",
               "At every score above 1, that of the token at 1, the neighbour. The 3 of the third token does not matter.",
               at={"score": 1.1}, says="lowest at R = 2.06",
               expect=[everywhere(lambda f: (f.last < 0) == (f.turn < np.inf) == (f.score > 1))]),
        prompt("Raise $c$ further, to 2. Does the valley begin nearer or farther out?",
               "Nearer, at $R=0.79$: the more the selected token scores above its neighbour, the sooner the neighbour's loss "
               "outweighs the third token's gain.", at={"score": 2.0}, says="lowest at R = 0.79",
               expect=[along("score", lambda line: all(a.turn > b.turn for a, b in pairwise(line)), score=lambda c: c > 1),
                       lambda f: round(f.turn, 2) == 0.79])],
    expect={"the output is lowest at $R=1.71$": lambda f: round(f.turn, 2) == 1.71})
def three_on_a_line(score):
    near, far = np.exp(-lengths_on_a_line), np.exp(-3 * lengths_on_a_line)
    excess = ((1 - score) * near + (3 - score) * far) / (1 + near + far)
    turn = lengths_on_a_line[excess.argmin()] if score > 1 else np.inf
    lowest = (turn, excess.min()) if score > 1 else None
    found = f"is lowest at R = {turn:.2f}, and then rises" if lowest else "falls all the way, to its limit from above"
    drawing = drawings.excess_drawing(lengths_on_a_line[::10], excess[::10], lowest)
    return drawing, f"c = {score:.1f}: the output {found}.", {"last": excess[-1], "turn": turn}


asking = np.array([[1, 0.2], [-0.3, 1], [-1, -0.4], [0.9, -0.5]])  # four queries

@explore(
    angle=slider(0, 355, steps=72, value=75, label="direction of u, degrees"),
    label=choice(-1, 1, label="label of query 3"), dock=False,
    caption="Four queries, each multiplied by its label (those with the label $-1$ are dashed), and a direction $u$. Blue are those on "
            "the side of $u$, with $Y_i\\langle u,z_i\\rangle>0$; the line is at right angles to $u$.",
    prompts=[
        prompt("Turn $u$ until all four are on its side. At which directions are they?",
               "From 20° to 60°, in steps of 5°. At 40° the smallest product is largest, $0.37$.",
               at={"angle": 40.0, "label": -1}, says="All four are on the side of u; the smallest product is 0.37",
               expect=[lambda f: round(f.least, 2) == 0.37,
                      along("angle", lambda line: [f.angle for f in line if f.least > 0] == list(range(20, 61, 5)), label=-1),
                      along("angle", lambda line: max(f.least for f in line) == line[8].least, label=-1)]),
        prompt("Give query 3 the other label. Is there a direction now?",
               "No: the four arrows are in no half-plane.", at={"angle": 40.0, "label": 1}, says="3 of 4",
               expect=along("angle", lambda line: max(f.least for f in line) < 0, label=1))])
def signed_queries(angle, label):
    labels, u = np.array([1, 1, label, 1]), np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    signed = labels[:, None] * asking
    products = signed @ u
    near = int((products > 0).sum())
    found = f"All four are on the side of u; the smallest product is {products.min():.2f}" if near == 4 else f"{near} of 4 are on the side of u"
    return drawings.signed_queries_drawing(signed, labels, u), f"{found}.", {"least": products.min()}


def shield(problem):
    """The SVM of a token of a sequence while token D is dragged."""
    tokens = problem.X[0]
    others = ConvexHull(np.delete(tokens, 3, axis=0))  # the hull without D
    across, up = (span(tokens[3, k], least, margin=0) for k, least in enumerate([(-0.9, 1.8), (-0.9, 1.1)]))

    @explore(
        chosen=choice("E", "A", label="chosen token"),
        D=handle(x=slider(*across, steps=28, value=tokens[3, 0]), y=slider(*up, steps=21, value=tokens[3, 1]), label="token D"),
        caption="First panel: the SVM of the chosen token while D moves. Second panel: how far the others are behind. "
                "Vermilion: the neighbours, at the margin (dashed).",
        prompts=[
            prompt("Pull D to the left until it is no longer E's neighbour. Who takes its place, and does the verdict change?",
                   "A, the best token: E is unstable from there on. D, with its middling score, had been a shield.",
                   at={"D_x": 0.5, "D_y": 0.0}, says="neighbours A, B: unstable",
                   expect=[everywhere(lambda f: "D" in f.neighbours or (f.neighbours == "AB" and f.verdict == "unstable"),
                                     chosen="E", D_y=0.0, D_x=lambda x: x <= 1.1),
                          everywhere(lambda f: f.verdict == "spurious" and f.of_D < f.of_chosen, chosen="E", D_x=1.1, D_y=0.0)]),
            prompt("Push D to the right. Why does the verdict change, still inside the hull, though the neighbours do not?",
                   "D's score grows with $x_1$ and exceeds that of E: now the neighbour scores more.",
                   at={"D_x": 1.4, "D_y": 0.0}, says="unstable",
                   expect=[along("D_x", lambda line: all(f.neighbours == "BD" and (f.verdict == "unstable") == (f.of_D > f.of_chosen)
                                                        for f in line if f.D_x >= 1.1), chosen="E", D_y=0.0),
                          along("D_x", lambda line: all(a.of_D < b.of_D for a, b in pairwise(line))),
                          lambda f: f.inside]),
            prompt("Choose A and look for a place of D at which A is not even feasible.",
                   "There is none: as long as A is the best token it is a corner of the hull. Where D scores more, A loses "
                   "its verdict, but not its corner.", at={"chosen": "A", "D_x": 1.8, "D_y": 0.0}, says="unstable",
                   expect=[everywhere(lambda f: f.verdict != "infeasible", chosen="A"),
                          everywhere(lambda f: (f.verdict == "optimal") == (f.of_D < f.of_chosen + 1e-9), chosen="A"),
                          somewhere(lambda f: f.of_D > f.of_chosen, chosen="A")])],
        expect={"A is too far behind to matter": [lambda f: f.behind.round(2)[[0, 3]].tolist() == [1.56, 1],
                                                   everywhere(lambda f: "A" not in f.neighbours, chosen="E", D_y=0.0,
                                                              D_x=lambda x: x >= 0.7)]})
    def shield(chosen, D_x, D_y):
        X, t = tokens.copy(), LETTERS.index(chosen)
        X[3] = D_x, D_y
        moved = TokenData(X[None], problem.Z, problem.Y, problem.v)
        c = judged_choice(moved, np.array([t]))
        scores = moved.scores[0]
        drawing = drawings.shield_drawing(X, scores, t, c.solution, dragged=3)
        facts = {"verdict": c.verdict, "of_D": scores[3], "of_chosen": scores[t],
                 "inside": bool((others.equations @ [D_x, D_y, 1] < 0).all())}
        if c.verdict == "infeasible":
            return drawing, f"D scores {scores[3]:.2f}; {chosen} is infeasible.", facts
        facts |= {"neighbours": letters(c.solution.support[0]), "behind": c.solution.margins[0]}
        near = ", ".join(facts["neighbours"])
        return drawing, (f"D scores {scores[3]:.2f}, {chosen} {scores[t]:.2f}; margin {c.solution.margin:.2f}, "
                         f"neighbours {near}: {c.verdict}."), facts

    return shield


def board(pair):
    """The verdicts on all choices from two sequences of the plane, while the queries turn."""
    T = len(pair[0])

    def board_at(degrees):
        """Two queries at this angle, and the verdict on each of all choices."""
        angle = np.radians(degrees)
        queries = np.array([[1, 0], [np.cos(angle), np.sin(angle)]])
        data = TokenData(pair, queries, np.ones(2), np.array([1, 0.4]))
        return data, {tuple(map(int, c.tokens)): c.verdict for c in all_choices(data)}

    own_corners = [ConvexHull(tokens).vertices for tokens in pair]
    inner = {(s, t) for s in range(T) for t in range(T) if s not in own_corners[0] or t not in own_corners[1]}
    corners_of_sum = len(ConvexHull((pair[0][:, None] + pair[1]).reshape(-1, 2)).vertices)

    @explore(
        degrees=slider(0, 180, steps=61, value=90, label="angle between the queries, degrees"),
        caption="The verdict on each of the 25 choices: ● optimal, ■ spurious, ▼ unstable, × infeasible.",
        prompts=[
            prompt("The crosses fill whole rows and columns. Why, and why do they stay while you turn?",
                   "As long as the queries are independent, $Wz_1$ and $Wz_2$ are free of one another: a choice is "
                   "feasible if each token is a corner of its own hull, and crosses are inner tokens.",
                   at={"degrees": 90.0}, says="13 infeasible",
                   expect=everywhere(lambda f: f.choices["infeasible"] == inner, degrees=lambda a: 0 < a < 180)),
            prompt("Turn the queries together, to 0°. How many choices remain?",
                   "Seven: one vector $w=Wz$ must now order both sequences, and the board has as many feasible choices as "
                   "the sum of the two polygons has corners.", at={"degrees": 0.0}, says="18 infeasible",
                   expect=lambda f: T**2 - len(f.choices["infeasible"]) == corners_of_sum == 7),
            prompt("At 180° the corner at the top left is lost. Who has it?",
                   "Nobody: with $z_2=-z_1$ and equal labels $w$ must find the best of one sequence while $-w$ finds that of the "
                   "other, and here no $w$ can. What is left to descent are spurious choices.", at={"degrees": 180.0}, says="0 optimal",
                   expect=lambda f: f.best in f.choices["infeasible"] and len(f.choices["spurious"]) > 0)],
        expect={"with the angle, from one to seven, although no token has moved":
               along("degrees", lambda line: all(f.choices["infeasible"] == inner for f in line)
                     and all(a.choices["spurious"] <= b.choices["spurious"] for a, b in pairwise(line))
                     and [len(f.choices["spurious"]) for f in (line[0], line[-1])] == [1, 7], degrees=lambda a: 0 < a < 180),
               "The one optimal choice is never alone":
               everywhere(lambda f: len(f.choices["optimal"]) == 1 and len(f.choices["spurious"]) > 0, degrees=lambda a: a < 180)})
    def board(degrees):
        data, verdicts = board_at(degrees)
        choices = {v: {c for c in verdicts if verdicts[c] == v} for v in drawings.VERDICTS}
        found = ", ".join(f"{len(choices[v])} {v}" for v in ("optimal", "spurious", "unstable", "infeasible"))
        facts = {"choices": choices, "best": tuple(map(int, data.optimal_tokens))}
        return drawings.verdicts_drawing(pair, data.Z, verdicts, data.scores), f"At {degrees:.0f}°: {found}.", facts

    return board


def copies_of(problem, count):
    """A problem so many times, for as many starts or matrices."""
    return TokenData(*(np.tile(part, (count, *[1] * part.ndim)) for part in (problem.X, problem.Z, problem.Y, problem.v)))


def losses_at(problem, matrices):
    """The losses of one problem at each of the matrices (k, d, d)."""
    return training_loss(copies_of(problem, len(matrices)), matrices)


def losses_on_a_grid(problem, across, up):
    """The losses at w = W z in the plane, a row for each of `up`; the query is (1, 0)."""
    places = np.stack(np.meshgrid(across, up), axis=-1)[..., None] * [1, 0]
    return losses_at(problem, places.reshape(-1, 2, 2)).reshape(len(up), len(across))


def degrees_of(w):
    return np.degrees(np.arctan2(w[1], w[0]))


def valleys(trap):
    """Descent on two sequences of two tokens with the query (1, 0), from many starts."""
    turns, lengths_of_start = np.arange(0, 356, 5), (1, 2, 4, 8)
    starts = np.array([[r * np.cos(a), r * np.sin(a)] for r in lengths_of_start for a in np.radians(turns)])
    copies = copies_of(trap, len(starts))
    moments = np.unique(np.geomspace(1, 1001, 26).astype(int)) - 1
    runs = train(copies, starts[:, :, None] * [1, 0], iterations=1000, record=moments)
    axis = np.linspace(-12, 12, 49)
    losses = losses_on_a_grid(trap, axis, axis)
    differences, gains = trap.X[:, 0] - trap.X[:, 1], trap.scores[:, 0] - trap.scores[:, 1]
    machines = [judged_choice(trap, np.array(tokens)).solution for tokens in ([0, 0], [1, 0])]
    rays = [machine.W[:, 0] * machine.margin if machine.feasible else np.zeros(2) for machine in machines]

    def pulls_at(w):
        """What the two sequences add to minus the gradient at w (2, 2)."""
        weight = 1 / (1 + np.exp(-differences @ w))  # of the first token
        slope = 1 / (1 + np.exp(trap.scores[:, 1] + gains * weight))
        return (slope * gains * weight * (1 - weight) / 2)[:, None] * differences

    @explore(
        angle=slider(0, 355, steps=72, value=60, label="direction of the start, degrees"),
        radius=choice(*lengths_of_start, value=4, label="norm of the start"),
        until="lo-trap",
        caption="First panel: level lines of the loss over $w$, descent from a start (blue), and two dashed rays: the SVM of both best "
                "tokens (blue), and that of the trap (vermilion). Second panel: the lead of the best token in each sequence, "
                "along the way.",
        asides={"pulls": "the pulls of the two sequences at the start; each arrow points where the lead of its sequence grows, "
                         "and the longer pull has length 3",
                "end": "the direction of w after 1000 steps"},
        prompts=[
            prompt("Start at 175° and norm 4. Where will $w$ point after 1000 steps? Turn the ringed arrow there, then compare. "
                   "From which starts at this norm does it end there?",
                   "At 65.2°, within 2° of the vermilion ray of the trap, and far from the blue one at 0°. So it does from 30° "
                   "to 175°, from two starts in five: there the lead of sequence 1 is negative at the end.",
                   at={"angle": 175.0, "radius": 4}, says="sequence 1 at its second token", draws="direction at the end",
                   expect=[lambda f: round(f.end, 1) == 65.2 and abs(f.end - degrees_of((1, 2))) < 2,
                          along("angle", lambda line: [f.angle for f in line if f.lost] == list(range(30, 180, 5)), radius=4),
                          everywhere(lambda f: f.lost == (abs(f.end - degrees_of((1, 2))) < abs(f.end)), radius=4),
                          everywhere(lambda f: f.lost == (f.leads[-1][0] < 0)),
                          everywhere(lambda f: f.leads[-1][1] > 0)]),
            prompt("Start nearer to the origin. Does the wrong valley catch more starts, or fewer?",
                   "Fewer: 16 of the 72 directions at norm 1, 30 at norm 4. From the origin descent finds the best tokens.",
                   at={"angle": 90.0, "radius": 1}, says="sequence 1 at its second token",
                   expect=along("angle", lambda line: sum(f.lost for f in line) == {1: 16, 2: 26, 4: 30, 8: 31}[line[0].radius]))])
    def valleys(angle, radius):
        turn, share = divmod(angle / 5, 1)  # between two starts the path is drawn between their two paths
        first = lengths_of_start.index(radius) * len(turns)
        places = [first + int(turn), first + int(turn + 1) % len(turns)]
        path = np.average(runs.W[..., 0][:, places], axis=1, weights=[1 - share, share])
        leads = path @ differences.T  # (moments, 2)
        drawing = drawings.valleys_drawing(axis, losses, path, moments, leads, pulls_at(path[0]), rays)
        ends = [f"sequence {i + 1} at its {'first' if lead > 0 else 'second'} token" for i, lead in enumerate(leads[-1])]
        facts = {"leads": leads, "lost": leads[-1, 0] < 0, "end": degrees_of(path[-1])}
        return drawing, (f"From {angle:.0f}°, norm {radius}: after 1000 steps {', '.join(ends)}. The norm is {norm(path[-1]):.0f}."), facts

    return valleys


many, tries = (4, 6, 8, 10, 14, 20, 30, 50, 80, 120, 200, 400), 200

@cache
def grams_of(d):
    """The Gram matrices of the optimal choices of some random problems, three sequences of four tokens, and the multipliers."""
    drawn = random_token_data(3, 4, d, rng=np.random.default_rng(d), batch=tries)
    order = np.argsort(-drawn.scores, axis=2)[..., None]
    ranked = np.take_along_axis(drawn.X, order, axis=2)  # the optimal token first
    differences = (ranked[:, :, :1] - ranked[:, :, 1:]).reshape(tries, 9, d)
    queries = np.repeat(drawn.Z, 3, axis=1)
    found = (differences @ differences.mT) * (queries @ queries.mT)
    return found, np.linalg.solve(found, np.ones((tries, 9, 1)))[..., 0]


@explore(
    d=play(many, value=6, label="dimension d"),
    draw_number=choice(1, 2, 3, label="draw"),
    until="lo-support",
    caption="Three sequences of four tokens on the unit sphere of $\\mathbb{R}^d$, the best tokens chosen. First panel: the Gram "
            "matrix $G$, nine by nine. Second panel: the multipliers $G^{-1}\\mathbf 1$, and their limit $\\frac14$ (dashed); "
            "negative ones are vermilion.",
    prompts=[
        prompt("At $d=3=\\max(T-1,n)$ every choice would be feasible. Are all tokens neighbours at $d=4$?",
               "Hardly ever: of 200 draws fewer than 5 have no negative multiplier.", at={"d": 4}, says="draws of 200",
               expect=lambda f: f.positive < 5),
        prompt("Raise $d$. What does $G$ tend to, and what do the multipliers tend to?",
               "To three blocks with $2$ on the diagonal and $1$ beside it, and $0$ elsewhere. All multipliers tend to $\\frac14$.",
               at={"d": 400}, says="no negative multiplier",
               expect=[lambda f: np.abs(f.gram - np.kron(np.eye(3), np.eye(3) + 1)).max() < 0.3,
                      everywhere(lambda f: np.abs(f.multipliers - 0.25).max() < 0.15, d=400)]),
        ])
def gram(d, draw_number):
    matrices, multipliers = grams_of(d)
    own, positive = multipliers[draw_number - 1], int((multipliers >= 0).all(axis=1).sum())
    negative = int((own < 0).sum())
    drawing = drawings.gram_drawing(matrices[draw_number - 1], own, 0.25)
    found = f"{negative} negative multipliers" if negative > 1 else "one negative multiplier" if negative else "no negative multiplier"
    return drawing, f"d = {d}: {found}; {positive} draws of {tries} have none.", {
        "gram": matrices[draw_number - 1], "multipliers": own, "positive": positive}


record = recorded("global-convergence")
dimensions, sizes = (2, 5, 10, 20, 40), ((5, 5), (10, 5), (15, 5), (5, 10), (5, 15))

def outcome(n, T, d, form):
    """For the recorded runs of one size: which had all tokens optimal, and the share of optimal tokens."""
    rows = (record["n"] == n) & (record["T"] == T) & (record["d"] == d) & (record["form"] == form)
    return record["all_optimal"][rows], record["token_accuracy"][rows].mean()

@explore(
    size=choice("n = 5, T = 5", "n = 10, T = 5", "n = 15, T = 5", "n = 5, T = 10", "n = 5, T = 15", label="size"),
    form=choice("W", "KQ", label="trained"),
    d=play(dimensions, value=10, label="dimension d"),
    until="lo-ends",
    caption="The share of 200 runs in which all tokens are optimal, with exact 95 % intervals (discs), and the "
            "share of single tokens that are (squares). The threshold $\\max(T-1,n)$ is the dashed line.",
    prompts=[
        prompt("Compare $n=5$ with $n=15$ at $d=10$. Is it $n$ that hurts, or the number of tokens to be right?",
               "Both. With the share of single tokens that $n=5$ has, 0.976, fifteen would be right at once in "
               "$0.976^{15}=0.69$ of the runs, not in 0.88; but of fifteen only 0.931 are right, and $0.931^{15}=0.34$.",
               at={"size": "n = 15, T = 5", "form": "W", "d": 10}, says="0.93 of all tokens",
               expect=along("size", lambda line: [round(line[0].single, 3), round(line[2].single, 3), round(line[0].share, 2)]
                           == [0.976, 0.931, 0.88] and abs(line[2].share - line[2].single**15) < 0.01
                           and [round(line[k].single**15, 2) for k in (0, 2)] == [0.69, 0.34], form="W", d=10)),
        prompt("Does anything happen at the dashed line?",
               "Nothing that both forms share: from $d=10$ to 20, across it, the share rises by 0.225 in $W$ and by 0.075 in "
               "$(K,Q)$, and beyond it runs still miss tokens.", at={"size": "n = 5, T = 15", "form": "W", "d": 20}, says="0.71 of the runs",
               expect=[along("d", lambda line: round(line[3].share - line[2].share, 3) == {"W": 0.225, "KQ": 0.075}[line[0].form],
                            size="n = 5, T = 15"),
                      everywhere(lambda f: f.high < 1, d=lambda d: d >= 20, size="n = 5, T = 15")]),
        prompt("Switch from $W$ to $(K,Q)$ at $d=10$. Do keys and queries find the right tokens more often?",
               "With five tokens no difference is to be seen. With fifteen there is one, far outside the intervals.",
               at={"size": "n = 5, T = 15", "form": "KQ", "d": 10}, says="0.70 of the runs",
               expect=[along("form", lambda line: line[0].high > line[1].low and line[1].high > line[0].low, d=10,
                            size=lambda size: size.endswith("T = 5")),
                      along("form", lambda line: line[1].low > line[0].high + 0.05, size="n = 5, T = 15", d=10)])])
def shares_of_runs(size, form, d):
    n, T = sizes[("n = 5, T = 5", "n = 10, T = 5", "n = 15, T = 5", "n = 5, T = 10", "n = 5, T = 15").index(size)]
    found = [outcome(n, T, k, form) for k in dimensions]
    whole = [(hits.mean(), *interval(hits.sum(), len(hits))) for hits, _ in found]
    drawing = drawings.shares_drawing(dimensions, whole, [single for _, single in found], d, max(T - 1, n))
    at = dimensions.index(d)
    facts = dict(zip(("share", "low", "high", "single"), (*whole[at], found[at][1]), strict=True))
    return drawing, (f"{size}, threshold {max(T - 1, n)}, {form}, d = {d}: {whole[at][0]:.2f} of the runs have all tokens "
                     f"optimal ({whole[at][1]:.2f} to {whole[at][2]:.2f}), {found[at][1]:.2f} of all tokens are."), facts


counts, lengths = (1, 2, 3, 4, 6, 8, 12, 16, 24), (2, 3, 5, 10, 30)

def edge(shares):
    """The n at which shares fall below one half, on straight lines between the counts; infinite if they do not."""
    after = next((k for k, share in enumerate(shares) if share < 0.5), len(shares))
    if after in (0, len(shares)):
        return np.inf if after else counts[0]
    return np.interp(-0.5, -shares[after - 1 : after + 1], counts[after - 1 : after + 1])

@cache
def shares_of(d, kind):
    """The shares of feasible problems, by T and by n."""
    return np.array([[feasible_share(n, T, d, kind, 60 if T == 2 else 20) for n in counts] for T in lengths])


@explore(
    d=play((1, 2, 3, 4), value=3, label="dimension d"),
    tokens=choice("optimal", "arbitrary", label="tokens to be selected"),
    caption="First panel: the area of a disc is the share of random problems that are feasible (60 for $T=2$, "
            "else 20). Second panel: the same for two tokens (circles) and thirty (squares), with the laws $C(n,d^2)$ and "
            "$C(n,d)$. Upright lines: $n=d$ (dotted) and $n=2d$.",
    prompts=[
        prompt("Raise $d$ from 1 to 4. Which row of discs moves right faster, the lowest or the highest?",
               "The lowest, $T=2$: its edge is at $n=2d^2$. The highest goes to $n=2d$ only.",
               at={"d": 4, "tokens": "optimal"}, says="with two tokens, 0.00 with thirty",
               expect=[everywhere(lambda f: abs(f.edge_two / (2 * f.d**2) - 1) < 0.15, tokens="optimal", d=lambda d: d < 4),
                      lambda f: f.edge_two > 24,
                      everywhere(lambda f: abs(f.edge_thirty / (2 * f.d) - 1) < 0.25, tokens="optimal")]),
        prompt("At $d=1$ all rows are alike. Why?",
               "In one dimension the two laws are the same, $C(n,1)=2^{1-n}$.",
               at={"d": 1, "tokens": "optimal"}, says="C(24, 1) = C(24, 1)",
               expect=lambda f: f.laws[0] == f.laws[1] and abs(f.off).max() < 4),
        prompt("Ask for arbitrary tokens instead. Which discs shrink, and why not those of $T=2$?",
               "Those of many tokens, also left of $n=d$: about every second Gaussian token is a corner among thirty, and all that are "
               "asked for must be. Two tokens are both corners, and the law of the count is the same.",
               at={"d": 3, "tokens": "arbitrary"}, says="arbitrary tokens",
               expect=[lambda f: (f.shares[2:, :3] < f.optimal[2:, :3]).all() and (abs(f.off[0]) < 4).all(),
                      lambda f: abs(f.shares[-1, 0] - 0.5) < 0.2])],
    expect={"Left of $n=d$ queries are independent":
           [everywhere(lambda f: (f.optimal[:, : counts.index(f.d) + 1] == 1).all()),
            everywhere(lambda f: (f.shares[:2, : counts.index(f.d) + 1] == 1).all()
                       and (f.shares[-1, : counts.index(f.d) + 1] < 1).all(), tokens="arbitrary", d=lambda d: d > 1)]})
def phases(d, tokens):
    shares = shares_of(d, tokens)
    laws = [[cover(n, D) for n in counts] for D in (d * d, d)]
    law = f"C(24, {d * d}) = C(24, {d})" if d == 1 else f"C(24, {d * d}) = {laws[0][-1]:.2f}, C(24, {d}) = {laws[1][-1]:.2g}"
    spread = np.sqrt(np.array(laws[0]) * (1 - np.array(laws[0])) / np.where(np.array(lengths) == 2, 60, 20)[:, None])
    facts = {"shares": shares, "optimal": shares_of(d, "optimal"), "laws": laws, "edge_two": edge(shares[0]),
             "edge_thirty": edge(shares[-1]), "off": (shares - laws[0]) / np.maximum(spread, 1e-9)}
    return drawings.phase_drawing(counts, lengths, shares, laws, d), (
        f"d = {d}, {tokens} tokens, {counts[-1]} sequences: {shares[0, -1]:.2f} with two tokens, "
        f"{shares[-1, -1]:.2f} with thirty; {law}."), facts


def stuck(problem, w):
    """The loss over w = W z, with a local minimum at w."""
    across, up = np.linspace(-7, 7, 141), np.linspace(-5, 9, 141)
    heights = losses_on_a_grid(problem, across, up)
    show(drawings.local_minimum_figure(across, up, heights, w),
         name="stuck",
         caption="The loss over $w=Wz$ for two sequences with one query and opposite labels. The cross is a strict "
                 "local minimum; the infimum lies upwards, a little to the left, at infinity.",
         alt="Level lines of the loss in the plane: a closed basin around the cross at lower right, and a deeper "
             "valley that falls towards the top, a little left of the middle.")


legs, ups = np.linspace(0, 1, 41), np.linspace(0, 120, 61)

def ends_of(data, c):
    """A spurious choice and the optimal one, as matrices of norm 16 along their machines."""
    return [16 * m.margin * m.W for m in (c.solution, frobenius_svm(data, data.optimal_tokens))]

def barrier(data, c):
    """How far the loss on the straight line rises above that at its ends."""
    A, B = ends_of(data, c)
    losses = losses_at(data, A + legs[:, None, None] * (B - A))
    return losses.max() - max(losses[0], losses[-1])

@cache
def walk():
    """Of sixty problems that with the highest barrier: its data, the choice, W1, W2, and the unit matrix U."""
    problems = [random_token_data(2, 3, 3, rng=np.random.default_rng(seed)) for seed in range(60)]
    data, start = max(((data, c) for data in problems for c in all_choices(data) if c.verdict == "spurious"),
                      key=lambda case: barrier(*case))
    u = query_separator(data)
    assert u is not None
    uphill = np.outer(data.v, u)
    return data, start, *ends_of(data, start), uphill / norm(uphill)

def on_the_way(t):
    """The losses on W1, W1 + t U, W2 + t U, W2."""
    data, _, W1, W2, uphill = walk()
    path = [W1 + a * t * uphill for a in legs]
    path += [W1 + a * (W2 - W1) + t * uphill for a in legs[1:]] + [W2 + (1 - a) * t * uphill for a in legs[1:]]
    return losses_at(data, np.array(path))

@cache
def peaks():
    """The highest loss on the way, for each height of the detour."""
    return np.array([on_the_way(t).max() for t in ups])


@explore(
    t=slider(0, 120, steps=61, value=0, label="height t of the detour"),
    caption="From a spurious direction $W_1$ up along $vu^\\top$, across, and down to the optimal direction $W_2$, "
            "both of norm 16. Dotted: the higher loss of the two.",
    prompts=[
        prompt("At $t=0$ the way is the straight line. Is the loss ever above that at its ends?",
               "Yes: on the straight line there is a barrier. On the way from its second token to the third, sequence 2 "
               "passes over its first, which scores least: at the peak this has 98 % of the weight.",
               at={"t": 0.0}, says="a barrier of 0.363",
               expect=lambda f: round(f.at_peak[1, 0], 2) == 0.98 and walk()[0].scores[1].argmin() == 0),
        prompt("Raise $t$. Does the barrier vanish, and at which height?",
               "It does, from $t=74$ on: the first token of sequence 2 then gets less than 3 % of the weight on the line "
               "across.", at={"t": 74.0}, says="no barrier",
               expect=[everywhere(lambda f: (f.barrier == 0) == (f.t >= 74)), lambda f: f.worst < 0.03,
                      along("t", lambda line: all(a.barrier >= b.barrier for a, b in pairwise(line)))]),
        prompt("On the first leg the loss falls all the way. Why does descent from $W_1$ not take it?",
               "It falls by next to nothing at first: the slope along $U$ is a variance, and where one token has "
               "all the weight there is hardly any. Far out, descent is steeper along its own valley.",
               expect=[everywhere(lambda f: f.falls, t=lambda t: t > 0), lambda f: f.slope_up < 1e-4,
                      lambda f: f.slope_along > f.slope_up])],
    expect={"once the detour is high enough": along("t", lambda line: line[0].barrier > 0 == line[-1].barrier)})
def detour(t):
    data, _, W1, W2, uphill = walk()
    way = on_the_way(t)
    ends = max(way[0], way[-1])
    barrier = way.max() - ends if way.max() > ends + 1e-9 else 0.0
    found = f"a barrier of {barrier:.3f}" if barrier else "no barrier"
    drawing = drawings.detour_drawing(way, t, ups, peaks(), ends)
    across = np.array([softmax_weights(data, W1 + a * (W2 - W1) + t * uphill) for a in legs])
    slope = -loss_gradient(data, W1)
    facts = {"barrier": barrier, "at_peak": across[way[40:81].argmax()], "falls": (np.diff(way[:41]) < 0).all(),
             "worst": across[:, 1, 0].max(),
             "slope_up": np.vdot(slope, uphill), "slope_along": np.vdot(slope, W1) / norm(W1)}
    return drawing, f"At t = {t:.1f}: {found} above the higher of the two ends.", facts


trio = np.array([[2.0, 0], [1, 1.5], [0, 0]])  # d_1 = (2, 0), d_2 = (1, 1.5)
when = np.unique(np.geomspace(1, 20_000, 60).astype(int))
gaps = np.round(np.linspace(-0.1, 0.1, 49), 6)

STARTS = ("none", "a lead for token 2")

@cache
def races():
    """By start, the weights over the steps of plain descent for every gap."""
    heads = np.array([np.linalg.solve(trio[:2], [1 + gap / 2, 1 - gap / 2]) for gap in gaps])
    starts = np.zeros((98, 2, 2))
    starts[49:, :, 0] = np.linalg.solve(trio[:2], [0, 2])  # start logits that put the second token ahead by 2
    data = TokenData(np.tile(trio, (98, 1, 1, 1)), np.tile([[1.0, 0]], (98, 1, 1)), np.ones((98, 1)),
                     np.tile(heads, (2, 1)))
    run = train(data, starts, iterations=20_000, normalised=False, step=1.0, record=when)
    return dict(zip(STARTS, np.split(run.weights[:, :, 0], 2, axis=1), strict=True))


@explore(
    gap=slider(-0.1, 0.1, steps=49, value=0, label="score of token 1 minus score of token 2"),
    start=choice(*STARTS, label="at the start"),
    caption="Attention weights over plain descent, steps on a logarithmic axis. Tokens 1 and 2 have scores "
            "near 1, the third has score 0.",
    prompts=[
        prompt("At gap 0: is the end a mixture?", "No. It looks like one for a thousand steps, and drifts on, as slowly "
               "as a logarithm: token 1 wins.", at={"gap": 0.0}, says="token 1 leads",
               expect=[lambda f: f.second[when <= 1000].min() > 0.1, lambda f: abs(f.drift - 1).max() < 0.3]),
        prompt("Let token 2 have a lead at the start. Who wins at gap 0?",
               "Token 2: both brackets of the rate are positive, so the start decides.",
               at={"gap": 0.0, "start": "a lead for token 2"}, says="token 2 leads", expect=lambda f: min(f.brackets) > 0),
        prompt("Without a lead, give token 2 the higher score. When does it win, and how long does it take?",
               "At every gap of the slider, but later the smaller it is: it leads from step 10 on at the gap $-0.1$, and "
               "after more than a thousand steps at the smallest. At first geometry goes the other way.",
               at={"gap": -0.1, "start": "none"}, says="token 2 leads",
               expect=[everywhere(lambda f: f.first[0] > f.second[0] and f.second_from < np.inf, start="none", gap=lambda g: g < 0),
                      along("gap", lambda line: line[0].second_from == 10 and line[-1].second_from > 1000
                            and all(a.second_from <= b.second_from for a, b in pairwise(line)),
                            start="none", gap=lambda g: g < 0)])])
def tie(gap, start):
    place = np.interp(gap, gaps, np.arange(49))
    row, share_of_next = int(place), place % 1  # between two gaps that were trained, in proportion
    weights = (1 - share_of_next) * races()[start][:, row] + share_of_next * races()[start][:, min(row + 1, 48)]
    first = "1" if weights[-1, 0] > weights[-1, 1] else "2"
    drawing = drawings.token_weights_drawing(when, weights, ("token 1", "token 2", "bad token"))
    ahead, (d1, d2) = np.log(weights[:, 0] / weights[:, 1]), trio[:2] - trio[2]
    facts = {"first": weights[:, 0], "second": weights[:, 1], "second_from": min(when[ahead < 0], default=np.inf),
             "drift": np.diff(np.interp(np.log([100, 1000, 10_000]), np.log(when), ahead)),
             "brackets": (d1 @ (d1 - d2), d2 @ (d2 - d1))}
    return drawing, (f"Gap {gap:+.3f}: after {when[-1]:,} steps token {first} leads; weights "
                     f"{weights[-1, 0]:.3f}, {weights[-1, 1]:.3f}, {weights[-1, 2]:.4f}."), facts
