"""The palette: every colour follows the theme, or is literal where there is no style sheet."""

from xml.etree import ElementTree

from matplotlib import rc_context

from explorable.matplotlib_svg import to_svg
from explorable.palette import BLUE, PALETTE, PAPER, colour_name, with_literal_colours
from explorable.style import STYLE, new_axes


def test_a_drawing_with_literal_colours_needs_no_style_sheet():
    figure, axes = new_axes()
    axes.plot([0, 1], [0, 1], color=BLUE)
    image = with_literal_colours(to_svg(figure, "a-line", "rises"))
    assert "var(" not in image
    assert "currentColor" not in image
    assert f"stroke:{BLUE}" in image
    assert f"background:{PAPER}" in image
    ElementTree.fromstring(image)


def test_every_palette_colour_has_its_variable():
    with rc_context(STYLE):
        figure, axes = new_axes()
        for i in range(len(PALETTE)):
            axes.plot([0, 1], [i, i], color=f"C{i}")
        svg = to_svg(figure, "a", "lines")
    assert all(f"stroke:var(--m-c{i}, {colour})" in svg for i, colour in enumerate(PALETTE))


def test_colours_have_names_in_the_order_of_the_palette():
    assert [colour_name(colour) for colour in (*PALETTE, PAPER)] == [
        "c0",
        "c1",
        "c2",
        "c3",
        "c4",
        "c5",
        "paper",
    ]
