"""The steps of the command line: each calls the package and prints what was done and what comes next.

(book: Teaching with this book)
"""

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING

from margins_course import CourseProblem
from margins_course.folder import CourseFolder, one_line, printable
from margins_course.wording import points_in_words

if TYPE_CHECKING:
    from margins_course.assignments.choice import Asked, Offer
    from margins_course.assignments.combine import Assignment


def new(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.assignments.choice import taken
    from margins_course.assignments.new_settings import write_new_settings

    path = write_new_settings(course, options.name, options.chapters, asked=_asked(options))
    found = taken(course, options.name)
    print(f"{options.name}: {_counted(found)}")
    _print_choice(course, options.name, found, again=options.name)
    print(f"{path.relative_to(course.root)}: choose exercises and dates there, then run")
    print(f"  margins-course release {options.name}")


def release(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.assignments.choice import taken
    from margins_course.assignments.release import release as made

    if options.pdf:
        _require_chromium()
    assigned, files = made(course, options.name, _asked(options))
    found = taken(course, assigned.name, assigned.sheet)
    print(f"{assigned.title}: {_counted(found)}")
    _print_choice(course, assigned.name, found, again=options.name)
    print("every check was tried:")
    report = course.report(f"{assigned.name}-checks.txt")
    print(report.read_text(encoding="utf-8").partition("\n\n")[0])
    uses = ["yours, with solutions: keep it", "give this to students", "for otter assign"]
    uses += ["written for this chapter: change it and release again", "what was tried, row by row"]
    written = [*files, report] if len(files) == 4 else [*files, None, report]
    for path, use in zip(written, uses, strict=True):
        if path:
            print(f"  {path.relative_to(course.root)}  ({use})")
    if options.pdf:
        _print_sheet(course, assigned)


def _asked(options: argparse.Namespace) -> "Asked":
    """The excursions that the command line asks for."""
    from margins_course.assignments.choice import Asked

    return Asked(tuple(options.excursion), options.all)


def _counted(taken: "list[Offer]") -> str:
    """How many exercises and points an assignment has."""
    number = "1 exercise" if len(taken) == 1 else f"{len(taken)} exercises"
    return f"{number}, {points_in_words(sum(offer.points for offer in taken))}"


def _print_choice(course: CourseFolder, name: str, taken: "list[Offer]", again: str) -> None:
    """What an assignment takes, what of excursions it leaves, and the line that adds this."""
    from margins_course.assignments.choice import left_out

    left = left_out(course, name)
    width = max(len(offer.label) for offer in [*taken, *left])
    for offer in taken:
        print(_offered(offer, width))
    if left:
        names = sorted({name for offer in left for name in offer.excursions})
        print("not taken, because they go with excursions:")
        for offer in left:
            print(_offered(offer, width))
        print("to add them, one or all:")
        print(f"  margins-course release {again} {' '.join(f'--excursion {name}' for name in names)}")


def _offered(offer: "Offer", width: int) -> str:
    """An exercise in a line: label, title, points, excursions."""
    worth = f", {points_in_words(offer.points)}" if offer.points else ""
    names = f"; excursion {' and '.join(offer.excursions)}" if offer.excursions else ""
    return printable(f"  {offer.label:{width}}  {offer.heading}{worth}{names}")


def _require_chromium() -> None:
    """A refusal where nothing can be printed, before checks are tried for seconds."""
    from margins_course.pages.printing import find_chromium

    find_chromium()


def _print_sheet(course: CourseFolder, assigned: "Assignment") -> None:
    """The assignment's questions as a PDF."""
    from margins_course.assignments.settings import read_settings
    from margins_course.book import BOOK
    from margins_course.pages.exercise_sheet import print_exercise_sheet
    from margins_course.pages.markdown import authors_mathml
    from margins_course.pages.printing import chromium

    path, settings = course.exercise_sheet(assigned.name), read_settings(course, assigned.name)
    with chromium() as browser:
        print_exercise_sheet(browser, assigned.sheet, settings, path)
    print(f"  {path.relative_to(course.root)}  (the questions on paper)")
    if authors_mathml("x", False) is None:
        print(f"    its formulas are TeX: run `make book` in {BOOK}, then release again")


def collect(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.collecting.collect import collect as taken

    name = released_name(course, options.name)
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

    _require_sandbox(course, options.unsafe)
    name = released_name(course, options.name)
    marked = mark_class(course, name, unsafe=options.unsafe, progress=progress)
    for note in marked.notes:
        print(one_line(note))
    if not marked.everybody:
        raise CourseProblem(
            f"nothing of {name} is collected: run `margins-course collect {name} FILES` first"
        )
    print(f"{name}: {marked.everybody} submissions, {marked.new} of them marked now")
    print(f"next: margins-course review {name}")


def review(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.pages.received_marks import import_marks
    from margins_course.pages.review import write_review
    from margins_course.pages.review_server import serve_review

    name = released_name(course, options.name)
    if options.take:
        for line in import_marks(course, name, options.take):
            print(one_line(line))
        return
    index = write_review(course, name, progress)
    print(f"pages: {index.relative_to(course.root)}")
    if not options.pages_only:
        serve_review(course, name, open_browser=not options.no_browser)


def similar(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.similarity.page import write_similar

    path, number = write_similar(course, released_name(course, options.name), progress)
    print(f"{number} pairs to look at: {path.relative_to(course.root)} (a hint, never a verdict)")


def feedback(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.pages.feedback import write_feedback

    name = released_name(course, options.name)
    pages = write_feedback(course, name, progress)
    if not pages:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    print(f"{len(pages)} pages in feedback/ID/{name}/{name}.html")
    print("next: margins-course export")


def export(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.export import export as exported
    from margins_course.grading.export import notices

    names = [released_name(course, name) for name in options.names] or None
    for path in exported(course, names):
        print(path.relative_to(course.root))
    for line in notices(course, names):
        print(one_line(line))


def regrade(course: CourseFolder, options: argparse.Namespace) -> None:
    from margins_course.grading.marking import regrade as marked

    _require_sandbox(course, options.unsafe)
    name = released_name(course, options.name)
    changes, notes = marked(course, name, options.what, unsafe=options.unsafe, progress=progress)
    for change in changes:
        if change.before != change.after:
            before, after = ("no mark" if p is None else f"{p:g}" for p in (change.before, change.after))
            print(f"{change.student}: {before} before, {after} now")
    for note in notes:
        print(one_line(note))
    same = sum(change.before == change.after for change in changes)
    number = "1 submission" if len(changes) == 1 else f"{len(changes)} submissions"
    print(f"{number} marked again, {same} with the same points")


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


def _require_sandbox(course: CourseFolder, unsafe: bool) -> None:
    from margins_course.sandbox.bubblewrap import require_bubblewrap, require_unreadable

    if not unsafe:
        require_bubblewrap()
        require_unreadable(course.root)


def released_name(course: CourseFolder, wanted: str) -> str:
    """The name of an assignment that is in the course folder, from its name or its chapter's number."""
    names = sorted(path.name for path in (course.root / "source").glob("*") if path.is_dir())
    number = wanted.lstrip("0")
    found = [name for name in names if wanted == name] or [
        name for name in names if name.partition("_")[0].lstrip("0") == number
    ]
    if len(found) != 1:
        raise CourseProblem(_not_released(course, wanted, names))
    return found[0]


def _not_released(course: CourseFolder, wanted: str, names: list[str]) -> str:
    """What is wrong with a name under which nothing is released, and what to do."""
    if "/" not in wanted and course.settings(wanted).is_file():
        return f"{wanted!r} is not released yet: run `margins-course release {wanted}` first"
    first = "run `margins-course release NAME` first, or name the folder with --course"
    there = f"released are: {', '.join(names)}" if names else f"nothing is released there yet: {first}"
    return f"{wanted!r} is no assignment of {course.root}; {there}"


def progress(done: int, everything: int) -> None:
    """A progress bar on the terminal; nothing is printed where the output is no terminal."""
    if sys.stderr.isatty():
        end = "\n" if done == everything else ""
        bar = "#" * (30 * done // everything)
        print(f"\r  [{bar:30}] {done} of {everything}", end=end, file=sys.stderr, flush=True)
