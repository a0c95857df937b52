"""A figure in a running kernel: what it shows and answers."""

import re

import pytest

from explorable import Drawing, choice, explore, handle, prompt, slider
from explorable.live import answer

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def live(monkeypatch):
    monkeypatch.delenv("EXPLORABLE_BAKE", raising=False)


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


def test_nothing_is_baked_and_a_widget_is_shown():
    data = curve.bundle()
    assert set(data) == {WIDGET, "text/plain", "text/html"}
    assert curve.view.spec["name"] == "curve"
    assert set(curve.view.spec["places"]) == {"p"}
    markup = curve.view.markup
    assert markup.startswith('<figure class="explorable" id="ex-curve" data-source="kernel">')
    formula = '<math class="explorable-math"><mrow><mi>α</mi><mo>≤</mo><mn>1</mn></mrow></math>'
    assert f"<figcaption>With {formula}</figcaption>" in markup
    assert '<li><p>Move <math class="explorable-math"><mi>a</mi></math>.</p><details' in markup


def test_kernel_draws_between_the_grid_values_and_answers_messages(monkeypatch):
    reply = ask(a=3.7, p_x=0.25)
    assert reply["id"] == [0.5, 7]
    assert reply["frame"]["text"] == "u at 3.7"
    assert reply["frame"]["marks"][-1]["k"] == "line"
    assert "p" in reply["frame"]["places"]
    curve.bundle()
    sent = []
    monkeypatch.setattr(type(curve.view), "send", lambda self, content, buffers=None: sent.append(content))
    curve.view._handle_custom_msg({"id": [1, 2], "values": {"a": 1, "kind": "v", "p_x": 0}}, [])
    assert [(reply["id"], reply["frame"]["text"]) for reply in sent] == [([1, 2], "v at 1")]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": 99.5}, "drawing it raised ValueError: too far"),
        ({"a": 101}, "a: expected 1 to 100, but got 101"),
        ({"kind": "w"}, r"kind: expected one of \['u', 'v'\]"),
    ],
)
def test_what_goes_wrong_is_answered_under_its_number_and_the_next_move_works(values, message):
    reply = ask(**values)
    assert reply["id"] == [0.5, 7]
    assert re.search(message, reply["error"])
    assert "marks" in ask()["frame"]
