"""Baking: the table holds what the function draws, budgets hold, and what is wrong is said."""

import contextlib
import itertools
import json
import re
import signal

import pytest

from margins.explore import bake, choice, explore, handle, markup, play, slider, toggle
from margins.explore.controls import expand
from margins.explore.errors import ExplorableError
from margins.explore.explorable import MIME
from margins.figures import new_axes


@pytest.fixture(autouse=True)
def baking(monkeypatch):
    monkeypatch.setenv("MARGINS_BAKE", "1")


def line(**values):
    """A line."""
    figure, axes = new_axes(xlim=(0, 4), ylim=(0, 4))
    axes.plot([0, 1], [0, sum(v for v in values.values() if isinstance(v, int | float))])
    return figure, f"a line at {values}"


def explorable(**controls):
    """An explorable over exactly these controls."""
    names = expand(controls)[0]
    scope = {"line": line}
    exec(f"def a_line({', '.join(names)}): return line(**locals())", scope)
    return explore(caption="A *line*", prompts=["Move it."], **controls)(scope["a_line"])


def frames(data):
    table = data["table"]
    joined = ("\n".join(table["lines"][n] for n in frame["svg"]) for frame in table["frames"])
    return [{**frame, "svg": svg} for frame, svg in zip(table["frames"], joined, strict=True)]


def test_table_holds_what_the_function_draws_byte_for_byte():
    moved = explorable(
        a=slider(1, 2, steps=3), b=choice("u", "v"), c=toggle(), p=handle(x=slider(0, 1, steps=2), y=1)
    )
    baked = frames(moved.bundle()[MIME])
    grid = list(itertools.product((1.0, 1.5, 2.0), ("u", "v"), (False, True), (0.0, 1.0)))
    assert len(baked) == len(grid)
    for frame, values in zip(baked, grid, strict=True):
        drawn = moved.frame(dict(zip(("a", "b", "c", "p_x"), values, strict=True)))
        assert frame == drawn


def test_two_bakes_are_the_same_bytes():
    dumps = [json.dumps(explorable(a=slider(1, 2, steps=3)).bundle()) for _ in range(2)]
    assert dumps[0] == dumps[1]


def test_bundle_tells_the_page_all_it_needs():
    data = explorable(a=slider(1, 2, steps=3, label="height"), n=play(range(4), value=2)).bundle()
    page = data[MIME]
    assert (page["name"], page["caption"], page["prompts"]) == ("a-line", "A *line*", ["Move it."])
    first, second = page["spec"]["parameters"]
    assert (first["label"], first["values"], first["position"]) == ("height", [1.0, 1.5, 2.0], 1)
    assert (second["label"], second["kind"], second["position"]) == ("n", "play", 2)
    assert json.loads(json.dumps(page)) == page
    assert data["text/plain"] == "a line at {'a': 1.5, 'n': 2}"
    assert re.fullmatch(
        r'<figure><img alt="[^"]+" src="data:image/svg\+xml;base64,[^"]+">.*A line.*', data["text/html"]
    )


def test_body_holds_the_native_controls():
    moved = explorable(
        a=slider(1, 2, steps=3), b=choice("u", "v<"), c=toggle(True), n=play(range(2)),
        p=handle(x=slider(0, 2, steps=3), y=slider(0, 4, steps=5)),
    )  # fmt: skip
    body = markup.body(moved.spec, moved.frame(moved.default))
    assert '<fieldset class="explorable-controls" disabled>' in body
    assert re.search(
        r'<label>.*?<input type="range" name="a" min="0" max="2" step="1" value="1" aria-val', body
    )
    assert '<select name="b"><option value="0" selected>u</option><option value="1">v&lt;</option>' in body
    assert '<label><input type="checkbox" name="c" checked>' in body
    assert '<button type="button" name="n" aria-label="Play n"></button>' in body
    assert 'data-handle="p"' in body
    assert 'aria-label="p: 1, 2; arrow keys move it"' in body
    left = 100 * (0.55 * 72 + (403.2 - 0.67 * 72) / 4) / 403.2  # a quarter into the axes
    assert float(re.search(r"left:([\d.]+)%", body)[1]) == pytest.approx(left, abs=0.01)
    assert 'name="p_x"' not in body
    assert '<output aria-live="polite">a line at' in body


def test_caption_is_the_docstring_s_first_line_where_none_is_given():
    def plot(a):
        """A curve over time.

        More about it.
        """
        return line(a=a)

    assert explore(a=slider(0, 1, steps=2))(plot).caption == "A curve over time."


def test_an_explorable_is_still_its_function():
    figure, sentence = explorable(a=slider(1, 2, steps=2))(a=7)
    assert sentence == "a line at {'a': 7}"
    assert figure.axes


def test_too_many_frames_are_refused_before_any_is_drawn():
    drawn = []

    def plot(a, b):
        drawn.append(a)
        return line(a=a, b=b)

    moved = explore(a=slider(0, 1, steps=21), b=slider(0, 1, steps=20))(plot)
    message = (
        r"explorable 'plot': 420 frames to bake \(a 21 x b 20\), but at most 400 may be; give a slider fewer"
    )
    with pytest.raises(ExplorableError, match=message):
        moved.bundle()
    assert len(drawn) <= 1


def test_too_heavy_a_table_is_refused(monkeypatch):
    monkeypatch.setattr(bake, "MAX_GZIPPED_BYTES", 500)
    with pytest.raises(ExplorableError, match=r"'a-line': 3 frames weigh \d kB gzipped of 0; fewer steps"):
        explorable(a=slider(1, 2, steps=3)).bundle()


def test_too_long_a_bake_is_stopped_even_within_a_frame(monkeypatch):
    monkeypatch.setattr(bake, "MAX_CPU_SECONDS", 0.5)

    def plot(a):
        while a == 1.5:
            with contextlib.suppress(Exception):
                a = 1.5
        return line(a=a)

    moved = explore(a=slider(1, 2, steps=3, value=1))(plot)
    with pytest.raises(
        ExplorableError, match=r"'plot' at a=1\.5: 0\.5 s were over after 1 of 3 frames; fewer"
    ):
        moved.bundle()
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


def test_the_budgets_are_the_stated_ones():
    assert (bake.MAX_FRAMES, bake.MAX_GZIPPED_BYTES, bake.MAX_CPU_SECONDS) == (400, 300_000, 30)


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


def test_a_drawing_that_matplotlib_cannot_set_is_named_too():
    def plot(a):
        figure, _ = new_axes(title=r"$\frac{1}$")
        return figure, "a title"

    with pytest.raises(ExplorableError, match=r"'plot' at a=0\.5: drawing it raised ValueError"):
        explore(a=slider(0, 1))(plot).bundle()


@pytest.mark.parametrize(
    ("result", "came"),
    [(None, "NoneType"), ("text", "'text'"), (("a", "b"), "'a', 'b'"), ((new_axes()[0], ""), "Figure, ''")],
)
def test_what_is_no_figure_and_sentence_is_refused(result, came):
    with pytest.raises(
        ExplorableError, match=rf"expected \(figure, sentence\), but \({came}\) came back; return"
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
