"""What the story of the chapter on SVM duality says about numbers: each test quotes the words."""

import numpy as np
from numpy.linalg import norm

from margins import svm
from margins.descent import hard_margin_direction
from margins.kernels import linear
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.svm_duality.clouds import left_out
from margins_book.svm_duality.drawings import widest
from margins_book.svm_duality.figures import Xs, ys


def machine_of(points, labels):
    """The multipliers, w and b of the hard-margin machine."""
    fit = svm.smo(linear(points), labels)
    return fit.alpha, (fit.alpha * labels) @ points, fit.b


@quotes(
    "six are wanted, the circles, and six are not",
    "circle 0 and the squares 6 and 7",
    "Delete the other nine, and the line stays exactly where it is",
)
def test_nine_of_twelve_may_be_deleted(points, labels):
    assert [(labels == sign).sum() for sign in (1, -1)] == [6, 6]
    (_, w, b), three = machine_of(points, labels), [0, 6, 7]
    assert np.flatnonzero(abs(labels * (points @ w + b) - 1) < 1e-9).tolist() == three
    _, w_of_three, b_of_three = machine_of(points[three], labels[three])
    assert np.allclose([*w, b], [*w_of_three, b_of_three], atol=1e-6)


@quotes("costs 1.70, where 1.04 would do")
def test_the_cost_of_a_poor_direction(points, labels):
    _, w, _ = machine_of(points, labels)
    turn = np.arctan2(w[1], w[0]) - np.deg2rad(18)
    poor = widest(points, labels, np.array([np.cos(turn), np.sin(turn)])).w
    assert [round(v @ v / 2, 2) for v in (poor, w)] == [1.70, 1.04]


@quotes(
    "Let circle 0 push with 1.04 (the cost; this fixes the unit)",
    "If square 6 does all the work, the board turns",
    "square 6 pushes with 0.71 and square 7 with 0.33",
)
def test_the_board_rests_at_one_share(points, labels):
    alpha, w, _ = machine_of(points, labels)
    assert alpha[[0, 6, 7]].round(2).tolist() == [1.04, 0.71, 0.33]
    assert np.isclose(alpha[0], w @ w / 2)

    def torque(push):
        return np.linalg.det([(labels[[0, 6, 7]] * push) @ points[[0, 6, 7]], w])

    assert abs(torque(alpha[[0, 6, 7]])) < 1e-9 < 0.1 < abs(torque(alpha[0] * np.array([1, 1, 0])))


@quotes("every street costs at least 0.98. The best one costs 1.04")
def test_the_bound_of_the_segment_from_square_6(points, labels):
    segment, (_, w, _) = points[0] - points[6], machine_of(points, labels)
    assert (round(2 / (segment @ segment), 2), round(w @ w / 2, 2)) == (0.98, 1.04)


@quotes("It is as long as the street is wide, and crosses it at right angles. The gap is zero")
def test_the_best_segment(points, labels):
    alpha, w, _ = machine_of(points, labels)
    segment = points[0] - (alpha[6] * points[6] + alpha[7] * points[7]) / alpha[0]
    assert np.allclose(segment, 2 * w / (w @ w), atol=1e-6)
    assert np.isclose(2 / (segment @ segment), w @ w / 2)


@quotes("its bar is gone; circle 1 holds the street against square 7")
def test_circle_0_pulled_out(points, labels):
    pulled = np.array(points)
    pulled[0] = 1.0, 0.0
    alpha, w, b = machine_of(pulled, labels)
    assert alpha.nonzero()[0].tolist() == [1, 7]
    assert pulled[0] @ w + b > 1


@quotes(
    "circle 2 stands above them on the same kerb",
    "It has no bar, and you could delete it",
    "its bar grows from nothing",
    "the two twins can share theirs as they please",
)
def test_on_the_kerb_with_nothing_to_do(four, four_labels):
    _, w, b = machine_of(four[[0, 2, 3]], four_labels[[0, 2, 3]])
    assert np.allclose([*w, b], [1, 0, 0])
    assert np.allclose([*w, b], np.hstack(machine_of(four[[0, 3]], four_labels[[0, 3]])[1:]))
    for shared in (0, 0.2, 0.5):
        report = svm.kkt_report(linear(four), four_labels, np.array([shared, 0.5 - shared, 0, 0.5]), b=0.0)
        assert report.violation < 1e-12
        assert np.allclose(report.margins, 1)
    bars = [
        machine_of(four[1:] - [[0, 0], [depth, 0], [0, 0]], four_labels[1:])[0][1] for depth in (0.01, 0.1)
    ]
    assert 0 < bars[0] < bars[1] / 5


@quotes(
    "and 0, 5 and 7 hold the street",
    "Without 0, or without 5, the line passes over the missing point; without 7 it does not",
)
def test_which_points_are_errors_when_left_out(points, labels):
    pushed = np.array(points)
    pushed[0] = 0.4, -1.5  # as in the figure
    assert machine_of(pushed, labels)[0].nonzero()[0].tolist() == [0, 5, 7]
    without = [left_out(pushed, labels, i) for i in range(12)]
    margins = [labels[i] * (pushed[i] @ w + b) for i, (_, w, b) in enumerate(without)]
    assert np.flatnonzero(np.less(margins, 0)).tolist() == [0, 5]


@quotes("the multipliers, $b$ and the width stay; $w$ turns along")
def test_a_right_angle_changes_w_alone(points, labels):
    turn = np.array([[0, -1], [1, 0]])
    alpha, w, b = machine_of(points, labels)
    turned, w_turned, b_turned = machine_of(points @ turn.T, labels)
    assert np.allclose([*turned, b_turned], [*alpha, b], atol=1e-6)
    assert np.allclose(w_turned, turn @ w, atol=1e-6)


@quotes(
    "For these 24 points",
    "as the price rises, the street becomes narrower",
    "A point short of its kerb pushes with $C$ exactly",
    "and a point beyond its kerb still has 0",
)
def test_the_soft_margin():
    assert len(Xs) == 24
    lengths = []
    for price in (0.01, 0.1, 1, 10, 100):
        fit = svm.smo(linear(Xs), ys, price)
        margins = svm.kkt_report(linear(Xs), ys, fit.alpha, fit.b, price).margins
        assert (fit.alpha[margins < 1 - 1e-6] == price).all()
        assert (fit.alpha[margins > 1 + 1e-6] == 0).all()
        lengths.append(norm((fit.alpha * ys) @ Xs))
    assert (np.diff(lengths) > 0).all()


@quotes("The figure shows ten steps of plain descent", "If $w$ separates them, $2w$ has a smaller loss")
def test_twice_w_has_a_smaller_loss(points, labels, plain):
    margins = plain.weights[-1] @ (labels[:, None] * points).T
    assert margins.min() > 0
    assert np.logaddexp(0, -2 * margins).sum() < np.logaddexp(0, -margins).sum()
    assert 10 in plain.steps


@quotes(
    "Both turn to the widest street through the origin",
    "after 100,000 steps, plain descent is 8.5 degrees off",
)
def test_how_far_descent_is_from_the_widest_street(points, labels, plain, unit):
    direction = hard_margin_direction(points, labels)
    assert plain.steps[-1] == 100_000
    assert round(float(np.degrees(plain.angles(direction)[-1])), 1) == 8.5
    assert np.degrees(unit.angles(direction)[-1]) < 0.01
