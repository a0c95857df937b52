"""What the story of chapter 10 says about numbers: each test quotes the words."""

import numpy as np
from numpy.linalg import norm

from margins import attention
from margins.attention.metric import learn_metric, left_out
from margins.in_context import prompt_layers
from margins_book.beyond_the_equivalence import figures, networks
from margins_book.experiments.estimates import mean
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


def found(figure, **values):
    """What a figure knows about the drawing for these values of its controls."""
    return figure.function(**values)[2]


@quotes(
    "The prompt in the first panel has eight examples",
    "All three curves follow; no parameter has changed",
    "by which a learner counts the examples, depend on the places alone",
)
def test_three_learners_follow_the_example_with_the_same_coefficients(prompt_x, prompt_y):
    assert len(prompt_x) == len(prompt_y) == 8
    places, asked = np.append(np.delete(prompt_x, 4), 0.416667), np.array([0.416667, 0.6])
    for coefficients in figures.coefficients(places, asked).values():
        assert coefficients.shape == (2, 8)
        assert coefficients[:, -1].min() > 0.1  # of the example that is dragged, with which all values move
    now, before = (
        found(figures.three_learners(prompt_x, prompt_y), held_x=0.416667, held_y=y) for y in (1.8, 1)
    )
    assert now["counts"] == before["counts"]


@quotes("the third has sixteen simpler layers")
def test_sixteen_layers(prompt_x):
    Phi = np.column_stack([np.ones(8), prompt_x])
    values = np.eye(8)[4]
    answers = prompt_layers(Phi, values, np.array([[1.0, 0.6]]), np.full(16, 0.08))
    assert np.isclose(answers[-1, 0], figures.coefficients(prompt_x, np.array([0.6]))["layers"][0, 4])


@quotes(
    "Say that it rates three keys 1, 2 and 5",
    "they are the *weights* ⅛, ²⁄₈ and ⅝",
    "The weights become ¼, ²⁄₄ and ¼, yet the first two still stand as 1 to 2",
)
def test_odds_by_hand():
    before, after = (np.array(counted) / sum(counted) for counted in ([1, 2, 5], [1, 2, 1]))
    assert np.allclose(8 * before, [1, 2, 5])
    assert np.allclose(4 * after, [1, 2, 1])
    assert before[1] / before[0] == after[1] / after[0] == 2


@quotes(
    "The weight of $k$ has changed, the odds of $k$ against $l$ have not",
    "Here layer 2 rates $k$ higher than at the start, because $q$ and $k$ have both listened to $c$",
)
def test_a_token_is_dragged():
    start = figures.read_outs(figures.at_start)
    dragged, corner = (
        found(figures.swap_a_token, c_x=1.764, c_y=0.494118),
        found(figures.swap_a_token, c_x=2.1, c_y=1.4),
    )
    assert dragged["values"][0] < 0.6 * start[0]
    assert np.allclose(dragged["values"][1:3], start[1:3], atol=1e-12)
    assert np.allclose(corner["values"][1:3], start[1:3], atol=1e-12)
    assert corner["values"][3] > 1.5 * start[3]
    assert min(corner["heard"]) > 0.5


@quotes(
    "leads to $w=1$. It leaves the residual 1, and answers 3",
    r"With $\eta=\frac12$ the slots become 1 and −3",
)
def test_a_step_by_hand():
    inputs, slots, w = np.array([1.0, 3.0]), np.array([2.0, 0.0]), 0.5 * 2.0
    assert [w, 2 - w, 3 * w] == [1, 1, 3]
    assert (slots - 0.5 * inputs * inputs[0] * slots[0]).tolist() == [1, -3]


@quotes(
    "If the steps are small, as here, $w$ walks to least squares",
    "and the answer ends at 0.64 instead of 2.12",
)
def test_layers_with_and_without_the_mask():
    way = norm(figures.path - figures.bottom, axis=1)
    assert (np.diff(way) < 0).all()
    assert way[-1] < 0.01
    ends = found(figures.steps_in_layers, t=2.0, layers=32)
    assert np.allclose(ends["limits"], [2.12, 0.64], atol=0.005)
    assert abs(ends["last"] - ends["limits"][1]) < 0.02


@quotes(
    "So the best guess is 1; with errors twice as large it is 0.4",
    r"\quad\text{at}\quad w=\frac2{1+\sigma^2}",
)
def test_the_best_guess():
    slopes = np.linspace(-1, 3, 4001)
    for sigma, guess in ((1.0, 1), (2.0, 0.4)):
        assert np.isclose(found(figures.one_guess, sigma=sigma)["guess"], guess)
        least = slopes[((2 - slopes) ** 2 + sigma**2 * slopes**2).argmin()]
        assert np.isclose(least, 2 / (1 + sigma**2), atol=1e-3)


@quotes(
    "you would say the same",
    "one of three examples lies far above both tasks",
    "the best linear answer, dashed, is 1.90. The solid one is 1.26, as $g$ says",
)
def test_a_loud_example():
    by_hand = np.tanh(np.array([0.9, 0.8]) / 0.3**2)  # of two tasks that say 1 and -1
    assert np.ptp(by_hand) < 0.001 < 1 - 0.001 < by_hand.min()
    loud = found(figures.infer_the_task, held_y=2.2, sigma=0.4)
    assert len(figures.seen_at) == 3
    assert np.allclose([loud["linear"], loud["attended"], loud["task"]], [1.90, 1.26, 1.26], atol=0.005)
    assert max(abs(figures.G[2]), loud["task"]) < 0.6 * 2.2


@quotes("the tasks weigh 0.52 and 0.48", r"s_k\propto e^{\langle y,G_k\rangle/\sigma^2+b_k}")
def test_hardly_decided():
    y, tasks = np.append(figures.others, -0.0916667), np.array([figures.G, -figures.G])
    probable = np.exp(-np.square(y - tasks).sum(axis=1) / 2 / 0.8**2)
    weights = probable / probable.sum()
    assert weights.round(2).tolist() == [0.52, 0.48]
    by_formula = np.exp(tasks @ y / 0.8**2 - np.square(tasks).sum(axis=1) / 2 / 0.8**2)
    assert np.allclose(by_formula / by_formula.sum(), weights)


@quotes(
    r"as with nine examples as loud as the noise, the errors are 0.1 and, computed, 0.0042",
    r"with four times as many 0.027 and $3\cdot10^{-9}$",
    r"\frac\nu{1+\nu}\qquad\text{against at most}\qquad2e^{-1/(2\nu)}",
)
def test_errors_of_inference_and_of_linear_learners():
    nodes, quadrature = np.polynomial.hermite_e.hermegauss(90)
    ratios = np.array([1 / 9, 1 / 36])
    answers = np.tanh((1 + np.outer(np.sqrt(ratios), nodes)) / ratios[:, None])
    attended = np.square(1 - answers) @ quadrature / quadrature.sum()
    assert (ratios / (1 + ratios)).round(3).tolist() == [0.1, 0.027]
    assert round(attended[0], 4) == 0.0042
    assert float(f"{attended[1]:.1g}") == 3e-9
    assert (attended < 2 * np.exp(-1 / 2 / ratios)).all()


@quotes("But with much noise, as in the figure, there is little to recognise, and both answers nearly agree")
def test_much_noise():
    loud = found(figures.infer_the_task, held_y=0.825, sigma=3.2)
    assert abs(loud["attended"] - loud["linear"]) < 0.03


@quotes(
    "Of the figure's three tasks the function best in hindsight misses A altogether",
    "it answers each nearly correctly",
    "Here one note tells three songs apart",
)
def test_one_function_for_three_tasks():
    best = found(figures.one_function, kernel="best in hindsight", task="A")
    assert np.isclose(best["errors"][0], best["size"])
    assert np.isclose(best["total"], best["bound"])
    assert max(found(figures.one_function, kernel="Gaussian", task=task)["attended"] for task in "ABC") < 1e-6


@quotes(
    "their mean squared error, per dimension, is 0.004, against 0.023 for the best linear learner",
    "smaller in each of five trainings",
    "With four it is 0.101 against 0.050",
    "Four heads come to 0.037, smaller in four trainings of five; with eight tasks they fail, too",
    "clearly beat all linear learners on two tasks only",
)
def test_trained_networks_and_the_best_linear_learner():
    counts = (2, 4, 8)
    two, four = (np.array([networks.of_seeds("stored", heads, 64, M) for M in counts]) for heads in (2, 4))
    linear = np.array([networks.found("stored linear", tasks=M) for M in counts])
    assert two.mean(axis=1).round(3).tolist()[:2] == [0.004, 0.101]
    assert round(four[1].mean(), 3) == 0.037
    assert linear.mean(axis=1).round(3).tolist()[:2] == [0.023, 0.05]
    assert (two < linear).sum(axis=1).tolist() == [5, 0, 0]
    assert (four < linear).sum(axis=1).tolist() == [5, 4, 0]
    assert mean((four - linear)[1]).high > 0


@quotes(r"1-\tfrac{12}{30}=0.6", "the answer 0 has 1")
def test_the_price_of_a_direction():
    rng = np.random.default_rng(0)
    missed = []
    for _ in range(200):
        rows = np.linalg.svd(rng.normal(size=(12, 30)), full_matrices=False)[2]
        missed.append(1 - np.square(rows[:, 6]).sum())  # of the seventh coordinate, by least squares
    assert abs(np.mean(missed) - (1 - 12 / 30)) < 0.02


@quotes("it leaves an error of 0.040, a circle 0.186")
def test_a_metric_that_knows_the_direction():
    at = found(figures.turn_the_metric, angle=30.0, stretch=2.5)
    assert [round(at["error"], 3), round(at["floor"], 3)] == [0.040, 0.186]
    assert at["reach"][0] < 0.2 * at["reach"][1]


@quotes("With twelve points in six dimensions such a metric was, on average, worse than the best round one")
def test_a_metric_from_twelve_points():
    errors = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        few, fresh = rng.normal(size=(12, 6)), rng.normal(size=(300, 6))
        told, truth = np.sin(2 * few[:, 0]) + 0.1 * rng.normal(size=12), np.sin(2 * fresh[:, 0])
        metric = learn_metric(np.eye(6)[::-1], few, told, steps=300)[-1]
        assert left_out(metric, few, told)[0] < left_out(np.eye(6), few, told)[0]
        learned = attention.nadaraya_watson(fresh @ metric.T, few @ metric.T, told, 1.0)
        rounds = [attention.nadaraya_watson(fresh, few, told, h) for h in (0.5, 1, 2, 4)]
        errors.append([np.mean((learned - truth) ** 2), min(np.mean((r - truth) ** 2) for r in rounds)])
    assert np.subtract(*np.mean(errors, axis=0)) > 0
