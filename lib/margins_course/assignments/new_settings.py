"""A new `assignment.yml`: the exercises of some chapters, and every setting explained by a comment."""

import json
import os
import re
from pathlib import Path
from zoneinfo import ZoneInfo

from margins_book.page.chapter import Chapter, read_chapter
from margins_book.page.exercise_text import ExerciseText
from margins_course import CourseProblem
from margins_course.assignments.settings import check_name
from margins_course.book import BOOK, find_chapter
from margins_course.folder import CourseFolder, write

TEMPLATE = """\
# What you decide about this assignment. `margins-course release {name}` makes its notebooks: do that again
# when you change the title, the exercises, their points or checks. Dates and the late rule count at once.
# A line that begins with # is not read. To switch it on, take away the # and the space behind it.

# What students read at the head of their notebook. Without this line: {name}.
title: {title}

# The exercises in the order in which students see them, under their chapter: its name or number in the book,
# or the path of an .md file of your own. For other points than the chapter's write them behind, such as
# `- label: 8`; then the exercise's checks and rubric lines share the 8 in proportion. Behind a # are research
# and what goes with excursions: take the # away before those that your class has read about.
exercises:
{exercises}

# When it is due, such as 2026-10-01 23:59. Without this line nothing is ever late. In the night in which
# clocks are set back, a time that comes twice means the later one.
# due: 2026-10-01 23:59

# Where all dates of this file are read off the clock, such as Europe/Berlin. Without this line: UTC.
time_zone: {zone}

# What lateness costs; without these lines nothing. Within grace_minutes (default 0) nothing is lost. After
# that each day begun since the due date costs the share per_day of the score (default 0%), and what comes
# more than `days` days late scores 0 (default: it counts, however late it comes).
# late:
#   grace_minutes: 15
#   per_day: 10%
#   days: 3

# Later dates for single students, by the id in roster.csv. Without these lines nobody has one.
# extensions:
#   alovelace: 2026-10-08 23:59

# A folder beside this file with hidden checks of your own, one file `label.py` for an exercise, whose first
# line is such as `# points: 4`. Without this line there are none.
# private_checks: private
"""


def write_new_settings(course: CourseFolder, name: str, chapters: list[str]) -> Path:
    """The file of settings for the spine's exercises of `chapters`, written; none is ever overwritten."""
    check_name(name)
    path = course.settings(name)
    if path.exists():
        raise CourseProblem(f"{path} is there already; edit it, or choose another name")
    files = [find_chapter(chapter) for chapter in chapters]
    if twins := {file.stem for file in files if files.count(file) > 1}:
        raise CourseProblem(f"{', '.join(sorted(twins))} comes twice; name each chapter once")
    read = [read_chapter(file) for file in files]
    keys = [chapter_key(file, path.parent, course) for file in files]
    listed = list(map(_chapter_lines, keys, read))
    if not path.parents[1].exists():  # the first step in a course folder: it is for one pair of eyes
        course.root.mkdir(parents=True, exist_ok=True)
        course.root.chmod(0o700)
    first, title = read[0], re.sub(r"[-_]+", " ", name).strip().capitalize()
    title = _scalar(f"{first.title}: exercises" if name == first.name else title)
    write(path, TEMPLATE.format(name=name, title=title, exercises="\n".join(listed), zone=local_zone()))
    return path


def chapter_key(file: Path, folder: Path, course: CourseFolder) -> str:
    """How settings in `folder` name a chapter: a name in the book, or a path."""
    if file.resolve().parent == BOOK / "chapters":
        return file.stem
    inside = file.resolve().is_relative_to(course.root)
    return os.path.relpath(file.resolve(), folder) if inside else str(file.resolve())


def local_zone() -> str:
    """The time zone of this machine, UTC if it does not tell."""
    linked = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    for name in (os.environ.get("TZ", "").removeprefix(":"), linked):
        try:
            return ZoneInfo(name).key
        except (KeyError, ValueError, OSError):
            continue
    return "UTC"


def taken_labels(chapter: Chapter) -> list[str]:
    """The labels of a chapter's homework in the spine; all of its homework where none is there."""
    homework = [text.label for text in chapter.texts if chapter.is_homework(text.label)]
    return [label for label in homework if not chapter.goes_with(label)] or homework


def _chapter_lines(key: str, chapter: Chapter) -> str:
    """The lines of a chapter: all but the spine's homework stands behind a #."""
    active = taken_labels(chapter)
    if not active:
        problem = f"{chapter.name} has no exercise with a check or a rubric, so there is nothing to mark"
        raise CourseProblem(f"{problem}; write one, or choose another chapter")
    width = max(len(text.label) for text in chapter.texts) + 4
    lines = [f"  {_scalar(key)}:  # {chapter.title}"]
    for text in chapter.texts:
        item = f"- {text.label:{width}}" if text.label in active else f"# - {text.label:{width - 2}}"
        lines.append(f"    {item}# {text.heading}, {_about(chapter, text)}")
    return "\n".join(lines)


def _about(chapter: Chapter, text: ExerciseText) -> str:
    """The points of an exercise in words, and the excursions with which it goes."""
    checked = sum(cell.points for cell in chapter.checks(text.label))
    said = [f"{checked:g} points"] if checked else []
    said += [f"{text.rubric_points:g} points by hand"] if text.rubric else []
    names = " and ".join(chapter.goes_with(text.label))
    return (" and ".join(said) or "no rubric yet") + (f"; excursion {names}" if names else "")


def _scalar(text: str) -> str:
    """Text as YAML reads it back, in quotes where it needs them."""
    return text if re.fullmatch(r"[A-Za-z0-9][\w /.-]*[\w.-]", text) else json.dumps(text, ensure_ascii=False)
