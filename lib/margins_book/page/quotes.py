"""Tests of what a page's text says, with names as the page has them behind the cell before the words.

@quotes("so 1 and 3 can be 52° apart at most, and the table says 90°")
def test_angles(similar):
    assert np.degrees(np.arccos(similar[0, 2])) == 90
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from margins_book.page.run import PageRun, name_of
from margins_book.page.selection import bound_names
from margins_book.page.words import (
    figure_named,
    figure_saying,
    figures_module,
    lengths_of_scenes,
    line_of,
    words_of_conditions,
)


def quotes(
    *words: str, behind: str = "", story: str | tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of words that stand on the page or in one of its figures; its parameters are names of the page.

    They have the values that they have behind the cell before the words, or behind the first later cell by
    which all of them are set. `behind` is code of another cell, where a name means several things. `story`
    holds words of the chapter's story that say the same.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        def test(page: PageText) -> None:
            __tracebackhide__ = True
            place, values = page.values(test)
            try:
                function(**values)
            except Exception as reason:
                reason.add_note(f"{place}: {' | '.join(words)}")
                raise

        test.__name__, test.__doc__ = function.__name__, function.__doc__
        test.words, test.behind = words, behind  # type: ignore[attr-defined]
        test.story = (story,) if isinstance(story, str) else story  # type: ignore[attr-defined]
        test.needs = tuple(inspect.signature(function).parameters)  # type: ignore[attr-defined]
        return test

    return decorate


def test_every_cell_runs(page: "PageText") -> None:
    """The page's cells run, with the assertions that readers see and the hidden checks of exercises."""
    if page.run.failure:
        raise page.run.failure


def test_a_story_is_as_long_as_it_may_be(page: "PageText") -> None:
    """12 to 14 scenes of 60 to 110 words, 1,000 to 1,400 together; a formula in a line is a word."""
    lengths = lengths_of_scenes(page.text)
    assert {title: words for title, words in lengths.items() if not 60 <= words <= 110} == {}
    assert 12 <= len(lengths) <= 14
    assert 1000 <= sum(lengths.values()) <= 1400


def test_the_page_says_what_its_figures_expect(page: "PageText") -> None:
    """The words to which figures give conditions stand on the page."""
    assert [words for words in words_of_conditions(page.figures) if not page.line(words)] == []


class PageText:
    """A page that has run, for the tests of its words."""

    def __init__(self, source: Path, folder: Path, tests: list[Any], story: str = "") -> None:
        """`source` is the page; `folder` that of its chapter, with the figures; `story` the story's text."""
        self.name, self.text, self.story = name_of(source), source.read_text("utf8"), story
        self.figures = figures_module(folder)
        self.run = PageRun(source)
        self.cells = self.run.cells
        self.places = {test: self._place(test) for test in tests}
        wanted: dict[int, set[str]] = {}
        for test, (_, number) in self.places.items():
            wanted.setdefault(number, set()).update(test.needs)
        self.run.run(wanted)

    def _place(self, test: Any) -> tuple[int, int]:
        """The last line on which the words stand, and the number of the cell behind which names are taken."""
        line = max(map(self.line, test.words))
        if test.behind:
            before = [number for number, cell in enumerate(self.cells) if test.behind in cell.source]
        else:
            before = [number for number, cell in enumerate(self.cells) if cell.end <= line]
        number, known = max(before, default=-1), set[str]()
        for place, cell in enumerate(self.cells):
            known |= bound_names(cell.source)
            if known.issuperset(test.needs):
                return line, max(number, place)
        return line, number

    def line(self, words: str) -> int:
        """The line of the page that says the words, itself or by a figure; 0 if none does."""
        if line := line_of(words, self.text):
            return line
        name = figure_saying(words, self.figures)
        return next((cell.line for cell in self.cells if name and figure_named(cell.source) == name), 0)

    def values(self, test: Any) -> tuple[str, dict[str, Any]]:
        """The place of the words of a test, and the values of its parameters there."""
        __tracebackhide__ = True
        line, number = self.places[test]
        place = f"{self.name}:{line}"
        if lost := [words for words in test.words if not self.line(words)]:
            raise AssertionError(f"{self.name} does not say {lost[0]!r}; change the words of this test")
        if lost := [words for words in test.story if not line_of(words, self.story)]:
            raise AssertionError(f"the story does not say {lost[0]!r}; change the words of this test")
        if number not in self.run.kept:
            raise AssertionError(f"{place}: the page stops before: {self.run.failure}")
        if missing := [name for name in test.needs if name not in self.run.kept[number]]:
            raise AssertionError(f"{place}: no cell sets {', '.join(missing)}")
        return place, {name: self.run.kept[number][name] for name in test.needs}
