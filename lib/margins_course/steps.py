"""The steps of the command line: each calls the package and prints what was done and what comes next."""

import argparse
import sys
from collections import Counter

from margins_course import CourseProblem
from margins_course.folder import CourseFolder, one_line, printable
from margins_course.wording import counted, points_in_words

USES = {  # of the files that `release` writes, by their folder
    "source": "yours, with solutions: keep it",
    "release": "give this to students",
    "otter": "for otter assign",
    "reports": "what was tried, row by row",
}


def new(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.assignments.new_settings import write_new_settings

    path = write_new_settings(course, options.name, options.chapters)
    print(printable(path.read_text(encoding="utf-8").partition("\nexercises:\n")[2].partition("\n\n")[0]))
    print("what stands behind a # is not taken: research, and exercises that go with excursions")
    print(f"{path.relative_to(course.root)}: choose exercises and dates there, then run")
    print(f"  margins-course release {options.name}")


def release(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.assignments.release import release as made

    assigned, files = made(course, options.name, otter=options.otter)
    sheet = assigned.sheet
    print(f"{sheet.title}: {points_in_words(sheet.points)}")
    for exercise in sheet.exercises:
        print(printable(f"  {exercise.label}: {exercise.title}, {points_in_words(exercise.points)}"))
    print("every check was tried:")
    report = course.report(f"{sheet.name}-checks.txt")
    print(report.read_text(encoding="utf-8").partition("\n\n")[0])
    for path in [*files, report]:
        inside = path.relative_to(course.root)
        print(f"  {inside}  ({USES[inside.parts[0]]})")


def collect(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.collecting.collect import collect as taken

    name = options.name
    found = taken(course, name, options.files)
    for status, number in Counter(row["status"] for row in found.rows).items():
        print(f"{number:5} {status}")
    for row in found.rows:
        if row["status"] in ("refused", "nobody's"):
            print(one_line(f"{row.get('name') or row['file']}: {row['reason']}"))
    for note in found.notes:
        print(one_line(note))
    print(f"all rows: {course.report(f'{name}-collected.csv').relative_to(course.root)}")
    print(f"next: margins-course grade {name}")


def grade(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.marking import mark_class
    from margins_course.sandbox.bubblewrap import require_bubblewrap, require_unreadable

    require_bubblewrap()
    require_unreadable(course.root)
    name = options.name
    marked = mark_class(course, name, again=options.students, progress=progress)
    for student, *points in marked.changes:
        before, after = ("no mark" if p is None else f"{p:g}" for p in points)
        print(f"{student}: {before} before, {after} now")
    for note in marked.notes:
        print(one_line(note))
    if not marked.everybody:
        remedy = f"run `margins-course collect {name} FILES` first"
        raise CourseProblem(f"nothing of {name} is collected: {remedy}")
    print(f"{name}: {counted(marked.everybody, 'submission')}, {marked.new} marked now")
    print(f"next: margins-course review {name}")


def review(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.pages.review_server import serve_review

    serve_review(course, options.name, open_browser=not options.no_browser)


def similar(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.similarity.page import write_similar

    path, number = write_similar(course, options.name, progress)
    print(f"{counted(number, 'pair')} to look at: {path.relative_to(course.root)} (a hint, never a verdict)")


def feedback(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.pages.feedback import write_feedback

    name = options.name
    pages = write_feedback(course, name, progress)
    if not pages:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    print(f"{counted(len(pages), 'page')} in feedback/ID/{name}/{name}.html")
    print("next: margins-course export")


def export(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.export import export as exported
    from margins_course.grading.export import notices

    for path in exported(course, options.names):
        print(path.relative_to(course.root))
    for line in notices(course, options.names):
        print(one_line(line))


def status(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.status import COLUMNS
    from margins_course.grading.status import status as rows_of

    columns, rows = (*COLUMNS, "next"), list(rows_of(course))
    if not rows:
        raise CourseProblem(f"{course.root} has no assignment yet: run `margins-course new NAME CHAPTER`")
    table = [dict(zip(columns, columns, strict=True)), *rows]
    width = {c: max(len(row.get(c, "")) for row in table) for c in COLUMNS}
    for row in table:
        cells = [f"{row.get(c, ''):{width[c]}}" for c in COLUMNS]
        print(printable("  ".join([*cells, one_line(row.get("next", ""))]).rstrip()))


def progress(done: int, everything: int) -> None:
    """A progress bar on the terminal; nothing is printed where the output is no terminal."""
    if sys.stderr.isatty():
        end = "\n" if done == everything else ""
        bar = "#" * (30 * done // everything)
        print(f"\r  [{bar:30}] {done} of {everything}", end=end, file=sys.stderr, flush=True)
