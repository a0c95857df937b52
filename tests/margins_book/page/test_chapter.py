"""Chapters that cannot be marked are refused with the place."""

import pytest

from margins_book.page import ChapterProblem
from margins_book.page.chapter import read_chapter
from tests.margins_course.assignments.test_release import SMALL

REFUSALS = {
    "two kinds": ("[check]", "[check, solution]", "exclude each other"),
    "kind on text": (
        ":::{exercise-start}",
        '+++ {"tags": ["check"]}\n\n:::{exercise-start}',
        "belongs on a code cell",
    ),
    "no exercise": (":tags: [check]\n:exercise: twice\n", ":tags: [check]\n", ":exercise: None"),
    "no points": (":points: 2\n", "", "but got None"),
    "points NaN": (":points: 2", ":points: .nan", "but got nan"),
    "points negative": (":points: 2", ":points: -2", "but got -2"),
    "points infinite": (":points: 2", ":points: .inf", "but got inf"),
    "points yes": (":points: 2", ":points: true", "but got True"),
    "check of another": (":tags: [check]\n:exercise: twice", ":tags: [check]\n:exercise: thrice", "thrice"),
    "no marker": ("    ### BEGIN SOLUTION\n", "", "has no partner"),
    "no markers": (
        "    ### BEGIN SOLUTION\n    return x + x\n    ### END SOLUTION",
        "    return x",
        "needs the lines",
    ),
    "not stated": (":label: twice", ":label: once", "no exercise is labelled 'twice'"),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_chapter_that_cannot_be_marked_is_refused(small, kind):
    before, after, words = REFUSALS[kind]
    assert before in SMALL
    with pytest.raises(ChapterProblem, match=words) as refusal:
        read_chapter(small(SMALL.replace(before, after, 1)))
    assert "small.md" in str(refusal.value)


def test_a_check_before_its_solution_and_a_second_one_and_one_without_check_are_refused(small):
    head, solution = SMALL.split("```{code-cell} ipython3\n:tags: [solution]")
    solution, checks = solution.split("```{code-cell} ipython3\n:tags: [check]")
    with pytest.raises(ChapterProblem, match="stands before its solution"):
        read_chapter(small(f"{head}```{{code-cell}} ipython3\n:tags: [check]{checks}"))
    twice = f"```{{code-cell}} ipython3\n:tags: [solution]{solution}"
    with pytest.raises(ChapterProblem, match="twice has two solution cells; expected one"):
        read_chapter(small(f"{head}{twice}{twice}```{{code-cell}} ipython3\n:tags: [check]{checks}"))
    with pytest.raises(ChapterProblem, match="no check for twice"):
        read_chapter(small(f"{head}{twice}"))
