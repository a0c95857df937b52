"""The figures of the chapter on kernels: their data, controls, questions, and what holds their words.

A figure whose data stand on the page is a function of them.
(book: Kernels)
"""

from functools import cache, partial

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray
from scipy import ndimage

from explorable import along, choice, everywhere, explore, handle, play, prompt, show, slider, somewhere
from margins import kernels, svm
from margins.kernels import gaussian, laplacian, linear, polynomial
from margins_book.drawing.planes import span
from margins_book.kernels import drawings
from margins_book.kernels.facts import lift_facts, moves, smallest


def two_moons(n: int, *, noise: float, seed: int) -> tuple[NDArray, NDArray]:
    """Points (n, 2) on two half circles, shuffled, with noise, and their labels, -1 and 1.

    As scikit-learn draws them, without scikit-learn: a page's Python has none (book: Kernels).

    >>> X, y = two_moons(4, noise=0.0, seed=0)
    >>> sorted(y.tolist())
    [-1.0, -1.0, 1.0, 1.0]
    """
    rng = np.random.RandomState(seed)
    upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)
    X = np.r_[np.c_[np.cos(upper), np.sin(upper)], np.c_[1 - np.cos(lower), 1 - np.sin(lower) - 0.5]]
    order = np.arange(n)
    rng.shuffle(order)
    return X[order] + rng.normal(scale=noise, size=X.shape), np.where(order < n // 2, -1.0, 1.0)


def lift(line, sides):
    """Points on a line with the labels `sides`, and their lift; the first can be dragged."""

    @explore(
        point=handle(x=slider(*span(line, (-2.4, 2.4), margin=0), steps=61, value=line[0]), y=0.0, label="point 0"),
        caption="Points on a line and the same points on a parabola, where a straight street may part them. "
        "The thick piece of the line is where the machine answers +1.",
        prompts=[
            prompt("Drag point 0 among the other circles. When does its multiplier leave zero, and what moves then?",
                   "When it is the outermost of the circles, for example at $x=1.2$: then it holds the street "
                   "in the place of point 3, and the ends of the thick piece move with it.",
                   at={"point_x": 1.2}, says="held by points 0, 5, 6",
                   expect=[everywhere(lambda f: (f.alpha[0] > 0) == (abs(f.point_x) > 0.95) == (f.alpha[3] == 0),
                                     point_x=lambda x: abs(x) < 1.64),
                          along("point_x", lambda line: moves(line, "left") == 0, point_x=lambda x: abs(x) < 0.95),
                          along("point_x", lambda line: (np.diff([f.left for f in line]) < 0).all(),
                                point_x=lambda x: 0.95 < x < 1.64)]),
            prompt("Drag point 0 beyond all squares to the right. Why does the parabola not help any more?",
                   "A line meets a parabola at most twice, so the answer can change at most twice along the axis. "
                   "Squares, circles, squares, circle would need three changes, and a lift of higher degree.",
                   at={"point_x": 2.4}, says="no line separates",
                   expect=[everywhere(lambda f: f.parted == (f.changes <= 2)),
                          lambda f: f.changes == 3 and f.by_cube])],
        expect={"where a straight street may part them": everywhere(lambda f: f.parted == (f.changes <= 2))})
    def lift(point_x):
        x = np.r_[point_x, line[1:]]
        lifted = np.column_stack([x, x**2])  # (8, 2)
        try:
            best = svm.smo(linear(lifted), sides, tol=1e-7)
        except svm.NotSeparableError:
            sentence = f"Point 0 at {point_x:.2f}: no line separates the lifted points, for the answer would change too often."
            return drawings.lift_drawing(x, sides, np.zeros(len(x)), top=2), sentence, lift_facts(x, sides)
        w = (best.alpha * sides) @ lifted
        support = ", ".join(str(i) for i in np.flatnonzero(best.alpha > 1e-6 * best.alpha.max()))
        left, right = drawings.thresholds(w, best.b)
        sentence = (f"Point 0 at {point_x:.2f}: the street is held by points {support}; "
                    f"on the line the answer is +1 from {left:.2f} to {right:.2f}.")
        facts = lift_facts(x, sides, best.alpha, best.b)
        return drawings.lift_drawing(x, sides, best.alpha, w, best.b, top=2), sentence, facts

    return lift


twelve = np.array([[0.5, 0.0], [1.2, -0.6], [2.3, 0.2], [1.9, 1.3], [2.6, -0.9], [0.6, 1.6],
                   [-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9], [-2.2, -0.5], [-1.5, -1.4], [-2.6, 0.6]])
of_twelve = np.repeat([1.0, -1.0], 6)
tables = {"linear": linear(twelve), "quadratic": polynomial(twelve, degree=2, coef0=1.0),
          "wide Gaussian": gaussian(twelve, gamma=0.1), "Gaussian": gaussian(twelve, gamma=1.0),
          "narrow Gaussian": gaussian(twelve, gamma=10.0)}


@explore(
    kernel=choice(*tables, label="kernel"),
    row=choice(*range(12), label="row of point"),
    caption="The twelve points of chapter 1 and their Gram matrix, negative entries vermilion. "
    "A point is as large as its entry in the framed row, hollow if that is negative. "
    "The Gaussian kernels have $\\gamma=0.1$, $1$ and $10$.",
    asides={"vector": "the vector from the origin to the point of the framed row"},
    prompts=[
        prompt("Linear kernel, row of point 8. In which direction from the origin do the entries grow fastest? Turn the "
               "dashed arrow there, then compare.",
               "Towards point 8: an entry is the length of $x_8$ times the part of the other point along $x_8$.",
               at={"kernel": "linear", "row": 8}, says="the largest is 4.70, with point 11",
               draws="vector of the row's point", expect=lambda f: norm(f.growth - twelve[8]) < 1e-12),
        prompt("Linear kernel, row of point 0: which entries are negative, and why?",
               "Those of the six squares: point 0 is $(0.5,0)$, so an entry of its row is half a first coordinate.",
               at={"kernel": "linear", "row": 0}, says="the smallest is -1.30, with point 11",
               expect=lambda f: f.negative == [6, 7, 8, 9, 10, 11]),
        prompt("Compare the diagonals of the five tables. Under which kernels do all twelve points have features of the same "
               "length?",
               "Under the three Gaussians, whose diagonal is $1$. Under the other two a point far from the origin has long "
               "features.",
               at={"kernel": "narrow Gaussian", "row": 0}, says="the largest is 0.00",
               expect=[everywhere(lambda f: np.array_equal(f.diagonal, np.ones(12)), kernel=lambda name: "Gaussian" in name),
                      everywhere(lambda f: (np.diff(f.diagonal[norm(twelve, axis=1).argsort()]) >= 0).all()
                                 and np.ptp(f.diagonal) > 1, kernel=lambda name: "Gaussian" not in name)])],
    expect={"have rank 2 under the linear kernel, 6 under the quadratic one, 12 under the Gaussian": along(
               "kernel", lambda line: [f.rank for f in line] == [2, 6, 12, 12, 12]),
           "is like itself and hardly like any other": everywhere(lambda f: 0 < f.beside < 1e-3, kernel="narrow Gaussian"),
           "so it finds near points alike": everywhere(lambda f: f.lowest > 0.05, kernel="wide Gaussian")},
    until="the-space-of-functions")
def similarities(kernel, row):
    K = tables[kernel]
    others = np.delete(np.arange(12), row)
    most, least = others[K[row, others].argmax()], others[K[row, others].argmin()]
    rank = kernels.numerical_rank(K)
    sentence = (f"The {kernel} kernel, rank {rank}. Of the other entries in the row of point {row} the largest is "
                f"{K[row, most]:.2f}, with point {most}; the smallest is {K[row, least]:.2f}, with point {least}.")
    facts = {"negative": np.flatnonzero(K[row] < 0).tolist(), "rank": rank, "lowest": K.min(), "diagonal": np.diagonal(K),
             "beside": np.abs(K - np.diag(np.diagonal(K))).max(),
             "growth": np.linalg.lstsq(twelve, K[row])[0]}  # the g of which the row is nearest to <g, x>
    return drawings.gram_drawing(twelve, of_twelve, K, row), sentence, facts


@explore(
    cosine=slider(0, 1, steps=51, value=0.9, label="cosine of neighbours"),
    caption="Vectors 1 and 3 as far from each other as their cosine with vector 2 allows; the dashed ones are 90° apart. "
    "On the right the smallest eigenvalue of the table that asks for 90°.",
    prompts=[
        prompt("Lower the cosine of neighbours. From where on is the table a Gram matrix?",
               "From $1/\\sqrt2\\approx0.71$ on: there the two angles of $45°$ make $90°$, and the smallest eigenvalue is $0$.",
               at={"cosine": 0.7}, says="a Gram matrix",
               expect=everywhere(lambda f: (f.smallest >= 0) == (f.apart >= 90))),
        prompt("Raise it to 1. What does the table say that cannot be?",
               "That 1 is the same vector as 2, and 2 the same as 3, but 1 at right angles to 3.",
               at={"cosine": 1.0}, says="at most 0°", expect=lambda f: f.apart == 0 and f.smallest < 0)],
    expect={"so that 90° is no problem and the table is a Gram matrix": everywhere(
               lambda f: round(f.apart) == 106 and f.smallest > 0, cosine=0.6),
           "No three vectors do what it asks": everywhere(lambda f: f.smallest < 0 and round(f.apart) == 52, cosine=0.9)})
def three_angles(cosine):
    angle = np.arccos(cosine)
    table = np.array([[1, cosine, 0], [cosine, 1, cosine], [0, cosine, 1]])
    lowest_value = np.linalg.eigvalsh(table)[0]
    verdict = "a Gram matrix" if lowest_value >= 0 else "no Gram matrix"
    sentence = (f"Neighbours with the cosine {cosine:.2f} are {np.degrees(angle):.0f}° apart, so 1 and 3 at most "
                f"{np.degrees(2 * angle):.0f}°. The table is {verdict}: its smallest eigenvalue is {lowest_value:.2f}.")
    return drawings.angles_drawing(angle, cosine, lowest_value), sentence, {"apart": np.degrees(2 * angle), "smallest": lowest_value}


moons, moon_labels = two_moons(60, noise=0.2, seed=0)
families = {"Gaussian": gaussian, "Laplacian": laplacian}
widths = np.geomspace(0.01, 30, 57)

@cache
def fitted(name, gamma, C):
    return svm.smo(families[name](moons, gamma=gamma), moon_labels, C)

def supported(name, gamma, C):
    return np.count_nonzero(fitted(name, gamma, C).alpha)

def short_of_kerb(name, gamma, C):
    """How many points lie short of their kerb, y f(x) < 1."""
    margins = moon_labels * fitted(name, gamma, C).decision_function(families[name](moons, gamma=gamma))
    return np.count_nonzero(margins < 1 - 1e-6)

@cache
def numbers(C):
    """By kernel, the widths and the number of support vectors at each."""
    return {name: (widths, np.array([supported(name, g, C) for g in widths])) for name in families}

gammas = [float(f"{gamma:.6g}") for gamma in np.geomspace(0.01, 30, 57)]
columns, rows = np.linspace(-1.5, 2.5, 45), np.linspace(-1.1, 1.6, 31)
plane = np.column_stack([axis.ravel() for axis in np.meshgrid(columns, rows)])  # (31 * 45, 2)


@explore(
    gamma=play(gammas, value=gammas[0], label="gamma"),  # steps: a boundary that splits cannot be halfway
    kernel=choice("Gaussian", "Laplacian", label="kernel"),
    C=choice(1.0, 100.0, label="bound on the multipliers, C"),
    caption="A kernel machine on two moons: the boundary, and how many support vectors each kernel takes.",
    prompts=[
        prompt("Gaussian kernel, gamma near 1: raise $C$ from 1 to 100. Why do fewer points hold the street?",
               "7 instead of 26. With $C=1$ most support vectors lie in the street; with $C=100$ hardly any does, "
               "because the boundary bends to pass between the points.",
               at={"gamma": 0.970346, "kernel": "Gaussian", "C": 100.0}, says="7 of 60 points are support vectors",
               expect=[lambda f: f.short["Gaussian"] <= 1,
                      everywhere(lambda f: f.short["Gaussian"] > 13 and f.support["Gaussian"] == 26, C=1.0, gamma=0.970346)]),
        prompt("Which kernel needs fewer support vectors at gamma = 1? Is that so for every gamma?",
               "The Gaussian, here, and with $C=1$ everywhere. With $C=100$ the curves cross at small gamma.",
               at={"gamma": 0.970346, "kernel": "Laplacian", "C": 1.0}, says="the Gaussian kernel needs 26",
               expect=[everywhere(lambda f: f.support["Gaussian"] < f.support["Laplacian"], C=1.0),
                      somewhere(lambda f: f.support["Laplacian"] < f.support["Gaussian"], C=100.0, gamma=lambda g: g < 0.1),
                      everywhere(lambda f: f.support["Gaussian"] < f.support["Laplacian"], C=100.0, gamma=lambda g: g > 0.1)])],
    expect={
        "From about $0.03$ to $0.09$": everywhere(
            lambda f: (f.support["Laplacian"] < f.support["Gaussian"]) == (0.03 < f.gamma < 0.09), C=100.0),
        "most of its support vectors are at the bound": everywhere(
            lambda f: f.short["Gaussian"] > f.support["Gaussian"] / 2, C=100.0, gamma=lambda g: 0.03 < g < 0.09),
        "to have few points at the bound": everywhere(
            lambda f: f.short["Laplacian"] <= 3 * (f.gamma < 0.055), C=100.0, gamma=lambda g: 0.03 < g < 0.09),
        "at the $\\gamma$ that suits it the Gaussian needs fewer still": along(
            "gamma", lambda line: min(f.support["Gaussian"] for f in line) < min(f.support["Laplacian"] for f in line),
            C=100.0),
        "the boundary encloses the points of one class": everywhere(
            lambda f: f.nearly_orthogonal > 0.95 and f.far_away < 0 and f.wrong == 0 and f.islands == 1,
            gamma=30.0, kernel="Gaussian", C=1.0),
        "and eleven points lie on the wrong side": everywhere(lambda f: f.wrong == 11, gamma=0.01, kernel="Gaussian", C=1.0),
        "fewer than half of the points are support vectors": everywhere(
            lambda f: f.support["Gaussian"] == 26, gamma=0.970346, C=1.0),
        "and $55$ of the $60$ are support vectors": everywhere(lambda f: f.support["Gaussian"] == 55, gamma=30.0, C=1.0),
        "The number of support vectors is lowest in between.": along("gamma", lambda line: all(
            min(f.support[name] for f in line) < min(line[end].support[name] for end in (0, -1)) for name in families)),
        "lies above the [Gaussian's]": everywhere(lambda f: f.support["Gaussian"] < f.support["Laplacian"], C=1.0),
    })
def machine(gamma, kernel, C):
    fit, K = fitted(kernel, gamma, C), families[kernel](moons, gamma=gamma)
    f = (fit.alpha * moon_labels) @ families[kernel](moons, plane, gamma=gamma) + fit.b
    field = columns, rows, f.reshape(len(rows), len(columns))
    other = "Laplacian" if kernel == "Gaussian" else "Gaussian"
    sentence = (f"{kernel} kernel, gamma = {gamma:.2g}, C = {C:g}: {np.count_nonzero(fit.alpha)} of 60 points are support "
                f"vectors, {np.count_nonzero(fit.alpha >= C)} of them at the bound; "
                f"the {other} kernel needs {supported(other, gamma, C)}.")
    facts = {
        "support": {name: supported(name, gamma, C) for name in families},
        "short": {name: short_of_kerb(name, gamma, C) for name in families},
        "nearly_orthogonal": np.mean(K[np.triu_indices(60, 1)] < 0.1),  # share of the pairs of features
        "islands": ndimage.label(field[2] > 0)[1],  # where the answer is +1
        "area": np.mean(field[2] > 0),
        "far_away": fit.b,  # what f tends to there
        "wrong": np.count_nonzero(moon_labels * fit.decision_function(K) <= 0),
    }
    return drawings.machine_drawing(moons, moon_labels, fit.alpha, C, field, numbers(C), (kernel, gamma)), sentence, facts


@explore(
    apart=slider(0, 4, steps=81, value=1, label="place of the second bump"),
    caption="The features of $0$ and of a second point under $e^{-|x-x'|}$: two bumps. The dot is where the first bump stands "
    "above the second point; on the right the sum and the difference of the two.",
    prompts=[
        prompt("Move the second bump onto the first one. What becomes of the two norms?",
               "The squared norm of the sum becomes $4$, since the sum is twice one bump, and that of the difference $0$.",
               at={"apart": 0.0}, says="of their sum 4.00",
               expect=[lambda f: abs(f.sum - 4) < 1e-12 and abs(f.difference) < 1e-12,
                      along("apart", lambda line: (np.diff([f.sum for f in line]) < 0).all())]),
        prompt("Move it far away. Why are both squared norms near 2?",
               "The first bump is nearly $0$ there, so the features are nearly at right angles, and $1+1=2$ by Pythagoras.",
               at={"apart": 4.0}, says="inner product 0.02",
               expect=lambda f: 2 < f.sum < 2.05 and 1.95 < f.difference < 2)],
    expect={"it is the value of the [first bump]": everywhere(lambda f: abs(f.inner - f.height) < 1e-12)})
def two_bumps(apart):
    centres = np.array([[0.0], [apart]])
    K = laplacian(centres)
    bend = np.r_[np.linspace(-3, 0, 16), np.linspace(0, apart, 12), np.linspace(apart, 7, 20)]  # both kinks among them
    first, second = laplacian(centres, bend[:, None])
    of_sum, of_difference = (kernels.rkhs_norm(np.array(u), K) ** 2 for u in ([1, 1], [1, -1]))
    sentence = (f"Second bump at {apart:.2f}: inner product {K[0, 1]:.2f}; squared norm of their sum {of_sum:.2f}, "
                f"of their difference {of_difference:.2f}.")
    facts = {"inner": K[0, 1], "height": np.interp(apart, bend, first), "sum": of_sum, "difference": of_difference}
    return drawings.bumps_drawing(bend, first, second, apart, K[0, 1]), sentence, facts


one_line = {"Gaussian": partial(gaussian, gamma=0.8), "Laplacian": partial(laplacian, gamma=0.8)}

def through(k, x, y, at):
    """The shortest function through (x, y): its coefficients, and its values at other places."""
    a = np.linalg.solve(k(x[:, None]), y)
    return a, a @ k(x[:, None], at[:, None])

def along_the_line(knots):
    """The places at which functions through the knots are drawn."""
    left, right = span(knots, (-2.8, 2.8))
    return np.linspace(left, right, 113)

def detour_points(knots, count):
    """The knots and the middles with a detour, and the height of the detour at each."""
    middles = (knots[1:] + knots[:-1]) / 2
    chosen = middles[[len(middles) // 2]] if count == 1 else middles
    return np.r_[knots, chosen], np.r_[np.zeros(len(knots)), (-1.0) ** np.arange(len(chosen))]


def wiggle(knots, heights):
    """The shortest functions through points, without detours and with some."""
    fine, steps_of_height = along_the_line(knots), np.linspace(-0.4, 0.4, 65)

    def detours(k, count):
        """The shortest function that is 0 at the knots and 1 and -1 in turn at some middles, and its norm."""
        places, values = detour_points(knots, count)
        a, curve = through(k, places, values, fine)
        return curve, np.sqrt(a @ values)

    direct = {name: through(k, knots, heights, fine) for name, k in one_line.items()}
    shortest_norms = {name: np.sqrt(a @ heights) for name, (a, _) in direct.items()}
    bends = {(name, count): detours(k, count) for name, k in one_line.items() for count in (1, 5)}
    longest = max(np.hypot(shortest_norms[name], 0.4 * length) for (name, _), (_, length) in bends.items())

    @explore(
        height=slider(-0.4, 0.4, steps=65, value=0.2, label="height of the detours"),
        count=choice(1, 5, value=5, label="number of detours"),
        kernel=choice("Gaussian", "Laplacian", label="kernel"),
        caption="Two functions through six points: dashed the shortest, coloured the shortest that makes detours between "
        "the points; and the norm of the second for either kernel.",
        prompts=[
            prompt("Take one detour. Is a detour downwards dearer than one of the same height upwards?",
                   "No: the height enters by its square alone, since detours are at right angles to the dashed function.",
                   at={"height": -0.4, "count": 1, "kernel": "Gaussian"}, says="1 detour of height -0.40",
                   expect=along("height", lambda line: np.allclose([f.norm for f in line], [f.norm for f in line[::-1]]))),
            prompt("Five detours of height 0.4: how much longer do they make the function under each kernel?",
                   "Seven times as long under the Gaussian, a third longer under the Laplacian: "
                   "fast wiggles cost much under the one and little under the other.",
                   at={"height": 0.4, "count": 5, "kernel": "Laplacian"}, says="norm is 2.42",
                   expect=along("kernel", lambda pair: 7 < pair[0].norm / pair[0].least < 7.5
                               and 1.3 < pair[1].norm / pair[1].least < 1.35, height=0.4, count=5))],
        expect={
            "So Pythagoras applies": everywhere(lambda f: f.off < 1e-9),
            "So the slope of $f$ is nowhere above": everywhere(lambda f: f.steep < np.sqrt(1.6) * f.norm, kernel="Gaussian"),
            "and charges less for the same detours": along(
                "kernel", lambda pair: pair[1].norm - pair[1].least < pair[0].norm - pair[0].least, height=lambda h: abs(h) > 1e-9)})
    def wiggle(height, count, kernel):
        (a, curve), (bend, length), k = direct[kernel], bends[kernel, count], one_line[kernel]
        lengths = {name: np.hypot(shortest_norms[name], steps_of_height * bends[name, count][1]) for name in one_line}
        whole, bent = np.hypot(shortest_norms[kernel], height * length), curve + height * bend
        places, heights_there = detour_points(knots, count)
        values = a @ k(knots[:, None], places[:, None]) + height * heights_there
        squared = through(k, places, values, fine)[0] @ values  # the norm by Pythagoras against the norm by solving
        steep = np.abs(np.diff(bent)).max() / (fine[1] - fine[0])
        many = len(places) - len(knots)
        sentence = (f"{many} detour{'s' * (many > 1)} of height {height:.2f}, {kernel} kernel: the norm is {whole:.2f}, "
                    f"that of the shortest function {shortest_norms[kernel]:.2f}; the steepest slope is {steep:.1f}.")
        facts = {"norm": whole, "least": shortest_norms[kernel], "steep": steep, "off": abs(whole**2 / squared - 1)}
        norms = {name: (steps_of_height, found) for name, found in lengths.items()}
        return drawings.detour_drawing((knots, heights), (fine, curve), (fine, bent), norms, (kernel, height), longest), sentence, facts

    return wiggle


def interpolant(knots, heights):
    """The shortest function through points, of which number 3 can be dragged."""
    fine, rest = along_the_line(knots), np.arange(len(knots)) != 3
    ends = [np.r_[heights[:3], end, heights[4:]] for end in (-2, 2)]  # of the point that is dragged
    most = max(np.abs(through(k, knots, y, fine)[0]).max() for k in one_line.values() for y in ends)

    @explore(
        point=handle(x=float(knots[3]), y=slider(-2, 2, steps=65, value=1.25), label="point 3"),
        kernel=choice("Gaussian", "Laplacian", label="kernel"),
        caption="The shortest function through six points; dashed, through the five others. Point 3 can be dragged.",
        prompts=[
            prompt("Drag point 3 until the norm is smallest. Where is that, and what is its coefficient there?",
                   "On the dashed curve, where the others expect it. There it adds nothing: its coefficient is zero, "
                   "and without it the function would be the same.",
                   at={"point_y": 0.0, "kernel": "Gaussian"}, says="coefficient of point 3 is 0.00",
                   expect=[along("point_y", lambda line: abs(smallest(line, "norm").surprise) < 1 / 32),
                          along("point_y", lambda line: np.ptp([f.a[3] / f.surprise for f in line]) < 1e-9),
                          along("point_y", lambda line: np.ptp([f.apart / abs(f.surprise) for f in line]) < 1e-9)]),
            prompt("Take the Laplacian kernel. Which coefficients change while you drag, and how far does the curve move?",
                   "Only those of point 3 and of its two neighbours, and the curve moves between these two alone.",
                   at={"point_y": -1.25, "kernel": "Laplacian"}, says="coefficient of point 3 is -2.31",
                   expect=[along("point_y", lambda line: list(np.flatnonzero(moves(line, "a") > 1e-9)) == [2, 3, 4],
                                kernel="Laplacian"),
                          along("point_y", lambda line: moves(line, "curve")[(fine < knots[2]) | (fine > knots[4])].max() < 1e-9,
                                kernel="Laplacian")])])
    def interpolant(point_y, kernel):
        k, y = one_line[kernel], np.r_[heights[:3], point_y, heights[4:]]
        a, curve = through(k, knots, y, fine)
        others = through(k, knots[rest], y[rest], fine)[1]
        expected = through(k, knots[rest], y[rest], knots[[3]])[1][0]
        sentence = (f"Norm {np.sqrt(a @ y):.2f}; the coefficient of point 3 is {a[3]:.2f}; at its place "
                    f"the others expect {expected:.2f}.")
        facts = {"norm": np.sqrt(a @ y), "a": a, "surprise": point_y - expected, "curve": curve,
                 "apart": np.abs(curve - others).max()}
        return drawings.interpolant_drawing(knots, y, a, 3, (fine, curve), (fine, others), most), sentence, facts

    return interpolant


penalties = np.geomspace(1e-4, 100, 61)
waves = {"Gaussian": partial(gaussian, gamma=1.0), "Laplacian": partial(laplacian, gamma=1.0)}


def ridge(x, y):
    """Kernel ridge regression on points (x, y), and its errors over the penalty."""
    X, (left, right) = x[:, None], span(x, (-3.2, 3.2))
    axis_of_fit = np.linspace(left, right, 97)

    def errors(K, penalty):
        a = kernels.kernel_ridge(K, y, penalty=penalty)
        left_out = kernels.leave_one_out_residuals(K, y, penalty=penalty)
        return [norm(e) / len(y) ** 0.5 for e in (penalty * a, left_out)]

    paths = {name: np.array([errors(k(X), p) for p in penalties]).T for name, k in waves.items()}  # (2, 61) each
    largest = max(path.max() for path in paths.values())

    @explore(
        penalty=slider(1e-4, 100, log=True, steps=61, value=0.3, label="penalty"),
        kernel=choice("Gaussian", "Laplacian", label="kernel"),
        caption="Kernel ridge regression on thirty noisy points of a sine (dotted); training and leave-one-out error, cut at the frame.",
        prompts=[
            prompt("Raise the penalty to its end. Which number do both errors approach?",
                   "The root mean square of the measurements, $0.79$, which is the error of the answer $0$.",
                   at={"penalty": 100.0, "kernel": "Laplacian"}, says="error on the data 0.760, left out 0.767",
                   expect=lambda f: round(f.size, 2) == 0.79 and 0.95 * f.size < f.training < f.left_out < f.size),
            prompt("Where is the leave-one-out error smallest, for either kernel?",
                   "Near 0.1 for the Gaussian kernel and near 0.3 for the Laplacian: flat minima, so that a factor of two "
                   "hardly matters.", at={"penalty": 0.1, "kernel": "Gaussian"}, says="left out 0.370",
                   expect=[along("penalty", lambda line: 0.08 < smallest(line, "left_out").penalty < 0.12,
                                kernel="Gaussian"),
                          along("penalty", lambda line: 0.25 < smallest(line, "left_out").penalty < 0.35,
                                kernel="Laplacian"),
                          along("penalty", lambda line: all(
                              f.left_out < 1.03 * smallest(line, "left_out").left_out for f in line
                              if 0.5 < f.penalty / smallest(line, "left_out").penalty < 2))])],
        expect={"only falls as the penalty falls": along(
                   "penalty", lambda line: (np.diff([f.training for f in line]) > 0).all()),
               "under a large penalty it is pressed towards zero": everywhere(
                   lambda f: f.used < 1 and f.highest < 0.1 * f.size and 0.95 * f.size < f.training < f.left_out < f.size,
                   penalty=lambda p: p > 99),
               "is nearly zero, and only falls": everywhere(lambda f: f.training < 0.01 * f.size, penalty=1e-4, kernel="Laplacian"),
               "is far from zero": everywhere(lambda f: f.left_out > 0.5 * f.size, penalty=1e-4, kernel="Laplacian"),
               "With it the fit uses about eight": along("penalty", lambda line: 7.5 < smallest(line, "left_out").used < 8.5,
                                                             kernel="Gaussian"),
               "which shrinks as the penalty grows": along(
                   "penalty", lambda line: (np.diff([f.used for f in line]) < 0).all())})
    def ridge(penalty, kernel):
        k = waves[kernel]
        a = kernels.kernel_ridge(k(X), y, penalty=penalty)
        fit = a @ k(X, axis_of_fit[:, None])
        training, left_out = errors(k(X), penalty)
        shares = kernels.spectrum(k(X)) / (kernels.spectrum(k(X)) + penalty)
        sentence = (f"Penalty {penalty:.2g}: error on the data {training:.3f}, left out {left_out:.3f}; "
                    f"effective dimension {shares.sum():.1f}.")
        curves = axis_of_fit, fit, np.sin(2 * axis_of_fit)
        facts = {"training": training, "left_out": left_out, "used": shares.sum(), "highest": np.abs(fit).max(),
                 "size": norm(y) / len(y) ** 0.5}
        return drawings.ridge_drawing(x, y, curves, (penalties, *paths[kernel]), penalty, largest), sentence, facts

    return ridge


evenly = ((np.arange(60) + 0.5) / 60)[:, None]  # the middles of sixty equal pieces
shares = np.geomspace(1e-4, 0.3, 41)  # penalties divided by n

def dimension(sigma, penalty):
    return (sigma / (sigma + penalty)).sum()


@explore(
    gamma=slider(0.3, 100, log=True, steps=49, value=10, label="gamma"),
    share=choice(0.001, 0.01, 0.1, value=0.01, label="penalty λ / n"),
    caption="Sixty points spread over an interval of length 1: eigenvalues of two Gram matrices, and the effective "
    "dimension. On this axis a geometric sequence would be a straight line.",
    prompts=[
        prompt("Raise gamma from one end to the other. How many eigenvalues of each kernel stand above the dotted line?",
               "First two and three, in the end eleven and all sixty: points that were alike become different, "
               "and the Laplacian tells neighbours apart much sooner.", at={"gamma": 100.0, "share": 0.01}, says="11 of 60",
               expect=[along("gamma", lambda line: line[0].above == {"Gaussian": 2, "Laplacian": 3}, share=0.01),
                      along("gamma", lambda line: line[-1].above == {"Gaussian": 11, "Laplacian": 60}, share=0.01),
                      everywhere(lambda f: f.above["Laplacian"] > f.above["Gaussian"], share=0.01)]),
        prompt("Now take the penalty 0.1. No eigenvalue of the Laplacian is above it; is its effective dimension zero?",
               "No, it is more than eight: sixty small shares add up. That is the second term of the upper bound "
               "in the proposition above.", at={"gamma": 100.0, "share": 0.1},
               says="0 of 60 eigenvalues above the penalty, effective dimension 8.5",
               expect=lambda f: f.above["Laplacian"] == 0 and f.used["Laplacian"] > 8),
        prompt("At gamma = 10, how does the effective dimension change when the penalty falls from 0.1 to 0.001?",
               "The Gaussian kernel uses about four dimensions more, the Laplacian forty, "
               "because so many of its eigenvalues lie between.",
               at={"gamma": 10.0314, "share": 0.001}, says="effective dimension 45.8",
               expect=[along("share", lambda line: 3.5 < line[0].used["Gaussian"] - line[-1].used["Gaussian"] < 4.5, gamma=10.0314),
                      along("share", lambda line: 39.5 < line[0].used["Laplacian"] - line[-1].used["Laplacian"] < 40.5, gamma=10.0314),
                      along("share", lambda line: line[0].above["Laplacian"] - line[-1].above["Laplacian"] > 20, gamma=10.0314)])],
    expect={"the Laplacian uses more dimensions": everywhere(lambda f: f.used["Laplacian"] > f.used["Gaussian"])})
def spectrum(gamma, share):
    spectra = {name: kernels.spectrum(k(evenly, gamma=gamma)) / 60 for name, k in families.items()}
    spectra = {name: np.maximum(sigma, 0) for name, sigma in spectra.items()}
    dimensions = {name: np.array([dimension(sigma, s) for s in shares]) for name, sigma in spectra.items()}
    used = {name: dimension(sigma, share) for name, sigma in spectra.items()}
    above = {name: np.count_nonzero(sigma >= share) for name, sigma in spectra.items()}
    sentence = f"gamma = {gamma:.3g}. " + "; ".join(
        f"{name}: {above[name]} of 60 eigenvalues above the penalty, effective dimension {used[name]:.1f}" for name in families
    ) + "."
    return drawings.spectrum_drawing(spectra, share, shares, dimensions), sentence, {"above": above, "used": used}


def counts(settings, mean, error):
    show(
        drawings.counts_figure([f"noise {noise}, C = {C:g}" for noise, C in settings], mean, error),
        name="counts",
        caption="How many times as many support vectors the Laplacian machine has: geometric means over eight draws "
        "of a hundred points, with two standard errors.",
        alt="Six settings of noise and C, each with a mean ratio and its error bar; all means lie between 1 and 3, "
        "and every bar stays to the right of 1.")


places = np.linspace(-1, 1, 6)
shifts = np.linspace(-1, 1, 65)

def lowest(degree, c):
    """The smallest eigenvalue as a share of the largest modulus, and its eigenvector."""
    values, vectors = np.linalg.eigh(polynomial(places[:, None], degree=degree, coef0=c))
    u = vectors[:, 0] * np.sign(vectors[np.argmax(np.abs(vectors[:, 0]) > 0.05), 0])
    return values[0] / np.abs(values).max(), u

curves = {m: np.array([lowest(m, c)[0] for c in shifts]) for m in (1, 2, 3, 4)}


@explore(
    c=slider(-1, 1, steps=65, value=-0.5, label="offset, c"),
    degree=choice(1, 2, 3, 4, value=2, label="degree, m"),
    caption="Six points on a line under $(xx'+c)^m$: the smallest eigenvalue, and the weights that prove it.",
    prompts=[
        prompt("Move $c$ through zero, for each degree. On which side is the smallest eigenvalue negative?",
               "Below zero for every degree, and nowhere above; from $c=0$ on it is zero, "
               "because six points have more dimensions than the features need.",
               at={"c": -0.03125, "degree": 4}, says="is no kernel",
               expect=[everywhere(lambda f: f.lowest < -1e-9, c=lambda c: c < 0),
                      everywhere(lambda f: abs(f.lowest) < 1e-9, c=lambda c: c >= 0)]),
        prompt("Degree 2: a single point never shows the fault, since $(x^2+c)^2\\ge0$. How do several show it?",
               "Their weights have both signs and cancel the features $1$ and $x^2$; "
               "what is left is $2c\\,xx'$, a negative multiple of a kernel.",
               at={"c": -0.5, "degree": 2}, says="smallest eigenvalue is −0.84",
               expect=[lambda f: min(f.weights) < 0 < max(f.weights),
                      lambda f: abs(sum(f.weights)) < 1e-9 and abs(f.weights @ places**2) < 1e-9,
                      lambda f: abs(f.form - 2 * f.c * (f.weights @ places) ** 2) < 1e-9])],
    expect={"falls below zero as soon as $c$ does, for even degrees too": everywhere(lambda f: f.lowest < -1e-9, c=lambda c: c < 0)})
def offset(c, degree):
    share, u = lowest(degree, c)
    fails = share < -1e-9
    name = f"(xx′ {'−' if c < 0 else '+'} {abs(c):.3g}){'¹²³⁴'[degree - 1]}"
    sentence = (f"{name} is no kernel: its smallest eigenvalue is −{-share:.3g} of the largest." if fails
                else f"{name} is a kernel: no eigenvalue of the six points is negative.")
    facts = {"lowest": share, "weights": u, "form": u @ polynomial(places[:, None], degree=degree, coef0=c) @ u}
    return drawings.offset_drawing(shifts, curves[degree], c, places, u * fails), sentence, facts


def promise(sizes, gaps, exact, bound):
    show(
        drawings.largest_gap_figure(sizes, gaps.mean(axis=1), gaps.std(axis=1) / 20, exact, bound),
        name="promise",
        caption="The largest gap over the unit ball: means of four hundred samples, with two standard errors that are "
        "shorter than the dots; the root of the exact mean square; and the bound at 95 %.",
        alt="On logarithmic axes the measured gaps fall along a straight line of slope minus one half, just below the "
        "line of the exact root mean square; the bound runs parallel to it, several times higher.")
