"""The SVG of a figure: text stays text, colours follow the theme, the same bytes, axes at fixed places."""

import io
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import rc_context, rcParams

from explorable.marks import PANEL_WIDTH
from explorable.matplotlib_svg import NO_METADATA, svg_of_matplotlib, to_svg
from explorable.palette import BLUE, INK, MUTED, PALETTE, PAPER, VERMILION, with_literal_colours
from explorable.style import STYLE, WIDTH, in_style, new_axes

SVG = "{http://www.w3.org/2000/svg}"
DRAW = r"""
from explorable.matplotlib_svg import to_svg
from explorable.palette import BLUE
from explorable.style import new_axes
figure, axes = new_axes(xlabel=r"$\alpha_i$", title="A title")
axes.plot([0, 1, 3], [2, 0.5, 1], color=BLUE, marker="o")
axes.scatter([1, 2], [1, 2], hatch="//")
axes.fill_between([0, 1], [1, 1], alpha=0.2)
print(to_svg(figure, "a-name", "what it shows"))
"""


@pytest.fixture
def drawing():
    with rc_context(STYLE):
        figure, axes = new_axes(xlabel=r"$\alpha_i \leq C$", ylabel="weight", title="Margin < 1")
        axes.plot([0, 1, 3], [2, 0.5, 1], color=BLUE, marker="o", label="a line")
        axes.scatter([1, 2], [1, 2], color=VERMILION, edgecolors=INK)
        axes.axhline(1, color=MUTED)
        axes.fill_between([0, 1], [1, 1], color=PAPER)
        axes.legend()
        yield to_svg(figure, "a-name", 'says "this" & <that>')


def elements(svg, tag):
    return list(ElementTree.fromstring(svg).iter(SVG + tag))


def test_root_is_an_image_with_words_whose_text_stays_text(drawing):
    root = ElementTree.fromstring(drawing)
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'says "this" & <that>'
    assert root.get("viewBox") == "0 0 360 230.4"
    assert (root.get("width"), root.get("height")) == ("400", "256")
    texts = ["".join(element.itertext()).strip() for element in elements(drawing, "text")]
    assert {"Margin < 1", "weight", "a line", "0.5"} <= set(texts)
    assert any("α" in text and "≤" in text for text in texts)


def test_nothing_needless_travels(drawing):
    for tag in ("style", "metadata"):
        assert not elements(drawing, tag)
    for part in ("<!--", "DejaVu", "rotate(-0", "rotate(0", "<g>\n</g>", "xlink", "_1"):
        assert part not in drawing
    for path in elements(drawing, "path"):
        assert re.fullmatch(r"[MLCQz\d. -]+", path.get("d"))
        assert all(len(number) <= 1 for number in re.findall(r"\.(\d+)", path.get("d")))


def test_ids_are_referred_to_and_unique(drawing):
    ids = [e.get("id") for e in ElementTree.fromstring(drawing).iter() if e.get("id")]
    assert ids
    assert len(ids) == len(set(ids))
    assert all(f"#{name}" in drawing for name in ids)


def test_colours_are_variables_with_the_palette_behind(drawing):
    styles = " ".join(e.get("style", "") for e in ElementTree.fromstring(drawing).iter())
    for variable in (f"var(--m-c0, {BLUE})", f"var(--m-c1, {VERMILION})", f"var(--muted, {MUTED})"):
        assert variable in styles
    assert f"var(--m-paper, {PAPER})" in styles
    assert "stroke:currentColor" in styles
    bare = re.sub(r"var\(--[\w-]+, #[0-9a-f]{6}\)", "", drawing)
    assert not re.findall(r"#[0-9a-f]{6}\b(?!\w)", re.sub(r'"#\w+"|url\(#\w+\)', "", bare))


def test_coordinates_are_matplotlib_s_to_a_tenth_of_a_point():
    rng = np.random.default_rng(0)
    figure, axes = new_axes()
    axes.plot(rng.normal(size=60), rng.normal(size=60), path_effects=[])
    buffer = io.StringIO()
    with rc_context({"path.simplify": True}):
        figure.savefig(buffer, format="svg")

    def longest(svg):
        paths = max(re.findall(r' d="([^"]*)"', svg), key=len)
        return np.array(re.findall(r"-?\d+\.?\d*", paths), dtype=float)

    np.testing.assert_allclose(longest(to_svg(figure, "a", "b")), longest(buffer.getvalue()), atol=0.0501)


def test_it_is_what_matplotlib_writes():
    with rc_context({**STYLE, "svg.hashsalt": "a"}):
        figure, axes = new_axes(title=r"$\frac{1}{2}$ of it", xscale="log", xlim=(0.1, 10))
        axes.scatter([1, 2], [1, 2], c=[0.1, 0.9])
        axes.imshow(np.eye(3), extent=(1, 2, 0, 1))
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata=NO_METADATA)
        assert svg_of_matplotlib(figure, "a") == buffer.getvalue()[buffer.getvalue().index("<svg") :]


def test_the_same_bytes_in_two_processes(monkeypatch, capsys):
    """Here, after other drawings, and in one that hashes with another seed on another day."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    there = subprocess.run(
        [sys.executable, "-c", DRAW], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": other, "SOURCE_DATE_EPOCH": "1"},
    ).stdout  # fmt: skip
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "2")
    exec(DRAW, {})
    assert capsys.readouterr().out == there
    assert "A title" in there


def test_ticks_without_length_leave_the_drawing_well_formed():
    figure, axes = new_axes(yticks=[0, 1])
    axes.tick_params(length=0)  # matplotlib then writes groups that are empty from the start
    assert ElementTree.fromstring(to_svg(figure, "bare", "words")) is not None


def test_static_figures_are_as_wide_as_panels_with_the_same_margins_in_a_style_of_their_own():
    figure, _ = new_axes()
    assert figure.get_size_inches()[0] * STYLE["figure.dpi"] == WIDTH * 72 == PANEL_WIDTH
    low, high = (new_axes(height)[1].get_position().bounds for height in (2.0, 4.0))
    assert (low[0], low[2]) == (high[0], high[2])
    assert low[1] * 2.0 == pytest.approx(high[1] * 4.0)
    before = rcParams["font.size"]
    assert in_style(lambda: rcParams["font.size"])() == STYLE["font.size"]
    assert rcParams["font.size"] == before


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
