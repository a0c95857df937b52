"""The figures of the chapter on attention and the SVM: data, controls, questions, and what holds their words.

All but one are made from data and results of the page: other data that a reader puts there move them.
(book: Attention converges to an SVM)
"""

from itertools import pairwise

import numpy as np
from numpy.linalg import norm

from explorable import along, baking, choice, everywhere, explore, handle, play, prompt, show, slider
from margins import attention_svm as att
from margins_book.attention_svm import drawings
from margins_book.attention_svm.paths import REACHES, angle
from margins_book.attention_svm.runs import RECORD, trained_on
from margins_book.drawing.planes import half_width_around, span


def best_of(data):
    """The numbers of the best tokens, counted through all sequences."""
    return data.optimal_tokens + data.X.shape[1] * np.arange(len(data.X))


WORDS = [["quiet", "neat", "lively", "superb", "moving", "witty"], ["long", "slow", "flat", "dreadful", "boring", "clumsy"]]


def reviews(data):
    """Two reviews whose words are the tokens: the attention to each word before training and after it."""
    run = trained_on(data)["W"]

    @explore(
        when=choice("before training", "after training", label="attention", value="before training"), dock=False,
        caption="A picture: the twelve tokens as words of two reviews, each with its score. The bars are the attention to it. "
        "We chose the words; the tokens are points in the plane.",
        prompts=[
            prompt("Which word of the bad review comes nearest to the one that gets the attention, and what does it get?",
                   "*clumsy*, with a score of 4.6 against 4.9. In the end it gets next to nothing.",
                   at={"when": "after training"}, says="the reviews read as 5.1 and −4.9",
                   expect=lambda f: f.scores[1].argsort()[-2] == 5 and f.weights[1, 5] < 1e-9)],
        expect={"one word of each review has practically all of the attention": everywhere(
            lambda f: f.weights.max(axis=1).min() > 1 - 1e-9, when="after training"),
            "The good review reads as $3.3$ and the bad one as $-3.4$": everywhere(
                lambda f: f.reads.round(1).tolist() == [3.3, -3.4], when="before training")})
    def reviews(when):
        weights = run.weights[0 if when == "before training" else -1]
        reads = data.Y * (weights * data.scores).sum(axis=1)
        most = weights.max(axis=1).min()
        told = f"{reads[0]:.1f} and {reads[1]:.1f}".replace("-", "−")
        shares = "every word has a sixth of the attention" if most < 0.2 else "superb and dreadful have practically all of it"
        return drawings.reviews_drawing(WORDS, weights, data.scores), f"{when.capitalize()} {shares}; the reviews read as {told}.", {
            "weights": weights, "reads": reads, "scores": data.scores}

    return reviews


@explore(
    lead=slider(-2, 8, steps=51, value=0, label="lead of the right token"), dock=False,
    caption="Two tokens worth 1 and 0: the share of attention of the first, which is the output, and the logistic loss, "
    "over the lead of its logit.",
    prompts=[
        prompt("How large must the lead be for the first token to get all of the attention?",
               "No lead is large enough. At 8 the other token still gets 0.0003, and the loss is above its infimum.",
               at={"lead": 8.0}, says="share 0.9997, loss 0.3134",
               expect=everywhere(lambda f: f.share < 1 and f.loss > np.log1p(np.exp(-1))))])
def lead(lead):
    share = 1 / (1 + np.exp(-lead))
    loss = np.log1p(np.exp(-share))
    return drawings.lead_drawing(lead, share, loss), f"Lead {lead:.1f}: share {share:.4f}, loss {loss:.4f}.", {"share": share, "loss": loss}


MEANINGS = {  # of what can be shown beside the twelve tokens
    "head": "the head v: the score of a token is its place along v, times its label",
    "scores": "the scores of the tokens",
    "average": "dashed: the average of each sequence's scores, weighted by attention; tokens that score "
    "above pull (+), those below push (−), and the larger the sign, the more",
    "weights": "the weights: the share of attention of each token",
}


def trajectory(data):
    """The tokens of two sequences, and where training sends their queries."""
    tokens, trained, best = data.X.reshape(-1, 2), trained_on(data), best_of(data)
    machines = {"W": att.frobenius_svm(data, data.optimal_tokens), "K and Q": att.nuclear_svm(data, data.optimal_tokens)}
    turns = {form: np.array([angle(W, machines[form].W) if W.any() else np.nan for W in run.W])
             for form, run in trained.items()}  # a W that is zero has no direction

    @explore(
        steps=play(RECORD, value=20, label="training steps"),
        form=choice("W", "K and Q", label="train"),
        caption="Two sequences of six tokens. Discs show attention; rings, the tokens with the highest scores; "
        "arrows, where training sends each query; dotted rays, where the support vector machine sends it.", asides=MEANINGS,
        prompts=[
            prompt("Let $W$ train to the end. Who gets the attention, and where do the arrows point?",
                   "Tokens 3 and 9, with the highest scores, get all of it, and both arrows lie on their rays.",
                   at={"steps": 3000, "form": "W"}, says="1.0° away",
                   expect=lambda f: min(f.attention) > 1 - 1e-9 and max(f.arrows) < 0.5),
            prompt("Which token of the circles has the most attention after 5 steps, and which after 20?",
                   "Token 4 after 5 steps, the one that lies farthest to the right. Token 2 has the lead for a while, "
                   "and at 20 steps token 3 has it, and keeps it.", at={"steps": 20, "form": "W"}, says="Training W, 20 steps",
                   expect=along("steps", lambda line: [f.leaders[0] for f in line if f.steps in (5, 13)] == [4, 2]
                                and all(f.leaders[0] == 3 for f in line if f.steps >= 20), form="W")),
            prompt("Train keys and queries instead of $W$. What is different?",
                   "The ray of the circles is another, as the machine is that of another norm. "
                   "Attention comes sooner, the direction later.",
                   at={"steps": 3000, "form": "K and Q"}, says="5.7° away", draws="circles", expect=[
                       along("form", lambda pair: abs(pair[0].ray - pair[1].ray) > 1),
                       along("form", lambda pair: min(pair[1].attention) > min(pair[0].attention),
                             steps=lambda k: 20 <= k <= 300),
                       along("form", lambda pair: pair[1].turn > pair[0].turn, steps=lambda k: k >= 200)])],
        expect={"have more than $99.98$ per cent of the attention of their reviews": everywhere(
            lambda f: min(f.attention) > 0.9998 and f.turn > 9, steps=300, form="W"),
            "Token 2 is ahead of token 3, and 11 is ahead of 9.": everywhere(
                lambda f: f.leaders == [2, 11], steps=13, form="W")})
    def trajectory(steps, form):
        k, run = RECORD.index(steps), trained[form]
        ways, rays, turn = run.W[k] @ data.Z.T, machines[form].W @ data.Z.T, np.degrees(turns[form][k])
        drawing = drawings.trajectory_drawing(tokens, run.weights[k].ravel(), ways, rays, RECORD[1:],
                                              np.degrees(turns[form][1:]), k - 1, best=best)
        drawings.draw_asides(drawing.panels[0], tokens, run.weights[k], data.scores, data.v, drawings.COLOURS)
        attention = run.weights[k].ravel()[best]
        least = min(np.floor(1e4 * attention.min()) / 1e4, 0.9999)  # none ever has all
        away = "W is zero and has no direction" if np.isnan(turn) else f"W is {turn:.1f}° away from the machine"
        return drawing, (f"Training {form}, {steps} steps: each best token has at least {least:.2%} of "
                         f"its attention; {away}."), {
                             "attention": attention, "turn": turn,
                             "leaders": [int(t) for t in np.add(run.weights[k].argmax(axis=1), [0, data.X.shape[1]])], "arrows": drawings.column_angles(ways, rays),
                             "ray": np.degrees(np.arctan2(*rays[::-1, 0]))}

    return trajectory


def bar(data):
    """The scores of the first sequence as levels, and the average that attention computes, rising through them."""
    run, shown = trained_on(data)["W"], [k for k in RECORD if 0 < k <= 300]
    averages = (run.weights[:, 0] * data.scores[0]).sum(axis=1)  # of the circles

    @explore(
        steps=play(shown, value=1, label="training steps"), dock=False,
        caption="The scores of the six circles, and their average weighted by attention. Triangles up: tokens that are pulled up "
        "now; down: pushed down; the larger, the more.",
        prompts=[
            prompt("When does token 4 change sides?",
                   "Between 13 and 20 steps, when the average passes its score of 4.3.",
                   at={"steps": 20}, says="tokens above it: 2, 3.",
                   expect=along("steps", lambda line: all((4 in f.above) == (f.steps <= 13) for f in line))),
            prompt("In the end token 3 alone is above the average. How strongly is it still pulled?",
                   "Hardly at all: the average is so close that nothing is left to gain.",
                   at={"steps": 300}, says="The average is 5.10; tokens above it: 3.",
                   expect=lambda f: f.above == [3] and f.pulls[3] < 1e-3)],
        expect={"as attention moves to the good tokens, the average rises": along(
            "steps", lambda line: all(a.average < b.average for a, b in pairwise(line)))})
    def bar(steps):
        k, scores = RECORD.index(steps), data.scores[0]
        pulls = run.weights[k, 0] * (scores - averages[k])
        above = np.flatnonzero(pulls > 0).tolist()
        drawing = drawings.bar_drawing(shown, averages[[RECORD.index(step) for step in shown]], scores, pulls, shown.index(steps))
        return drawing, f"After {steps} steps: The average is {averages[k]:.2f}; tokens above it: {', '.join(map(str, above))}.", {
            "above": above, "average": averages[k], "pulls": pulls}

    return bar


def hold(data):
    """The machine of the best tokens of two sequences, with one token that can be moved."""
    tokens, best = data.X.reshape(-1, 2), data.optimal_tokens
    mm = att.frobenius_svm(data, best)
    widths = [half_width_around(X, 2.6, centre) for X, centre in zip(data.X, drawings.CENTRES, strict=True)]
    movable, apart = tuple(range(len(tokens))), 0.1  # every token, anywhere
    (left, right), (low, high) = span(tokens[:, 0], (-3, 3), margin=0), span(tokens[:, 1], (-2.1, 2.1), margin=0)
    if baking():
        movable, (left, right), (low, high), apart = (2, 3), (1.2, 2.6), (-0.5, 1.4), 0.05
    x = slider(left, right, steps=round((right - left) / apart) + 1, value=tokens[2, 0])
    y = slider(low, high, steps=round((high - low) / apart) + 1, value=tokens[2, 1])

    def brought(i):
        """The position of the handle that is nearest to token i."""
        return {f"token_{name}": min(control.values, key=lambda v: abs(v - place))
                for name, control, place in zip("xy", (x, y), tokens[i], strict=True)}

    @explore(
        which=choice(*movable, value=2, label="move token", brings={i: brought(i) for i in movable}),
        token=handle(x=x, y=y, label="the token"),
        caption="The attention SVM of tokens 3 and 9: in each sequence the street between the chosen token and "
        "the others, at right angles to $Wz_i$, and the multiplier of every other token. "
        "Filled: the chosen tokens and those that hold a street.",
        prompts=[
            prompt("Push token 2 straight down. What becomes of its bar, and who holds the street of the circles then?",
                   "It shrinks and is gone at $x_2=-0.45$; from there on token 4 holds the street, and nothing changes "
                   "any more.", at={"which": 2, "token_x": 2.3, "token_y": -0.5}, says="held by 4, 10, 11.",
                   expect=along("token_y", lambda line: all(
                       a.bars[2] < b.bars[2] if b.token_y > -0.42 else b.bars[2] == 0 < b.bars[4]
                       for a, b in pairwise(line) if b.token_y <= 0.2), which=2, token_x=2.3)),
            prompt("Bring token 2 up beside token 3. Watch the squares, too.",
                   "The street of the circles narrows, $W$ grows, and the squares' street turns, although no square has "
                   "moved: the queries are not at right angles, and $W$ is shared.",
                   at={"which": 2, "token_x": 2.1, "token_y": 1.2}, says="margin is 0.041; the streets are held by 2, 5, 10",
                   expect=lambda f: f.length > norm(mm.W) and norm(f.ways[0]) > norm(mm.W @ data.Z[0])
                   and drawings.column_angles(f.ways.T, mm.W @ data.Z.T)[1] > 1 and data.Z[0] @ data.Z[1] != 0),
            prompt("Now move the chosen token 3 itself, in among the other circles.",
                   "No $W$ puts it ahead: it has to be a corner of the hull of its sequence.",
                   at={"which": 3, "token_x": 1.2, "token_y": 0.2}, says="No W",
                   expect=[lambda f: not f.feasible, everywhere(lambda f: f.feasible == f.is_corner)])])
    def hold(which, token_x, token_y):
        X = tokens.copy()
        X[which] = token_x, token_y
        moved = att.TokenData(X.reshape(data.X.shape), data.Z, data.Y, data.v)
        machine = att.frobenius_svm(moved, best)
        drawing, bars = drawings.streets_drawing(X, machine, data.Z, dragged=which, widths=widths), drawings.multipliers_of(machine)
        facts = {"feasible": machine.feasible, "is_corner": all(map(drawings.is_corner, moved.X, best)),
                 "bars": bars, "length": norm(machine.W), "ways": data.Z @ machine.W.T}
        if not machine.feasible:
            return drawing, "No W puts the chosen tokens ahead: token 3 lies in the hull of its sequence.", facts
        support = ", ".join(str(i) for i in np.flatnonzero(bars > 1e-9))
        return drawing, f"The margin is {machine.margin:.3f}; the streets are held by {support}.", facts

    return hold


def regularised(paths):
    """The regularisation paths of two sequences."""
    lags = {form: path.lags for form, path in paths.items()}

    @explore(
        reach=play(REACHES, value=1, label="R Γ"),
        form=choice(*paths, label="path of"),
        until="att-two-parametrisations",
        caption="The best $W$ of each norm $R$: where it sends both queries, the attention, and $R$ times the distance of "
        "$W_R/R$ from its limit. Dotted rays, the attention SVM.",
        prompts=[
            prompt("Let the radius grow. What becomes of $R$ times the distance?",
                   "It settles, so that the distance itself falls like $1/R$.",
                   at={"reach": 10000, "form": "W"}, says="1.19", expect=along("reach", lambda line: all(
                       abs(f.lag - line[-1].lag) < 0.05 for f in line if f.reach >= 50), form="W")),
            prompt("Bring token 5 to the edge of the street. The machine stays the same. What does the path do?",
                   "It comes to the same rays more slowly: each time the radius grows tenfold, $R$ times the distance "
                   "grows by about as much again.",
                   at={"reach": 10000, "form": "W, token 5 on the edge"}, says="12.4", expect=along("reach", lambda line: all(
                       2 < b.lag - a.lag < 3.5 for a, b in pairwise(line) for a in line
                       if a.reach >= 20 and b.reach == 10 * a.reach), form="W, token 5 on the edge")),
            prompt("Bound keys and queries instead of $W$. To which rays do the arrows go?",
                   "To those of the machine in another norm: the ray of the circles is another one.",
                   at={"reach": 10000, "form": "K and Q"}, says="K and Q", expect=[
                       lambda f: max(f.arrows) < 0.1,
                       along("form", lambda line: abs(line[0].ray - line[2].ray) > 1)])])
    def regularised(reach, form):
        k, path = REACHES.index(reach), paths[form]
        data, machine = path.data, path.machine
        weights, ways, rays = att.softmax_weights(data, path.W[k]), path.W[k] @ data.Z.T, machine.W @ data.Z.T
        drawing = drawings.path_drawing(data.X.reshape(-1, 2), weights.ravel(), ways, rays, REACHES, lags, form, k,
                                         best=best_of(data))
        return drawing, (f"Path of {form}, R Γ = {reach}: W/R is {np.degrees(angle(path.W[k], machine.W)):.2g}° from the machine; "
                         f"R times the distance is {path.lags[k]:.2f}."), {
                             "lag": path.lags[k], "arrows": drawings.column_angles(ways, rays),
                             "ray": np.degrees(np.arctan2(*rays[::-1, 0]))}

    return regularised


def rails(paths):
    """The path of W beside the ray of its machine: seen from the origin at the scale of R, and from close by."""
    walks = {name: drawings.beside_the_ray(path.W, path.machine.W) for name, path in paths.items() if name != "K and Q"}

    @explore(
        reach=play(REACHES, value=5, label="R Γ"), form=choice(*walks, label="path of"), dock=False,
        caption="The ray of the machine (dotted) and the path of $W$ up to the radius $R$, in units of $R$, so that you zoom out as $R$ grows; "
        "and the distance of the path from its ray, in the units of $W$.",
        prompts=[
            prompt("Raise $R$. Which of the two panels shows that $W_R$ does not come to the ray?",
                   "The second. In the first the two lines close, because all lengths are measured by $R$.",
                   at={"reach": 10000, "form": "W"}, says="beside the ray is 1.19",
                   expect=[lambda f: f.beside > 1, along("reach", lambda line: all(a.turn > b.turn for a, b in pairwise(line)), form="W")]),
            prompt("With token 5 on the edge: how much does the distance grow from 100 to 1000, and how much from 1000 to 10000?",
                   "By about $2.6$ both times: it grows like a logarithm.",
                   at={"reach": 10000, "form": "W, token 5 on the edge"}, says="beside the ray is 12.4",
                   expect=along("reach", lambda line: all(2.5 < b.beside - a.beside < 2.65 for a in line for b in line
                                                          if a.reach in (100, 1000) and b.reach == 10 * a.reach),
                                form="W, token 5 on the edge"))],
        expect={"The rails move apart, slowly, and still they meet at the horizon": along("reach", lambda line: all(
            a.beside < b.beside and a.turn > b.turn for a, b in pairwise(line)), form="W, token 5 on the edge")})
    def rails(reach, form):
        k, (ahead, beside) = REACHES.index(reach), walks[form]
        turn = np.degrees(np.arctan2(beside[k], ahead[k]))
        return drawings.rails_drawing(REACHES, walks, form, k), (
            f"R Γ = {reach}: the distance beside the ray is {beside[k]:.2f}, the angle {turn:.2g}°."), {
                "beside": beside[k], "turn": turn}

    return rails


def ranks(dimensions, found, fine):
    """The mean ranks of the machines over the dimension, and those that a first-order solver seems to have."""
    show(
        drawings.ranks_figure(dimensions, {"Frobenius": found["Frobenius"], "nuclear, certified": found["nuclear"],
                                           "nuclear, counted\nabove $10^{-7}$": fine}),
        name="ranks",
        caption="Mean ranks over the dimension ($n=10$, $T=5$), with 95 % intervals: thirty problems, twelve for the "
        "first-order solver.",
        alt="The Frobenius rank is about 10 from dimension 10 on. The certified nuclear rank stays between 3 and 5. Counted above "
        "ten to the minus seven, the first-order solver's rank rises to about 10.")


seen = [0, 1, 2, 5, 10, 20, 50, 100, 200, 300, 500, 800, 1300, 2000]  # steps at which spectra are shown


def singular_values(hundred, initial):
    """The singular values of W and of keys times queries, in training on the first of a hundred problems."""
    lone = hundred[0]
    starts, solvers = {"W": initial[0][0], "KQ": tuple(part[0] for part in initial[1])}, (att.frobenius_svm, att.nuclear_svm)
    spectra = {}
    for (form, start), solve in zip(starts.items(), solvers, strict=True):
        run = att.train(lone, start, record=seen)
        goal = np.linalg.svd(solve(lone, run.tokens).W, compute_uv=False)
        found = np.linalg.svd(run.W, compute_uv=False)
        spectra[form] = found / found[:, :1], goal / goal[0], run.W

    @explore(
        steps=play(seen, value=0, label="training steps"), until="att-rank-in-training",
        caption="Singular values of $W$ and of $KQ^\\top$ in units of the largest, while both train on one problem "
        "of the hundred; diamonds, those of the attention SVM of its norm.",
        prompts=[
            prompt("At the start the values fall off gently in both. Which go, and why those?",
                   "Of $W$ all but six: updates live in the span of six queries, and what the start had outside stays "
                   "as it is while the rest grows. Of $KQ^\\top$ more go: it heads for low rank.",
                   at={"steps": 2000}, says="W has 6 and KQᵀ 3 values above a tenth",
                   expect=[lambda f: f.large == {"W": 6, "KQ": 3}, along("steps", lambda line: all(
                       abs(f.outside - line[0].outside) < 1e-9 for f in line) and line[-1].size > 10 * line[0].size)]),
            prompt("When has $KQ^\\top$ found its rank, compared with $W$?",
                   "Before: three values stand out from 50 steps on; of $W$ six do from 100 on.",
                   at={"steps": 50}, says="KQᵀ 3 values above a tenth",
                   expect=along("steps", lambda line: all((f.large["KQ"] == 3) == (f.steps >= 50)
                               and (f.large["W"] == 6) == (f.steps >= 100) for f in line)))])
    def singular_values(steps):
        k = seen.index(steps)
        large = [(spectra[form][0][k] > 0.1).sum() for form in ("W", "KQ")]
        return drawings.spectra_drawing({form: (spectra[form][0][k], spectra[form][1]) for form in spectra}), (
            f"After {steps} steps W has {large[0]} and KQᵀ {large[1]} values above a tenth of the largest."), {
                "large": dict(zip(("W", "KQ"), large, strict=True)), "size": norm(spectra["W"][2][k]),
                "outside": norm(spectra["W"][2][k] @ (np.eye(lone.X.shape[-1]) - np.linalg.pinv(lone.Z) @ lone.Z))}

    return singular_values


def both_divisors(growing, shares, limits, nuclear):
    """The path of keys and queries, and its distance from the nuclear machine by two divisors."""
    divisors = {"nuclear": 1 / nuclear.margin, "Frobenius": norm(nuclear.W)}
    settled = 1 - norm(nuclear.W) * nuclear.margin

    @explore(
        reach=play(growing.tolist(), value=3, label="R Γ"),
        caption="The path of keys and queries as the bound $R$ grows: the singular values of $KQ^\\top/R$ beside "
        "those of the nuclear SVM by both divisors, and the distance from both.",
        prompts=[
            prompt("Let the radius grow. To which marks do the bars go?",
                   "To the diamonds, the SVM divided by its nuclear norm. The bars always add up to 1, the crosses to more.",
                   at={"reach": 1000}, says="0.0005 from the SVM over its nuclear norm", expect=[
                       lambda f: abs(f.bars - f.marks["nuclear"]).max() < 1e-3,
                       everywhere(lambda f: abs(f.bars.sum() - 1) < 1e-6 and f.marks["Frobenius"].sum() > 1.1)]),
            prompt("What does the dashed curve settle at, and why not at 0?",
                   "At $1-\\lVert W_\\star\\rVert_F/\\lVert W_\\star\\rVert_\\star$: it compares with a matrix outside the ball.",
                   at={"reach": 1000}, says="0.288 from the SVM over its Frobenius norm",
                   expect=lambda f: abs(f.far - settled) < 1e-3 and f.marks["Frobenius"].sum() > 1)])
    def both_divisors(reach):
        step, values = growing.tolist().index(reach), np.linalg.svd(nuclear.W, compute_uv=False)
        marks = {name: values / d for name, d in divisors.items()}
        drawing = drawings.limits_drawing(shares[step], marks, growing, limits, step)
        near, far = limits["nuclear"][step], limits["Frobenius"][step]
        return drawing, (f"R Γ = {reach}: KQᵀ/R is {near:.4f} from the SVM over its nuclear norm, "
                         f"{far:.3f} from the SVM over its Frobenius norm."), {
                             "bars": shares[step], "marks": marks, "far": far}

    return both_divisors


def trap(marks, strayed, sums):
    """Two gradients of softmax: the angles of their runs to the machine, and what the textbook pulls add up to."""

    @explore(
        place=play([int(k) for k in marks[20:]], value=int(marks[40]), label="training steps"),
        caption="Normalised descent with the textbook gradient and with a stable one: the angle to the attention "
        "SVM, and how far the textbook pulls of a sequence are from adding up to nothing.",
        prompts=[
            prompt("Run it. What happens in the second panel before the two curves part?",
                   "The pulls, which should add up to nothing, add up to more and more of the largest: at 630 steps "
                   "a hundredth, soon after that all of it.",
                   at={"place": 630}, says="textbook pulls add up to 0.01", expect=along("place", lambda line: all(
                       a.sum < b.sum for a, b in zip(line, line[4:], strict=False) if b.place <= 740)
                       and all(f.sum >= 1 for f in line if f.place >= 740))),
            prompt("Has the textbook run at least stayed near?",
                   "No: it turns further and further away, while the other goes on as $1/k$.",
                   at={"place": 10000}, says="stable gradient 0.", expect=along("place", lambda line: all(
                       a.textbook < b.textbook and abs(b.stable * b.place / (a.stable * a.place) - 1) < 0.01
                       for a, b in pairwise(line) if a.place >= 740)))])
    def trap(place):
        k = marks.tolist().index(place)
        angles = {name: strayed[name][:, 0] for name in strayed}
        drawing = drawings.trap_drawing(marks[20:], {name: np.degrees(a[20:]) for name, a in angles.items()},
                                           sums[20:], k - 20)
        away = {name: np.degrees(a[k]) for name, a in angles.items()}
        return drawing, (f"After {place} steps: textbook gradient {away['textbook']:.1f}° away, stable gradient "
                         f"{away['stable']:.1f}°; textbook pulls add up to {sums[k]:.1g} of the largest."), {
                             **away, "sum": sums[k]}

    return trap


shifts = [round(0.1 * k, 1) for k in range(-12, 13)]


def shift_of_all(four, constraints):
    """One sequence, shifted as a whole: where two normalisers send its query, and the machines of both."""
    moved = four + np.array([[0, shift] for shift in shifts])[:, None]  # (25, tokens, 2)
    width, ones = half_width_around(moved.reshape(-1, 2), 3.0), np.ones((25, 1))
    batch = att.TokenData(moved[:, None], ones[:, :, None] * [1, 0], ones, ones * [0.5, 1])
    sent = {name: att.train(batch, iterations=3000, record=1, normaliser=phi)
            for name, phi in (("exp", att.EXPONENTIAL), ("softplus", att.softplus_power(1)))}

    @explore(
        shift=play(shifts, value=0.0, label="shift of all tokens"),
        caption="One sequence, shifted up and down as a whole: where descent sends the query with weights from exp "
        "and from softplus (arrows), where their machines are (dotted), and the attention.",
        prompts=[
            prompt("Shift the tokens. Which arrow does not move, and why?",
                   "That of exp: softmax sees the differences of tokens only.", at={"shift": -1.2}, says="exp 0.5° from its",
                   expect=along("shift", lambda line: all(np.allclose(f.ways["exp"], line[0].ways["exp"]) for f in line)
                               and not np.allclose(line[0].ways["softplus"], line[-1].ways["softplus"]))),
            prompt("Shift them upwards to the end. Who is right?",
                   "Each is, for its own machine: softplus needs all other tokens on the negative side of its arrow, "
                   "wherever the origin is now.", at={"shift": 1.2}, says="softplus 0.5° from its machine, the two 2", expect=[
                       lambda f: max(f.angles.values()) < 1,
                       everywhere(lambda f: not f.has_machine or (f.tokens[1:] @ f.ways["softplus"] < 0).all())]),
            prompt("Where has softplus no machine at all, and what does it do there?",
                   "Where no arrow has the best token ahead and all others on its negative side: one of them has a logit "
                   "above 0, and keeps a share of the attention.",
                   at={"shift": -0.5}, says="softplus has no machine", expect=[
                       everywhere(lambda f: f.has_machine == drawings.some_way_fits(f.tokens)),
                       everywhere(lambda f: f.has_machine or ((f.tokens[1:] @ f.ways["softplus"]).max() > 0
                                                              and f.lost > 0.01)),
                       everywhere(lambda f: not f.has_machine or f.lost < 1e-4)])])
    def shift_of_all(shift):
        k = shifts.index(shift)
        ways = {name: run.W[-1, k] @ [1, 0] for name, run in sent.items()}
        aims = {name: att.least_distance(constraints(moved[k], 0, name)).point for name in ways}
        attention = {name: run.weights[-1, k, 0, 0] for name, run in sent.items()}
        angles = {name: np.degrees(angle(ways[name], aim)) for name, aim in aims.items() if aim is not None}
        each = [f"{name} {angles[name]:.1f}° from its machine" if name in angles else f"{name} has no machine"
                for name in ways]
        apart = np.degrees(angle(ways["exp"], ways["softplus"]))
        return drawings.shift_drawing(moved[k], ways, aims, attention, half_width=width), (
            f"Shift {shift:.1f}: {', '.join(each)}, the two {apart:.0f}° apart; "
            f"softplus gives the best token {attention['softplus']:.0%} of the attention."), {
                "ways": ways, "angles": angles, "has_machine": "softplus" in angles, "tokens": moved[k],
                "lost": 1 - attention["softplus"]}

    return shift_of_all
