"""The figures of the chapter on SVM duality: their data, controls, questions, and what holds their words.

Figures of points that stand on the page are made by functions of these points.
(book: SVM duality)
"""

from functools import cache
from itertools import pairwise

import numpy as np
from numpy.linalg import norm

from explorable import along, baking, choice, everywhere, explore, handle, play, prompt, show, slider, toggle
from margins import descent, svm
from margins.kernels import linear
from margins_book.drawing.planes import half_width_around, span
from margins_book.svm_duality import drawings
from margins_book.svm_duality.climb import climb, radius
from margins_book.svm_duality.clouds import left_out, two_clouds


def enters(line):
    """Point 0 comes in from the right: who holds the street before, and who holds it then."""
    before, after = line[-4], line[-7]  # at 1.2 and at 0.9
    vanished = before.alpha[0] == before.alpha[6] == after.alpha[1] == 0 < before.alpha[1]
    return vanished and min(after.alpha[[0, 6]]) > 0 and 0.45 < after.alpha[7] / before.alpha[7] < 0.5


def slider_over(values, least):
    """A slider that starts from the first of the values: over `least`, or wider, in steps of 0.1 or, if they ask for it, 0.01."""
    steps = 10 if np.allclose(10 * values, np.round(10 * values)) else 100
    low, high = (round_to(steps * end) / steps for round_to, end in zip((np.floor, np.ceil), span(values, least), strict=True))
    return slider(low, high, steps=round(steps * (high - low)) + 1, value=values[0])


def nearest(control, value):
    """The value of a slider that is nearest to this one."""
    return min(control.values, key=lambda one: abs(one - value))


def street(points, labels):
    """Points (n, 2) of two classes and their widest street; the reader moves one point, in a notebook any."""
    movable, half_width = list(range(len(points))), half_width_around(points, 3.4)
    if baking():  # a page has room for three points, near where they stand
        movable, x, y = [0, 6, 7], slider(-1.5, 1.5, steps=31, value=0.5), slider(-1.4, 0.6, steps=21, value=0)
    else:
        x, y = slider_over(points[:, 0], (-3, 3)), slider_over(points[:, 1], (-1.6, 1.8))

    @explore(
        which=choice(*movable, label="move point", brings={
            i: {"point_x": nearest(x, points[i, 0]), "point_y": nearest(y, points[i, 1])} for i in movable}),
        point=handle(x=x, y=y, label="the point"),
        caption="The widest street between the two classes of the twelve points, and the multiplier of each point.",
        asides={"halfwidth": "the half width of the street, along w"},
        expect={
            "Three points stand on a kerb": lambda f: np.flatnonzero(abs(f.margins - 1) < 1e-9).tolist() == [0, 6, 7],
            "Circle 0 has the multiplier $1.04$, the two squares": lambda f: np.allclose(
                f.alpha[[0, 6, 7]], [1.04, 0.71, 0.33], atol=0.005) and abs(labels @ f.alpha) < 1e-9,
            "The other nine have the multiplier $0$": lambda f: f.alpha.nonzero()[0].tolist() == [0, 6, 7],
            "and circle 1 holds the street in its place": everywhere(
                lambda f: f.margins[0] > 1 and f.alpha.nonzero()[0].tolist() == [1, 7], which=0, point_x=1.0, point_y=0.0)},
        prompts=[
            prompt("Move point 0 straight to the right. From where on is the street fixed, and what happens to its bar?",
                   "From $x_1=1$ on (in fact from 0.94): it has left the street, has no bar, and moving it changes nothing.",
                   at={"which": 0, "point_x": 1.0, "point_y": 0.0}, says="held by points 1 (0.66), 7 (0.66); all others",
                   expect=[everywhere(lambda f: not f.apart or (f.alpha[0] == 0) == (f.point_x > 0.99), which=0, point_y=0.0),
                          lambda f: f.margins[0] > 1,
                          along("point_x", lambda line: np.ptp([f.width for f in line if f.point_x > 0.99]) < 1e-9,
                                which=0, point_y=0.0)]),
            prompt("Bring it back slowly. When does its bar appear, and which bars shrink as it grows?",
                   "As soon as it is in the street. By $x_1=0.9$ the bar of 1 is gone, that of 7 has halved, and 6 has "
                   "got one: here 0 and 6 have four fifths of the sum of all bars.",
                   at={"which": 0, "point_x": 0.7, "point_y": 0.0}, says="held by points 0 (0.82), 6 (0.49), 7 (0.33)",
                   expect=[lambda f: abs((f.alpha[0] + f.alpha[6]) / sum(f.alpha) - 0.8) < 0.005,
                          along("point_x", enters, which=0, point_y=0.0)]),
            prompt("Push it in among the squares. What is left of the street?",
                   "Nothing: once the convex hulls of the classes touch, no line separates them.",
                   at={"which": 0, "point_x": -1.2, "point_y": 0.0}, says="No line separates",
                   expect=[lambda f: not f.apart, everywhere(lambda f: f.apart or f.missed < 1e-6)]),
            prompt("Choose point 6 instead and move it to the left, out of the street. Who takes its place?",
                   "Point 8: the street turns a little, and 0 holds it against 7 and 8.",
                   at={"which": 6, "point_x": -1.3, "point_y": -0.3}, says="held by points 0 (1.00), 7 (0.72), 8 (0.28)",
                   expect=[lambda f: f.margins[6] > 1 and np.flatnonzero(f.alpha).tolist() == [0, 7, 8],
                          along("point_x", lambda line: 1 < np.ptp([f.heading for f in line if f.point_x < -0.85]) < 3,
                                which=6, point_y=-0.3)])])
    def street(which, point_x, point_y):
        X = np.array(points)
        X[which] = point_x, point_y
        try:
            best = svm.smo(linear(X), labels, tol=1e-7, trusted=True)  # hulls that all but touch allow no smaller tol
        except svm.NotSeparableError as refusal:
            drawing = drawings.hulls_drawing(X, labels, top=2.5, dragged=which, half_width=half_width)
            missed = norm((refusal.ray * labels) @ np.c_[X, np.ones(len(X))])  # a common point of the hulls misses nothing
            return drawing, "No line separates the classes: no street, no multipliers.", {"apart": False, "missed": missed}
        w = (best.alpha * labels) @ X
        named = [f"{i} ({a:.2f})" for i, a in enumerate(best.alpha) if a > 1e-9]
        sentence = f"Half width {1 / norm(w):.2f}; held by points {', '.join(named)}; all others have 0."
        facts = {"apart": True, "alpha": best.alpha, "width": 1 / norm(w), "margins": labels * (X @ w + best.b),
                 "heading": np.rad2deg(np.arctan2(w[1], w[0]))}
        drawing = drawings.street_drawing(X, labels, w, best.b, best.alpha, top=2.5, dragged=which, half_width=half_width)
        drawings.draw_half_width(drawing.panels[0], w, best.b)
        return drawing, sentence, facts

    return street


def dual_plane():
    """The dual of the points 1, 2 and 3, and where its maximum lies."""
    show(
        drawings.dual_plane_figure(),
        name="dual-plane",
        dock=False,
        caption="The dual of the three points. At the maximum the gradient presses against the wall $\\alpha_3=0$.",
        alt="Contours of the dual over alpha 2 and alpha 3. At the maximum (2, 0) the gradient points straight down, "
        "into the forbidden half plane where alpha 3 is negative.")


def forces(points, labels):
    """How circle 0 and the squares 6 and 7 push against the street of points (n, 2), and whether it turns."""
    fit = svm.smo(linear(points), labels)
    w, three = (fit.alpha * labels) @ points, [0, 6, 7]
    across = w / norm(w)

    @explore(
        share=slider(0, 0.96, steps=49, value=0, label="share of square 7 in the squares' force"), dock=False,
        caption="Three points push against the street. The diamond is where the joint push of the two squares acts, the dotted line "
        "that along which circle 0 pushes.",
        prompts=[prompt(
            "How much of the force has to come from square 7 so that the street rests?",
            "0.32 of it, where the diamond meets the dotted line. Only there do the two sides push head-on.",
            at={"share": 0.32}, says="the street rests",
            expect=everywhere(lambda f: (abs(f.torque) < 1e-9) == (abs(f.share - 0.32) < 1e-6)))],
        expect={"the forces add up to zero": everywhere(lambda f: norm(f.sum) < 1e-9),
               "and there the squares push with $0.71$ and $0.33$": everywhere(
                   lambda f: np.allclose(f.push, fit.alpha[three], atol=1e-6) == (abs(f.torque) < 1e-9))})
    def forces(share):
        push = fit.alpha[0] * np.array([1, 1 - share, share])
        pushes = -(labels[three] * push)[:, None] * across  # (3, 2)
        torque = np.linalg.det(np.stack([points[three], pushes], axis=1)).sum()
        turns = "rests" if abs(torque) < 1e-9 else "turns anticlockwise" if torque > 0 else "turns clockwise"
        sentence = f"Circle 0 pushes with {push[0]:.2f}, square 6 with {push[1]:.2f}, square 7 with {push[2]:.2f}: the street {turns}."
        drawing = drawings.forces_drawing(points[three], labels[three], w, fit.b, pushes, share, torque)
        return drawing, sentence, {"torque": torque, "sum": pushes.sum(axis=0), "push": push}

    return forces


def duality(points, labels):
    """What streets among points (n, 2) cost, and what bounds the segments from squares 6 and 7 to circle 0 give."""
    w = (svm.smo(linear(points), labels).alpha * labels) @ points
    best_turn = round(float(np.rad2deg(np.arctan2(w[1], w[0]))), 4)

    @explore(
        turn=slider(best_turn - 18, best_turn + 18, steps=49, value=best_turn - 18, label="direction across the street (degrees)"),
        share=choice(0, 0.16, 0.32, 0.64, 1, value=0, label="share s of square 7 in the squares' multipliers"),
        caption="What each street costs, and what bound each segment gives, over their directions. "
        "No bound is above any cost.",
        asides={"segment": "the segment p, from between squares 6 and 7 to circle 0"},
        prompts=[
            prompt("Turn the street. How little can it cost?",
                   "1.041, at 26.6°: there it touches three points. Turned either way it costs more.",
                   at={"turn": best_turn, "share": 0}, says="costs 1.041",
                   expect=[lambda f: f.touching == 3,
                          along("turn", lambda line: min(line, key=lambda f: f.cost).turn == line[24].turn)]),
            prompt("Leave the street where it costs least, and change the multipliers. When does the bound reach the cost?",
                   "When square 7 has 0.32 of the squares' multipliers: then the segment is as long as the street is wide.",
                   at={"turn": best_turn, "share": 0.32}, says="the gap is 0.000",
                   expect=[lambda f: abs(f.gap) < 1e-5 and abs(f.length - f.width) < 1e-5,
                          everywhere(lambda f: f.gap > 0.004, share=lambda s: s != 0.32)])],
        expect={"No bound is above any cost": everywhere(lambda f: f.bound <= f.cost + 1e-9),
               "and so no street is wider than the segment is long": everywhere(lambda f: f.width <= f.length + 1e-9),
               "which costs $1.041$, and with $s=0.16$ a bound of $1.024$": everywhere(
                   lambda f: (round(f.cost, 3), round(f.bound, 3)) == (1.041, 1.024), turn=lambda turn: abs(turn - best_turn) < 1e-3, share=0.16),
               "it costs at most $0.02$ too much": everywhere(
                   lambda f: 0 < f.gap < 0.02, turn=lambda turn: abs(turn - best_turn) < 1e-3, share=0.16)})
    def duality(turn, share):
        u = np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
        p = points[0] - (1 - share) * points[6] - share * points[7]
        street, alpha = drawings.widest(points, labels, u), np.zeros(len(points))
        alpha[[0, 6, 7]] = np.array([1, 1 - share, share]) * 2 / (p @ p)
        cost, bound = street.w @ street.w / 2, 2 / (p @ p)
        drawing = drawings.duality_drawing(points, labels, street, alpha, turn, best_turn)
        sentence = (f"At {turn:.1f}° the street costs {cost:.3f}. The multipliers {alpha[0]:.2f} of 0, {alpha[6]:.2f} of 6 and "
                    f"{alpha[7]:.2f} of 7 give the bound {bound:.3f}: the gap is {abs(cost - bound):.3f}.")
        margins = labels * (points @ street.w + street.b)
        return drawing, sentence, {"cost": cost, "bound": bound, "gap": cost - bound, "width": 2 / norm(street.w),
                                   "length": norm(p), "touching": (abs(margins - 1) < 1e-4).sum()}

    return duality


def kerb(points, labels):
    """Four points (4, 2), two of them equal; the reader moves point 2 across its kerb and shares the twins' multipliers."""

    @explore(
        third=handle(x=slider(0.25, 1.75, steps=49, value=1), y=points[2, 1], label="the point above"),
        share=choice("all to point 0", "half each", "all to point 1", value="half each", label="the twins' multipliers"),
        caption="Two points in one place, 0 and 1, and point 2, which stands on the kerb with nothing to do. "
        "Filled: points with a multiplier.",
        prompts=[
            prompt("Drag point 2 off its kerb, outwards and inwards. When does it get a bar?",
                   "Only inside the street: the twins' bars become shorter, and the street turns away from it. "
                   "On the kerb it has none yet.",
                   at={"third_x": 0.5}, says="4 points on a kerb, 4 with a multiplier",
                   expect=[everywhere(lambda f: (f.alpha[2] > 1e-9) == (f.w[1] > 1e-9) == (f.third_x < 0.999)),
                          along("third_x", lambda line: np.diff([f.alpha[0] + f.alpha[1] for f in line]).min() > -1e-9
                                and line[0].alpha[0] + line[0].alpha[1] < 0.4)]),
            prompt("Back on the kerb: share the twins' multipliers in another way. What in the plane changes?",
                   "Nothing: $w$, $b$ and the gap stay, so each of these $\\alpha$ is optimal.",
                   at={"third_x": 1.0, "share": "all to point 0"}, says="4 points on a kerb, 2 with a multiplier; gap 0",
                   expect=[along("share", lambda line: np.ptp([[*f.w, f.b, f.gap] for f in line], axis=0).max() < 1e-9),
                          everywhere(lambda f: abs(f.gap) < 1e-9 and f.violation < 1e-9)])],
        expect={"which stands on the kerb with nothing to do": lambda f: f.alpha[2] == 0 and abs(f.margins[2] - 1) < 1e-9,
               "and its bar grows from nothing": along(
                   "third_x", lambda line: all(0 < a.alpha[2] - b.alpha[2] < 0.02 for a, b in pairwise(line)
                                               if b.third_x < 1.001))})
    def kerb(third_x, share):
        X = np.array(points)
        X[2, 0] = third_x
        best = svm.smo(linear(X[1:]), labels[1:])
        first = {"all to point 0": 1.0, "half each": 0.5, "all to point 1": 0.0}[share]
        alpha = np.array([first * best.alpha[0], (1 - first) * best.alpha[0], *best.alpha[1:]])
        report = svm.kkt_report(linear(X), labels, alpha, best.b)
        touching, working = (abs(report.margins - 1) < 1e-9).sum(), (alpha > 1e-9).sum()
        sentence = f"{touching} points on a kerb, {working} with a multiplier; gap {abs(round(report.gap, 9)):g}."
        w = (alpha * labels) @ X
        facts = {"alpha": alpha, "w": w, "b": best.b, "gap": report.gap, "violation": report.violation,
                 "margins": report.margins}
        return drawings.kerb_drawing(X, labels, w, best.b, alpha), sentence, facts

    return kerb


Xs, ys = two_clouds(24, (0.9, 0.6), seed=6)


@explore(
    C=slider(0.01, 100, log=True, steps=65, value=1, label="price of slack, C"),
    data=choice("overlapping", "separable", label="data"),
    caption="The street as the price of slack rises. A whisker shows how far a point falls short of its kerb.",
    prompts=[
        prompt("Overlapping data: raise $C$ from its lowest value. Which points stay crossed (at the bound) to the end?",
               "Four: two end on the wrong side of the line, and two short of their kerb.",
               at={"C": 100.0, "data": "overlapping"}, says="4 multipliers at C",
               expect=[lambda f: (f.margins[f.bound] < 0).sum() == (np.abs(f.margins[f.bound] - 0.5) < 0.5).sum() == 2,
                      along("C", lambda line: all(f.bound[line[-1].bound].all() for f in line), data="overlapping")]),
        prompt("At the lowest $C$ all multipliers equal $C$ (crossed). What is $w$ then, in words?",
               "With every $\\alpha_i=C$, $w=C\\sum_iy_ix_i$: the difference of the two class means, times $Cn/2$.",
               at={"C": 0.01, "data": "overlapping"}, says="0 free and 24 multipliers at C",
               expect=lambda f: f.bound.all() and norm(f.w - f.C * 12 * (f.X[ys > 0].mean(axis=0) - f.X[ys < 0].mean(axis=0))) < 1e-12),
        prompt("Separable data: from which $C$ on does nothing change any more? Look at the largest bar.",
               "From the largest multiplier of the hard machine on: no bar wants to be longer than $C$ any more.",
               at={"C": 2.73842, "data": "separable"}, says="0 multipliers at C",
               expect=along("C", lambda line: all(
                   (norm(f.w - line[-1].w) < 1e-6) == (max(line[-1].alpha) <= f.C) for f in line), data="separable"))],
    expect={"and lets many points stand in it": along(
        "C", lambda line: (np.diff([norm(f.w) for f in line]) > -1e-6).all() and line[0].bound.sum() > 16
        and line[-1].bound.sum() <= 4),
        "every point is short of its kerb": everywhere(
            lambda f: (f.margins < 1).all(), C=lambda C: C < 0.0101, data="overlapping"),
        "only four points miss their kerb, and two of these": everywhere(
            lambda f: ((f.margins < 1 - 1e-6).sum(), (f.margins < 0).sum()) == (4, 2),
            C=lambda C: C > 99.9, data="overlapping"),
        "and nothing changes from there on": along("C", lambda line: all(
            (norm(f.w - line[-1].w) < 1e-6) == (max(line[-1].alpha) <= f.C) for f in line), data="separable")})
def soft_margin(C, data):
    X = Xs + 0.7 * np.outer(ys, (0.9, 0.6)) * (data == "separable")
    fit = svm.smo(linear(X), ys, C)
    w = (fit.alpha * ys) @ X
    report = svm.kkt_report(linear(X), ys, fit.alpha, fit.b, C)
    free, bound = (report.group == "free").sum(), (report.group == "alpha = C").sum()
    facts = {"alpha": fit.alpha, "bound": report.group == "alpha = C", "margins": report.margins, "w": w, "X": X}
    sentence = f"C = {C:.3g}: half width {1 / norm(w):.2f}; {free} free and {bound} multipliers at C."
    return drawings.street_drawing(X, ys, w, fit.b, fit.alpha, C=C, top=1.15 * fit.alpha.max(), names=False), sentence, facts


def staircase(margins, alpha, C):
    """Points by margin and multiplier (n,), where slack has the price C."""
    show(
        drawings.staircase_figure(margins, alpha, C),
        name="staircase",
        dock=False,
        caption="Forty overlapping points, placed by margin and multiplier.",
        alt="Points on a staircase: those with margin above 1 have multiplier 0, those with margin below 1 have "
        "multiplier C, and the few in between stand on the riser at margin exactly 1.")


def losses():
    """What a point costs by its margin: hinge and logistic loss."""
    show(
        drawings.losses_figure(),
        name="losses",
        dock=False,
        caption="What a point costs, by its margin.",
        alt="Two curves over the margin. The hinge loss falls in a straight line to zero at margin 1 and stays there; "
        "the logistic loss bends, is 0.69 at margin 0, and comes near zero without reaching it.")


def late(line):
    """The positions from 1,000 steps on."""
    return [f for f in line if f.step >= 1000]


def race(points, labels, plain, unit):
    """Plain and normalised descent on points (n, 2), as recorded after the same steps, the first of them 0."""
    signed_points, widest = labels[:, None] * points, descent.hard_margin_direction(points, labels)
    steps = plain.steps[1:].tolist()
    racers = [np.degrees(run.angles(widest)[1:]) for run in (plain, unit)]
    paths = [plain.weights[1:], unit.weights[1:]]

    # the limit of plain descent's angle times log k: w - w* log k settles where q_0 : q_7 is the ratio of the multipliers
    width, holders = (signed_points @ widest).min(), signed_points[[0, 7]]
    pulling = np.linalg.solve(holders.T, widest / width)  # the multipliers of 0 and 7
    in_the_end = np.degrees(width * abs(np.log(pulling[0] / pulling[1])) / norm(holders[0] - holders[1]))

    @explore(
        step=play(steps, value=10, label="step"),
        caption="Gradient descent and normalised gradient descent, and how far each still is from the direction to which both turn. "
        "The points are drawn as $z_i=y_ix_i$, so all should lie on one side of each boundary, the line at right angles "
        "to the arrow of its colour.",
        asides={"widest": "the direction of the widest street through the origin"},
        prompts=[
            prompt("Turn the ringed arrow to where both will point in the end. Which of the two will be there first?",
                   "They turn to the widest street through the origin. Normalised descent is there first: after 100 steps it is "
                   "4.2° off and plain descent 15.0°, after 100,000 steps it is two thousand times nearer.",
                   at={"step": 100_000}, says="plain descent is 8.49° off", draws="max margin",
                   expect=[lambda f: 1950 < f.plain / f.unit < 2050,
                          along("step", lambda line: [(round(f.plain, 1), round(f.unit, 1)) for f in line if f.step == 100]
                                == [(15.0, 4.2)])]),
            prompt("From 1,000 steps on, as which function of the number $k$ of steps does each angle fall?",
                   "Normalised descent as $1/k$: ten times the steps, a tenth of the angle. Plain descent as $1/\\log k$ only in "
                   "the end: here its angle times $\\log k$ varies by 7 per cent and is 20 to 29 per cent above its limit, which "
                   "the multipliers of 0 and 7 give.",
                   at={"step": 1000}, says="plain descent is 13.36° off",
                   expect=[along("step", lambda line: np.ptp([f.unit * f.step for f in late(line)]) < 0.01 * line[-1].unit * 1e5),
                          along("step", lambda line: 1.06 < np.divide(*np.sort(
                              [f.plain * np.log(f.step) for f in late(line)])[[-1, 0]]) < 1.07),
                          everywhere(lambda f: 1.2 < f.plain * np.log(f.step) / in_the_end < 1.29, step=lambda k: k >= 1000)])],
        expect={"so all should lie on one side": everywhere(lambda f: f.least > 0),
               "Plain descent is still $8.5$ degrees away": everywhere(lambda f: abs(f.plain - 8.5) < 0.05, step=100_000),
               "Both turn to the same direction": along("step", lambda line: (np.diff([f.plain for f in late(line)]) < 0).all()
                                                        and (np.diff([f.unit for f in late(line)]) < 0).all())})
    def race(step):
        k = steps.index(step)
        drawing = drawings.two_descents_drawing(signed_points, labels, widest, np.array(steps), paths, racers, step)
        behind, ahead = racers[0][k], racers[1][k]
        return drawing, (f"After {step} step{'s' * (step != 1)}: plain descent is {behind:.2f}° off, "
                         f"normalised descent {ahead:.2g}°."), {
            "plain": behind, "unit": ahead, "least": (signed_points @ widest).min()}

    return race


def without_one(points, labels):
    """Points (n, 2), the first of them pushed towards the squares; the reader leaves one out."""
    pushed = np.array(points)
    pushed[0] = 0.4, -1.5
    alpha_of_all, w_of_all, b_of_all = left_out(pushed, labels, -1)
    limits = span(labels * (pushed @ w_of_all + b_of_all), (-1, 8))

    @explore(
        out=play(["none", *range(len(points))], label="leave out"),
        caption="The twelve points, 0 pushed towards the squares. A ring marks the point left out, "
        "dots the boundary with all. Filled: the points that hold the street.",
        prompts=[
            prompt("With all points there: which ones can you leave out without moving the street?",
                   "The nine that have $\\alpha_i=0$. Their own margins stay as well, so none of them can be an error.",
                   at={"out": 1}, says="Without point 1 the half width is still 0.41",
                   expect=[everywhere(lambda f: f.stays and abs(f.margin - f.before) < 1e-6 and f.before > 1 - 1e-9,
                                     out=lambda i: i not in ("none", 0, 5, 7)),
                          everywhere(lambda f: np.flatnonzero(f.alpha_of_all).tolist() == [0, 5, 7])]),
            prompt("Which of the three support vectors are errors when left out? Guess from the picture first.",
                   "0 and 5: without them the boundary passes over them. Point 7 stays right by a narrow margin: "
                   "the number of support vectors is a bound, not the count.",
                   at={"out": 5}, says="margin is -0.35: an error",
                   expect=[everywhere(lambda f: (f.margin < 0) == (f.out in (0, 5)) and f.stays == (f.out not in (0, 5, 7)),
                                     out=lambda i: i != "none"),
                          everywhere(lambda f: 0 < f.margin < 0.2, out=7)])],
        expect={"Only leaving out a support vector moves the street": everywhere(
            lambda f: (f.stays and abs(f.margin - f.before) < 1e-6) == (f.out not in (0, 5, 7)),
            out=lambda i: i != "none")})
    def without_one(out):
        i = -1 if out == "none" else out
        alpha, w, b = left_out(pushed, labels, i)
        drawing = drawings.left_out_drawing(pushed, labels, (w_of_all, b_of_all), (w, b), alpha, i, limits=limits)
        if i < 0:
            holders = ", ".join(map(str, np.flatnonzero(alpha)))
            words = f"All points there: half width {1 / norm(w):.2f}, held by points {holders}."
            return drawing, words, {"alpha_of_all": alpha}
        margin, stays = labels[i] * (w @ pushed[i] + b), np.allclose(w, w_of_all, atol=1e-6)
        facts = {"alpha_of_all": alpha_of_all, "stays": stays, "margin": margin,
                 "before": labels[i] * (w_of_all @ pushed[i] + b_of_all)}
        return drawing, (f"Without point {i} the half width is {'still ' * stays}{1 / norm(w):.2f}; "
                         f"its own margin is {margin:.2f}: {'still right' if margin > 0 else 'an error'}."), facts

    return without_one


def dual_ray(multiples, along_ray):
    """The dual objective at the multiples of a ray (m,), for each labelling {name: values (m,)}."""
    show(
        drawings.ray_figure(multiples, along_ray),
        name="dual-ray",
        caption="The dual objective along one ray of multipliers, for two labellings of the same square.",
        alt="Two curves over the multiples of a ray: for XOR labels the dual objective grows linearly without end; "
        "for separable labels of the same points it rises, turns, and falls.")


def rotation(points, labels):
    """The street of points (n, 2) that are turned and moved, and the numbers that notice it."""
    turned = svm.smo(linear(points), labels)
    farthest = norm(points, axis=1).max()
    half_width = half_width_around([[farthest + 1, 0], [0, farthest]], 4.2)

    @explore(
        degrees=slider(0, 180, steps=61, value=0, label="turn the world by (degrees)"),
        moved=toggle(label="and move it one to the right"),
        caption="The world turns; in the second panel, what notices it (vermilion) and what does not (blue). "
        "Filled: the support vectors.",
        prompts=[
            prompt("Turn the world. Which numbers would you have to recompute?",
                   "Only $w$: the multipliers, the half width and the dual objective are made of inner products, "
                   "which a turn leaves alone.", at={"degrees": 90.0}, says="w = (-0.65, 1.29), b = 0.35; the dual objective stays",
                   expect=[everywhere(lambda f: f.off < 1e-9 and abs(f.b - turned.b) < 1e-9, moved=False),
                          everywhere(lambda f: (norm(f.w - f.w_before) > 1e-9) == (f.degrees > 0))]),
            prompt("What changes if the world also moves to the right?",
                   "Now $b$ changes too, since it is measured from the origin. The multipliers still do not notice: "
                   "with $\\sum_i\\alpha_iy_i=0$, a shift of all points drops out of the dual.",
                   at={"degrees": 0.0, "moved": True}, says="w = (1.29, 0.65), b = -0.94; the dual objective stays",
                   expect=[lambda f: abs(f.b - turned.b) > 1, everywhere(lambda f: abs(f.b - turned.b + f.w[0]) < 1e-9, moved=True),
                          everywhere(lambda f: f.off < 1e-9)])],
        expect={"A turn changes nothing but $w$": everywhere(
            lambda f: f.off < 1e-9 and abs(f.b - turned.b) < 1e-9 and (norm(f.w - f.w_before) > 1e-9) == (f.degrees > 0),
            moved=False),
            "A shift changes nothing but $b$": along(
            "moved", lambda line: norm(line[1].w - line[0].w) < 1e-9 and max(line[0].off, line[1].off) < 1e-9)})
    def rotation(degrees, moved):
        angle = np.deg2rad(degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        X = points @ turn.T + [float(moved), 0]
        fit = svm.smo(linear(X), labels)
        w, w_before = (fit.alpha * labels) @ X, (turned.alpha * labels) @ points
        rows = {"$w_1$": (w[0], w_before[0]), "$w_2$": (w[1], w_before[1]), "$b$": (fit.b, turned.b),
                "width": (1 / norm(w), 1 / norm(w_before)), "dual": (fit.dual_objective, turned.dual_objective)}
        rows |= {f"$\\alpha_{{{i}}}$": (fit.alpha[i], turned.alpha[i]) for i in np.flatnonzero(turned.alpha > 1e-9)}
        sentence = f"w = ({w[0]:.2f}, {w[1]:.2f}), b = {fit.b:.2f}; the dual objective stays at {fit.dual_objective:.3f}."
        off = np.abs([*(fit.alpha - turned.alpha), 1 / norm(w) - 1 / norm(w_before), fit.dual_objective - turned.dual_objective])
        facts = {"off": off.max(), "b": fit.b, "w": w, "w_before": w_before}
        return drawings.transformed_street_drawing(X, labels, w, fit.b, fit.alpha, rows, half_width=half_width), sentence, facts

    return rotation


@cache
def climbed():
    """Thirty steps of the solver on the overlapping points."""
    return climb(Xs, ys, 1.0, 30)


@explore(
    step=play([*range(31)], value=2, label="step"),
    caption="Who may move which way. While the solid line stands right of the dashed one, a pair can gain.",
    prompts=[
        prompt("Which two points move next? Read it off the lines, then step, and watch the bars.",
               "Point 8, the highest that may grow, and 12, the lowest that may shrink. Their bars change together, "
               "so that $\\sum_i\\alpha_iy_i$ stays $0$: here, of two classes, by the same amount.",
               at={"step": 3}, says="8 and 12 have moved",
               expect=along("step", lambda line: (line[2].highest, line[2].lowest, line[3].pair) == (8, 12, [8, 12])
                           and abs(np.ptp(np.abs(line[3].change[[8, 12]]))) < 1e-12
                           and all(abs(ys @ f.change) < 1e-12 for f in line))),
        prompt("At step 6 the lowest that may shrink is 0. Why does another point move?",
               "Point 16 is nearer to 12, and promises the largest gain, although its $v$ is not the lowest.",
               at={"step": 7}, says="12 and 16 have moved",
               expect=along("step", lambda line: (line[6].highest, line[6].lowest, line[7].pair) == (12, 0, [12, 16])
                           and norm(Xs[16] - Xs[12]) < norm(Xs[0] - Xs[12]) and np.nanargmax(line[6].gains) == 16)),
        prompt("The solver stops as soon as the lines are closer than its tolerance. When, if that is a tenth?",
               "After 21 steps. The next step widens them again: the dual only rises, but the lines come and go.",
               at={"step": 21}, says="0.088 right of the dashed",
               expect=along("step", lambda line: next(f.step for f in line if f.apart < 0.1) == 21
                           and line[22].apart > line[21].apart and (np.diff([f.dual for f in line]) > 0).all()))])
def who_moves(step):
    path, change = climbed(), climbed().alphas[step] - climbed().alphas[max(step - 1, 0)]
    v, up, down, alpha = path.slopes[step], path.may_grow[step], path.may_shrink[step], path.alphas[step]
    drawing = drawings.pairs_drawing(v, up, down, alpha, ys, 1.0)
    pair = np.flatnonzero(change).tolist()
    moved = f"{pair[0]} and {pair[1]} have moved" if pair else "nothing has moved yet"
    apart = v[up].max() - v[down].min()
    highest, lowest = np.where(up, v, -np.inf).argmax(), np.where(down, v, np.inf).argmin()
    distances = np.where(down & (v < v[highest]), norm(Xs - Xs[highest], axis=1), np.nan)
    facts = {"highest": highest, "lowest": lowest, "pair": pair, "apart": apart,
             "change": change, "gains": ((v[highest] - v) / distances) ** 2, "dual": path.duals[step]}
    return drawing, f"Step {step}: {moved}. The solid line is {apart:.2g} right of the dashed one.", facts


@cache
def answer():
    """The w of the machine on the overlapping points."""
    return (svm.smo(linear(Xs), ys, 1.0).alpha * ys) @ Xs


@explore(
    step=play([*range(31)], value=6, label="step"),
    caption="Primal and dual close in on the optimum. The gap gives a ball around the best $w$ so far (the dot) "
    "that holds the answer (the cross).",
    prompts=[
        prompt("At step 5 the best candidate all but hits the answer. Can the solver know?",
               "No: the gap still allows a ball of radius 2.2. The later steps hardly move $w$; "
               "by raising the dual they prove that it is right.", at={"step": 5}, says="within 2.2 of the best",
               expect=[lambda f: f.off < 0.02,
                      along("step", lambda line: max(norm(f.centre - line[5].centre) for f in line[5:]) < 0.025
                            and line[-1].dual - line[5].dual > 0.99 * (line[5].gap - line[-1].gap))]),
        prompt("After how many steps could you stop if a hundredth of the objective were good enough?",
               "After 16: the truth then lies in an interval shorter than a hundredth of the objective.",
               at={"step": 16}, says="lies within 0.056",
               expect=along("step", lambda line: next(f.step for f in line if f.gap < f.dual / 100) == 16))],
    expect={"that holds the answer": everywhere(lambda f: f.off <= f.radius + 1e-9),
           "The dual rises with every step": along("step", lambda line: (np.diff([f.dual for f in line]) > 0).all()
               and (np.diff([f.primal for f in line]) <= 0).all() and (np.diff([f.latest for f in line]) > 0).any()
               and (np.diff([f.radius for f in line]) < 0).all())})
def closing_gap(step):
    path, w = climbed(), answer()
    primal, dual, gap, centre = path.primals[step], path.duals[step], path.gaps[step], path.centres[step]
    away = float(radius(primal, dual))
    drawing = drawings.gap_drawing(path.steps, path.primals, path.duals, step, (w, centre, away))
    facts = {"primal": primal, "dual": dual, "gap": gap, "radius": away, "off": norm(centre - w), "centre": centre,
             "latest": path.candidates[step]}
    return drawing, (f"Step {step}: primal {primal:.3f}, dual {dual:.3f}: the optimum lies within "
                     f"{gap:.2g} of either, and w* within {away:.2g} of the best w so far."), facts


def path(C, w, critical):
    """The solutions w (m, 2) over the prices C (m,), and the critical one."""
    show(
        drawings.path_figure(C, w, critical),
        name="path",
        caption="The regularisation path of forty separable points: both coordinates of $w(C)$.",
        alt="Two curves of w(C) over a logarithmic axis of C. They bend several times and become exactly constant "
        "at the marked value C star.")
