"""What chapter 10 says about numbers: prompts, layers, tasks, metrics, heads, trained networks."""

import numpy as np
from numpy.linalg import norm

from margins import kernels
from margins.attention.metric import left_out
from margins.data.prompts import prompt_networks
from margins.in_context import prompt_layers
from margins_book.beyond_the_equivalence import depth, figures, networks
from margins_book.experiments.estimates import mean
from margins_book.experiments.in_context import measures, systems
from margins_book.experiments.in_context.training import WORLD, Prompts, draw_prompts
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


@quotes("example 5 stands at $x=0.9$ with the value $0.7$", "Drag example 4 to about the same $x$")
def test_two_examples_at_one_place(prompt_x, prompt_y):
    assert (prompt_x[5], prompt_y[5]) == (0.9, 0.7)
    offered = {"held_x": np.linspace(-2, 2, 49), "held_y": np.linspace(-1.8, 1.8, 33)}
    near = {name: [v for v in values if figures.SAME_PLACE[name](v)] for name, values in offered.items()}
    assert {name: np.round(values, 3).tolist() for name, values in near.items()} == {
        "held_x": [0.917],
        "held_y": [-0.675],
    }


@quotes(
    "Let the layers run, and the [weights]",
    "agrees with them after every layer",
    "ends well below the right one",
    story=(
        "If the steps are small, as here, $w$ walks to least squares",
        "and the answer ends at 0.64 instead of 2.12",
    ),
)
def test_layers_with_and_without_the_mask():
    way = norm(figures.path - figures.bottom, axis=1)  # (33,)
    assert (np.diff(way) < 0).all() and way[-1] < 0.01
    query = 2.0 * figures.direction
    answers = prompt_layers(figures.six, figures.six_values, [query], np.full(32, figures.pace))[:, 0]
    assert np.allclose(answers, figures.path @ query)
    ends = figures.steps_in_layers.function(t=2.0, layers=32)[2]
    assert np.allclose(ends["limits"], [2.12, 0.64], atol=0.005) and abs(ends["last"] - 0.64) < 0.02


@quotes(
    r"Then every linear learner has an error of at least $0.1\,g(x_q)^2$",
    r"attention over tasks one of at most $0.023\,g(x_q)^2$ (computed, it is $0.0042$)",
    r"the linear learner is at $0.027$, and attention over tasks at $3\cdot10^{-9}$",
    story=(
        "as with nine examples as loud as the noise, the errors are 0.1 and, computed, 0.0042",
        r"with four times as many 0.027 and $3\cdot10^{-9}$",
    ),
)
def test_errors_with_nine_and_with_36_examples():
    nodes, quadrature = np.polynomial.hermite_e.hermegauss(90)
    ratios = np.array([1 / 9, 1 / 36])
    answers = np.tanh((1 + np.outer(np.sqrt(ratios), nodes)) / ratios[:, None])
    attended = np.square(1 - answers) @ quadrature / quadrature.sum()
    assert (ratios / (1 + ratios)).round(3).tolist() == [0.1, 0.027]
    assert 0.022 < 2 * np.exp(-9 / 2) < 0.023
    assert [round(attended[0], 4), float(f"{attended[1]:.1g}")] == [0.0042, 3e-9]


def odds_by_hand():
    before, after = (np.array(kappa) / sum(kappa) for kappa in ([1, 2, 5], [1, 2, 1]))
    assert np.allclose(8 * before, [1, 2, 5])
    assert np.allclose(4 * after, [1, 2, 1])


test_odds_by_hand = quotes(
    r"The sum is $8$, so the weights are $\frac18,\frac28,\frac58$",
    r"The sum is $4$, and the weights are $\frac14,\frac24,\frac14$",
    story=(
        "they are the *weights* ⅛, ²⁄₈ and ⅝",
        "The weights become ¼, ²⁄₄ and ¼, yet the first two still stand as 1 to 2",
    ),
)(odds_by_hand)


def own_errors(heads, counts):
    """The errors of networks with a feed-forward layer on the tasks of their training (counts, seeds)."""
    return np.array([networks.of_seeds("stored", heads, 64, M) for M in counts])


@quotes(
    r"$0.004$ | $0.002$ | $0.023$ | below $0.001$",
    r"$0.101$ | $0.037$ | $0.050$ | below $0.001$",
    r"$0.181$ | $0.101$ | $0.054$ | $0.002$",
    r"$0.287$ | $0.165$ | $0.067$ | $0.003$",
    "For two tasks both networks have a smaller error than every linear learner, in each of the five seeds",
    "the linear learner beats two heads in each seed, and loses to four heads in four of five",
    "the 95 % interval of this difference contains $0$",
    "For $8$ and $16$ tasks it wins against both, again in each seed, and the ratio grows",
    "with sixteen it makes less than a quarter of the error of two heads",
    story=(
        "their mean squared error, per dimension, is 0.004, against 0.023 for the best linear learner",
        "smaller in each of five trainings",
        "With four it is 0.101 against 0.050",
        "Four heads come to 0.037, smaller in four trainings of five; with eight tasks they fail, too",
    ),
)
def test_trained_networks():
    counts = (2, 4, 8, 16)
    two, four = own_errors(2, counts), own_errors(4, counts)
    linear, known = (
        np.array([networks.found(f"stored {name}", tasks=M) for M in counts])
        for name in ("linear", "posterior")
    )
    assert two.mean(axis=1).round(3).tolist() == [0.004, 0.101, 0.181, 0.287]
    assert four.mean(axis=1).round(3).tolist() == [0.002, 0.037, 0.101, 0.165]
    assert linear.mean(axis=1).round(3).tolist() == [0.023, 0.05, 0.054, 0.067]
    assert known.mean(axis=1)[:2].max() < 0.001
    assert known.mean(axis=1)[2:].round(3).tolist() == [0.002, 0.003]
    assert [(found < linear).sum(axis=1).tolist() for found in (two, four)] == [[5, 0, 0, 0], [5, 4, 0, 0]]
    assert mean((four - linear)[1]).high > 0
    for network in (two, four):
        assert (np.diff(network.mean(axis=1) / linear.mean(axis=1)) > 0).all()
    assert 4 * linear[-1].mean() < two[-1].mean()


@quotes(r"It wins for every larger number that we tried, up to $1{,}024$")
def test_networks_of_many_tasks():
    more = networks.plan()["numbers"][4:]
    beaten = np.array([networks.found("stored linear", tasks=M) for M in more])
    assert more[-1] == 1024 and min((own_errors(heads, more) - beaten).min() for heads in (2, 4)) > 0


def with_a_term(tasks):
    """The error of the best learner that is linear in the values but for a term of the inputs."""
    X, y, queries, right = measures.own(draw_prompts([tasks], 20_000, WORLD, np.random.default_rng(1)), 0)
    middle = tasks.mean(axis=0)
    beyond = Prompts(X, y - X @ middle, queries, right - queries @ middle)
    return measures.error(measures.best_linear_answers(beyond, tasks - middle, WORLD.noise), beyond)


@quotes(
    "Given the best such term, a linear learner comes down to $0.010$",
    "each of the ten networks stays below",
    "with the best term the linear learner draws level",
)
def test_a_linear_learner_with_a_term_of_the_inputs():
    rng = np.random.default_rng(0)  # the tasks of the training
    drawn = [systems.normal_tasks(M, rng).astype(float) for M in (2, 4) for _ in range(5)]
    errors = np.array([with_a_term(tasks) for tasks in drawn]).reshape(2, 5)
    assert round(errors[0].mean(), 3) == 0.010
    assert max(own_errors(heads, (2,)).max() for heads in (2, 4)) < 0.9 * errors[0].min()
    assert 0.9 < own_errors(4, (4,)).mean() / errors[1].mean() < 1.1
    gap = mean(own_errors(4, (4,))[0] - errors[1])
    assert gap.low < 0 < gap.high


@quotes(
    "Long across the arrow and narrow along it, the metric has the",
    "Turned by 90 degrees it is worse than a round one.",
)
def test_the_best_metric_is_long_across_the_arrow():
    errors = {stretch: figures.errors_left_out(stretch) for stretch in (1.0, 1.5, 2.5)}
    turned = list(figures.turn.values)
    assert abs(turned[errors[2.5].argmin()] - 30) < 20
    assert min(errors, key=lambda stretch: errors[stretch].min()) == 2.5
    assert errors[2.5][turned.index(-60)] > 1.5 * errors[1.0][0]


@quotes("about $0.017$", "it is half as much again")
def test_the_price_of_a_million_kernels(one, million):
    assert round(million - one, 3) == 0.017
    assert round(million / one, 1) == 1.5


@quotes(
    "$0.7780$ of the error if they write to the values alone",
    "$0.43683$ if they overwrite their inputs",
    r"$0.43396=1/T_4(\frac{31}{29})$ if they have a second slot",
    r"For three layers these are $0.5956$, at most $0.05606$, and $0.01645=1/T_{13}(\frac{31}{29})$",
)
def test_what_two_and_three_layers_leave():
    worst = {key: sizes.max() for key, sizes in depth.left_after(*depth.RANGE).items()}
    kinds = ("values", "inputs, overwritten", "inputs, new slots")
    two, three = ([worst[kind, layers] for kind in kinds] for layers in (2, 3))
    assert [round(two[0], 4), *np.round(two[1:], 5)] == [0.7780, 0.43683, 0.43396]
    assert [round(three[0], 4), round(three[2], 5)] == [0.5956, 0.01645]
    assert 0.05605 < three[1] < 0.05606
    chebyshev = [1 / np.cosh(m * np.arccosh(31 / 29)) for m in (4, 13)]
    assert np.round(chebyshev, 5).tolist() == [0.43396, 0.01645]


@quotes(
    r"$\sum_k|L_k(0)|=T_4(\frac{31}{29})=2.3044$",
    r"\ge0.4369-0.0068/|L_k(0)|>0$ for each $k$",
    r"So $\frac1{30}<e_1<1$, $\frac1{30}<g<\frac13$ and $0.2<e_2<2.3$.",
)
def test_the_box_of_parameters(at_zero, lagrange, degree_four):
    assert round(lagrange, 4) == round(degree_four, 4) == 2.3044
    assert round(0.4369 * lagrange - 1, 4) == 0.0068
    assert (0.4369 - 0.0068 / np.abs(at_zero)).min() > 0
    assert depth.BOX == ((1 / 30, 1), (1 / 30, 1 / 3), (0.2, 2.3))


@quotes(
    r"the weights are $\frac25$, $\frac15$ and $\frac25$, and the answer is",
    r"The weights are $\frac4{13}$, $\frac8{13}$ and $\frac1{13}$",
    r"The weights become $\frac26$, $\frac16$, $\frac26$ and $\frac16$",
    r"From $w_0=4$ the step goes to $4+\frac12(2-4)=3$, with the residual $-1$ and the answer $9$.",
)
def test_three_tasks_and_another_start_by_hand():
    G, replies, y = np.array([[1, 0], [0, 1], [1, 1], [0, 0]]), np.array([1, 6, 2]), np.array([1, 0.5])
    counted = [np.exp(2 * np.log(2) * (G @ told - (G**2).sum(axis=1) / 2)) for told in (y, -y)]
    first, turned = (c[:3] / c[:3].sum() for c in counted)
    assert np.allclose(5 * first, [2, 1, 2]) and np.allclose(13 * turned, [4, 8, 1])
    assert np.allclose([first @ replies, turned @ replies], [12 / 5, 54 / 13])
    assert np.allclose(6 * counted[0] / counted[0].sum(), [2, 1, 2, 1])
    slots = np.array([2 - 4.0, -12.0])
    assert (slots - 0.5 * np.array([1, 3]) * slots[0]).tolist() == [-1, -9]


@quotes(
    r"at $w=\frac{y_1}{1+1/4}=\frac45y_1$",
    "To $2$ it is $0.96$ and to $4$ it is nearly $1$",
    r"$3+\frac12(y_1-3)=\frac12(y_1+3)$. To $y_1=0$ it is $1.5$, and to $y_1=3$ it is $3$",
)
def test_when_ridge_regression_is_best():
    w = np.linspace(-20, 20, 4001)

    def best(prior, y):
        probable = prior * np.exp(-((y - w) ** 2) / 2)
        return probable @ w / probable.sum()

    opposite = np.isclose(np.abs(w), 1).astype(float)
    assert np.allclose([best(np.exp(-(w**2) / 8), y) / y for y in (1, 2)], 4 / 5)
    assert np.allclose([best(opposite, y) for y in (2, 4)], np.tanh([2, 4]))
    assert np.tanh([2, 4]).round(2).tolist() == [0.96, 1]
    assert np.allclose([best(np.exp(-((w - 3) ** 2) / 2), y) for y in (0, 3)], [1.5, 3])


@quotes(
    r"so the mean squared error is $4\bigl(\frac{A(1+B)}{A+B+AB}\bigr)^2$",
    r"this lies between $1$ and $\frac{16}9$",
    "hence at least $27$ examples",
    r"leave an error of at least $1-\frac{12}{30}=0.6$",
)
def test_a_metric_for_four_corners():
    corners = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    for a, b in ((0.5, 0.5), (2.0, 2.0), (1.5, 0.3), (0.2, 1.0)):
        A, B = np.exp([-2 * a**2, -2 * b**2])
        error, gradient = left_out(np.diag([a, b]), corners, corners[:, 0])
        assert np.isclose(error, 4 * (A * (1 + B) / (A + B + A * B)) ** 2)
        assert gradient[0, 0] < 0 < gradient[1, 1]
        assert a != b or 1 < error < 16 / 9
    assert min(n for n in range(30) if 30 - n <= 3) == 27
    assert 1 - 12 / 30 == 0.6


@quotes("so that the answer $0$ has an error of about $1$ on new tasks")
def test_the_error_of_the_answer_0():
    assert abs(np.mean(networks.new_prompts()[3] ** 2) / 4 - 1) < 0.15


@quotes("and the measure is divided by $100$ while the interpolant stays")
def test_the_measure_depends_on_the_size_of_the_kernel(seen, heard_of):
    last = kernels.gaussian(seen / 0.2, gamma=0.5)
    measures = [heard_of @ np.linalg.solve(size * last, heard_of) for size in (1, 100)]
    assert np.isclose(measures[0], 100 * measures[1])


@quotes(
    "The heads answer $0.5$ and $0.01$, their mixture $0.255$.",
    "The mixed kernel is $(0.55,5.45)$ and answers $0.55/6=0.092$",
)
def test_two_heads_by_hand():
    heads, values = np.array([[1, 1], [0.1, 9.9]]), np.array([1, 0])
    answers, mixed = heads @ values / heads.sum(axis=1), heads.mean(axis=0)
    assert np.allclose([*answers, answers.mean()], [0.5, 0.01, 0.255])
    assert np.allclose(mixed, [0.55, 5.45])
    assert round(mixed @ values / mixed.sum(), 3) == round(0.55 / 6, 3) == 0.092


@quotes(
    "Two heads make an error that is a third less than that of one head",
    "and lies between the linear layer on centred examples and the one on examples",
)
def test_two_heads_against_one(one, two):
    assert 0.6 < two.value / one.value < 0.72
    assert two.low > 1 - 8 / 13.25
    assert two.high < networks.LINEAR_LAYER


@quotes(
    "After 514 steps",
    "$-0.82$ on average, and the second has almost none; two heads still do worse than one",
    "within the next 160 steps the error falls from $0.65$ to $0.46$",
    r"nearly $-0.64\,I$ and $0.64\,I$",
)
def test_two_heads_on_their_way():
    states, errors = figures.in_training()
    now, then = (figures.moments.tolist().index(step) for step in (514, 514 + 160))
    first, second = (np.trace(block) / 4 for block in states[now].heads[:, :4, :4])
    assert round(first, 2) == -0.82
    assert abs(second) < 0.05
    assert errors[now] > 1.1 * figures.with_one_head()
    assert errors[[now, then]].round(2).tolist() == [0.65, 0.46]
    last = states[-1].heads[:, :4, :4]
    assert np.abs(last - 0.64 * np.array([-1, 1])[:, None, None] * np.eye(4)).max() < 0.1


@quotes(
    "two heads with a feed-forward layer answer them with an error of $0.004$",
    "a network answers new tasks nearly as well as its own: it learns in context",
)
def test_new_tasks_and_those_of_the_training(numbers):
    assert round(mean(networks.of_seeds("stored", 2, 64, 2)).value, 3) == 0.004
    assert mean(networks.of_seeds("new", 2, 64, 2)).low > 1
    assert numbers[-4:] == [128, 256, 512, 1024]
    for shape in networks.SHAPES.values():
        own, new = (
            networks.values(networks.of_learners(where, *shape)["network"]) for where in ("stored", "new")
        )
        assert (new < 1.2 * own)[-4:].all()


@quotes(
    "their error on new ones is still $4.9$ times that of ridge",
    "four come to $3.4$ times, and eight to $3.3$; five seeds cannot tell these two apart",
)
def test_heads_against_ridge(above):
    assert [round(ratio.value, 1) for ratio in above.values()] == [7.9, 4.9, 3.4, 3.3]
    four, eight = (networks.of_seeds("new", heads, 64, 1024) for heads in (4, 8))
    assert mean(four - eight).low < 0


@quotes(
    "at a sixth of its error",
    "at twice its error, and with sixteen at about four times; they are above it in every one of five seeds",
    "at three quarters of the line on average and below it in four of five seeds",
    "though the interval of the difference reaches $0$",
    "with eight tasks or more they are above it in all",
)
def test_networks_against_the_best_linear_learner(over_linear, at_four):
    two = over_linear["2 heads, width 64"]
    errors = networks.of_learners("stored", 2, 64, "best linear learner")
    ratio = np.divide(*map(networks.values, errors.values()))
    assert 1 / 6.5 < ratio[0] < 1 / 5.5
    assert ratio[[1, 3]].round().tolist() == [2, 4]
    assert two[2].max() < 1
    four = over_linear["4 heads, width 64"]
    assert 0.7 < four[4].mean() < 0.8
    assert (four[4] < 1).sum() == 4
    assert at_four.high > 0
    assert min(two[M].min() for M in list(two)[1:]) > 1
    assert min(four[M].min() for M in list(four)[2:]) > 1
    for M in two:
        inferred, linear = (networks.found(f"stored {name}", tasks=M) for name in ("posterior", "linear"))
        assert (inferred < (linear if M > 64 else linear / 4)).all()


@quotes(
    "In between, with 8, 16 and 32 tasks",
    "With 128 or more the posterior mean is ahead",
)
def test_networks_against_the_posterior_mean(behind):
    assert [M for M, gap in behind.items() if gap.low > 0] == [8, 16, 32]
    assert [M for M, gap in behind.items() if gap.high < 0] == [128, 256, 512, 1024]


@quotes(
    "has an error of $0.59$ on eight tasks, a trained one $0.16$",
    "have an error of $0.34$ on the same prompts",
    "they close three fifths of the gap on average",
    "the error is $0.31$, hardly less. If heads and units are trained together, it is $0.16$",
    "what training the layer adds at width 256 is another halving",
    "nearly as rich before training as after it",
)
def test_what_is_trained_and_what_it_gains(at_256, gains):
    trained, random, nothing, alone = (estimate.value for estimate in at_256.values())
    assert np.round([trained, nothing, alone, random], 2).tolist() == [0.16, 0.59, 0.34, 0.31]
    assert 0.55 < (nothing - alone) / (nothing - trained) < 0.65
    assert gains["random units", 256].low > 0.05
    assert 0.45 < trained / random < 0.55
    dimensions = networks.width_dimensions()
    assert 0.85 < dimensions["nothing trained"][-1].value / dimensions["all trained"][-1].value < 1


@quotes(
    "make half the error of features that are not trained, with a norm half as large",
    "With the features of two tasks both are no better.",
)
def test_kernel_machines_with_features_of_other_tasks():
    error, size = (
        {source: networks.of_kernel(name, source) for source in ("none", "2 others", "16 others")}
        for name in ("kernel", "norm")
    )
    assert error["16 others"].high < error["none"].low
    assert round(error["16 others"].value / error["none"].value, 1) == 0.5
    assert round(size["16 others"].value / size["none"].value, 1) == 0.5
    assert error["2 others"].value > error["none"].value
    assert size["2 others"].value > size["none"].value


@quotes(
    "sixteen other tasks have halved the error, and two are worth nothing",
    "the same 6,000 steps on the target alone lead to the same error",
)
def test_steps_on_other_tasks_are_worth_no_more_than_on_the_target(saved):
    nothing, two, sixteen = (networks.after(name, 100) for name in ("nothing", "2 tasks", "16 tasks"))
    assert sixteen.mean() < 0.5 * nothing.mean()
    assert two.mean() > nothing.mean()
    assert mean(saved).low < 0 < mean(saved).high
    assert abs(mean(saved).value) < 0.01


@quotes(
    "From scratch the error is $0.85$: more steps learn these prompts by heart",
    "After 3,000 steps on sixteen other tasks it is $0.40$, about half, in every seed",
    "before the first step on the target, at $0.43$",
)
def test_pre_training_and_200_prompts_of_the_target(on_200):
    scratch, sixteen = on_200["nothing"], on_200["16 tasks"]
    assert [round(scratch.mean(), 2), round(sixteen.mean(), 2)] == [0.85, 0.40]
    assert (abs(sixteen / scratch - 0.5) < 0.06).all()
    assert round(networks.on_few("16 tasks")[1][0].mean(), 2) == 0.43
    assert networks.on_few("nothing")[1][-1].mean() > 1.2 * scratch.mean()


@quotes("about five of eight keys for two heads and below four for one, and no weight is zero")
def test_how_many_keys_a_head_keeps(numbers):
    assert round(mean(networks.of_seeds("attended", 2, 0, 1024)).value) == 5
    assert mean(networks.of_seeds("attended", 1, 0, 1024)).high < 4
    shapes = networks.SHAPES.values()
    assert all(
        networks.of_seeds("least", heads, inner, M).min() > 0 for heads, inner in shapes for M in numbers
    )


@quotes(
    "are drawn once, and each of 3,000 steps of Adam draws 128 new prompts of them",
    r"for $3{,}000$ steps of $128$ new prompts each, from five seeds",
    "One layer, one noise, $d=4$, five seeds and networks of at most 5,000 parameters",
)
def test_the_plan_of_the_training():
    plan, parameters = networks.plan(), {m: 90 + 19 * m for m in networks.WIDTHS}
    assert sum(part.size for part in prompt_networks()["2 heads, width 64"]) == parameters[64]
    assert max(parameters.values()) <= 5000
    assert (plan["plan"]["steps"], plan["plan"]["prompts"]) == (3000, 128)
    assert (plan["world"], plan["seeds"]) == ({"d": 4, "n": 8, "noise": 0.5}, 5)
