"""Which figure of a page belongs beside which part of its text.

A part of a page is a section, or its share of a section with several figures: from the section's beginning,
or from the figure, to the next figure. Sections without a figure have the one that their first state names,
or the page's first, which stands before them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from explorable.sphinx_ext.figures import FigureNode, StateNode

ENOUGH = 700  # characters: less than a third of a screen of text does not carry a figure beside it
NOT_RUNNING = (nodes.literal_block, nodes.math_block, nodes.raw, nodes.comment, FigureNode)


@dataclass(frozen=True)
class Scope:
    """A part of a page and the figure beside it."""

    start: Any  # the node with which it begins
    figure: FigureNode | None  # None where no figure stands before it


def scopes(document: Any) -> list[Scope]:
    """The parts of a page in the order of its text, each with its figure."""
    title = next((node for node in document.children if isinstance(node, nodes.section)), None)
    if title is None:
        return []
    opening = [node for node in title.children if not isinstance(node, nodes.section)]
    first = next((f for f in figures_in(opening) if f["dock"]), None)
    found = [Scope(title, first)] if first is not None else []
    carried: FigureNode | None = None
    until = ""
    for section in (node for node in title.children if isinstance(node, nodes.section)):
        runs = list(runs_of(section))
        default = carried if carried is not None else first
        if not runs or runs[0].start is not section:
            found.append(Scope(section, default))
        found += runs
        last = runs[-1].figure if runs else None
        if last is not None and last["until"]:
            carried, until = last, last["until"]
        if until in [*section["names"], *section["ids"]]:
            carried, until = None, ""
    return with_named(title, found)


def with_named(title: Any, found: list[Scope]) -> list[Scope]:
    """These parts, and the sections without a figure whose first state names one of another part."""
    figures = [scope.figure for scope in found if scope.figure is not None]
    docked = {name: figure for figure in figures for name in figure["ids"]}
    named: dict[int, Scope] = {}
    for section in title.findall(nodes.section):
        state = next((s for s in section.findall(StateNode) if section_of(s) is section), None)
        if state is not None and state["figure"] in docked and not any(figures_in([section])):
            named[id(section)] = Scope(section, docked[state["figure"]])
    kept = [scope for scope in found if id(scope.start) not in named]
    order = {id(node): number for number, node in enumerate(title.findall())}
    return sorted([*kept, *named.values()], key=lambda scope: order[id(scope.start)])


def section_of(node: Any) -> Any:
    """The innermost section in which a node stands."""
    return next(parent for parent in ancestors(node) if isinstance(parent, nodes.section))


def runs_of(section: Any) -> Iterator[Scope]:
    """The parts of a section that have a docked figure of their own, those of its subsections too."""
    start, figure = section, None
    run: list[Any] = []
    for child in section.children:
        own = next((f for f in figures_in([child]) if f["dock"]), None)
        ends = own is not None and (figure is not None or isinstance(child, nodes.section))
        if ends:
            yield from carried_by(start, figure, run)
            start, figure, run = child, None, []
        if ends and isinstance(child, nodes.section):
            yield from runs_of(child)
            continue
        figure = own if own is not None else figure
        run.append(child)
    yield from carried_by(start, figure, run)


def carried_by(start: Any, figure: FigureNode | None, run: list[Any]) -> Iterator[Scope]:
    """The part with this figure, if there is one and text enough to stand beside, here or further on."""
    if figure is not None and (figure["until"] or letters(run) >= ENOUGH):
        yield Scope(start, figure)


def figures_in(parts: Any) -> Iterator[FigureNode]:
    """All figures in these nodes, but for those in exercises."""
    for part in parts:
        for figure in part.findall(FigureNode):
            if not any("exercise" in node.get("classes", ()) for node in ancestors(figure)):
                yield figure


def ancestors(node: Any) -> Iterator[Any]:
    """The elements in which a node stands, from the nearest."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.Element):
            yield node


def letters(parts: Any) -> int:
    """Characters of running text: no code, no formula of its own line, no figure."""
    texts = (text for part in parts for text in part.findall(nodes.Text))
    return sum(len(text) for text in texts if not any(isinstance(a, NOT_RUNNING) for a in ancestors(text)))


def figure_beside(document: Any, node: Any) -> FigureNode | None:
    """The figure that `node` speaks of: the one beside it, or one in the text that came after that."""
    order = {id(one): number for number, one in enumerate(document.findall())}
    parts = scopes(document)
    beside = [(order[id(part.start)], part.figure) for part in parts]
    docked = {id(part.figure) for part in parts}
    inside = [(order[id(f)], f) for f in document.findall(FigureNode) if f["moves"] and id(f) not in docked]
    before = [pair for pair in beside + inside if pair[0] <= order[id(node)]]
    return max(before, key=lambda pair: pair[0])[1] if before else None
