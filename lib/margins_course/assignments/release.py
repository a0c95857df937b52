"""Release: an assignment into the course folder, as source, as the students' notebook, perhaps as Otter's."""

from pathlib import Path

from nbformat import NotebookNode

from margins_book.page.chapter import Cell, Chapter, exercises_of, read_chapter
from margins_book.page.selection import Selection, select
from margins_course import CourseProblem
from margins_course.assignments.chapter_changes import read_private_checks, with_points, with_private_checks
from margins_course.assignments.combine import Assignment, combine
from margins_course.assignments.notebooks import as_bytes, nbgrader_source, otter_source, student_notebook
from margins_course.assignments.settings import Chosen, Settings, read_settings
from margins_course.assignments.sheet import KEY
from margins_course.assignments.trials import complete_source, try_source
from margins_course.book import find_chapter, page_of
from margins_course.folder import CourseFolder, write
from margins_course.grading.outdated import SETTINGS, settings_hash


def release(course: CourseFolder, name: str, *, otter: bool = False) -> tuple[Assignment, list[Path]]:
    """An assignment and the files that it was written to, with `otter` a notebook for Otter among them.

    Repeating it writes the same bytes.
    """
    settings = read_settings(course, name)
    assigned = prepare(course, settings)
    chapters = [find_chapter(one.chapter, course.settings(name).parent) for one in settings.exercises]
    source = complete_source(nbgrader_source(assigned), list(dict.fromkeys(map(exercises_of, chapters))))
    source.metadata[KEY][SETTINGS] = settings_hash(settings)
    _try_checks(course, name, source)
    made = {"source": source, "release": student_notebook(assigned)}
    made |= {"otter": otter_source(assigned)} if otter else {}
    files = {course.notebook(step, name): notebook for step, notebook in made.items()}
    for path, notebook in files.items():
        write(path, as_bytes(notebook))
    return assigned, list(files)


def _try_checks(course: CourseFolder, name: str, source: NotebookNode) -> None:
    """A report on the trials of all checks, or a CourseProblem if they cannot be trusted."""
    matrix = try_source(as_bytes(source).decode())
    write(course.report(f"{name}-checks.txt"), "\n".join([*matrix.summary, "", matrix.table]))
    matrix.require_sound()


def prepare(course: CourseFolder, settings: Settings) -> Assignment:
    chapters = _chapters(course, settings)
    coded = [one.label for one in settings.exercises if one.label in chapters[one.chapter][1].exercises]
    private = read_private_checks(settings.private_checks, coded) if settings.private_checks else {}
    cuts = [_cut(course, settings, key, *found, private) for key, found in chapters.items()]
    return combine(settings.name, settings.title, cuts, settings.notice)


def _chapters(course: CourseFolder, settings: Settings) -> dict[str, tuple[Path, Chapter]]:
    """File and content of the chapters of an assignment, by the key that stands in the settings."""
    found: dict[str, tuple[Path, Chapter]] = {}
    for key in dict.fromkeys(chosen.chapter for chosen in settings.exercises):
        try:
            file = find_chapter(key, course.settings(settings.name).parent).resolve()
            if any(file == other for other, _ in found.values()):
                problem = f"{key} is {file.stem}, which comes before"
                raise CourseProblem(f"{problem}; list its exercises in one place")
        except CourseProblem as problem:
            raise CourseProblem(f"{_place(course, settings, key)}: {problem}") from None
        found[key] = file, read_chapter(file)
    return found


def _place(course: CourseFolder, settings: Settings, chapter: str, label: str = "") -> str:
    """File and line where the settings name a chapter or one of its exercises."""
    return f"{course.settings(settings.name)}, line {settings.lines[chapter, label]}"


def _cut(
    course: CourseFolder, settings: Settings, key: str, file: Path, chapter: Chapter, private: dict[str, Cell]
) -> Selection:
    """The chosen exercises of a chapter with private checks and the points that they are to have."""
    wanted = [chosen for chosen in settings.exercises if chosen.chapter == key]
    labels = tuple(chosen.label for chosen in wanted)
    chapter = with_private_checks(chapter, {label: private[label] for label in labels if label in private})
    for chosen in wanted:
        try:
            chapter = _with_points(chapter, chosen)
        except CourseProblem as problem:
            here = _place(course, settings, chosen.chapter, chosen.label)
            raise CourseProblem(f"{here}: {problem}") from None
    return select(chapter, page_of(file), labels)


def _with_points(chapter: Chapter, chosen: Chosen) -> Chapter:
    """The chapter with an exercise worth what settings say, or a refusal if it cannot be marked."""
    known = [text.label for text in chapter.texts]
    if chosen.label not in known:
        listed = ", ".join(known) or "none"
        raise CourseProblem(f"{chapter.name} has no exercise {chosen.label!r}; it has {listed}")
    if not chapter.checks(chosen.label) and not chapter.text(chosen.label).rubric:
        remedy = f"Write a rubric into {chapter.name}, or put # before this line to leave the exercise out"
        raise CourseProblem(f"{chosen.label} has neither a check nor a rubric. {remedy}")
    return chapter if chosen.points is None else with_points(chapter, chosen.label, chosen.points)
