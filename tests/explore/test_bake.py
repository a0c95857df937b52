"""Baking: the table holds what the function draws, budgets hold, and what is wrong is said."""

import contextlib
import itertools
import json
import re
import signal

import pytest

from margins.explore import Drawing, bake, choice, explore, handle, markup, play, prompt, slider, toggle
from margins.explore.controls import expand
from margins.explore.errors import ExplorableError
from margins.explore.explorable import MIME
from margins.explore.table import packed


@pytest.fixture(autouse=True)
def baking(monkeypatch):
    monkeypatch.setenv("MARGINS_BAKE", "1")
    monkeypatch.setattr(bake, "spent", [])


def line(**values):
    """A line."""
    drawing = Drawing()
    panel = drawing.panel("plane", xlim=(0, 4), ylim=(0, 4))
    panel.plot([0, 1], [0, sum(v for v in values.values() if isinstance(v, int | float))], key="line")
    return drawing, f"a line at {values}"


def explorable(**controls):
    """An explorable over exactly these controls."""
    names = expand(controls)[0]
    scope = {"line": line}
    exec(f"def a_line({', '.join(names)}): return line(**locals())", scope)
    prompts = [prompt("Move it.", "It moves.")]
    return explore(caption="A *line*", prompts=prompts, **controls)(scope["a_line"])


def test_table_holds_what_the_function_draws_over_the_grid():
    moved = explorable(
        a=slider(1, 2, steps=49), b=choice("u", "v"), c=toggle(), p=handle(x=slider(0, 0.1, steps=3), y=1)
    )
    grid = itertools.product(moved.parameters["a"].values, ("u", "v"), (False, True), (0.0, 0.05, 0.1))
    frames = [moved.frame(dict(zip(("a", "b", "c", "p_x"), values, strict=True))) for values in grid]
    assert moved.bundle()[MIME]["table"] == packed(frames, [49, 2, 2, 3])


def test_two_bakes_are_the_same_bytes():
    dumps = [json.dumps(explorable(a=slider(1, 2, steps=49)).bundle()) for _ in range(2)]
    assert dumps[0] == dumps[1]


def test_bundle_tells_the_page_all_it_needs():
    data = explorable(a=slider(1, 2, steps=49, label="height"), n=play(range(4), value=2)).bundle()
    page = data[MIME]
    assert (page["name"], page["caption"]) == ("a-line", "A *line*")
    assert page["prompts"] == [["Move it.", "It moves.", ""]]
    first, second = page["spec"]["parameters"]
    moved_values = slider(1, 2, steps=49).values
    assert (first["label"], first["values"], first["position"]) == ("height", [*moved_values], 24)
    assert (second["label"], second["kind"], second["position"]) == ("n", "play", 2)
    assert json.dumps(json.loads(json.dumps(page))) == json.dumps(page)
    assert data["text/plain"] == "a line at {'a': 1.5, 'n': 2}"
    assert re.fullmatch(
        r'<figure><img alt="[^"]+" src="data:image/svg\+xml;base64,[^"]+">.*A line.*', data["text/html"]
    )


def test_body_holds_the_native_controls():
    moved = explorable(
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
    assert 'data-handle="p"' in body
    assert 'role="slider" tabindex="0" aria-label="p" aria-valuemin="0" aria-valuemax="2"' in body
    assert 'aria-valuetext="1, 2"' in body
    left = 100 * (46 + (360 - 14 - 46) / 4) / 360  # a quarter into the panel
    assert float(re.search(r"left:([\d.]+)%", body)[1]) == pytest.approx(left, abs=0.01)
    assert 'name="p_x"' not in body
    assert '<output aria-live="polite">a line at' in body


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


def test_caption_is_the_docstring_s_first_line_where_none_is_given():
    def plot(a):
        """A curve over time.

        More about it.
        """
        return line(a=a)

    assert explore(a=slider(0, 1, steps=2))(plot).caption == "A curve over time."


def test_an_explorable_is_still_its_function():
    drawing, sentence = explorable(a=slider(1, 2, steps=2))(a=7)
    assert sentence == "a line at {'a': 7}"
    assert [panel.name for panel in drawing.panels] == ["plane"]


def test_too_coarse_controls_are_refused():
    message = "'a-line': slider a has 11 steps of at least 49; give it more, or make it a choice"
    with pytest.raises(ExplorableError, match=message):
        explorable(a=slider(0, 1, steps=11)).bundle()
    message = r"handle p moves 15.0 pixels a step along x, at most 6 may be; give its slider 26 steps"
    with pytest.raises(ExplorableError, match=message):
        explorable(p=handle(x=slider(0, 2, steps=11), y=1)).bundle()
    explorable(p=handle(x=slider(0, 2, steps=26), y=1)).bundle()


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (handle(x=slider(-1, 4, steps=76), y=1), "handle p leaves panel 'plane' along x; keep its x within"),
        (handle(x=slider(0, 4, steps=61), y=5), "handle p leaves panel 'plane' along y; keep its y within"),
        (handle(x=slider(0.1, 9, steps=61, log=True), y=1), "handle p leaves panel 'plane' along x"),
    ],
)
def test_a_handle_that_leaves_its_panel_is_refused(held, message):
    with pytest.raises(ExplorableError, match=message):
        explorable(p=held).bundle()
    explorable(p=handle(x=slider(0, 4, steps=61), y=4)).bundle()


def test_panels_that_change_are_refused():
    def plot(n):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1), height=200 + 10 * n)
        return drawing, "a plane"

    with pytest.raises(
        ExplorableError, match="'plot' at n=2: its panels are others than at the first position"
    ):
        explore(n=play(range(1, 3)))(plot).bundle()


def test_answers_are_held_against_the_figure():
    def told(*prompts):
        return explore(prompts=prompts, n=play(range(3)))(lambda n: line(n=n)).bundle()

    told(prompt("Where?", "There.", at={"n": 2}, says="{'n': 2}"))
    with pytest.raises(
        ExplorableError, match=r"at n=1: the answer 'There.' expects 'n = 1', but the figure says"
    ):
        told(prompt("Where?", "There.", at={"n": 1}, says="n = 1"))
    with pytest.raises(ExplorableError, match="is shown at n=7, which is no position; there are 0, 1, 2"):
        told(prompt("Where?", "There.", at={"n": 7}, says="n"))
    off = explore(prompts=[prompt("Where?", "There.", at={"a": 1.3}, says="a")], a=slider(1, 2))
    with pytest.raises(ExplorableError, match=r"a=1\.3, which is no position; the nearest is 1\.29167$"):
        off(lambda a: line(a=a)).bundle()
    with pytest.raises(ExplorableError, match="`at` needs `says`, words of the figure's sentence there"):
        prompt("Where?", "There.", at={"n": 1})
    with pytest.raises(ExplorableError, match="expected an answer, a text, but '' came"):
        prompt("Where?", "")
    with pytest.raises(ExplorableError, match="`says` needs `at`"):
        prompt("Where?", "There.", says="there")
    with pytest.raises(
        ExplorableError, match=r"expected prompts made by prompt\(question, answer\), but 'Where"
    ):
        told("Where?")


def test_too_heavy_a_table_is_refused(monkeypatch):
    monkeypatch.setattr(bake, "MAX_GZIPPED_BYTES", 500)
    with pytest.raises(
        ExplorableError, match=r"'a-line': 49 positions weigh \d kB gzipped of 0; fewer marks"
    ):
        explorable(a=slider(1, 2, steps=49)).bundle()


def test_too_long_a_bake_is_stopped_even_within_a_frame(monkeypatch):
    monkeypatch.setattr(bake, "MAX_CPU_SECONDS", 0.5)

    def plot(a):
        while a == 1:
            with contextlib.suppress(Exception):
                a = 1
        return line(a=a)

    moved = explore(a=play(range(3)))(plot)
    with pytest.raises(
        ExplorableError, match=r"'plot' at a=1: 0\.5 s were over after 1 of 3 positions; compute"
    ):
        moved.bundle()
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


def test_figures_of_a_page_share_their_time(monkeypatch):
    monkeypatch.setattr(bake, "MAX_PAGE_CPU_SECONDS", 0.05)
    figure = explorable(a=slider(1, 2, steps=2001))
    with pytest.raises(
        ExplorableError, match=r"0\.05 s were over after \d+ of 2001 positions, for the figures"
    ):
        figure.bundle()
    with pytest.raises(ExplorableError, match=r"took [\d.]+ s of the page's 0\.05; compute once outside"):
        explorable(a=slider(1, 2, steps=2001)).bundle()


def test_a_page_whose_time_is_long_over_has_none_left_rather_than_less(monkeypatch):
    monkeypatch.setattr(bake, "spent", [60.25])
    message = (
        r": 0 s were over after \d+ of 2001 positions, for the figures before took 60\.2 s of the page's 50;"
    )
    with pytest.raises(ExplorableError, match=message):
        explorable(a=slider(1, 2, steps=2001)).bundle()


def test_the_budgets_are_the_stated_ones():
    assert (bake.MAX_GZIPPED_BYTES, bake.FINE_SLIDER) == (120_000, 49)
    assert (bake.MAX_CPU_SECONDS, bake.MAX_PAGE_CPU_SECONDS) == (2 * 10, 2 * 25)


def test_a_function_that_raises_is_named_with_its_values():
    def plot(a, kind):
        raise ZeroDivisionError("by nought")

    message = "'plot' at a=0.0, kind='u': drawing it raised ZeroDivisionError: by nought; the function must"
    with pytest.raises(ExplorableError, match=message) as caught:
        explore(a=slider(0, 1, steps=3, value=0), kind=choice("u"))(plot).bundle()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    shown = "\n".join(caught.value._render_traceback_())
    assert 'raise ZeroDivisionError("by nought")' in shown
    assert "frames.py" not in shown
    assert str(caught.value).endswith('; the line: raise ZeroDivisionError("by nought")')


def test_a_slip_of_the_pen_is_named_by_its_line_and_not_put_down_to_the_controls():
    def plot(a):
        drawing = Drawing()
        panel = drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))
        panel.plot([0, 1], [0, a])
        return drawing, "a line"

    with pytest.raises(ExplorableError, match="missing 1 required keyword-only argument: 'key'") as caught:
        explore(a=slider(0, 1))(plot).bundle()
    assert str(caught.value).endswith("; the line: panel.plot([0, 1], [0, a])")
    assert "whatever the controls offer" not in str(caught.value)


def test_a_drawing_that_cannot_be_is_named_too():
    def plot(a):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1), title=r"$\frac{1}$")
        return drawing, "a title"

    with pytest.raises(
        ExplorableError, match=r"'plot' at a=0\.5: the formula sign .frac cannot be set"
    ) as caught:
        explore(a=slider(0, 1))(plot).bundle()
    assert "; the line: drawing.panel(" in str(caught.value)


@pytest.mark.parametrize(
    ("result", "came"),
    [(None, "NoneType"), ("text", "'text'"), (("a", "b"), "'a', 'b'"), ((Drawing(), ""), "Drawing, ''")],
)
def test_what_is_no_figure_and_sentence_is_refused(result, came):
    with pytest.raises(
        ExplorableError, match=rf"expected \(drawing, sentence\), but \({came}\) came back; return"
    ):
        explore(a=slider(0, 1))(lambda a: result).bundle()


def test_controls_and_parameters_must_be_the_same():
    with pytest.raises(ExplorableError, match="the function takes no b; the controls give: a, b"):
        explore(a=slider(0, 1), b=toggle())(lambda a: line(a=a))
    with pytest.raises(ExplorableError, match="no control gives b, c; the controls give: a"):
        explore(a=slider(0, 1))(lambda a, b, c, d=1: line(a=a))
    with pytest.raises(ExplorableError, match=r"it has no controls; use show"):
        explore()(lambda: line())


@pytest.mark.parametrize(
    ("values", "message"), [({"a": 3}, "a: expected 1 to 2, but 3 came"), ({}, "no value for a")]
)
def test_values_that_no_control_offers_are_refused(values, message):
    with pytest.raises(ExplorableError, match=message):
        explorable(a=slider(1, 2)).frame(values)
