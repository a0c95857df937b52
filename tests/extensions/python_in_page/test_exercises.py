"""What a page knows of its exercises: all of them, as students get them, and nothing besides."""

import ast
from functools import cache

import pytest

from extensions.python_in_page.exercises import exercises, with_docstring
from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter


@cache
def sent(chapter):
    return exercises(read_chapter(chapter.page))


each_chapter = pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.topic)


@each_chapter
def test_each_begins_with_signature_and_docstring_and_is_checked_by_its_visible_check(chapter):
    for exercise in sent(chapter).values():
        defined = [node for node in ast.parse(exercise["start"]).body if isinstance(node, ast.FunctionDef)]
        assert tuple(node.name for node in defined) == exercise["functions"]
        assert ast.get_docstring(defined[0])
        assert "NotImplementedError" in exercise["start"]
    read = read_chapter(chapter.page)
    for label, exercise in sent(chapter).items():
        visible = [cell.source for cell in read.checks(label) if cell.kind == "check"]
        assert exercise["check"] == "\n".join(visible)


@each_chapter
def test_neither_a_solution_nor_a_hidden_check_travels(chapter):
    read = read_chapter(chapter.page)
    told = repr(sent(chapter))
    for cell in read.cells:
        if cell.kind == "hidden-check":
            assert cell.source not in told
            assert repr(cell.source)[1:-1] not in told
    for label in read.exercises:
        solution = next(
            cell.source for cell in read.cells if (cell.kind, cell.exercise) == ("solution", label)
        )
        body = solution.partition("### BEGIN SOLUTION\n")[2].partition("### END")[0]
        longest = max((line.strip() for line in body.splitlines()), key=len)
        assert repr(longest)[1:-1] not in told
    assert "### " not in told


def test_a_docstring_stands_before_the_place_for_code():
    stub = "def f(x):\n    # your code here\n    raise NotImplementedError"
    assert with_docstring(stub, "The half").split("\n")[1] == '    """The half."""'
    assert (
        with_docstring('def f(x):\n    """Mine."""\n    raise NotImplementedError', "The half").count('"""')
        == 2
    )
