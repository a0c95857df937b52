"""Label placement: inside the panel, clear of marks and of each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorable.label_placement import crossed, overlapping
from tests.explorable.samples import marks, new_panel


@given(st.lists(st.tuples(st.floats(0.1, 3.9), st.floats(0.1, 1.9)), min_size=1, max_size=6, unique=True))
def test_labels_stay_inside_and_off_their_own_dot(places):
    drawing, panel = new_panel()
    x, y = np.array(places).T
    panel.scatter(x, y, keys=[f"p {i}" for i in range(len(x))], size=40)
    for i, at in enumerate(places):
        panel.annotate(f"{i}", at, key=f"name {i}")
    found = marks(drawing)
    for i in range(len(x)):
        dot, name = (np.array(found[f"{what} {i}"]["n"]) / 10 for what in ("p", "name"))
        assert 0 <= name[0] <= 360
        assert 0 <= name[1] <= panel.height
        assert np.hypot(*(name[:2] - [0, 4.7] - dot[:2])) > dot[2]


def test_labels_keep_clear_of_lines_and_of_each_other():
    drawing, panel = new_panel()
    panel.plot([0, 4], [0, 2], key="line")
    panel.annotate("first", (2, 1), key="first")
    panel.annotate("second", (2, 1), key="second")
    found, boxes = marks(drawing), []
    for key in ("first", "second"):
        x, y = np.array(found[key]["n"]) / 10
        boxes.append([x - 14, y - 10, x + 14, y + 2])
    segment = np.array([found["line"]["n"]]) / 10
    assert not crossed(np.array(boxes), segment).any()
    assert not overlapping(np.array(boxes[:1]), np.array(boxes[1:])).any()


def test_each_of_two_near_points_has_its_own_label_nearer():
    """Beside dots that touch, in either order, where the first would leave the second no good position."""
    for x in ([2, 2.09], [2.09, 2]):
        drawing, panel = new_panel()
        panel.scatter(x, [1, 1], keys=["dot 0", "dot 1"], size=40)
        for i in range(2):
            panel.annotate(f"{i}", (x[i], 1), key=f"name {i}")
        found = marks(drawing)
        dots, names = (np.array([found[f"{what} {i}"]["n"][0] for i in range(2)]) for what in ("dot", "name"))
        assert (dots[0] < dots[1]) == (names[0] < names[1])
        assert abs(names[0] - names[1]) > 1.25 * 67  # tenths of a pixel: a digit of a panel that is enlarged


def test_labels_of_points_that_stay_make_way_for_marks_that_come():
    def label(*lines):
        drawing, panel = new_panel()
        panel.annotate("label", (2, 1), key="label")
        for k, (x, y) in enumerate(lines):
            panel.plot(x, y, key=f"line {k}")
        return marks(drawing)["label"]["n"]

    rising, level = ([2.1, 4], [1.05, 2]), ([0, 1.8], [1.08, 1.08])
    free, first, second = label(), label(rising), label(rising, level)
    assert first != free
    assert second != first
    assert label() == free


@given(st.lists(st.floats(-5, 5), min_size=4, max_size=4), st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_a_box_is_crossed_where_some_point_of_the_segment_is_inside(box, segment):
    low, high = np.minimum(box[:2], box[2:]) - 0.1, np.maximum(box[:2], box[2:]) + 0.1
    along = np.linspace(0, 1, 400)[:, None]
    points = np.array(segment[:2]) * (1 - along) + np.array(segment[2:]) * along
    inside = ((points > low) & (points < high)).all(1).any()
    near = ((points > low - 0.1) & (points < high + 0.1)).all(1).any()
    meets = crossed(np.array([[*low, *high]]), np.array([segment]))[0]
    assert meets or not inside
    assert near or not meets
