"""The figures of chapter 8: what concave heads want, the parts of a matrix, and a study's candidates.

(book: Nonlinear heads and the generalised SVM)
"""

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.linalg import norm

from explorable import along, baking, choice, everywhere, explore, handle, play, prompt, slider, somewhere
from margins import attention_svm as engine
from margins.attention_svm import correlation, generalised_svm, nearest_mixture, sparsemax
from margins_book.drawing.planes import half_width_around, span
from margins_book.generalised_svm import descent
from margins_book.generalised_svm import drawings as draw

record = (0, 3, 10, 30, 100, 300, 1000, 3000)  # steps of training
curvature = slider(0.05, 5, log=True, steps=65, value=0.5, label="curvature λ")


def mixture(gamma):
    """The figure for orthonormal tokens with these scores, in descending order."""
    grid = np.array(curvature.values)[:, None]
    trained = dict(zip(curvature.values, descent.descend(gamma, grid, record).transpose(1, 0, 2), strict=True))  # (8, T) each

    @explore(
        lam=curvature,
        steps=play(record, value=100, label="training steps"),
        caption="Five tokens at right angles, scored 1, 0.8, 0.45, 0.1 and −0.3. Bars: attention. Diamonds: what the "
        "head $\\langle v,x\\rangle-\\lambda\\lVert x\\rVert^2$ wants; in the second panel, for every $\\lambda$.",
        expect={"Five tokens at right angles, scored": lambda f: f.scores == [1, 0.8, 0.45, 0.1, -0.3],
               "Diamonds: what the head": everywhere(lambda f: f.lead >= f.lam * f.far**2 - 1e-12)},
        prompts=[
            prompt("Train to the end, then raise $\\lambda$ from its left end. When does a second token come in?",
                   "At $\\lambda=0.1$, half of the gap between the two best scores.",
                   at={"lam": 0.102676, "steps": 3000}, says="wants 2 of 5 tokens",
                   expect=everywhere(lambda f: (f.wanted > 1) == (f.lam > f.gap / 2))),
            prompt("Choose $\\lambda$ so that three tokens are wanted, and train to the end. Which of the other two still has more?",
                   "Token 4, about two thousandths and some three times as much as token 5. The lower a score, the faster it is dimmed.",
                   at={"lam": 0.716506, "steps": 3000}, says="wants 3 of 5 tokens; left-out tokens still have 0.00",
                   expect=[lambda f: 0.0015 < f.left_out < 0.0025 and 2.5 < f.weights[3] / f.weights[4] < 3.5,
                          everywhere(lambda f: f.wanted == 5 or f.left_out > 0)]),
            prompt("And at the right end?", "All five are wanted, nothing has to vanish, and training ends early.",
                   at={"lam": 5.0, "steps": 300}, says="wants 5 of 5 tokens; attention is within 0.0000",
                   expect=[lambda f: f.wanted == 5, everywhere(lambda f: f.off < 5e-5, lam=5, steps=lambda k: k >= 100)])])
    def mixture(lam, steps):
        now = record.index(steps)
        s = trained[lam][now] if lam in trained else descent.descend(gamma, lam, record[:now + 1])[-1]
        best = sparsemax(gamma / (2 * lam))
        left_out = f"left-out tokens still have {s[best == 0].max():.4f}; " if (best == 0).any() else ""
        sentence = (f"At λ = {lam:.2f} the head wants {(best > 0).sum()} of {len(gamma)} tokens; {left_out}attention is within "
                    f"{np.abs(s - best).max():.4f} of its wish after {steps} steps.")
        facts = {"wanted": int((best > 0).sum()), "left_out": float(s[best == 0].max(initial=0)),
                 "off": float(np.abs(s - best).max()), "gap": gamma[0] - gamma[1], "scores": gamma.tolist(),
                 "weights": s.tolist(), "far": norm(best - s), "lead": gamma @ (best - s) - lam * (best @ best - s @ s)}
        return draw.sparsemax_drawing(s, best, lam, grid[:, 0], sparsemax(gamma / (2 * grid))), sentence, facts

    return mixture


two = np.array([1.0, 0.8])  # the head v, and the scores of the tokens (1, 0) and (0, 1)
heads_on_two = {  # what each earns with the output x, whose coordinates are the shares
    "linear": lambda x: x @ two,
    "sinh": lambda x: np.sinh(x @ two),
    "square, λ = 0.1": lambda x: x @ two - 0.1 * (x**2).sum(axis=-1),
    "square, λ = 0.5": lambda x: x @ two - 0.5 * (x**2).sum(axis=-1),
    "length, label −1": lambda x: -(x**2).sum(axis=-1),
}


@explore(
    head=choice(*heads_on_two, label="head"),
    share=slider(0, 1, steps=51, value=0.5, label="share of token 1"), dock=False,
    caption="Two tokens at right angles, scored 1 and 0.8. The curve: what a head earns over the share of token 1. "
    "Diamond: the share with which it earns most.",
    prompts=[
        prompt("Which of the five heads earn most with a mixture?",
               "Two: the square with $\\lambda=0.5$, at a share of $0.6$, and the squared length where the label is $-1$, at one half.",
               at={"head": "square, λ = 0.5", "share": 0.6}, says="most, 0.66, with the share 0.60",
               expect=everywhere(lambda f: (f.best < 1) == (f.head in ("square, λ = 0.5", "length, label −1")))),
        prompt("The square with $\\lambda=0.1$ is concave as well. Why does it keep one token?",
               "Its curve is still rising when it comes to the share $1$. For any smaller $\\lambda$ it would rise more steeply there.",
               at={"head": "square, λ = 0.1", "share": 1.0}, says="most, 0.90, with the share 1.00",
               expect=along("share", lambda line: all(b.earned > a.earned for a, b in pairwise(line)), head="square, λ = 0.1"))])
def earnings_of_two(head, share):
    grid = np.linspace(0, 1, 51)
    curve = heads_on_two[head](np.column_stack([grid, 1 - grid]))
    earned, best = float(heads_on_two[head](np.array([share, 1 - share]))), int(curve.argmax())
    sentence = (f"With the share {share:.2f} of token 1 the head earns {earned:.2f}; "
                f"it earns most, {curve[best]:.2f}, with the share {grid[best]:.2f}.")
    facts = {"earned": earned, "best": grid[best]}
    return draw.earnings_drawing((grid, curve), (share, earned), (grid[best], curve[best])), sentence, facts


snapshots = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # steps of training


def nearest_point(tokens):
    """The figure for three tokens (3, 2) of the plane."""
    ends = span(tokens[:, 0], least=(-2, 2)), span(tokens[:, 1], least=(-1.2, 1.6))
    half_width = span(np.abs(np.array(ends) - [[0], [0.2]]) * [[1], [1.5]], least=(0, 2.4))[1]
    across, up = slider(*ends[0], steps=51, value=0.8), slider(*ends[1], steps=41, value=0.96)
    places = np.array([[x, y] for x in across.values for y in up.values])
    walked = dict(zip(map(tuple, places), descent.ways(tokens, places, snapshots), strict=True)) if baking() else {}

    asked = np.array([-1.2, 1.46])  # by the second question
    is_outside = norm(nearest_mixture(tokens, asked) @ tokens - asked) > 1e-9

    @explore(
        goal=handle(x=across, y=up, label="the goal y"),
        caption="Three tokens. The head wants the output near the goal $y$ that you drag; the curve is the way of the "
        "output in 1024 steps of descent, the diamond the nearest point of the hull. Bars and diamonds: the shares. "
        "Dotted lines part the goals for which one, two or three tokens are wanted.",
        asides={"way": "the way from the goal y to the nearest point of the hull"},
        expect={"The head wants the output near": everywhere(lambda f: f.steps == 1024 and f.behind < 1e-9)},
        prompts=[
            prompt("Put $y$ at $(0.64,\\,0.41)$, then at $(1.68,\\,1.25)$. The head wants nearly the same both times. Where does descent "
                   "come nearer in its 1024 steps?",
                   "Where $y$ is farther out, $0.0004$ away instead of $0.0065$. The farther $y$ is from the edge, the less it "
                   "pays to keep token 2, and the faster that is dimmed.",
                   at={"goal_x": 1.68, "goal_y": 1.25}, says="wants 2 of 3 tokens; the output is within 0.000",
                   expect=[lambda f: round(f.missing, 4) == 0.0004,
                          somewhere(lambda f: round(f.missing, 4) == 0.0065, goal_x=0.64, goal_y=0.41)]),
            prompt("Put $y$ at $(-1.2,\\,1.46)$. Which way from it is the output that the head wants? Turn the ringed arrow there.",
                   "At −30°, at right angles to the edge. Two tokens share, in the ratio that the foot sets.",
                   at={"goal_x": -1.2, "goal_y": 1.46}, says="wants 2 of 3 tokens", draws="way from the goal" if is_outside else "",
                   expect=[lambda f: round(f.angle) == -30 and abs(f.across) < 1e-9,
                          lambda f: f.wanted == 2 and abs(f.shares[1] - f.foot) < 1e-9])])
    def nearest_point(goal_x, goal_y):
        y = np.array([goal_x, goal_y])
        s = walked.get((goal_x, goal_y))
        s = descent.ways(tokens, y[None], snapshots)[0] if s is None else s
        best = nearest_mixture(tokens, y)
        missing = norm((s[-1] - best) @ tokens)
        sentence = (f"At y = ({goal_x:.2f}, {goal_y:.2f}) the head wants {(best > 1e-9).sum()} of 3 tokens; "
                    f"the output is within {missing:.3f} of the nearest point.")
        side, way = tokens[1] - tokens[2], best @ tokens - y  # of tokens 2 and 3; to what the head wants
        facts = {"wanted": int((best > 1e-9).sum()), "shares": best.tolist(), "missing": missing,
                 "foot": (y - tokens[2]) @ side / (side @ side), "across": way @ side, "steps": snapshots[-1],
                 "angle": np.degrees(np.arctan2(way[1], way[0])),
                 "behind": ((tokens - best @ tokens) @ (y - best @ tokens)).max()}  # <= 0 if it is nearest
        return draw.nearest_drawing(tokens, y, best, s[-1], s @ tokens, half_width), sentence, facts

    return nearest_point


def two_parts(tokens):
    """The figure for tokens (T, 2) of the plane, of which the first two are kept."""
    kept = np.arange(len(tokens))[None] < 2
    in_plane = engine.TokenData(tokens[None], np.eye(2)[:1], np.array([1]), np.eye(2)[0])
    half_width = half_width_around(tokens, 2.2)

    @explore(
        first=slider(0.05, 0.95, steps=49, value=0.8, label="share of token 1"),
        R=play([round(0.5 * k, 1) for k in range(10)], value=2.0, label="R"),
        caption="Tokens 1 and 2 are kept (dots), 3 and 4 left out (crosses); discs are attention. Second panel: the vectors "
        "$w=Wz$ with the right ratio (dashed line), the finite part (thin arrow) and $R$ times the direction (thick).",
        asides={"circle": "the circle of all $w$ as long as the finite part; it touches the dashed line"},
        expect={"Tokens 1 and 2 are kept": along("R", lambda line: line[-1].others < 0.1 * line[0].others)},
        prompts=[
            prompt("Set $R=0$ and move the share. Where does the point go, and what happens to tokens 3 and 4?",
                   "It moves at right angles to the dashed line, which moves along. At $R=0$ all four tokens have weight.",
                   at={"first": 0.8, "R": 0.0}, says="tokens 3 and 4 share 0.2",
                   expect=everywhere(lambda f: f.least > 0.001 and abs(f.dot) < 1e-9, R=0.0)),
            prompt("Raise $R$ to its end. Which of the tokens 3 and 4 fades faster?",
                   "Token 3. Along the direction it falls behind by 2.45 for each unit of $R$, and token 4, which holds the "
                   "street, by 1 only.",
                   at={"first": 0.8, "R": 4.5}, says="ratio 4.00",
                   expect=[everywhere(lambda f: abs(f.ratio / (f.first / (1 - f.first)) - 1) < 1e-9),
                          along("R", lambda line: all(b.others < a.others for a, b in pairwise(line))),
                          everywhere(lambda f: [round(behind, 2) for behind in f.behind] == [2.45, 1])]),
            prompt("For which share is there no finite part?", "For one half: then no difference is asked for.",
                   at={"first": 0.5, "R": 2.0}, says="finite part 0.00",
                   expect=everywhere(lambda f: (f.finite < 1e-9) == (abs(f.first - 0.5) < 1e-9)))])
    def two_parts(first, R):
        svm = generalised_svm(in_plane, kept, np.array([[first, 1 - first, *np.zeros(len(tokens) - 2)]]))
        s = engine.softmax_weights(in_plane, svm.equivalent(R))[0]
        finite, direction = svm.finite[:, 0], svm.directional.W[:, 0]
        sentence = (f"Weights of tokens 1 and 2 in the ratio {s[0] / s[1]:.2f}; tokens 3 and 4 share {s[2:].sum():.4f}; "
                    f"length of the finite part {norm(finite):.2f}, of the other {R * norm(direction):.2f}.")
        facts = {"least": s.min(), "ratio": s[0] / s[1], "others": s[2:].sum(), "finite": norm(finite),
                 "dot": finite @ direction, "behind": ((tokens[0] - tokens[2:]) @ direction).tolist()}
        return draw.parts_drawing(tokens, kept[0], s, finite, direction, R, half_width), sentence, facts

    return two_parts


def parting_logits(gamma):
    """The logits of the tokens of the first figure in training from zero."""
    taken = np.unique(np.geomspace(1, 10_000, 33).round().astype(int))

    @cache
    def in_training(lam):
        logits = np.log(descent.descend(gamma, lam, taken.tolist()))
        return logits - logits.mean(axis=1, keepdims=True)  # the sum of the logits stays 0

    @explore(
        lam=choice(0.07, 0.3, 0.7, 2.5, value=0.3, label="curvature λ"),
        steps=play(taken.tolist(), value=1000, label="training steps"),
        caption="The logits of the five tokens, trained from $W=0$. Their sum stays zero.",
        expect={"Their sum stays zero.": everywhere(lambda f: abs(f.sum) < 1e-9)},
        prompts=[
            prompt("$\\lambda=0.3$: by how much is token 1 ahead of token 2 after 1000 steps, and after 10,000?",
                   "By 0.71 and by 0.69. The head wants them in the ratio 2 to 1, which takes $\\log2\\approx0.69$.",
                   at={"lam": 0.3, "steps": 10000}, says="0.69 ahead of token 2",
                   expect=[along("steps", lambda line: round(line[-9].lead, 2) == 0.71 and line[-9].steps == 1000, lam=0.3),
                          lambda f: round(f.lead, 2) == round(np.log(2), 2)]),
            prompt("$\\lambda=2.5$: do the logits still part?",
                   "No. All five tokens are kept, and after some five hundred steps nothing moves any more.",
                   at={"lam": 2.5, "steps": 10000}, says="W has the length 1.4",
                   expect=along("steps", lambda line: all(abs(f.length / line[-1].length - 1) < 0.01 for f in line if f.steps > 500),
                               lam=2.5))])
    def parting_logits(lam, steps):
        logits, now = in_training(lam), taken.tolist().index(steps)
        a = logits[now]
        sentence = (f"Step {steps}: token 1 is {a[0] - a[1]:.2f} ahead of token 2 and {a[0] - a[-1]:.2f} ahead of "
                    f"token 5; W has the length {norm(a):.1f}.")
        facts = {"sum": a.sum(), "lead": a[0] - a[1], "length": norm(a)}
        return draw.logits_drawing(taken, logits, now), sentence, facts

    return parting_logits


moments = np.unique(np.geomspace(1, 10_000, 41).round().astype(int))  # steps of training


def grows_like_log(line):
    """Whether only the part along W^mm grows in the last nine moments, by its length a step of log k."""

    def gain(name):
        return getattr(line[-1], name) - getattr(line[-10], name)

    slope = gain("along") / (np.log(line[-1].steps / line[-10].steps) * line[-1].unit)
    return abs(slope - 1) < 0.05 and max(abs(gain("finite")), abs(gain("rest"))) < 0.05 * gain("along")


def apart(gamma):
    """The figure for the tokens of the first one, with these scores."""

    @cache
    def in_training(lam):
        return descent.parts_in_training(gamma, lam, moments)

    @explore(
        lam=choice(0.07, 0.3, 0.7, 1.2, value=0.3, label="curvature λ"),
        steps=play(moments.tolist(), value=int(moments[18]), label="training steps"),
        caption="The tokens of the first figure, trained from a random matrix. First panel: attention, with the predicted "
        "$1/k$ laws (dotted). Second panel: the sizes of the part in $\\mathcal{S}$, of the part along $W^{mm}$, and of the rest.",
        expect={"as it would be if $W$ grew like": along("steps", grows_like_log, lam=0.3)},
        prompts=[
            prompt("$\\lambda=1.2$: four tokens are kept, not two. Which part is larger than at $0.3$, and which is smaller?",
                   "The finite part is larger, 1.72 against 0.49, for it sets more ratios. The part along $W^{mm}$ is smaller: there is "
                   "only one token to dim, and $W^{mm}$ is shorter.",
                   at={"lam": 1.2, "steps": 10000}, says="finite part 1.72",
                   expect=[lambda f: round(f.finite, 2) == 1.72 and f.along < 6 and f.unit < 1,
                          somewhere(lambda f: round(f.finite, 2) == 0.49 and f.along > 8 and f.unit > 1, lam=0.3, steps=10000)]),
            prompt("Does the rest vanish?",
                   "No, it settles. Only its share of $W$ vanishes, as slowly as $1/\\log k$.",
                   at={"lam": 0.7, "steps": 10000}, says="rest 1.",
                   expect=along("steps", lambda line: abs(line[-1].rest / line[-10].rest - 1) < 0.03 and line[-1].rest > 0.5)),
            prompt("$\\lambda=0.07$: what is the finite part of a single token?",
                   "Nothing: $\\mathcal{S}$ holds only $0$, and $W$ follows the attention SVM of chapter 6.",
                   at={"lam": 0.07, "steps": 10000}, says="finite part 0.00",
                   expect=[everywhere(lambda f: f.finite < 1e-9, lam=0.07),
                          along("steps", lambda line: line[-1].corr > line[-10].corr > line[0].corr)])])
    def apart(lam, steps):
        weights, laws, parts = in_training(lam)
        now = moments.tolist().index(steps)
        share = parts[now, 1] / norm(parts[now])
        sentence = (f"Step {steps}: finite part {parts[now, 0]:.2f}, along the direction {parts[now, 1]:.2f}, "
                    f"rest {parts[now, 2]:.2f}; the correlation with the direction is {share:.3f}.")
        kept_tokens = (sparsemax(gamma / (2 * lam)) > 0).sum()
        facts = {"finite": parts[now, 0], "along": parts[now, 1], "rest": parts[now, 2], "corr": share,
                 "unit": np.sqrt(kept_tokens * (len(gamma) - kept_tokens) / len(gamma))}  # the length of W^mm, z of length 1
        return draw.decomposition_drawing(moments, weights, laws, parts, now), sentence, facts

    return apart


ratios = np.linspace(0, 3, 61)


def coefficient(problems, wish, run):
    """The figure for the first three problems that training has solved: what each wants, and the run."""
    late = np.abs(run.weights[-1] - wish).max(axis=(1, 2))
    known = {}
    for b in np.flatnonzero(late < 0.005)[:3].tolist():
        svm = generalised_svm(problems[b], wish[b] > 1e-9, run.weights[-1, b])
        known[b] = svm, run.W[-1, b], svm.best_correlated_coefficient(run.W[-1, b])

    def rivals(b, ratios):
        """Correlation, inner product and squared distance, in units of |G|^2, of F + C M for C = ratio C*."""
        svm, G, best = known[b]
        line = svm.finite + best * np.reshape(ratios, (-1, 1, 1)) * svm.directional.W  # (r, d, d)
        products = np.einsum("kde,de->k", line, G) / norm(G) ** 2
        return correlation(line, G), products, norm(line - G, axis=(1, 2)) ** 2 / norm(G) ** 2

    @explore(
        run_of=choice(*known, label="problem"),
        C=slider(0, 3, steps=61, value=0.5, label="C in units of C*"),
        caption="The trained matrix $W$ of a problem against $W^{fin}+C\\,W^{mm}$. First panel: the correlation. Second panel: the squared distance, "
        "and the inner product that the poster maximises.",
        expect={"is a parabola, and its lowest point is at the [dashed line]": along(
            "C", lambda line: min(line, key=lambda f: f.far).C == 1.0
            and np.ptp(np.diff([f.far for f in line], 2)) < 1e-9 < np.diff([f.far for f in line], 2).min())},
        prompts=[
            prompt("Where is the correlation largest, where the distance least?", "At the same place, $C=C^*$.",
                   at={"C": 1.0}, says="distance is least",
                   expect=along("C", lambda line: max(line, key=lambda f: f.corr).C == 1.0 == min(line, key=lambda f: f.far).C)),
            prompt("Where is the inner product largest?", "Nowhere: it is a straight line that rises without end.",
                   at={"C": 3.0}, says="three times",
                   expect=along("C", lambda line: np.ptp(np.diff([f.product for f in line])) < 1e-9
                               and line[-1].product > line[0].product))])
    def coefficient(run_of, C):
        best, at = known[run_of][2], [values[0] for values in rivals(run_of, C)]
        where = {1.0: "here the distance is least and the correlation largest", 3.0: "three times the best C"}
        sentence = (f"C = {C * best:.1f}: correlation {at[0]:.4f}, inner product {at[1]:.2f}, squared distance {at[2]:.3f}; "
                    f"{where.get(C, f'C* is {best:.1f}')}.")
        return draw.coefficient_drawing(ratios, rivals(run_of, ratios), C, at), sentence, {
            "corr": at[0], "product": at[1], "far": at[2]}

    return coefficient


edges = np.linspace(-15, 0, 31)  # powers of ten of weights


def discards(studied):
    """The figure for candidates of the study, {dimension: (data, units, weights, matrices)}."""

    @cache
    def verdicts(d, kept, suppressed):
        """Why candidates are thrown away, and 1 - corr of the accepted, for two thresholds of the weights."""
        data, _, s, W = studied[d]
        selected, clear = engine.selected_tokens(s, kept=kept, suppressed=suppressed)
        between = ((s > suppressed) & (s < kept)).any(axis=(1, 2))
        machines = {b: generalised_svm(data[b], selected[b], s[b]) for b in np.flatnonzero(clear)}
        fits = [1 - correlation(W[b], m.equivalent(m.coefficient(W[b]))) for b, m in machines.items() if m.status == "optimal"]
        several = (selected[clear].sum(axis=(1, 2)) > 3).sum()
        reasons = {"accepted": len(fits), "a weight between": int(between.sum()),
                   "none left out": int((~clear & ~between).sum()), "no such matrix": len(machines) - len(fits)}
        return reasons, several, float(np.median(fits))

    histograms = {d: np.histogram(np.log10(np.maximum(s, 1e-15)), edges)[0] for d, (_, _, s, _) in studied.items()}

    @explore(
        d=choice(4, 6, 8, 10, label="dimension d"),
        suppressed=choice(1e-4, 1e-6, 1e-8, 1e-10, value=1e-6, label="suppressed below"),
        kept=choice(1e-2, 1e-3, 1e-4, value=1e-3, label="kept above"),
        caption="All weights of the candidates after 2001 steps (leftmost bar: all below $10^{-14.5}$) with both thresholds "
        "(dotted: suppressed below; dashed: kept above), and what becomes of the candidates.",
        expect={"All weights of the candidates after": everywhere(lambda f: f.shown == f.weights and f.left == f.tiny)},
        prompts=[
            prompt("At the study's thresholds, $10^{-6}$ and $10^{-3}$, raise $d$. What grows?",
                   "The share of runs with a weight between the thresholds: about two thirds at $d=4$, at least four fifths beyond it.",
                   at={"d": 10, "suppressed": 1e-6, "kept": 1e-3}, says="14 of 339 accepted",
                   expect=along("d", lambda line: 0.6 < line[0].between / line[0].all < 0.7
                               and min(f.between / f.all for f in line[1:]) > 0.8, suppressed=1e-6, kept=1e-3)),
            prompt("$d=8$: let the thresholds meet at $10^{-4}$. What happens to the fit?",
                   "Ten times as many runs are accepted, and the median of $1-\\mathrm{corr}$ is several times larger: "
                   "the fit depends on which runs are kept.",
                   at={"d": 8, "suppressed": 1e-4, "kept": 1e-4}, says="258 of 362 accepted",
                   expect=along("kept", lambda line: line[-1].accepted > 9 * line[-1].accepted_in_study
                               and line[-1].fit > 3 * line[-1].fit_in_study, suppressed=1e-4, d=8)),
            prompt("Is a candidate ever thrown away because no matrix has its mixture?",
                   "No: three queries and four tokens have room enough in four dimensions.",
                   at={"d": 4, "suppressed": 1e-4, "kept": 1e-2}, says="0 without a matrix", expect=everywhere(lambda f: f.without == 0))])
    def discards(d, suppressed, kept):
        (reasons, several, fit), in_study = verdicts(d, kept, suppressed), verdicts(d, 1e-3, 1e-6)
        sentence = (f"{reasons['accepted']} of {sum(reasons.values())} accepted, {several} of them with a mixture; "
                    f"median of 1 − corr {fit:.4f}. "
                    f"{reasons['a weight between']} with a weight between, {reasons['none left out']} with none left out, "
                    f"{reasons['no such matrix']} without a matrix.")
        facts = {"accepted": reasons["accepted"], "all": sum(reasons.values()), "between": reasons["a weight between"],
                 "without": reasons["no such matrix"], "fit": fit,
                 "accepted_in_study": in_study[0]["accepted"], "fit_in_study": in_study[2],
                 "shown": histograms[d].sum(), "weights": studied[d][2].size,
                 "left": histograms[d][0], "tiny": (studied[d][2] < 10**-14.5).sum()}
        return draw.discarded_candidates_drawing(edges, histograms[d], suppressed, kept, reasons), sentence, facts

    return discards
