"""The live side: what a kernel shows and answers, and captions where nothing is typeset."""

import matplotlib.pyplot as plt
import pytest

from margins.explore import Drawing, baking, choice, explore, handle, prompt, show, slider
from margins.explore.errors import ExplorableError
from margins.explore.explorable import MIME
from margins.explore.live import answer
from margins.explore.readable import readable
from margins.figures import new_axes

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def live(monkeypatch):
    monkeypatch.delenv("MARGINS_BAKE", raising=False)


@explore(
    a=slider(1, 100, steps=3, log=True), kind=choice("u", "v"), p=handle(x=slider(0, 1, steps=2), y=0),
    caption=r"With $\alpha \leq 1$", prompts=[prompt("Move $a$.", "It moves.")],
)  # fmt: skip
def curve(a, kind, p_x):
    if a > 99:
        raise ValueError("too far")
    drawing = Drawing()
    drawing.panel("plane", xlim=(0, 1), ylim=(0, 1)).plot([0, p_x], [0, a], key="line")
    return drawing, f"{kind} at {a:g}"


def ask(**values):
    return answer(curve, {"id": [0.5, 7], "values": {"a": 10, "kind": "u", "p_x": 1, **values}})


def test_a_cell_can_tell_whether_a_kernel_will_answer(monkeypatch):
    assert not baking()
    monkeypatch.setenv("MARGINS_BAKE", "1")
    assert baking()


def test_nothing_is_baked_and_a_widget_is_shown():
    data = curve.bundle()
    assert set(data) == {WIDGET, "text/plain", "text/html"}
    assert curve.view.spec["name"] == "curve"
    assert set(curve.view.spec["places"]) == {"p"}
    markup = curve.view.markup
    assert markup.startswith('<figure class="explorable" id="ex-curve" data-source="kernel">')
    assert "<figcaption>With α ≤ 1</figcaption>" in markup
    assert "<li><p>Move a.</p><details" in markup


def test_kernel_draws_between_the_grid_values():
    reply = ask(a=3.7, p_x=0.25)
    assert reply["id"] == [0.5, 7]
    assert reply["frame"]["text"] == "u at 3.7"
    assert reply["frame"]["marks"][-1]["k"] == "line"
    assert "p" in reply["frame"]["places"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": 99.5}, "drawing it raised ValueError: too far"),
        ({"a": 101}, "a: expected 1 to 100, but 101 came"),
        ({"kind": "w"}, r"kind: expected one of \['u', 'v'\]"),
    ],
)
def test_what_goes_wrong_is_answered_under_its_number_and_the_next_move_works(values, message):
    reply = ask(**values)
    assert reply["id"] == [0.5, 7]
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(reply["error"])
    assert "marks" in ask()["frame"]


def test_view_answers_messages(monkeypatch):
    curve.bundle()
    sent = []
    monkeypatch.setattr(type(curve.view), "send", lambda self, content, buffers=None: sent.append(content))
    curve.view._handle_custom_msg({"id": [1, 2], "values": {"a": 1, "kind": "v", "p_x": 0}}, [])
    assert [(reply["id"], reply["frame"]["text"]) for reply in sent] == [([1, 2], "v at 1")]


def test_figures_of_pyplot_do_not_pile_up(monkeypatch):
    monkeypatch.setattr("IPython.display.display", lambda data, raw: None)
    before = plt.get_fignums()
    show(plt.subplots()[0], name="a_line", caption="A line", alt="Axes")
    assert plt.get_fignums() == before


def test_still_figure_is_shown_with_its_words(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    figure, axes = new_axes()
    axes.plot([0, 1])
    show(figure, name="a_line", caption="A *line*", alt="It rises")
    monkeypatch.setenv("MARGINS_BAKE", "1")
    show(figure, name="a_line", caption="A *line*", alt="It rises")
    live, baked = shown
    assert live["text/plain"] == baked["text/plain"] == "It rises"
    assert MIME not in live
    assert 'aria-label="It rises"' in live["text/html"]
    assert "<figcaption>A line</figcaption>" in live["text/html"]
    assert '<img alt="It rises" src="data:image/svg+xml;base64,' in baked["text/html"]
    assert (baked[MIME]["name"], baked[MIME]["caption"]) == ("a-line", "A *line*")
    assert 'aria-label="It rises"' in baked[MIME]["body"]
    assert "table" not in baked[MIME]


def test_still_figure_without_words_is_refused():
    with pytest.raises(ExplorableError, match="'a_line': alt is empty; say in a sentence"):
        show(new_axes()[0], name="a_line", caption="A line", alt=" ")


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("plain", "plain"),
        (r"$\alpha_i \le C$ and $\Lambda\lambda$", "α_i ≤ C and Λλ"),
        (r"$\frac{1}{2}\lVert w\rVert^2$", "1/2‖ w‖^2"),
        (r"$\operatorname{rank}\,X$", "rank X"),
        ("**bold**, *leaning*, `code`", "bold, leaning, code"),
        ("{ref}`the dual <dual>` and [this](page.md)", "the dual and this"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_captions_are_readable_where_nothing_is_typeset(markdown, text):
    assert readable(markdown) == text
