"""The figures of linear attention: operations, windows and fast weights lie where the numbers say."""

from itertools import pairwise

import numpy as np
import pytest

from explorable.text import text_width
from margins_book.random_features import linear_attention_figures as draw
from tests.margins_book.drawn import marks_by_key


def brackets(n=4096, D=64, linear=True):
    lengths = np.geomspace(64, 65_536, 13)
    errors = {16: (0.3, 0.1), 64: (0.1, 0.02)}
    flops = lengths, lengths**2, lengths * D, n**2, n * D
    return draw.brackets_drawing(n, 64, D, linear, flops, errors, 0.06)


def window(eigenvalues=(2.0, 0.5, -0.4)):
    angles = np.linspace(0, 180, 5)
    transform = angles, np.cos(np.radians(angles))
    return draw.window_drawing(np.arange(-8, 9), np.ones(17), np.array(eigenvalues), transform)


def fast_weights(stored=(1.0, np.nan, -0.5)):
    return draw.fast_weights_drawing(np.array([0.5, 9.0]), np.array(stored), np.array([0.8, 0.1, -9.0]))


@pytest.mark.parametrize(
    ("linear", "made", "shape"), [(True, "φ(K)ᵀ V", "64×64"), (False, "Q Kᵀ", "4,096×4,096")]
)
def test_brackets_name_what_they_make_first(linear, made, shape):
    found = marks_by_key(brackets(linear=linear))
    assert made in found
    assert found[f"shape of {made}"]["s"]["runs"] == ((shape, ""),)
    assert found[f"name of {made}"]["s"]["runs"] == ((f"{made}, formed first", ""),)


@pytest.mark.parametrize("linear", [True, False])
def test_long_sequences_leave_room_between_the_names_of_the_factors(linear):
    found = marks_by_key(brackets(n=65_536, D=1024, linear=linear))
    names = ["φ(Q)", "φ(K)ᵀ", "V"] if linear else ["Q", "Kᵀ", "V"]
    shapes = [found[f"shape of {name}"] for name in names]
    assert shapes[0]["n"][1] - found[f"name of {names[0]}"]["n"][1] > 10 * 18
    for before, behind in pairwise(shapes):
        ((text, _),) = before["s"]["runs"]
        assert before["n"][0] / 10 + text_width(text, 18) < behind["n"][0] / 10  # as large as beside the text


def test_operations_meet_at_the_dotted_line():
    drawing = brackets()
    found = marks_by_key(drawing)
    (top, bottom) = np.reshape(found["crossing"]["n"], (2, 2))
    assert top[0] == bottom[0]
    axis = drawing.panels[1].x
    assert 10 ** ((top[0] / 10 - axis.line[0]) / axis.line[1]) == pytest.approx(64 * (2 + 1 / 64), rel=1e-3)


def test_the_error_of_the_mean_of_all_values_is_a_level():
    drawing = brackets()
    axis, (left, right) = (
        drawing.panels[2].y,
        np.reshape(marks_by_key(drawing)["mean of all values"]["n"], (2, 2)),
    )
    assert left[1] == right[1]
    assert 10 ** ((left[1] / 10 - axis.line[0]) / axis.line[1]) == pytest.approx(0.06, rel=0.02)


def test_negative_eigenvalues_have_another_colour_and_side():
    found = marks_by_key(window())
    first, last = found["eigenvalue 1"], found["eigenvalue 3"]
    assert first["s"]["fill"] != last["s"]["fill"]
    assert last["n"][2] < last["n"][0]


def test_diamonds_stand_only_where_something_was_stored():
    found = marks_by_key(fast_weights())
    assert [key for key in found if key.startswith("stored")] == ["stored at A", "stored at C"]
    assert found["answer at C"]["told"] == [["answer", -900, -2]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (brackets, lambda: brackets(64, 16, linear=False)),
        (window, lambda: window((9.0, 1.0, 0.5))),
        (fast_weights, lambda: fast_weights((np.nan, np.nan, np.nan))),
    ],
)
def test_frames_lie_over_each_other(one, other):
    assert one().frame("")["panels"] == other().frame("")["panels"]
