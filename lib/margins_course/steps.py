"""The steps of `margins-course`: each calls the package and prints what was done and what comes next.

(book: Teaching with this book)
"""

import argparse
import sys
from collections import Counter

from margins_course.folder import CourseFolder
from margins_course.problems import CourseProblem
from margins_course.tables import one_line


def new(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.assignments.new import write_new

    path = write_new(course, options.name, options.chapters)
    print(f"{path.relative_to(course.root)}: choose exercises and dates there, then run")
    print(f"  margins-course release {options.name}")


def release(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.assignments.release import release as made

    released_now = made(course, options.name)
    for line in released_now.lines:
        print(line)
    uses = ("yours, with solutions: keep it", "give this to students", "for otter assign")
    for path, use in zip(released_now.files, uses, strict=True):
        print(f"  {path.relative_to(course.root)}  ({use})")


def collect(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.collecting.collect import collect as taken

    name = released(course, options.name)
    rows = taken(course, name, options.files)
    for status, number in Counter(row["status"] for row in rows).items():
        print(f"{number:5} {status}")
    for row in rows:
        if row["status"] in ("refused", "nobody's"):
            print(one_line(f"{row.get('name') or row['file']}: {row['reason']}"))
    print(f"all rows: {course.report(f'{name}-collected.csv').relative_to(course.root)}")


def grade(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.marking import mark_class

    _require_sandbox(course, options.unsafe)
    name = released(course, options.name)
    marked, everybody = mark_class(course, name, unsafe=options.unsafe, progress=progress)
    print(f"{name}: {everybody} submissions, {marked} of them marked now")


def review(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.pages.review import take_marks, write_review
    from margins_course.pages.server import serve_review

    name = released(course, options.name)
    if options.take:
        for line in take_marks(course, name, options.take):
            print(one_line(line))
        return
    index = write_review(course, name, progress)
    print(f"pages: {index.relative_to(course.root)}")
    if not options.pages_only:
        serve_review(course, name, open_browser=not options.no_browser)


def similar(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.similarity.page import write_similar

    path, number = write_similar(course, released(course, options.name), progress)
    print(f"{number} pairs to look at: {path.relative_to(course.root)} (a hint, never a verdict)")


def feedback(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.pages.feedback import write_feedback

    name = released(course, options.name)
    pages = write_feedback(course, name, progress)
    if not pages:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    print(f"{len(pages)} pages in feedback/ID/{name}/{name}.html")


def export(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.export import export as exported

    names = [released(course, name) for name in options.names] or None
    for line in exported(course, names):
        print(line)


def regrade(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.marking import regrade as marked

    _require_sandbox(course, options.unsafe)
    name = released(course, options.name)
    for line in marked(course, name, options.what, unsafe=options.unsafe, progress=progress):
        print(line)


def _require_sandbox(course: CourseFolder, unsafe: bool) -> None:
    from margins_course.sandbox.seal import require_bubblewrap, require_out_of_sight

    if not unsafe:
        require_bubblewrap()
        require_out_of_sight(course.root)


def released(course: CourseFolder, wanted: str) -> str:
    """The name of an assignment that is in the course folder, from its name or its chapter's number."""
    names = sorted(path.name for path in (course.root / "source").glob("*") if path.is_dir())
    number = wanted.lstrip("0")
    found = [name for name in names if wanted == name] or [
        name for name in names if name.partition("_")[0].lstrip("0") == number
    ]
    if len(found) != 1:
        first = "run `margins-course release NAME` first, or name the folder with --course"
        there = f"released are: {', '.join(names)}" if names else f"nothing is released there yet: {first}"
        raise CourseProblem(f"{wanted!r} is no assignment of {course.root}; {there}")
    return found[0]


def progress(done: int, everything: int) -> None:
    """A line that counts, where a person watches."""
    if sys.stderr.isatty():
        end = "\n" if done == everything else ""
        bar = "#" * (30 * done // everything)
        print(f"\r  [{bar:30}] {done} of {everything}", end=end, file=sys.stderr, flush=True)
