"""The command `margins-course`: an assignment from release to marks, one step a word.

(book: Teaching with this book)
"""

import argparse
import sys
from collections import Counter

from margins_course.folder import CourseFolder
from margins_course.problems import CourseProblem
from margins_course.tables import one_line

HOW = """\
A chapter of the book becomes an assignment, and what students hand in becomes marks.

  margins-course release 1            make the notebook that you give to students
  margins-course collect 1 FILES      check what they handed in: the LMS's zip, or a folder
  margins-course grade 1              mark it, each student's code in a sealed box
  margins-course feedback 1           one page for each student
  margins-course marks                tables of marks, for Canvas and Moodle too

Everything is kept in one folder, laid out as nbgrader's courses are. Each step can be repeated at any time:
what is done stays done. `margins-course STEP --help` tells more about a step.
"""
CHAPTER = "its number in the book, or its name such as 02_kernels"


def parser():
    made = argparse.ArgumentParser(
        prog="margins-course", description=HOW, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = made.add_subparsers(dest="step", metavar="STEP", required=True)
    for add_options in (
        _release_options,
        _collect_options,
        _grade_options,
        _feedback_options,
        _marks_options,
    ):
        add_options(steps)
    for step in steps.choices.values():
        step.add_argument(
            "--course", metavar="DIR", default=".", help="the course folder (default: this one)"
        )
    return made


def _release_options(steps):
    about = (
        "Make an assignment of a chapter: the notebook for students, yours with solutions and hidden checks, "
        "and one for Otter-Grader and Gradescope."
    )
    step = steps.add_parser("release", help="make the notebook for students", description=about)
    chapter = f"{CHAPTER}, or the path of a chapter of your own (.md)"
    step.add_argument("chapter", metavar="CHAPTER", help=chapter)
    checks = "folder of your own hidden checks: <label>.py for an exercise, its first line '# points: 4'"
    step.add_argument("--overlay", metavar="DIR", help=checks)
    step.set_defaults(run=run_release)


def _collect_options(steps):
    about = (
        "Take what students handed in, refuse what cannot be marked, and write one row with a reason for "
        "every student of roster.csv (a table with the columns id, name, email, lms_id). FILES is the zip of "
        "all submissions as Canvas or Moodle gives it, or a folder with ID/any-name.ipynb or ID.ipynb."
    )
    step = steps.add_parser("collect", help="take what was handed in", description=about)
    step.add_argument("chapter", metavar="CHAPTER", help=CHAPTER)
    step.add_argument("files", metavar="FILES", help="a zip or a folder")
    step.add_argument("--due", metavar="WHEN", help="such as '2026-10-01 23:59': later ones are called late")
    step.set_defaults(run=run_collect)


def _grade_options(steps):
    about = (
        "Mark what was collected and is not marked yet. Students' code runs in a sealed box; the checks run "
        "outside of it. To mark a submission again, delete its file in results/."
    )
    step = steps.add_parser("grade", help="mark what was collected", description=about)
    step.add_argument("chapter", metavar="CHAPTER", help=CHAPTER)
    unsafe = "without a box: students' code can then read and change whatever you can, hidden checks included"
    step.add_argument("--unsafe", action="store_true", help=unsafe)
    step.set_defaults(run=run_grade)


def _feedback_options(steps):
    about = (
        "Write a page for each student, feedback/ID/CHAPTER/CHAPTER.html: points, messages of the visible "
        "checks, your comments."
    )
    step = steps.add_parser("feedback", help="write a page for each student", description=about)
    step.add_argument("chapter", metavar="CHAPTER", help=CHAPTER)
    step.set_defaults(run=run_feedback)


def _marks_options(steps):
    about = (
        "Write the tables of all marks into reports/: marks.csv for you, marks-canvas.csv and "
        "marks-moodle.csv to import."
    )
    step = steps.add_parser("marks", help="write the tables of marks", description=about)
    step.set_defaults(run=run_marks)


def run_release(course, options):
    from margins_course.assignments.release import release

    assigned, files = release(course, options.chapter, options.overlay)
    exercises = sum(cell.kind == "solution" for cell in assigned.cells)
    print(f"{assigned.title}: {exercises} coded exercises, {assigned.points:g} points; the reference passes.")
    uses = ("yours, with solutions: keep it", "give this to students", "for otter assign")
    for path, use in zip(files, uses, strict=True):
        print(f"  {path.relative_to(course.root)}  ({use})")


def run_collect(course, options):
    from margins_course.collecting.collect import collect, parse_due

    chapter = released(course, options.chapter)
    rows = collect(course, chapter, options.files, parse_due(options.due) if options.due else None)
    for status, number in Counter(row["status"] for row in rows).items():
        print(f"{number:5} {status}")
    for row in rows:
        if row["status"] in ("refused", "nobody's"):
            print(one_line(f"{row.get('name') or row['file']}: {row['reason']}"))
    print(f"all rows: {course.report(f'{chapter}-collected.csv').relative_to(course.root)}")


def run_grade(course, options):
    from margins_course.grading.marking import mark_class
    from margins_course.sandbox.seal import require_bubblewrap, require_out_of_sight

    if not options.unsafe:
        require_bubblewrap()
        require_out_of_sight(course.root)
    chapter = released(course, options.chapter)
    new, everybody = mark_class(course, chapter, unsafe=options.unsafe, progress=progress)
    print(f"{chapter}: {everybody} submissions, {new} of them marked now")


def run_feedback(course, options):
    from margins_course.pages.feedback import write_feedback

    chapter = released(course, options.chapter)
    pages = write_feedback(course, chapter, progress)
    if not pages:
        raise CourseProblem(f"nothing of {chapter} is marked: run `margins-course grade {chapter}` first")
    print(f"{len(pages)} pages in feedback/ID/{chapter}/{chapter}.html")


def run_marks(course, options):
    from margins_course.grading.marks import write_marks

    for path in write_marks(course):
        print(path.relative_to(course.root))


def released(course, wanted):
    """The name of a chapter that is in the course folder, from its name or its number."""
    names = sorted(path.name for path in (course.root / "source").glob("*") if path.is_dir())
    found = [
        name for name in names if wanted == name or name.partition("_")[0].lstrip("0") == wanted.lstrip("0")
    ]
    if len(found) != 1:
        first = "run `margins-course release CHAPTER` first, or name the folder with --course"
        there = f"released are: {', '.join(names)}" if names else f"nothing is released there yet: {first}"
        raise CourseProblem(f"{wanted!r} is no assignment of {course.root}; {there}")
    return found[0]


def progress(done, everything):
    """A line that counts, where a person watches."""
    if sys.stderr.isatty():
        end = "\n" if done == everything else ""
        bar = "#" * (30 * done // everything)
        print(f"\r  [{bar:30}] {done} of {everything}", end=end, file=sys.stderr, flush=True)


def main(arguments=None):
    """The command line `arguments`; the exit status."""
    made = parser()
    options = made.parse_args(arguments)
    try:
        options.run(CourseFolder(options.course), options)
    except CourseProblem as problem:
        print(f"margins-course {options.step}: {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"margins-course {options.step}: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. What was finished is kept; the same line goes on from there.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
