"""Assignments of chosen exercises: from several chapters, with other points, with and without proofs."""

import itertools
import re

import pytest

from margins_book.page.selection import select
from margins_course import CourseProblem
from margins_course.assignments.cells import label_of
from margins_course.assignments.chapter_changes import share_points
from margins_course.assignments.combine import combine
from margins_course.assignments.name_clashes import with_distinct_names
from margins_course.assignments.notebooks import as_bytes, nbgrader_source
from margins_course.assignments.release import release
from margins_course.assignments.sheet import Exercise, Line
from margins_course.book import page_of
from margins_course.folder import CourseFolder, write
from tests.margins_course.assignments.test_exercise_text import PROOF, RUBRIC
from tests.margins_course.assignments.test_release import SMALL
from tests.margins_course.chapter_text import with_changes
from tests.margins_course.exercises import CHAPTERS, chapter_of, messages, reference_of

VISIBLE = with_changes(
    SMALL,
    ("# Doubling", "# Tripling"),
    ("twice", "thrice"),
    ("return x + x", "return 3 * x"),
    ("return np.add(x, x)", "return np.multiply(x, 3)  # helper stays"),
    ("(2) == 4", "(2) == 6"),
    ("assert thrice(5) == kept[0](5)", "# corner: helper\nassert thrice(5) == kept[0](5) == helper(5)"),
    ("import decimal  # no exercise needs it\n", ""),
)
OWN = with_changes(VISIBLE, ("helper", "own"), ("kept", "kept_own"))  # shares no name with SMALL
TWO = "exercises:\n  one.md:\n    - twice\n  two.md:\n    - thrice\n"


@pytest.fixture
def course(tmp_path):
    """`course(settings, **chapters)`: a course folder with settings, and chapters beside them."""

    def written(settings, **chapters):
        made = CourseFolder(tmp_path / "course")
        write(made.settings("hw"), settings)
        for name, text in chapters.items():
            write(made.settings("hw").with_name(f"{name}.md"), text)
        return made

    return written


def cuts(*chapters, without=()):
    """Every exercise of some chapters of the book."""
    for path in chapters:
        chapter = chapter_of(path)
        labels = tuple(text.label for text in chapter.texts if text.label not in without)
        yield select(chapter, page_of(path), labels)


def importing(text, topic, change):
    """A chapter that imports the checks of another, and uses them."""
    line = f"from margins_book.{topic} import checks\n"
    return with_changes(text, ("import numpy as np\n", f"import numpy as np\n{line}"), change)


def test_two_chapters_each_have_their_own_checks(course):
    one = importing(SMALL, "kernels", ("def helper(x):\n", "def helper(x):\n    name = checks.__name__\n"))
    hidden = "assert thrice(5) ==", "assert checks.__name__\n# corner: checks.\nassert thrice(5) =="
    two = importing(OWN, "svm_duality", hidden)
    made, (source, student) = release(course(TWO, one=one, two=two), "hw")
    assert [exercise.chapter for exercise in made.sheet.exercises] == ["one", "two"]
    hidden = "\n".join(c.source for c in made.cells if c.kind in ("hidden-setup", "hidden-check"))
    assert "from margins_book.svm_duality import checks as checks_two" in hidden
    assert "name = checks.__name__" in hidden
    assert "assert checks_two.__name__" in hidden
    names = reference_of(made).names
    assert names["checks"].__name__ == "margins_book.kernels.checks"
    assert names["checks_two"].__name__ == "margins_book.svm_duality.checks"
    headings = re.findall(r'"(#+ [^"\\]*)', student.read_text(encoding="utf-8"))
    twice = "## Twice · code · 3 points"
    assert headings == ["# hw", "# Doubling", twice, "# Tripling", twice]
    named = re.findall(r'"grade_id": "(.+)"', source.read_text(encoding="utf-8"))
    assert len(set(named)) == len(named)


ASKED = with_changes(OWN, ("def thrice", "def twice"), ("thrice(", "twice("))
ABSOLUTE = OWN.replace("assert thrice(2) ==", "assert abs(thrice(-2)) ==")
REMEDY = "one and two use 'twice' for different things; make two assignments of them"
CLASHES = {
    "set-up of both": (SMALL, VISIBLE, "'helper', 'kept' for different things"),
    "both ask for it": (SMALL, ASKED, "'twice' for different things"),
    "asked for, and set-up": (SMALL, OWN.replace("own", "twice"), REMEDY),
    "one label": (SMALL, SMALL, "one and two both have an exercise 'twice'"),
    "Python's own": (SMALL.replace("helper", "abs"), ABSOLUTE, "'abs' for different things"),
}


@pytest.mark.parametrize("kind", CLASHES)
def test_a_name_for_different_things_is_refused_with_both_chapters(course, kind):
    one, two, said = CLASHES[kind]
    with pytest.raises(CourseProblem, match=said):
        release(course(TWO.replace("thrice", "twice") if one is two else TWO, one=one, two=two), "hw")


def test_any_two_chapters_of_the_book_go_together_or_are_refused_by_name():
    refused = {}
    for one, other in itertools.combinations(cuts(*CHAPTERS), 2):
        try:
            with_distinct_names([one, other])
        except CourseProblem as problem:
            refused[one.chapter.name, other.chapter.name] = str(problem)
    (said,) = refused.values()
    assert list(refused) == [("02_kernels", "03_softmax_kernel")]
    assert "02_kernels and 03_softmax_kernel use 'features' for different" in said


@pytest.mark.full
def test_the_whole_book_as_one_assignment_is_proved():
    made = combine("all", "All", list(cuts(*CHAPTERS, without=("softmax-features",))))
    reference = reference_of(made)
    for solution in reference.solutions:
        assert set(messages(reference, label_of(solution), solution.source)) == {None}
    modules = {name.__name__ for key, name in reference.names.items() if re.match("checks", key)}
    assert len(modules) == len(CHAPTERS)


def test_no_statement_of_the_book_is_lost():
    for path in CHAPTERS:
        text = path.read_text(encoding="utf-8")
        labels = re.findall(r"\{exercise-start\}[^\n]*\n:label: (\S+)", text)
        assert labels
        assert [stated.label for stated in chapter_of(path).texts if stated.statement] == labels


@pytest.mark.parametrize("points", [0.05, 1, 2.5, 7, 99.99])
@pytest.mark.parametrize("parts", [[1, 1, 1], [3.0, 0.1, 7], [2], [1, 2, 4, 8, 16]])
def test_shares_sum_to_the_whole(points, parts):
    made = share_points(points, parts)
    lines = tuple(Line("", share) for share in made)
    assert Exercise("a", "", "prove", 1, "", "", "", rubric=lines).points == points
    assert made == [round(share, 2) for share in made]
    for share, part in zip(made, parts, strict=True):
        assert abs(share - points * part / sum(parts)) < 0.01


def test_order_choice_points_and_due_date_are_the_instructors(course):
    settings = "title: Week 1\ndue: 2026-10-01 23:59\ntime_zone: Europe/Berlin\n"
    settings += "extensions:\n  alovelace: 2026-10-09 12:00\n"
    settings += "exercises:\n  one.md:\n    - even: 10\n    - twice: 1\n"
    made, (source, student) = release(course(settings, one=SMALL + PROOF), "hw")
    even, twice = made.sheet.exercises
    assert (even.label, even.points, twice.label, twice.points) == ("even", 10, "twice", 1)
    assert [line.points for line in even.rubric] == [6.67, 3.33]
    assert [check.points for check in twice.checks] == [0.67, 0.33]
    text = student.read_text(encoding="utf-8")
    due = "**Due:** Thursday, 1 October 2026, 23:59 (Europe/Berlin)."
    assert rf"# Week 1\n\n{due}\n\nThe chapter: <" in text
    assert "## Even · prove ★★ · 10 points" in text
    assert "alovelace" not in text
    assert '"points": 0.67' in source.read_text(encoding="utf-8")
    made, _ = release(course(settings.replace("    - twice: 1\n", ""), one=SMALL + PROOF), "hw")
    assert [cell.kind for cell in made.cells] == ["text", "text", "answer"]
    assert "kept" not in as_bytes(nbgrader_source(made)).decode()


CHOICES = {
    "too few points": ("    - twice", "    - twice: 0.01", 3, "0.01 points are too few for the 2 ch"),
    "unknown exercise": ("    - thrice", "    - thrce", 5, "two has no exercise 'thrce'; it has thrice"),
    "unknown chapter": ("  two.md:", "  99:", 4, "no chapter '99'"),
    "one chapter twice": ("  two.md:", "  ./one.md:", 4, "one, which comes before"),
    "no rubric": ("    - twice", "    - even", 3, "even has neither a check nor a rubric. Write"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CHOICES)
def test_a_choice_that_cannot_be_made_is_named_with_its_line(course, kind):
    before, after, line, said = CHOICES[kind]
    one = SMALL + PROOF.replace(RUBRIC, "")
    with pytest.raises(CourseProblem) as refusal:
        release(course(TWO.replace(before, after), one=one, two=VISIBLE), "hw")
    assert f"assignment.yml, line {line}: " in str(refusal.value)
    assert said in str(refusal.value)
