"""The picture of a frame: its description in words."""

from explorable.picture import description
from tests.explorable.samples import new_panel


def test_description_names_marks_with_what_they_tell():
    drawing, panel = new_panel(xlabel="$x_1$", ylabel="height")
    panel.plot([0, 4], [0, 2], key="boundary")
    panel.scatter([1, 2], [0.5, -1e-5], keys=["point 0", "point 1"], tell=("x", "y"))
    said = description(drawing.frame("said"), 0)
    minus = "\N{MINUS SIGN}"
    assert said == (
        f"plane, x1 across, height up. boundary; point 0: x 1, y 0.5; point 1: x 2, y {minus}1e{minus}5."
    )
