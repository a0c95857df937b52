"""The command line of `margins-course`: its steps, their arguments and their help.

(book: Teaching with this book)
"""

import argparse
import sys

from margins_book.page import ChapterProblem
from margins_course import steps
from margins_course.folder import CourseFolder, delete_leftovers, printable

HOW = """\
Exercises of the book become an assignment, and what students hand in becomes marks.

  margins-course new NAME 1 3         write assignments/NAME/assignment.yml: exercises, due date, late rule
  margins-course release NAME         make the notebook that you give to students
  margins-course collect NAME FILES   check what they handed in: the LMS's zip, or a folder
  margins-course grade NAME           mark the code, each student's in a sandbox
  margins-course review NAME          mark proofs, write comments: pages in your browser
  margins-course feedback NAME        one page for each student
  margins-course export               tables of marks and bundles of feedback for Canvas and Moodle

  margins-course status               every assignment at a glance, and what to run next
  margins-course regrade NAME WHO     mark one student, or everybody, again
  margins-course similar NAME         answers that are alike, side by side

`new` takes the exercises of a chapter's spine; the file that it writes lists those of excursions, too.
Everything is kept in one folder. Each step can be repeated at any time:
what is done stays done. `margins-course STEP --help` tells more about a step.
"""
NAME = {"metavar": "NAME", "help": "the assignment: its name, or the number of the chapter that it is"}


def parser() -> argparse.ArgumentParser:
    """The command line with all steps."""
    made = argparse.ArgumentParser(
        prog="margins-course", description=HOW, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    added = made.add_subparsers(dest="step", metavar="STEP", required=True)
    for add in (_preparing, _collecting, _reviewing, _publishing, _repeating):
        add(added)
    for step in added.choices.values():
        step.add_argument(
            "--course", metavar="DIR", default=".", help="the course folder (default: this one)"
        )
    return made


def _step(added, name, run, about):
    """A step under its name; the first sentence about it is its line in the list."""
    step = added.add_parser(name, help=about.partition(".")[0].lower(), description=about)
    step.set_defaults(run=run)
    return step


def _preparing(added):
    about = (
        "Write the file of an assignment. assignments/NAME/assignment.yml lists every exercise of the "
        "chapters with its points: those of the spine are taken, those of excursions and research stand "
        "behind a #. Its comments explain the due date, the late rule, extensions and the rest."
    )
    step = _step(added, "new", steps.new, about)
    step.add_argument("name", metavar="NAME", help="the assignment's name, such as homework-1")
    chapter = "a chapter of the book by number or name, or the path of your own (.md)"
    step.add_argument("chapters", metavar="CHAPTER", nargs="+", help=chapter)
    about = (
        "Make the notebooks of an assignment. One is for students, one is yours with solutions and hidden "
        "checks. Every check is tried first: with the reference, the stub, known wrong answers and "
        "constants. A chapter's number alone releases the exercises of its spine."
    )
    step = _step(added, "release", steps.release, about)
    step.add_argument("name", metavar="NAME", help="the assignment's name, or a chapter's number")
    step.add_argument("--otter", action="store_true", help="write a notebook for `otter assign`, too")


def _collecting(added):
    about = (
        "Take what students handed in. What cannot be marked is refused with a reason, and everybody on "
        "roster.csv (columns id, name, email, lms_id) gets a row that says what became of the work. FILES is "
        "the zip of all submissions from Canvas or Moodle, or a folder with ID/any-name.ipynb or ID.ipynb."
    )
    step = _step(added, "collect", steps.collect, about)
    step.add_argument("name", **NAME)
    step.add_argument("files", metavar="FILES", help="a zip or a folder")
    about = (
        "Mark the code of all students. It runs in a sandbox, and the checks run outside of it. First a "
        "canary class with known answers is marked in the same way; if one of its marks is not as known, "
        "nothing is written."
    )
    step = _step(added, "grade", steps.grade, about)
    step.add_argument("name", **NAME)
    _may_be_unsafe(step)


def _reviewing(added):
    about = (
        "Mark proofs and write comments. The pages open in your browser, each exercise with "
        "everybody's answers; what you enter is saved at once in marks/NAME.jsonl. Ctrl-C ends it."
    )
    step = _step(added, "review", steps.review, about)
    step.add_argument("name", **NAME)
    step.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    about = "Show answers that are alike. The page is a hint where to look, never a verdict."
    step = _step(added, "similar", steps.similar, about)
    step.add_argument("name", **NAME)


def _publishing(added):
    about = (
        "Write a page for each student. It holds points, what the checks said, the rubric's lines and your "
        "comments: feedback/ID/NAME/NAME.html."
    )
    step = _step(added, "feedback", steps.feedback, about)
    step.add_argument("name", **NAME)
    about = (
        "Write the tables of marks. reports/ gets marks.csv for you, tables to import into Canvas and "
        "Moodle, and each assignment's feedback as a zip to upload there."
    )
    step = _step(added, "export", steps.export, about)
    step.add_argument("names", metavar="NAME", nargs="*", help="assignments (default: all that are marked)")


def _repeating(added):
    about = (
        "Show how far each assignment is. It counts what is released, collected, marked, outdated, waiting "
        "for you and exported, and names the command that comes next."
    )
    _step(added, "status", steps.status, about)
    about = (
        "Mark again. One student, or with an exercise's label everybody who answers it; old and new points "
        "are printed."
    )
    step = _step(added, "regrade", steps.regrade, about)
    step.add_argument("name", **NAME)
    step.add_argument("what", metavar="STUDENT|EXERCISE", help="an id of the roster, or an exercise's label")
    _may_be_unsafe(step)


def _may_be_unsafe(step):
    unsafe = "without a sandbox: students' code can then read and change whatever you can"
    step.add_argument("--unsafe", action="store_true", help=unsafe)


def main(arguments: list[str] | None = None) -> int:
    """The command line `arguments` carried out; the exit status."""
    options = parser().parse_args(arguments)
    try:
        course = CourseFolder(options.course)
        delete_leftovers(course)
        options.run(course, options)
    except (ChapterProblem, OSError) as problem:
        print(f"margins-course {options.step}: {printable(str(problem))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. What was finished is kept; the same line goes on from there.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
