"""The HTML of a figure: native controls, numbers as a reader expects them, its description in words."""

import re

import pytest

from explorable import Drawing, choice, explore, handle, markup, play, slider, toggle
from explorable.picture import description
from tests.explorable.samples import line_over, new_panel

pytestmark = pytest.mark.usefixtures("baking")


def test_body_holds_the_native_controls():
    moved = line_over(
        a=slider(1, 2, steps=49), b=choice("u", "v<"), c=toggle(True), n=play(range(2)),
        p=handle(x=slider(0, 2, steps=3), y=slider(0, 4, steps=5)),
    )  # fmt: skip
    body = markup.body(moved.spec, moved.frame(moved.default))
    assert '<fieldset class="explorable-controls" disabled><legend>' in body
    assert re.search(
        r'<label>.*?<input type="range" name="a" min="0" max="48" step="any" value="24" aria-val', body
    )
    assert '<select name="b"><option value="0" selected>u</option><option value="1">v&lt;</option>' in body
    assert '<label><input type="checkbox" name="c" checked>' in body
    assert '<button type="button" name="n" aria-label="Play n"></button>' in body
    assert 'data-handle="p" data-moves="xy"' in body
    assert 'role="slider" tabindex="0" aria-label="p" aria-valuemin="0" aria-valuemax="2"' in body
    assert 'aria-valuetext="1, 2"' in body
    left = 100 * (46 + (360 - 14 - 46) / 4) / 360  # a quarter into the panel
    assert float(re.search(r"left:([\d.]+)%", body)[1]) == pytest.approx(left, abs=0.01)
    assert 'name="p_x"' not in body
    assert re.search('<output aria-live="polite" style="--longest:[0-9]+">a line at', body)


@pytest.mark.parametrize(("tell", "begins"), [(("x", "y"), "<summary>"), (None, "hidden><summary>")])
def test_numbers_are_offered_where_a_mark_reports_some(tell, begins):
    @explore(caption="A line", a=slider(1, 2, steps=49))
    def rising(a):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 2)).plot([0, 1], [0, a], key="line", tell=tell)
        return drawing, f"up to {a:g}"

    body = markup.body(rising.spec, rising.frame(rising.default))
    assert body.partition('class="explorable-numbers"')[2].strip(" >").startswith(begins)


def test_a_row_of_controls_has_room_for_the_longest_value_and_handles_say_how_they_move():
    moved = line_over(a=slider(0.1, 100, log=True), n=play(range(8, 12)))
    body = markup.body(moved.spec, moved.frame(moved.default))
    assert re.findall(r'"explorable-value" style="min-width:(\d+)ch"', body) == ["5", "2"]  # 0.101, 11
    moved = line_over(p=handle(x=slider(0, 2, steps=3), y=1), q=handle(x=0, y=slider(0, 2, steps=3)))
    body = markup.body(moved.spec, moved.frame(moved.default))
    assert re.findall(r'data-handle="(\w)" data-moves="(\w+)"', body) == [("p", "x"), ("q", "y")]


def test_a_reader_sees_a_minus_sign_before_negative_numbers_and_hyphens_elsewhere():
    @explore(caption="Below", a=slider(-3, -1, steps=49), p=handle(x=-1, y=slider(-2, 0, steps=49)))
    def below(a, p_y):
        drawing = Drawing()
        drawing.panel("plane", xlim=(-4, 4), ylim=(-4, 4)).plot([0, a], [0, p_y], key="line")
        return drawing, f"at {a:g} ({p_y:g}): x-2, 1e-5, leave-one-out"

    data, body = below.bundle(), markup.body(below.spec, below.frame(below.default))
    minus = "\N{MINUS SIGN}"
    said = f"at {minus}2 ({minus}1): x-2, 1e-5, leave-one-out"
    assert data["text/plain"] == said
    assert f'alt="{said}"' in data["text/html"]
    assert f">{said}</output>" in body
    assert f'aria-valuetext="{minus}2"' in body
    assert f'aria-valuetext="{minus}1, {minus}1"' in body


def test_description_names_marks_with_what_they_tell():
    drawing, panel = new_panel(xlabel="$x_1$", ylabel="height")
    panel.plot([0, 4], [0, 2], key="boundary")
    panel.scatter([1, 2], [0.5, -1e-5], keys=["point 0", "point 1"], tell=("x", "y"))
    said = description(drawing.frame("said"), 0)
    minus = "\N{MINUS SIGN}"
    assert said == (
        f"plane, x1 across, height up. boundary; point 0: x 1, y 0.5; point 1: x 2, y {minus}1e{minus}5."
    )


def test_names_that_an_author_gives_are_escaped():
    point = handle(x=slider(0, 2, steps=3), y=1, label='the "first" <b>')
    moved = line_over(p=point, a=slider(0, 2, steps=3, label="a < b"))
    body = markup.body(moved.spec, moved.frame(moved.default))
    assert 'aria-label="the &quot;first&quot; &lt;b&gt;"' in body
    assert "a &lt; b" in body
    assert "<b>" not in body
    assert "<" not in markup.as_json({"label": "</script><b>"})
