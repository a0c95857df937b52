"""The figures of chapter 10: prompts and learners, layers, tasks, metrics, heads and trained networks.

(book: Beyond the equivalence)
"""

from functools import cache

import numpy as np
from numpy.linalg import inv, lstsq, norm, solve

from explorable import along, choice, everywhere, explore, handle, play, prompt, slider, somewhere
from margins import attention
from margins.attention.metric import left_out
from margins.data.prompts import prompt_networks
from margins.in_context import prompt_layers
from margins.prompt_network import PromptNetwork, read_prompts
from margins_book.beyond_the_equivalence import depth, networks
from margins_book.beyond_the_equivalence import drawings as draw
from margins_book.drawing.planes import span

SAME_PLACE = {"held_x": lambda x: abs(x - 0.9) < 0.05, "held_y": lambda y: abs(y + 0.7) < 0.06}  # as an exercise asks


def coefficients(x, asked):
    """The coefficients (len(asked), len(x)) that each learner gives the values of the examples at x."""
    gaussian = [np.exp(-((a[:, None] - x) ** 2) / 2 / h**2) for a, h in ((asked, 0.4), (asked, 0.6), (x, 0.6))]
    Phi, queries = (np.column_stack([np.ones(len(a)), a]) for a in (x, asked))
    B, eta = np.zeros((2, len(x))), min(0.08, 1.5 / norm(Phi, 2) ** 2)  # safe steps, wherever the examples are
    for _ in range(16):
        B = B + eta * Phi.T @ (np.eye(len(x)) - Phi @ B)
    return {"attention": gaussian[0] / gaussian[0].sum(axis=1, keepdims=True),
            "ridge": solve(gaussian[2] + 0.1 * np.eye(len(x)), gaussian[1].T).T, "layers": queries @ B}


def three_learners(inputs, values):
    """The figure for a prompt of these examples, of which number 4 (or the last) is dragged."""
    held, query = min(4, len(inputs) - 1), 0.6
    ends = span(inputs, least=(-2, 2)), span(values, least=(-1.8, 1.8))
    limits = span(ends[0], least=(-2.2, 2.2)), span(ends[1], least=(-2, 2))
    line = np.linspace(*limits[0], 34)

    @cache
    def prompt_with(held_x):
        x = np.where(np.arange(len(inputs)) == held, held_x, inputs)
        return x, coefficients(x, np.append(line, query))

    @explore(
        held=handle(x=slider(*ends[0], steps=49, value=inputs[held]),
                    y=slider(*ends[1], steps=33, value=values[held]), label=f"example {held}"),
        caption="First panel: a prompt of eight examples and three learners. Solid: one head of softmax attention; dashed: kernel "
        "ridge regression; dash-dotted: sixteen layers of linear attention on $(1,x)$. Second panel: how each counts the examples "
        "at the dotted line, $x=0.6$.",
        prompts=[
            prompt("Drag example 4 sideways, to the left end. What becomes of its coefficients?",
                   "To attention and to ridge it hardly matters any more at $x=0.6$. The layers fit one straight line to "
                   "all examples, and still count it a little.",
                   at={"held_x": -2.0, "held_y": 1.0125}, says="attention counts it 0.00, ridge -0.01, sixteen layers 0.03",
                   expect=[lambda f: abs(f.counts["attention"][4]) < 0.01 and abs(f.counts["ridge"][4]) < 0.02,
                          lambda f: f.bend < 1e-9 and f.counts["layers"][4] > 0.02]),
            prompt("Put example 4 at the top. Why do the layers follow least?",
                   "Two numbers, a slope and an intercept, have to serve all eight examples.",
                   at={"held_x": 0.416667, "held_y": 1.8}, says="ridge 1.32, sixteen layers 0.52",
                   expect=[everywhere(lambda f: f.bend < 1e-9),
                          lambda f: f.counts["layers"][4] == min(c[4] for c in f.counts.values())])],
        expect={"stay as they are when you drag": along(
                   "held_y", lambda line: all(f.counts == line[0].counts for f in line)),
               "Ridge goes nearly midway": everywhere(lambda f: abs(f.there["ridge"]) < 0.1, **SAME_PLACE),
               "Attention answers a little more": everywhere(
                   lambda f: 0 < f.there["attention"] - f.there["ridge"] < 0.2, **SAME_PLACE),
               "The line of the layers passes above": everywhere(
                   lambda f: f.there["layers"] > max(f.there["attention"], f.there["ridge"]), **SAME_PLACE),
               "At the left end ridge comes within": everywhere(lambda f: f.missed < 0.12, **SAME_PLACE)})
    def three_learners(held_x, held_y):
        x, C = prompt_with(held_x)
        y = np.where(np.arange(len(values)) == held, held_y, values)
        curves = {name: (line[::33], (C[name] @ y)[:-1:33]) if name == "layers" else (line, (C[name] @ y)[:-1]) for name in C}
        answers, at = ({name: value(C[name][-1]) for name in C} for value in (lambda c: c @ y, lambda c: c[held]))
        sentence = (f"At x = 0.6 attention says {answers['attention']:.2f}, ridge {answers['ridge']:.2f}, sixteen layers "
                    f"{answers['layers']:.2f}; of example {held} attention counts it {at['attention']:.2f}, ridge {at['ridge']:.2f}, "
                    f"sixteen layers {at['layers']:.2f}.")
        facts = {"counts": {name: C[name][-1].tolist() for name in C},
                 "bend": np.abs(np.diff(C["layers"][:-1] @ y, 2)).max(),
                 "there": {name: np.interp(0.9, line, C[name][:-1] @ y) for name in C},
                 "missed": np.abs(np.interp(x[:2], line, C["ridge"][:-1] @ y) - y[:2]).max()}
        return draw.prompt_drawing(x, y, held, curves, query, {name: C[name][-1] for name in C}, limits), sentence, facts

    return three_learners


names, at_start = ["q", "k", "l", "c"], np.array([[1.2, 0.3], [0.9, 1.1], [1.3, -0.9], [-1.0, 0.5]])


def read_outs(tokens):
    """Weight of k, log odds of k against l and the logit in layer 1, and the logit in layer 2, for query q."""
    s = attention.attention_weights(tokens[:1], tokens, scale=1.0)[0]
    after = tokens + attention.softmax_attention(tokens, tokens, 0.5 * tokens, scale=1.0)
    return np.array([s[1], np.log(s[1] / s[2]), tokens[0] @ tokens[1], after[0] @ after[1] / 2])


@explore(
    c=handle(x=slider(-2.1, 2.1, steps=51, value=-1.0), y=slider(-1.4, 1.4, steps=35, value=0.5), label="token c"),
    caption="A query $q$, two keys $k$ and $l$, and a context token $c$ that you drag. Second panel: four read-outs, hollow at "
    "the start, filled now. (The logit of layer 2 is halved to fit.)",
    prompts=[
        prompt("Drag $c$ across. Which of the four read-outs stay where they are?",
               "The logit and the log odds of layer 1.",
               at={"c_x": 1.764, "c_y": 0.494118}, says="log odds 0.12, logit 1.41",
               expect=[along("c_x", lambda line: np.ptp([f.values[1:3] for f in line], axis=0).max() < 1e-12),
                      along("c_x", lambda line: np.ptp([f.values for f in line], axis=0)[[0, 3]].min() > 0.05)]),
        prompt("Where does $c$ take most from the weight of $k$?",
               "Where its own logit is largest: in the corner that lies farthest along $q$.",
               at={"c_x": 2.1, "c_y": 1.4}, says="weight of k 0.13",
               expect=[along(c, lambda line: line[-1].values[0] == min(f.values[0] for f in line)
                            and line[-1].logit == max(f.logit for f in line)) for c in ("c_x", "c_y")]),
        prompt("Bring $c$ to the side opposite $q$. Is the logit of layer 2 back where it was?",
               "No. There $q$ and $k$ hardly hear $c$ any more; at the start both had taken a little of it.",
               at={"c_x": -2.1, "c_y": -1.4}, says="layer 2: logit 3.06",
               expect=[lambda f: max(f.heard) < 0.01 and abs(f.values[3] - read_outs(at_start)[3]) > 0.02,
                      somewhere(lambda f: min(f.heard) > 0.02 and max(f.heard) < 0.1,
                                c_x=lambda x: abs(x + 1) < 0.05, c_y=lambda y: abs(y - 0.5) < 0.03)])])
def swap_a_token(c_x, c_y):
    tokens = np.vstack([at_start[:3], [c_x, c_y]])
    values = read_outs(tokens)
    sentence = (f"Layer 1: weight of k {values[0]:.2f}, log odds {values[1]:.2f}, logit {values[2]:.2f}; "
                f"layer 2: logit {2 * values[3]:.2f}.")
    facts = {"values": values, "logit": tokens[0] @ tokens[3],
             "heard": attention.attention_weights(tokens[:2], tokens, scale=1.0)[:, 3]}
    return draw.swap_drawing(tokens, names, 3, read_outs(at_start), values), sentence, facts


six = np.array([[1.0, 0.1], [0.6, 0.5], [-0.8, 0.3], [0.2, -0.6], [-0.5, -0.4], [0.9, -0.2]])
six_values = six @ np.array([1.0, 0.5]) + np.array([0.1, -0.1, 0.05, 0.1, -0.05, -0.1])
direction, counted = np.array([0.8, 0.6]), (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
pace, bottom = 0.9 / (norm(six, 2) ** 2 + 4), lstsq(six, six_values)[0]
path = prompt_layers(six, six_values, np.eye(2), np.full(32, pace))  # (33, 2): queries e_1, e_2 read the weights


@explore(
    t=slider(0.2, 2, steps=49, value=1.4, label="length of the query"),
    layers=play(counted, value=4, label="layers"),
    caption="First panel: the weights after each layer, over level lines of the squared error, least at the diamond. "
    "Second panel: the answer in the slot of the query $x_q=t\\,(0.8,0.6)$, with the query masked as a key (solid) and not masked (dashed), "
    "and their limits.",
    prompts=[
        prompt("Step through the layers. After which layer do the answers differ for the first time?",
               "After the second: in the first the query's slot is still zero.",
               at={"t": 1.4, "layers": 1}, says="the difference is 0.000",
               expect=along("layers", lambda line: [f.difference == 0 for f in line[:4]] == [True, True, False, False])),
        prompt("Make the query longer. Which limit follows in proportion, and which does not?",
               "The masked one grows with $t$; the other is divided by $1+\\delta$, and $\\delta$ grows with $t^2$.",
               at={"t": 2.0, "layers": 32}, says="limits 2.12 and 0.64",
               expect=[along("t", lambda line: np.ptp([f.limits[0] / f.t for f in line]) < 1e-12),
                      along("t", lambda line: np.ptp([f.delta / f.t**2 for f in line]) < 1e-12),
                      everywhere(lambda f: abs(f.last - f.limits[0] / (1 + f.delta)) < 0.02)]),
        prompt("And a short query?", "It hardly hears itself.",
               at={"t": 0.2, "layers": 32}, says="the difference is 0.00",
               expect=along("layers", lambda line: max(abs(f.difference) for f in line) < 0.03 * line[0].limits[0],
                           t=0.2))])
def steps_in_layers(t, layers):
    x_q = t * direction
    answers = [prompt_layers(six, six_values, x_q[None], np.full(32, pace), masked=m)[:, 0] for m in (True, False)]
    delta = x_q @ inv(six.T @ six) @ x_q
    limits = bottom @ x_q, bottom @ x_q / (1 + delta)
    sentence = (f"After {layers} layers the answers are {answers[0][layers]:.2f} and, without the mask, "
                f"{answers[1][layers]:.2f}; the difference is {answers[0][layers] - answers[1][layers]:.3f}, limits "
                f"{limits[0]:.2f} and {limits[1]:.2f}.")
    facts = {"limits": limits, "delta": delta, "last": answers[1][-1],
             "difference": answers[0][layers] - answers[1][layers]}
    return draw.layers_drawing(path, bottom, six.T @ six, answers[0], answers[1], limits, layers), sentence, facts


@explore(
    sigma=slider(0.1, 3, steps=59, value=1, label="standard deviation of the error"),
    caption="One example, $x=1$ and $y=2$, and the slope $w$ that one may guess from it. Dotted: how likely a slope was before; "
    "dashed: how well it explains the example; solid: how likely it is now, each drawn with the height $1$. Second panel: the best "
    "guess for every size of the error.",
    prompts=[
        prompt("Make the error twice as large as it is at first. What is left of the guess?",
               "$0.4$, a fifth of the $2$ that least squares believes: the error has four times the variance of $w$.",
               at={"sigma": 2.0}, says="the best guess is 0.40",
               expect=lambda f: abs(f.guess - 0.4) < 1e-12 and abs(f.sigma - 2) < 1e-12),
        prompt("For which errors is the solid curve narrower than both others?",
               "For all of them. Two sources of knowledge together are more precise than either.",
               expect=everywhere(lambda f: f.spread < min(1, f.sigma)))])
def one_guess(sigma):
    w, sizes = np.linspace(-3, 5, 65), np.linspace(0.1, 3, 59)
    guess, spread = 2 / (1 + sigma**2), sigma / np.sqrt(1 + sigma**2)
    curves = {"before": np.exp(-(w**2) / 2), "example": np.exp(-((2 - w) ** 2) / 2 / sigma**2),
              "now": np.exp(-((w - guess) ** 2) / 2 / spread**2)}
    sentence = (f"With an error of standard deviation {sigma:.2f} the best guess is {guess:.2f}, give or take {spread:.2f}; "
                f"least squares says 2.")
    return (draw.guess_drawing(w, curves, guess, (sizes, 2 / (1 + sizes**2)), sigma), sentence,
            {"guess": guess, "spread": spread})


def one_task(x):
    return 1.2 * np.sin(1.6 * x) + 0.3 * x


seen_at, ask_at, domain = np.array([-0.1, 0.15, 0.7]), 1.5, np.linspace(-2, 2, 41)
held_value = slider(-2.2, 2.2, steps=49, value=0.8)
sweep = np.array(held_value.values)
others, G = np.array([-0.5, 0.1]), one_task(seen_at)


def is_steady(steps):
    """Whether a curve is steeper in between than at its two ends, by a factor of ten."""
    return max(steps[0], steps[-1]) < 0.1 * steps.max()


@explore(
    held=handle(x=0.7, y=held_value, label="example 2"),
    sigma=choice(0.4, 0.8, 1.6, 3.2, value=0.8, label="noise σ"),
    caption="Two tasks, $g$ and $-g$ (dotted), and three examples, of which you drag one. Solid: attention over the tasks; "
    "dashed: the best linear learner. Second panel: both answers at the upright line, over the value that you drag.",
    prompts=[
        prompt("Where does attention over tasks change its mind, and what does the linear learner answer there?",
               "Just below $0$, where $\\langle y,G\\rangle=0$ and both tasks weigh $\\frac12$. The linear learner answers $0$ there, too.",
               at={"held_y": -0.0916667, "sigma": 0.8}, says="weights of the tasks are 0.52 and 0.48",
               expect=along("held_y", lambda line: [f.u > 0 for f in line] == [f.attended > 0 for f in line]
                            == [f.linear > 0 for f in line] == [f.held_y > -0.12 for f in line])),
        prompt("Give example 2 a value far larger than either task allows. Who takes it at its word?",
               "The linear learner: it answers more than $g$ says there.",
               at={"held_y": 2.2, "sigma": 0.4}, says="linear 1.90",
               expect=lambda f: f.linear > f.task >= f.attended),
        prompt("Choose $\\sigma=3.2$. Why do the two nearly agree now?",
               "$\\tanh u\\approx u$ for small $u$, and $\\lVert G\\rVert^2$ hardly counts beside $\\sigma^2$: with "
               "much noise, inference is smoothing.",
               at={"held_y": 0.825, "sigma": 3.2}, says="answers 0.15, the best linear 0.13",
               expect=[lambda f: abs(np.tanh(f.u) / f.u - 1) < 0.02, lambda f: 0.2 * f.sigma**2 > G @ G,
                      everywhere(lambda f: abs(f.attended - f.linear) < 0.1, sigma=3.2)])],
    expect={"moves in proportion, on a straight line": along(
                "held_y", lambda line: np.ptp(np.diff([f.linear for f in line]) / np.diff([f.held_y for f in line])) < 1e-9),
            "changes its mind in between and is steady elsewhere": along(
                "held_y", lambda line: is_steady(np.diff([f.attended for f in line])), sigma=0.8)})
def infer_the_task(held_y, sigma):
    y = np.append(others, held_y)
    mind = np.tanh((others @ G[:2] + np.append(sweep, held_y) * G[2]) / sigma**2)
    smooth = (others @ G[:2] + np.append(sweep, held_y) * G[2]) / (G @ G + sigma**2)
    curves = {"attention over tasks": mind[-1] * one_task(domain), "best linear": smooth[-1] * one_task(domain)}
    replies = {"attention over tasks": mind[:-1] * one_task(ask_at), "best linear": smooth[:-1] * one_task(ask_at)}
    weights = np.array([1 + mind[-1], 1 - mind[-1]]) / 2
    sentence = (f"With the value {held_y:.2f} attention over tasks answers {mind[-1] * one_task(ask_at):.2f}, the best "
                f"linear {smooth[-1] * one_task(ask_at):.2f}; the weights of the tasks are {weights[0]:.2f} and "
                f"{weights[1]:.2f}.")
    u = (np.append(others, held_y) @ G) / sigma**2
    facts = {"attended": mind[-1] * one_task(ask_at), "linear": smooth[-1] * one_task(ask_at), "task": one_task(ask_at), "u": u}
    return draw.tasks_drawing(domain, {"g": one_task(domain), "−g": -one_task(domain)}, curves, seen_at, y, 2, ask_at, sweep,
                              replies, weights), sentence, facts


three_tasks = np.stack([np.sin(3 * domain), np.cos(1.4 * domain), 0.7 * np.abs(domain) - 0.9])  # (3, 41)
told_at = 25  # the place 0.5 of the domain
KERNELS = {"Gaussian": np.exp(-((domain - domain[told_at]) ** 2)), "linear": 1 + domain * domain[told_at],
           "made of the tasks": three_tasks[:, told_at] @ three_tasks,
           "best in hindsight": np.linalg.svd(three_tasks)[2][0]}


@explore(
    kernel=choice(*KERNELS, value="Gaussian", label="kernel"),
    task=choice("A", "B", "C", value="A", label="task"),
    caption="Three tasks (dotted), and an example without noise of the chosen one. Dashed: the multiple of $K(x_1,\\cdot)$ that is "
    "nearest to this task; solid: attention over the tasks. Second panel: the mean squared error of the dashed answer for each task.",
    prompts=[
        prompt("Choose the kernel that is best in hindsight. Which task does it serve worst, and why?",
               "Task A, which it misses altogether: A is odd, while B and C are even, and nearly multiples of one function.",
               at={"kernel": "best in hindsight", "task": "A"}, says="task A is missed by 0.51",
               expect=[lambda f: abs(f.errors[0] - f.size) < 1e-9 and max(f.errors[1:]) < 0.02, lambda f: max(f.parity) < 1e-12]),
        prompt("Is there a kernel in the list that leaves less in total?",
               "No, and no other kernel does: what is left is all that the first singular value leaves.",
               at={"kernel": "best in hindsight"}, says="no kernel leaves less",
               expect=[everywhere(lambda f: f.total >= f.bound - 1e-9), lambda f: abs(f.total - f.bound) < 1e-9])],
    expect={"solid: attention over the tasks": everywhere(lambda f: f.attended < 1e-6)})
def one_function(kernel, task):
    chosen, told = "ABC".index(task), three_tasks[:, told_at]
    curve = KERNELS[kernel]
    answers = np.outer(three_tasks @ curve / (curve @ curve), curve)  # (3, 41), in hindsight
    logits = -((told[chosen] - told) ** 2) / 2 / 0.02**2
    attended = np.exp(logits) / np.exp(logits).sum() @ three_tasks
    errors = np.mean((answers - three_tasks) ** 2, axis=1)
    bound = np.sum(np.linalg.svd(three_tasks, compute_uv=False)[1:] ** 2) / len(domain)
    verdict = "no kernel leaves less" if errors.sum() < bound + 1e-9 else f"the best kernel leaves {bound:.2f}"
    sentence = f"Here task {task} is missed by {errors[chosen]:.2f}; all three together by {errors.sum():.2f}, and {verdict}."
    facts = {"errors": errors, "total": errors.sum(), "bound": bound, "attended": np.mean((attended - three_tasks[chosen]) ** 2), "size": np.mean(three_tasks[0] ** 2),
             "parity": [norm(three_tasks[0] + three_tasks[0][::-1]), *norm(three_tasks[1:] - three_tasks[1:, ::-1], axis=1)]}
    example = domain[told_at], told[chosen]
    return draw.function_drawing(domain, three_tasks, chosen, example, answers[chosen], attended, errors), sentence, facts


dice = np.random.default_rng(10)
flat = dice.normal(size=(90, 2)) * [1, 0.7]
relevant = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])
levels = np.sin(2.2 * flat @ relevant) + 0.1 * dice.normal(size=90)
turn = slider(-60, 105, steps=56, value=-30, label="angle of the metric, degrees")


def stretched(degrees, stretch):
    """The metric with steepness 2 stretch along the angle and 2 / stretch across."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return 2 * np.array([[stretch * c, stretch * s], [-s / stretch, c / stretch]])


@cache
def errors_left_out(stretch):
    """The errors left out over all angles of the metric."""
    return np.array([left_out(stretched(angle, stretch), flat, levels)[0] for angle in turn.values])


@explore(
    angle=turn,
    stretch=choice(2.5, 1.5, 1.0, label="stretch"),
    caption="Ninety points whose value changes along the arrow; dots high, squares low. The ellipse: how far attention "
    "looks with this metric. Second panel: the error left out for every angle.",
    asides={"farthest": "the direction of the upper half in which attention looks farthest"},
    prompts=[
        prompt("In which direction, upwards, should attention look farthest? Turn the dashed arrow there.",
               "At 120°, across the purple arrow: along it alone the value changes. With the metric near 30° the error is smallest.",
               at={"angle": 30.0, "stretch": 2.5}, says="error left out is 0.040", draws="farthest",
               expect=[along("angle", lambda line: abs(min(line, key=lambda f: f.error).angle - 30) <= 6, stretch=2.5),
                      lambda f: round(f.farthest) == 120 and f.reach[0] < 0.2 * f.reach[1],
                      along("angle", lambda line: abs(min(line, key=lambda f: f.error).farthest - 120) <= 6, stretch=2.5)]),
        prompt("Where is the error largest?", "Near −60°: it is worse than with a round metric.",
               at={"angle": -60.0, "stretch": 2.5}, says="worse than round",
               expect=[along("angle", lambda line: abs(max(line, key=lambda f: f.error).angle + 60) <= 9, stretch=2.5),
                      lambda f: f.error > f.floor]),
        prompt("Choose stretch 1. What does turning do?", "Nothing: a round metric knows no direction.",
               at={"angle": -60.0, "stretch": 1.0}, says="as good as round",
               expect=along("angle", lambda line: np.ptp([f.error for f in line]) < 1e-12, stretch=1.0))])
def turn_the_metric(angle, stretch):
    now = list(turn.values).index(angle) if angle in turn.values else int(np.abs(np.array(turn.values) - angle).argmin())
    error, floor = left_out(stretched(angle, stretch), flat, levels)[0], errors_left_out(1.0)[0]
    verdict = "as good as" if abs(error - floor) < 1e-9 else "better than" if error < floor else "worse than"
    sentence = f"At {angle:.0f}° with stretch {stretch} the error left out is {error:.3f}, {verdict} round ({floor:.3f})."
    across = relevant[::-1] * [-1, 1]
    reach = [1 / norm(stretched(angle, stretch) @ unit) for unit in (relevant, across)]  # along the arrow and across
    facts = {"error": error, "floor": floor, "reach": reach,
             "farthest": np.degrees(np.arctan2(*draw.farthest(stretched(angle, stretch))[::-1]))}
    return draw.metric_drawing(flat, levels, stretched(angle, stretch), relevant, errors_left_out(stretch),
                               turn.values, now, floor), sentence, facts


@explore(
    layers=choice(1, 2, 3, value=2, label="layers"),
    write=choice("values", "inputs, overwritten", "inputs, new slots", value="inputs, new slots", label="layers write to"),
    caption="What layers leave of the error. First panel: the size of what is left at each eigenvalue $s$ of $X^\\top X$; dotted, "
    "its maximum. Second panel: this maximum for one, two and three layers, of layers that write to the values alone (circles), that "
    "also overwrite their inputs (squares), and that write inputs to new slots (triangles).",
    prompts=[
        prompt("Take two layers that write to new slots. How often is the maximum reached?",
               "Five times: it is the Chebyshev polynomial of degree four.",
               at={"layers": 2, "write": "inputs, new slots"}, says="at most 0.4340 of the error, reached 5 times",
               expect=lambda f: f.reached == 5 and f.degree == 4),
        prompt("Let them overwrite their inputs instead. What is different?",
               "One of the three inner maxima is lower than the others: the polynomial of degree four has only three parameters.",
               at={"layers": 2, "write": "inputs, overwritten"}, says="at most 0.4368 of the error, reached 4 times",
               expect=[lambda f: f.reached == 4 and f.degree == 4, lambda f: len(f.parameters) == 3]),
        prompt("Add a third layer. For which layers does this help most?",
               "For those that write to new slots: two layers left 26 times as much.",
               at={"layers": 3, "write": "inputs, new slots"}, says="at most 0.0164 of the error",
               expect=[along("layers", lambda line: round(line[1].worst / line[2].worst) == 26, write="inputs, new slots"),
                      along("write", lambda line: line[2].helped == max(f.helped for f in line), layers=3)])],
    expect={"its maximum": everywhere(lambda f: f.worst >= f.bound - 1e-9)})
def depth_of_layers(layers, write):
    low, high = depth.RANGE
    kinds = depth.left_after(low, high)  # {(write, layers): the sizes left at depth.eigenvalues(low, high)}
    size = kinds[write, layers]
    worst = {key: sizes.max() for key, sizes in kinds.items()}
    degree = layers if write == "values" else depth.steps_of(layers)
    reached = depth.times_reached(size)
    sentence = (f"{layers} layers that write to {write} leave at most {size.max():.4f} of the error, reached "
                f"{reached} times, with a polynomial of degree {degree}.")
    facts = {"reached": reached, "degree": degree, "worst": size.max(), "bound": depth.least_left(degree, low, high),
             "parameters": depth.BEST_OVERWRITING[layers], "helped": worst[write, max(layers - 1, 1)] / size.max()}
    return draw.depth_drawing(depth.eigenvalues(low, high), size, worst, layers, write), sentence, facts


def two_heads(keys, values):
    """The figure for two heads, a narrow and a wide one, with these keys and values."""
    limits = span(keys, least=(-3, 3)), span(values, least=(-1.6, 1.9))
    asked, now = np.linspace(*limits[0], 61), 35
    narrow, wide = (np.exp(-((asked[:, None] - keys) ** 2) / 2 / h**2) for h in (0.25, 1.2))

    @explore(
        loud=slider(0.02, 50, log=True, steps=65, value=1, label="factor on the kernel of head 2"),
        beta=choice(0.25, 0.5, 0.75, value=0.5, label="weight of head 1"),
        caption="Two heads with the same values: a narrow one (dotted), a wide one (dash-dotted). Solid: the mixture of their "
        "answers; dashed: the smoother of the mixed kernel. Second panel: how much head 1 counts in each.",
        prompts=[
            prompt("Make head 2 louder. Which curves move?",
                   "Only the dashed ones. The heads do not notice a factor on their kernels, nor does their mixture.",
                   at={"loud": 50.0, "beta": 0.5}, says="head 1 counts 0.01 in the mixed kernel",
                   expect=along("loud", lambda line: all(f.mixture == line[0].mixture for f in line)
                               and min(np.abs(np.diff([f.smoother for f in line], axis=0)).max(axis=1)) > 0)),
            prompt("And softer?", "The dashed curve goes over to head 1, where that has keys nearby.",
                   at={"loud": 0.02, "beta": 0.5}, says="head 1 counts 0.93 in the mixed kernel",
                   expect=lambda f: np.abs(np.subtract(f.smoother, f.head)[f.near]).max() < 0.2 < np.abs(
                       np.subtract(f.smoother, f.head)).max()),
            prompt("Is there a factor at which the two curves agree everywhere?",
                   "No. On the right the solid line is level; the dashed one is not, since a narrow kernel hears little "
                   "between keys.",
                   at={"loud": 1.0, "beta": 0.5}, says="farthest apart by 0.42",
                   expect=[everywhere(lambda f: f.apart > 0.1 and np.ptp(f.counted) > 0.1 * f.counted.max()),
                          lambda f: narrow.sum(axis=1)[f.far].max() < narrow.sum(axis=1)[f.near].min() and f.apart > 0.4])])
    def two_heads(loud, beta):
        mixed = beta * narrow + (1 - beta) * loud * wide
        heads = [kernel @ values / kernel.sum(axis=1) for kernel in (narrow, wide)]
        mixture, smoother = beta * heads[0] + (1 - beta) * heads[1], mixed @ values / mixed.sum(axis=1)
        counted = beta * narrow.sum(axis=1) / mixed.sum(axis=1)
        sentence = (f"At the marked query head 1 counts {beta:.2f} in the mixture; head 1 counts {counted[now]:.2f} in the mixed "
                    f"kernel. The curves are farthest apart by {np.abs(mixture - smoother).max():.2f}.")
        gap = np.abs(asked[:, None] - keys).min(axis=1)  # to the nearest key
        facts = {"mixture": mixture.tolist(), "smoother": smoother.tolist(), "head": heads[0].tolist(), "counted": counted,
                 "apart": np.abs(mixture - smoother).max(), "near": gap < 0.1, "far": gap > 0.25}
        shares = [np.full(len(asked), beta), counted]
        return draw.heads_drawing(keys, values, asked, heads, mixture, smoother, now, shares, limits), sentence, facts

    return two_heads


moments = np.array(networks.plan()["moments"][1:])


def error_of(network):
    """The mean squared error over d on new tasks."""
    X, y, queries, right = networks.new_prompts()
    return np.mean((read_prompts(network, X, y, queries).answers - right) ** 2) / 4


@cache
def in_training():
    """The kept states of two heads, one after each number of steps in `moments`, and their errors on new tasks."""
    watched = prompt_networks()["2 heads in training"]
    states = [PromptNetwork(*(part[k + 1] for part in watched)) for k in range(len(moments))]
    return states, np.array([error_of(state) for state in states])


@cache
def with_one_head():
    """The error of one head, at the end of its training."""
    return error_of(prompt_networks()["1 head"])


@explore(
    step=play(moments.tolist(), value=int(moments[-1]), label="steps of training"),
    caption="The matrices of two heads in training on 1024 tasks, between the coordinates of the query (rows) and of an "
    "example (columns): blue above zero, vermilion below. Second panel: the error on new tasks.",
    prompts=[
        prompt("Go back to the first step and let it run. What becomes of the two matrices?",
               "Both begin as noise. In the end one is a positive multiple of $I$, the other a negative one.",
               at={"step": 3000}, says="diagonals are -0.64 and 0.64",
               expect=[lambda f: f.noise < 0.1 and f.means[0] < -0.5 and f.means[1] > 0.5,
                      along("step", lambda line: line[0].noise > 0.2 and min(np.abs(line[0].means)) < 0.3)]),
        prompt("When does the error fall below that of one head?",
               "Not before the two diagonals have opposite signs, and only once the smaller one is no longer near $0$.",
               at={"step": 514}, says="diagonals are -0.82 and 0.04 on average; the error is 0.65",
               expect=[along("step", lambda line: all((f.error < with_one_head()) == (np.prod(f.means) < 0 and f.least > 0.1)
                                                      for f in line)),
                      lambda f: np.prod(f.means) < 0 and f.least < 0.05])])
def heads_in_training(step):
    k = int(np.flatnonzero(moments == step)[0])
    states, on_the_way = in_training()
    blocks = states[k].heads[:, :4, :4]
    means = np.trace(blocks, axis1=1, axis2=2) / 4
    sentence = (f"After {step} steps the diagonals are {means[0]:.2f} and {means[1]:.2f} on average; the error is "
                f"{on_the_way[k]:.2f}.")
    levels = {"one head": with_one_head(), "linear layer": networks.LINEAR_LAYER}
    noise = np.abs(blocks - means[:, None, None] * np.eye(4)).max()
    facts = {"means": means.tolist(), "error": on_the_way[k], "noise": noise, "least": np.abs(means).min()}
    return draw.trained_heads_drawing(blocks, moments, on_the_way, k, levels), sentence, facts


FIVE_SEEDS = "Bars: Student's 95 % intervals over five seeds."


@explore(
    network=choice(*networks.SHAPES, value="2 heads, width 64", label="network"),
    caption="Networks trained on $M$ tasks, the posterior mean of {eq}`by-tasks`, which knows these tasks, and ridge "
    "regression, which knows none. First panel: errors on the tasks of the training; second panel: on new tasks. " + FIVE_SEEDS,
    prompts=[
        prompt("How many tasks does a network need before it answers new ones as well as its own?",
               "About a hundred; with two tasks it answers new ones worse than a learner that says $0$.",
               at={"network": "2 heads, width 64"}, says="0.324 and 0.33 with 1024",
               expect=[everywhere(lambda f: np.all(f.new[6:] < 1.2 * f.stored[6:])),
                      everywhere(lambda f: f.new[0] > 1.1 and f.new[2] > 1.5 * f.stored[2])]),
        prompt("Go through the networks. How near to ridge do they come on new tasks?",
               "From nine times its error with one head to between three and four times with four.",
               at={"network": "4 heads, width 64"}, says="1024 (3.4 times that of ridge)",
               expect=[along("network", lambda line: 8.5 < line[0].above < 9.5
                               and all(np.all(np.diff([line[k].above for k in order]) < 0) for order in ((0, 1, 4), (2, 3, 4)))),
                      lambda f: 3.1 < f.above < 3.5, everywhere(lambda f: np.all(f.new > 3 * f.ridge))])])
def few_or_many_tasks(network):
    stored, new = (networks.of_learners(where, *networks.SHAPES[network], "posterior mean", "ridge") for where in ("stored", "new"))
    own, other, ridge = (networks.values(line) for line in (stored["network"], new["network"], new["ridge"]))
    shown = [f"{own[k]:.3f} and {other[k]:.2f}" for k in (0, 4, 9)]
    above = other[-1] / ridge[-1]
    sentence = (f"Errors on the tasks of the training and on new ones: {shown[0]} with 2 tasks, {shown[1]} with 32, "
                f"{shown[2]} with 1024 ({above:.1f} times that of ridge).")
    return (draw.trained_tasks_drawing(networks.plan()["numbers"], stored, new), sentence,
            {"stored": own, "new": other, "ridge": ridge, "above": above})


@explore(
    network=choice(*networks.SHAPES, value="2 heads, width 64", label="network"),
    caption="Errors on $M$ tasks of a network that was trained on them, and of the best learner that is linear in the values "
    "of the prompt: it knows the mean of $ww^\\top$ over the tasks, and the noise. " + FIVE_SEEDS,
    prompts=[
        prompt("Where is a network better than every learner that is linear in the values?",
               "With two heads and a feed-forward layer on two tasks; with four heads, on average, also on four. On eight and more, nowhere.",
               at={"network": "2 heads, width 64"}, says="0.17 with 2 tasks, 2.0 with 4",
               expect=[everywhere(lambda f: np.all(f.ratio[2:] > 1)),
                      along("network", lambda line: [(f.ratio[:2] < 0.9).sum() for f in line] == [0, 0, 0, 1, 2])]),
        prompt("What do two more heads change with four tasks?",
               "On average the network falls below the line; in one of the five seeds it stays above.",
               at={"network": "4 heads, width 64"}, says="0.7 with 4",
               expect=lambda f: f.ratio[1] < 1 < f.ratio[2])])
def against_best_linear(network):
    errors = networks.of_learners("stored", *networks.SHAPES[network], "best linear learner")
    ratio = np.divide(*map(networks.values, errors.values()))
    sentence = ("The network's error over that of the best linear learner: "
                f"{ratio[0]:.2f} with 2 tasks, {ratio[1]:.1f} with 4, {ratio[2]:.1f} with 8, {ratio[3]:.1f} with 16.")
    return draw.own_tasks_drawing(networks.plan()["numbers"], errors), sentence, {"ratio": ratio}


@explore(
    width=play(networks.WIDTHS, value=64, label="width"),
    until="by-exc-trained",
    caption="First panel: the error on eight tasks if all is trained, or the heads alone and the best read-out of random units, or "
    "nothing but the read-out. Second panel: the effective dimension of the kernels (chapter 2). " + FIVE_SEEDS,
    prompts=[
        prompt("Double the width again and again. What grows, and what falls?",
               "Both effective dimensions grow, and all errors fall.",
               at={"width": 256}, says="effective dimension 57 and 51",
               expect=[lambda f: all(np.all(np.diff(line) > 0) for line in f.dimensions.values()),
                      lambda f: all(line[-1] < line[0] for line in f.errors.values())]),
        prompt("At width 256, how much of the gain is made by the heads, and how much by the units?",
               "The heads close about three fifths of the gap. Random units on them add little; training both together halves what is left.",
               at={"width": 256}, says="error 0.155 if all is trained",
               expect=[lambda f: f.errors["heads trained"][-1] < 0.55 * f.errors["nothing trained"][-1],
                      lambda f: f.errors["all trained"][-1] < 0.6 * f.errors["heads trained"][-1]])])
def learned_features(width):
    k, errors, dimensions = networks.WIDTHS.index(width), networks.width_errors(), networks.width_dimensions()
    sentence = (f"Width {width}, {90 + 19 * width} parameters: error {errors['all trained'][k].value:.3f} if all is trained, "
                f"{errors['heads trained'][k].value:.3f} if the heads are, {errors['nothing trained'][k].value:.3f} if nothing is; "
                f"effective dimension {dimensions['all trained'][k].value:.0f} and {dimensions['nothing trained'][k].value:.0f}.")
    facts = {"errors": {name: networks.values(line) for name, line in errors.items()},
             "dimensions": {name: networks.values(line) for name, line in dimensions.items()}}
    return draw.widths_drawing(networks.WIDTHS, errors, dimensions, k, networks.heads_alone().value), sentence, facts


@explore(
    counted=choice(*networks.COUNTED, label="count"),
    until="by-exc-trained",
    caption="First panel: the error on 16 target tasks, after 3,000 steps on other tasks or none. If all steps are counted, those "
    "without other tasks have had 3,000 more on the target. Steps draw new prompts, or use the same 200. Second panel: kernel ridge "
    "regression with the features learnt before, from these 200 prompts. " + FIVE_SEEDS,
    prompts=[
        prompt("After 100 steps on the target, what are other tasks worth?",
               "Sixteen or more halve the error. Two are worth nothing.",
               at={"counted": "steps on the target"}, says="0.77 without other tasks, 0.85, 0.34 and 0.32",
               expect=lambda f: max(f.errors["16 tasks"][2], f.errors["1024 tasks"][2]) < 0.5 * f.errors["nothing"][2]
               < 0.5 * f.errors["2 tasks"][2]),
        prompt("Count all steps, and let prompts of the target be free. What are other tasks worth now?",
               "Nothing: as many steps on the target itself lead to an error that is not larger.",
               at={"counted": "all steps"}, says="0.28 without other tasks",
               expect=lambda f: all(np.all(f.errors["nothing"] <= line + 0.001) for line in f.errors.values())),
        prompt("And if there are 200 prompts of the target, and no more?",
               "A lot: after sixteen tasks or more the least error is about half of that without, where more steps only overfit.",
               at={"counted": "steps on 200 prompts"}, says="the least errors on the way are",
               expect=lambda f: max(min(f.errors[name]) for name in ("16 tasks", "1024 tasks")) < 0.6 * min(f.errors["nothing"]))])
def trained_before(counted):
    found = {name: networks.on_the_target(name, counted) for name in networks.SOURCES}
    steps, lines = {name: pair[0] for name, pair in found.items()}, {name: pair[1] for name, pair in found.items()}
    machines = {name: (networks.of_kernel("norm", source), networks.of_kernel("kernel", source)) for name, source in networks.SOURCES.items()}
    errors = {name: networks.values(line) for name, line in lines.items()}
    at_100 = [f"{line[steps[name].index(100)]:.2f}" for name, line in errors.items()]
    sentence = (f"After 100 steps: {at_100[0]} without other tasks, {at_100[1]}, {at_100[2]} and {at_100[3]} after 2, 16 and 1024 of "
                f"them; the least errors on the way are {', '.join(f'{line.min():.2f}' for line in errors.values())}.")
    return draw.transfer_drawing(steps, lines, machines), sentence, {"errors": errors}
