"""States that the text gives to a figure: comments in the text, which a page turns into unseen buttons.

`<!-- figure: steps=5; form=W; with head and average -->` before a paragraph, or between two sentences, takes
the figure beside it to these values of its controls and shows these of its asides while a reader is there.
`<!-- figure ex-hold: which=2 -->` names another figure of the page. A control that is not named is as it was
at first. A paragraph has one state of a figure at most. Notebooks and paper do not show the comments.
"""

import html
import json
import re
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from explorable.controls import nearest
from explorable.sphinx_ext.figures import FigureNode, StateNode
from explorable.sphinx_ext.scopes import figure_beside

LOGGER = logging.getLogger(__name__)
COMMENT = re.compile(r"\s*<!--\s*figure\b(?P<figure>[^:]*):(?P<state>.*?)-->\s*", re.S)
SPEAKS = "explorable-speaks"  # the class of paragraphs that have a state


@dataclass(frozen=True)
class State:
    """What a comment says: the figure's id, "" for the one beside it, values of controls, asides."""

    figure: str
    values: dict[str, str]
    asides: list[str]


def state_in(comment: str) -> State | None:
    """What a comment of the text says of a figure; None for other comments.

    >>> state_in("<!-- figure: steps=5; with head and average -->")
    State(figure='', values={'steps': '5'}, asides=['head', 'average'])
    """
    found = COMMENT.fullmatch(comment)
    if found is None:
        return None
    parts = [part.strip() for part in found["state"].split(";") if part.strip()]
    values = [part.partition("=") for part in parts if not part.startswith("with ")]
    if wrong := [name for name, equals, value in values if not (equals and name.strip() and value.strip())]:
        raise ValueError(f"expected values such as steps=5, separated by semicolons, but got {wrong[0]!r}")
    asides = [
        name for part in parts if part.startswith("with ") for name in names_in(part.removeprefix("with "))
    ]
    return State(found["figure"].strip(), {name.strip(): value.strip() for name, _, value in values}, asides)


def names_in(text: str) -> list[str]:
    """The names between the words "and"."""
    return [name.strip() for name in text.split(" and ") if name.strip()]


def place_states(app: Sphinx, document: nodes.document) -> None:
    """Puts a node for each state into its paragraph; warns of each that its figure does not have."""
    for comment in list(document.findall(nodes.raw)):
        try:
            state = state_in(comment.astext()) if comment.get("format") == "html" else None
            if state is None:
                continue
            figure = figure_of(document, comment, state.figure)
            put(comment, node_of(figure, state))
        except ValueError as error:
            warn(app, comment, error)
            continue
        figure["follows"] = True  # its line says whose state it shows


def warn(app: Sphinx, comment: Any, error: ValueError) -> None:
    """Says what is wrong with a comment, and where; the build goes on, to name all that is wrong."""
    LOGGER.warning("%s", error, location=(app.env.docname, comment.line or comment.parent.line))


def figure_of(document: nodes.document, comment: nodes.Element, name: str) -> FigureNode:
    """The figure that a comment names, or the one beside it."""
    if not name:
        beside = figure_beside(document, comment)
        if beside is not None and beside["moves"]:
            return beside
        raise ValueError(
            "no figure that moves stands beside this place; name one: <!-- figure ex-name: ... -->"
        )
    moving = {figure["ids"][0]: figure for figure in document.findall(FigureNode) if figure["moves"]}
    if name not in moving:
        raise ValueError(f"the page has no figure {name!r} that moves; it has {', '.join(moving) or 'none'}")
    return moving[name]


def node_of(figure: FigureNode, state: State) -> StateNode:
    """The node of a state, if the figure has such controls, values and asides."""
    spec = json.loads(figure["spec"])
    (name,) = figure["ids"]
    controls = {control["name"]: control for control in spec["parameters"]}
    values = {}
    for control, value in state.values.items():
        if control not in controls:
            raise ValueError(f"{name} has no control {control!r}; it has {', '.join(controls)}")
        values[control] = value_named(name, controls[control], value)
    for aside in state.asides:
        if aside not in spec["asides"]:
            known = ", ".join(spec["asides"]) or "none"
            raise ValueError(f"{name} has no aside {aside!r}; it has {known}")
    return StateNode("", figure=name, at=json.dumps(values), asides=" ".join(state.asides))


def value_named(figure: str, control: Any, text: str) -> Any:
    """The computed value of a control that `text` names; of a slider the nearest on its scale."""
    values = control["values"]
    if control["kind"] == "slider":
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if values[0] <= value <= values[-1]:
            return values[nearest(values, value, control["log"])]
        ends = f"from {values[0]:g} to {values[-1]:g}"
        raise ValueError(f"{figure}: expected {control['name']} {ends}, not {text!r}")
    named = {named_as(value): value for value in values}
    if text not in named:
        raise ValueError(f"{figure}: {control['name']} has no value {text!r}; it has {', '.join(named)}")
    return named[text]


def named_as(value: Any) -> str:
    """A value of a control as the text names it: `true`, `2.5`, `0`, `gaussian`."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def put(comment: Any, state: StateNode) -> None:
    """The node in the place of a comment: where it stands in a paragraph, or at the beginning of the next."""
    if isinstance(comment.parent, nodes.TextElement):
        paragraph = comment.parent
        comment.replace_self(state)
    else:
        paragraph = paragraph_after(comment)
        paragraph.insert(0, state)
        comment.parent.remove(comment)
    paragraph["classes"].append(SPEAKS)
    if sum(other["figure"] == state["figure"] for other in paragraph.findall(StateNode)) > 1:
        # both on one line of the screen would be reached at once, and the first never be shown
        name = state["figure"]
        raise ValueError(f"this paragraph has two states of {name}; part it between them")


def paragraph_after(comment: Any) -> nodes.paragraph:
    """The paragraph that a comment stands before, itself or with comments for other figures."""
    siblings = comment.parent.children
    following = siblings[siblings.index(comment) + 1 :]
    first = next((node for node in following if not isinstance(node, nodes.raw)), None)
    if isinstance(first, nodes.paragraph):
        return first
    what = first.tagname if first is not None else "nothing"
    raise ValueError(f"expected a paragraph after this state of a figure, but {what} follows")


def visit(translator: Any, node: Any) -> None:
    """The button, which shows the state to who asks for it."""
    data = (
        f'data-figure="{node["figure"]}" data-at="{html.escape(node["at"])}" data-asides="{node["asides"]}"'
    )
    words = "Show this in the figure"
    data += f' aria-label="{words}" title="{words}"'
    translator.body.append(f'<button type="button" class="explorable-state" {data}></button>')
    raise nodes.SkipNode


def nothing(translator: Any, node: Any) -> None:
    """Nothing in other formats."""
    raise nodes.SkipNode


def connect(app: Sphinx) -> None:
    others: Any = dict.fromkeys(("latex", "text", "man", "texinfo"), (nothing, None))
    app.add_node(StateNode, html=(visit, None), **others)
    app.connect("doctree-read", place_states)
