"""Which exercises are taken: the command line, typed, on a chapter with excursions and on the book's."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from margins_course import command
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder
from tests.margins_course.assignments.excursion_chapter import TWO_TRACKS
from tests.margins_course.assignments.test_release import SMALL

NAME = "07_doubling"


class Typed:
    """A course folder, and the command line on it."""

    def __init__(self, root, capsys):
        self.course, self.capsys = CourseFolder(root / "course"), capsys
        self.path = root / f"{NAME}.md"
        self.path.write_text(TWO_TRACKS, encoding="utf-8")

    def __call__(self, *words, status=0):
        """What a line prints, its errors if it fails."""
        assert command.main([*words, "--course", str(self.course.root)]) == status
        printed = self.capsys.readouterr()
        return printed.err if status else printed.out

    def settings(self, name=NAME):
        return self.course.settings(name).read_text(encoding="utf-8")

    def chosen(self, name=NAME):
        return [one.label for one in read_settings(self.course, name).exercises]

    def released(self, name=NAME):
        """Labels and points of what lies in the instructor's notebook."""
        sheet = read_sheet(self.course.source(name).read_text(encoding="utf-8"))
        return [exercise.label for exercise in sheet.exercises], sheet.points


@pytest.fixture
def typed(tmp_path, capsys):
    return Typed(tmp_path, capsys)


def test_new_takes_the_spine_and_says_what_goes_with_excursions(typed):
    printed = typed("new", "hw", str(typed.path))
    assert typed.chosen("hw") == ["twice"]
    assert printed.splitlines() == [
        "hw: 1 exercise, 3 points",
        "  twice  Twice · code, 3 points",
        "not taken, because they go with excursions:",
        "  again  Again · code, 3 points; excursion 7.A",
        "  even   Even · prove ★, 3 points; excursion 7.B",
        "to add them, one or all:",
        "  margins-course release hw --excursion 7.A --excursion 7.B",
        "assignments/hw/assignment.yml: choose exercises and dates there, then run",
        "  margins-course release hw",
    ]
    assert "# - even   # Even · prove ★, 3 points by hand; excursion 7.B\n" in typed.settings("hw")
    assert "`margins-course release hw --excursion 7.A` switches on" in typed.settings("hw")


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        (["--excursion", "7.A"], ["twice", "again"]),
        (["--excursion", "7.b"], ["twice", "even"]),
        (["--excursion", "B"], ["twice", "even"]),
        (["--excursion", "7.B", "--excursion", "7.A"], ["twice", "again", "even"]),
        (["--all"], ["twice", "again", "even"]),
    ],
)
def test_new_takes_the_excursions_that_are_asked_for_and_never_research(typed, words, chosen):
    printed = typed("new", "hw", str(typed.path), *words)
    assert typed.chosen("hw") == chosen
    assert ("not taken" in printed) == (len(chosen) < 3)
    assert "# - open " in typed.settings("hw")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("7.Z", f"there is no excursion '7.Z' in {NAME}; "),
        ("6.A", f"there is no excursion '6.A' in {NAME}; "),
        ("", f"there is no excursion '' in {NAME}; "),
        ("7.C", "excursion 7.C (Nothing to do) has no exercise for an assignment; "),
    ],
)
def test_an_excursion_that_adds_nothing_is_refused_with_those_that_do(typed, name, said):
    error = typed("new", "hw", str(typed.path), "--excursion", name, status=2)
    assert f"margins-course new: {said}" in error
    assert error.endswith("those with exercises: 7.A (More of it), 7.B (Another thing)\n")
    assert not typed.course.settings("hw").exists()


def test_a_letter_alone_is_refused_where_two_chapters_have_it(typed):
    other = typed.path.with_name("08_other.md")
    text = TWO_TRACKS
    for label in ("twice", "again", "even", "open"):
        text = re.sub(rf"\b{label}\b", f"{label}2", text)
    other.write_text(text, encoding="utf-8")
    error = typed("new", "hw", str(typed.path), str(other), "--excursion", "A", status=2)
    assert "'A' can be 7.A or 8.A; those with exercises: 7.A (More of it), 7.B" in error
    typed("new", "hw", str(typed.path), str(other), "--excursion", "8.A")
    assert typed.chosen("hw") == ["twice", "twice2", "again2"]


def test_an_exercise_that_needs_two_excursions_is_taken_with_both(typed):
    typed.path.write_text(TWO_TRACKS.replace("% uses: other", "% uses: other, more"), encoding="utf-8")
    typed("new", "one", str(typed.path), "--excursion", "7.B")
    assert typed.chosen("one") == ["twice"]
    printed = typed("new", "both", str(typed.path), "--excursion", "7.B", "--excursion", "7.A")
    assert typed.chosen("both") == ["twice", "again", "even"]
    assert "Even · prove ★, 3 points; excursion 7.A and 7.B" in printed


def test_a_chapter_whose_exercises_all_go_with_excursions_says_how_to_take_them(typed):
    text = TWO_TRACKS.replace("a-theorem", "more-thm")
    typed.path.write_text(text, encoding="utf-8")
    error = typed("new", "hw", str(typed.path), status=2)
    assert (
        f"all exercises of {NAME} go with excursions; add --excursion 7.A --excursion 7.B, or --all" in error
    )
    typed("new", "hw", str(typed.path), "--all")
    assert typed.chosen("hw") == ["twice", "again", "even"]


def test_release_of_a_chapter_takes_the_spine_and_later_adds_excursions(typed):
    printed = typed("release", str(typed.path))
    assert typed.released() == (["twice"], 3)
    assert "Doubling: exercises: 1 exercise, 3 points\n  twice  Twice" in printed
    assert f"  margins-course release {typed.path} --excursion 7.A --excursion 7.B\n" in printed
    student = typed.course.notebook("release", NAME)
    assert "Show that twice" not in student.read_text(encoding="utf-8")

    printed = typed("release", NAME, "--excursion", "7.B")
    assert typed.released() == (["twice", "even"], 6)
    assert "  even   Even · prove ★, 3 points; excursion 7.B\nnot taken" in printed
    assert "Show that twice" in student.read_text(encoding="utf-8")

    before = typed.settings()
    for words in (["--excursion", "7.B"], []):  # what is taken stays taken
        typed("release", NAME, *words)
        assert (typed.settings(), typed.released()) == (before, (["twice", "even"], 6))

    assert "not taken" not in typed("release", NAME, "--all")
    assert typed.released() == (["twice", "again", "even"], 9)
    assert "# - open " in typed.settings()


def test_release_of_a_chapter_without_settings_takes_excursions_at_once(typed):
    typed("release", str(typed.path), "--excursion", "7.A")
    assert typed.released() == (["twice", "again"], 6)


def test_points_that_settings_give_are_those_that_are_printed_and_kept(typed):
    typed("new", "hw", str(typed.path))
    text = re.sub(r"# - even  +#.*", "# - even: 5", typed.settings("hw"))
    typed.course.settings("hw").write_text(text.replace("- twice ", "- twice: 7 "), encoding="utf-8")
    printed = typed("release", "hw", "--excursion", "7.B")
    assert typed.released("hw") == (["twice", "even"], 12)
    assert printed.splitlines()[:3] == [
        "Hw: 2 exercises, 12 points",
        "  twice  Twice · code, 7 points",
        "  even   Even · prove ★, 5 points; excursion 7.B",
    ]


def test_settings_that_were_written_before_excursions_keep_what_they_list(typed):
    """A course folder from before: all exercises are listed, one of them was taken out."""
    path = typed.course.settings("old")
    path.parent.mkdir(parents=True)
    path.write_text(f"title: Old\nexercises:\n  {typed.path}:\n    - again\n    - twice\n", encoding="utf-8")
    before = path.read_bytes()
    printed = typed("release", "old")
    assert typed.released("old") == (["again", "twice"], 6)
    assert "  even   Even · prove ★, 3 points; excursion 7.B\n" in printed
    typed("release", "old", "--excursion", "7.A")
    assert path.read_bytes() == before
    error = typed("release", "old", "--excursion", "7.B", status=2)
    assert f"{path}, line 3: no line `# - even` is below it; write `- even` there" in error
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "layout",
    [
        "exercises:\n  CHAPTER:\n    - twice\n      # - even\n",  # would continue the text of the line above
        "exercises:\n  CHAPTER:\n    - twice\n# due: 2026-10-01 23:59\n # - even\n",
    ],
)
def test_settings_with_another_layout_are_left_as_they_are(typed, layout):
    path = typed.course.settings("own")
    path.parent.mkdir(parents=True)
    path.write_text(layout.replace("CHAPTER", str(typed.path)), encoding="utf-8")
    before = path.read_bytes()
    error = typed("release", "own", "--excursion", "7.B", status=2)
    assert "has its exercises in other places than `new` writes them, so nothing was changed" in error
    assert "write even below their chapter" in error
    assert path.read_bytes() == before


def test_lines_that_end_as_on_windows_stay_so(typed):
    typed("new", "hw", str(typed.path))
    path = typed.course.settings("hw")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    typed("release", "hw", "--excursion", "7.B")
    assert typed.chosen("hw") == ["twice", "even"]
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")


def test_a_chapter_without_excursions_says_nothing_of_them(typed):
    typed.path.write_text(SMALL, encoding="utf-8")
    assert "excursion" not in typed("new", "hw", str(typed.path))
    error = typed("release", "hw", "--excursion", "7.A", status=2)
    assert f"there is no excursion '7.A' in {NAME}; those with exercises: none" in error


def test_one_excursion_and_all_exclude_each_other(typed):
    with pytest.raises(SystemExit):
        typed("new", "hw", str(typed.path), "--all", "--excursion", "7.A")
    assert "not allowed with argument" in typed.capsys.readouterr().err


def test_help_of_both_steps_names_the_options(typed):
    for step in ("new", "release"):
        with pytest.raises(SystemExit):
            command.main([step, "--help"])
        printed = " ".join(typed.capsys.readouterr().out.split())
        assert "--excursion 6.D" in printed
        assert "take the exercises of all excursions" in printed


def test_the_installed_command_on_a_chapter_of_the_book(tmp_path):
    line = [Path(sys.executable).parent / "margins-course", "new", "hw", "6", "--excursion", "6.D"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (
        "  att-stable        Pulls that survive saturation · code ★★★, 6 points; excursion 6.D\n"
        in done.stdout
    )
    taken, _, left = done.stdout.partition("not taken")
    assert "att-watch" in taken
    assert "att-bounds" in left
    assert "6.D" not in left
