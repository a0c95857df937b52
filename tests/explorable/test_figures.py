"""`@explore` and `show`: what they display, and what they refuse."""

import json
import re

import matplotlib.pyplot as plt
import pytest

from explorable import choice, explore, play, prompt, show, slider, toggle
from explorable.figures import MIME
from explorable.style import new_axes
from tests.explorable.samples import line, line_over, refused


@pytest.mark.usefixtures("baking")
def test_bundle_tells_the_page_all_it_needs():
    data = line_over(a=slider(1, 2, steps=49, label="height"), n=play(range(4), value=2)).bundle()
    page = data[MIME]
    assert (page["name"], page["caption"]) == ("a-line", "A *line*")
    assert page["prompts"] == [["Move it.", "It moves.", "", ""]]
    first, second = page["spec"]["parameters"]
    moved_values = slider(1, 2, steps=49).values
    assert (first["label"], first["values"], first["position"]) == ("height", [*moved_values], 24)
    assert (second["label"], second["kind"], second["position"]) == ("n", "play", 2)
    assert json.dumps(json.loads(json.dumps(page))) == json.dumps(page)
    assert data["text/plain"] == "a line at {'a': 1.5, 'n': 2}"
    assert re.fullmatch(
        r'<figure><img alt="[^"]+" src="data:image/svg\+xml;base64,[^"]+">.*A line.*', data["text/html"]
    )


def test_an_explorable_is_still_its_function_and_its_caption_the_docstring_s_first_line():
    drawing, sentence = line_over(a=slider(1, 2, steps=2))(a=7)
    assert sentence == "a line at {'a': 7}"
    assert [panel.name for panel in drawing.panels] == ["plane"]

    def plot(a):
        """A curve over time.

        More about it.
        """
        return line(a=a)

    assert explore(a=slider(0, 1, steps=2))(plot).caption == "A curve over time."


@pytest.mark.usefixtures("baking")
def test_answers_are_held_against_the_figure():
    def told(*prompts):
        return explore(prompts=prompts, n=play(range(3)))(lambda n: line(n=n)).bundle()

    told(prompt("Where?", "There.", at={"n": 2}, says="{'n': 2}"))
    with refused(r"at n=1: the answer 'There.' expects 'n = 1', but the figure says"):
        told(prompt("Where?", "There.", at={"n": 1}, says="n = 1"))
    with refused("is shown at n=7, which is no position; there are 0, 1, 2"):
        told(prompt("Where?", "There.", at={"n": 7}, says="n"))
    off = explore(prompts=[prompt("Where?", "There.", at={"a": 1.3}, says="a")], a=slider(1, 2))
    with refused(r"a=1\.3, which is no position; the nearest is 1\.29167$"):
        off(lambda a: line(a=a)).bundle()
    with refused("`at` needs `says`, words of the figure's sentence there"):
        prompt("Where?", "There.", at={"n": 1})
    with refused("expected an answer, a text, but got ''"):
        prompt("Where?", "")
    with refused("`says` needs `at`"):
        prompt("Where?", "There.", says="there")
    with refused(r"expected prompts made by prompt\(question, answer\), but got 'Where"):
        told("Where?")


def test_controls_and_parameters_must_be_the_same():
    with refused("the function takes no b; the controls give: a, b"):
        explore(a=slider(0, 1), b=toggle())(lambda a: line(a=a))
    with refused("no control gives b, c; the controls give: a"):
        explore(a=slider(0, 1))(lambda a, b, c, d=1: line(a=a))
    with refused(r"it has no controls; use show"):
        explore()(lambda: line())


def test_a_value_that_is_not_given_is_named():
    with refused("no value for a"):
        line_over(a=slider(1, 2)).frame({})


def drawn_and_counted():
    """A figure of three positions, and the values at which its function was called."""
    calls = []

    @explore(prompts=[prompt("Where?", "There.", at={"n": 2}, says="2")], n=play(range(3)), caption="Steps")
    def steps_taken(n):
        calls.append(n)
        return line(n=n)

    return steps_taken, calls


@pytest.mark.usefixtures("baking")
def test_a_copy_starts_elsewhere_and_has_the_table_of_its_original():
    figure, calls = drawn_and_counted()
    first, second = figure.at(n=2), figure.at(n=1)
    assert [one.name for one in (figure, first, second)] == ["steps-taken", "steps-taken-1", "steps-taken-2"]
    shown = [one.bundle()[MIME] for one in (first, figure, second)]
    assert [one["spec"]["parameters"][0]["position"] for one in shown] == [2, 0, 1]
    assert [one["is_copy"] for one in shown] == [True, False, True]
    assert "a line at {&#x27;n&#x27;: 2}" in shown[0]["body"]
    assert shown[0]["table"] is shown[1]["table"] is shown[2]["table"]
    assert [len(one["prompts"]) for one in shown] == [0, 1, 0]
    assert len(calls) == 3 + 3 + 1  # where each begins, the table once, the answer once


def test_a_copy_of_a_copy_starts_where_neither_says_otherwise():
    figure = line_over(a=slider(1, 3, steps=3), b=toggle(), kind=choice("dots", "line"))
    copy = figure.at(a=2.9, kind="line").at(b=True)
    assert (copy.name, copy.default) == ("a-line-2", {"a": 3.0, "b": True, "kind": "line"})
    assert figure.default == {"a": 2.0, "b": False, "kind": "dots"}
    assert copy.original is figure


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": 4}, "'a-line': a: expected 1 to 3, but got 4"),
        ({"kind": "bars"}, r"kind: expected one of \['dots', 'line'\], but got 'bars'"),
        ({"c": 1}, "it has no parameter c; it has a, kind"),
    ],
)
def test_a_copy_cannot_start_where_no_control_leads(values, message):
    with refused(message):
        line_over(a=slider(1, 3, steps=3), kind=choice("dots", "line")).at(**values)


@pytest.mark.usefixtures("baking")
def test_a_copy_asks_one_question_whose_answer_is_where_the_figure_shows_it():
    asked = [prompt("Go up.", "A.", at={"n": 2}, says="2"), prompt("Go down.", "B."), prompt("Go on.", "C.")]
    controls = {"n": play(range(3)), "kind": choice("dots", "line")}
    figure = explore(caption="Steps", prompts=asked, **controls)(lambda n, kind: line(n=n))
    copy = figure.at(n=1, kind="line").at(asks="Go u")
    assert [(one.question, one.at) for one in copy.prompts] == [("Go up.", {"kind": "dots", "n": 2})]
    ((question, answer, button, _),) = copy.bundle()[MIME]["prompts"]
    assert (question, answer) == ("Go up.", "A.")
    assert "&quot;kind&quot;: &quot;dots&quot;" in button
    assert figure.at(asks="Go d").prompts == [asked[1]]
    assert figure.prompts == asked
    questions = r"its prompts: \['Go up.', 'Go down.', 'Go on.'\]"
    for words, count in (("Go", 3), ("Stay", "none")):
        with refused(f"asks: {count} of its prompts begin with '{words}'.*; {questions}"):
            figure.at(asks=words)
    with refused("starts where the answer to 'Go up.' is shown"):
        figure.at(n=2, asks="Go up")


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
    monkeypatch.setenv("EXPLORABLE_BAKE", "1")
    show(figure, name="a_line", caption="A *line*", alt="It rises")
    live, baked = shown
    assert live["text/plain"] == baked["text/plain"] == "It rises"
    assert MIME not in live
    assert 'aria-label="It rises"' in live["text/html"]
    assert "<figcaption>A <em>line</em></figcaption>" in live["text/html"]
    assert '<img alt="It rises" src="data:image/svg+xml;base64,' in baked["text/html"]
    assert (baked[MIME]["name"], baked[MIME]["caption"]) == ("a-line", "A *line*")
    assert 'aria-label="It rises"' in baked[MIME]["body"]
    assert "table" not in baked[MIME]
    with refused("'a_line': alt is empty; say in a sentence"):
        show(new_axes()[0], name="a_line", caption="A line", alt=" ")
