"""The exercises that an assignment's settings choose, each with its line in the file.

(book: Teaching with this book, Release)
"""

import re
from dataclasses import dataclass

import yaml

from margins_course.assignments.yaml_file import YamlFile, is_empty

POINTS = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")


@dataclass(frozen=True)
class Chosen:
    """One exercise of an assignment."""

    chapter: str  # its name or number, or the path of an .md file
    label: str
    points: float | None = None  # None: the chapter's own


def chapter_nodes(file: YamlFile, node: yaml.Node | None) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """The chapters that the mapping `exercises` names, each with its list."""
    found = file.mapping(node, "exercises") if node else {}
    if not found:
        file.refuse(node or file.root, "no exercises are chosen; `exercises:` lists them under their chapter")
    return found


def read_chosen(file: YamlFile, node: yaml.Node | None) -> dict[Chosen, int]:
    """The chosen exercises in their order, each with its line."""
    found: dict[tuple[str, str], tuple[Chosen, int]] = {}
    for chapter, (key, listed) in chapter_nodes(file, node).items():
        if is_empty(listed) or not file.items(listed, f"the exercises of {chapter}"):
            file.refuse(key, f"no exercise of {chapter} is chosen; choose one, or put # before this line")
        for item in file.items(listed, f"the exercises of {chapter}"):
            chosen, line = _chosen(file, chapter, item), item.start_mark.line + 1
            if (chapter, chosen.label) in found:
                first = found[chapter, chosen.label][1]
                file.refuse(item, f"{chosen.label} comes twice, first in line {first}; keep one")
            found[chapter, chosen.label] = chosen, line
    return dict(found.values())


def _chosen(file: YamlFile, chapter: str, node: yaml.Node) -> Chosen:
    """One item of the list: a label, or `label: points`."""
    if isinstance(node, yaml.ScalarNode):
        return Chosen(chapter, file.text(node, "an exercise"))
    pairs = file.mapping(node, "an exercise")
    if len(pairs) != 1:
        said = "expected one exercise a line, `- label` or `- label: points`"
        file.refuse(node, f"{said}, but {', '.join(pairs) or 'nothing'} came")
    ((label, (_, value)),) = pairs.items()
    points = file.text(value, f"the points of {label}")
    if not POINTS.fullmatch(points) or float(points) == 0:
        expected = "expected a number above 0 with at most two decimals, such as 8 or 2.5"
        file.refuse(value, f"{label} has the points {points!r}; {expected}")
    return Chosen(chapter, label, float(points))
