"""A reader of YAML files whose error messages name the line.

Only mappings, lists and plain text come out of it, and no dates or numbers that YAML makes by itself.
"""

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import yaml

from margins_course import CourseProblem

LARGEST = 100_000  # bytes
T = TypeVar("T")


class YamlFile:
    """A file's content as nodes of PyYAML, with refusals that name file and line."""

    def __init__(self, path: Path):
        self.path = path
        try:
            self.root = yaml.compose(self._text(), Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as problem:
            self._refuse_yaml(problem)
        except (yaml.YAMLError, RecursionError) as problem:
            raise CourseProblem(f"{path} cannot be read as YAML: {problem}") from None
        if self.root is None:
            remedy = "delete it and run `margins-course new` to get one that is explained"
            raise CourseProblem(f"{path} is empty; {remedy}")

    def refuse(self, node: yaml.Node | None, said: str) -> NoReturn:
        raise CourseProblem(f"{self.path}, line {line_of(node) if node else 1}: {said}")

    def mapping(self, node: yaml.Node | None, what: str) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        """A mapping's keys as text, with the nodes of key and value."""
        if node is None or is_empty(node):
            return {}
        if not isinstance(node, yaml.MappingNode):
            self.refuse(node, f"{what} must be lines of the form `key: value`, but got {_kind(node)}")
        found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            name = self.text(key, f"a key of {what}")
            if name in found:
                first = line_of(found[name][0])
                self.refuse(key, f"{name!r} comes twice in {what}, first in line {first}; keep one")
            found[name] = key, value
        return found

    def known(self, node: yaml.Node | None, what: str, keys: tuple[str, ...]) -> dict[str, yaml.Node]:
        """The values of a mapping that may have certain keys only."""
        found = self.mapping(node, what)
        for name, (key, _) in found.items():
            if name not in keys:
                near = difflib.get_close_matches(name, keys, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(keys)}"
                self.refuse(key, f"unknown key {name!r} in {what}; {hint}")
        return {name: value for name, (_, value) in found.items() if not is_empty(value)}

    def value(self, node: yaml.Node | None, what: str, convert: Callable[[str], T], default: T) -> T:
        """What `convert` makes of a text, where there is one; a ValueError of its says what is wrong."""
        if node is None:
            return default
        text = self.text(node, what)
        try:
            return convert(text)
        except ValueError as problem:
            self.refuse(node, f"{what}: {problem}")

    def items(self, node: yaml.Node, what: str) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            self.refuse(node, f"{what} must be a list, one line `- ...` for each, but got {_kind(node)}")
        return node.value

    def text(self, node: yaml.Node, what: str) -> str:
        """A plain text of one line."""
        if not isinstance(node, yaml.ScalarNode):
            self.refuse(node, f"{what} must be text, but got {_kind(node)}")
        if is_empty(node):
            self.refuse(node, f"{what} is empty")
        if not node.value.isprintable():
            self.refuse(node, f"{what} must be one line of printable text, but got {node.value[:60]!r}")
        return node.value

    def _text(self) -> str:
        if not self.path.is_file():
            remedy = f"write it with `margins-course new {self.path.parent.name} CHAPTER`"
            raise CourseProblem(f"{self.path} is missing; {remedy}")
        content = self.path.read_bytes()
        if len(content) > LARGEST:
            raise CourseProblem(f"{self.path} has {len(content)} bytes; at most {LARGEST} are read")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as reason:
            line = content[: reason.start].count(b"\n") + 1
            problem = f"{self.path}, line {line}: this is not UTF-8 text"
            raise CourseProblem(f"{problem}; save it as UTF-8") from None

    def _refuse_yaml(self, problem: yaml.MarkedYAMLError) -> NoReturn:
        # a quote that is never closed is noticed at the file's end only
        is_open_quote = "quoted scalar" in (problem.context or "")
        mark = problem.context_mark if is_open_quote else problem.problem_mark or problem.context_mark
        where = f"{self.path}, line {mark.line + 1}" if mark else f"{self.path}"
        said = " ".join(filter(None, [problem.context, problem.problem]))
        remedy = "look at the colons, quotes and indentation of this line and the one before"
        if "'\\t'" in said:
            remedy = "replace the tab by spaces"
        raise CourseProblem(f"{where}: this is not YAML ({said}); {remedy}") from None


def line_of(node: yaml.Node) -> int:
    return node.start_mark.line + 1


def is_empty(node: yaml.Node) -> bool:
    """Whether nothing was written, as behind a key whose lines are all comments."""
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in ("", "~", "null")


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return repr(node.value[:60])
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
