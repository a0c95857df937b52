"""The command line of `margins-course`: its steps, their arguments and their help."""

import argparse
import sys

from margins_book.page import ChapterProblem
from margins_course import steps
from margins_course.folder import CourseFolder, delete_leftovers, printable

HOW = """\
Exercises of the book become an assignment, and what students hand in becomes marks. Everything is kept in
one folder. Each step can be repeated at any time: what is done stays done.
`margins-course STEP --help` tells more about a step."""

ASSIGNMENT = "name", {"metavar": "NAME", "help": "the assignment's name, such as homework-1"}
CHAPTERS = "a chapter of the book by number or name, or the path of your own (.md)"
COURSE = {"metavar": "DIR", "default": ".", "help": "the course folder (default: this one)"}

# What each step is about, the first sentence for the list of all steps; its arguments.
STEPS: dict[str, tuple[str, list[tuple[str, dict]]]] = {
    "new": (
        "Write the file of an assignment. assignments/NAME/assignment.yml lists every exercise of the "
        "chapters with its points: those of the spine are taken, those of excursions and research stand "
        "behind a #. Its comments explain the due date, the late rule, extensions and the rest.",
        [
            ASSIGNMENT,
            ("chapters", {"metavar": "CHAPTER", "nargs": "+", "help": CHAPTERS}),
        ],
    ),
    "release": (
        "Make the notebooks of an assignment. One is for students, one is yours with solutions and hidden "
        "checks. Every check is tried first: with the reference, the stub, known wrong answers, constants.",
        [
            ASSIGNMENT,
            ("--otter", {"action": "store_true", "help": "write a notebook for `otter assign`, too"}),
        ],
    ),
    "collect": (
        "Take what students handed in. What cannot be marked is refused with a reason, and everybody on "
        "roster.csv (columns id, name, email, lms_id) gets a row that says what became of the work. FILES is "
        "the zip of all submissions from Canvas or Moodle, or a folder with ID/any-name.ipynb or ID.ipynb.",
        [ASSIGNMENT, ("files", {"metavar": "FILES", "help": "a zip or a folder"})],
    ),
    "grade": (
        "Mark the code of all students. It runs in a sandbox, and the checks run outside of it. First a "
        "canary class with known answers is marked in the same way; if one of its marks is not as known, "
        "nothing is written. With students named, these are marked again, and old and new points printed.",
        [ASSIGNMENT, ("students", {"metavar": "STUDENT", "nargs": "*", "help": "ids in roster.csv"})],
    ),
    "review": (
        "Mark proofs and write comments. The pages open in your browser, each exercise with "
        "everybody's answers; what you enter is saved at once in marks/NAME.jsonl. Ctrl-C ends it.",
        [
            ASSIGNMENT,
            ("--no-browser", {"action": "store_true", "help": "print the address instead of opening it"}),
        ],
    ),
    "feedback": (
        "Write a page for each student. It holds points, what the checks said, the rubric's lines and your "
        "comments: feedback/ID/NAME/NAME.html.",
        [ASSIGNMENT],
    ),
    "export": (
        "Write the tables of marks. reports/ gets marks.csv for you, tables to import into Canvas and "
        "Moodle, and each assignment's feedback as a zip to upload there.",
        [("names", {"metavar": "NAME", "nargs": "*", "help": "assignments (default: all that are marked)"})],
    ),
    "status": (
        "Show how far each assignment is. It counts what is released, collected, marked, outdated, waiting "
        "for you and exported, and names the command that comes next.",
        [],
    ),
    "similar": (
        "Show answers that are alike. The page is a hint where to look, never a verdict.",
        [ASSIGNMENT],
    ),
}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="margins-course", description=HOW)
    added = made.add_subparsers(dest="step", metavar="STEP", required=True)
    for name, (about, arguments) in STEPS.items():
        step = added.add_parser(name, help=about.partition(".")[0].lower(), description=about)
        step.set_defaults(run=getattr(steps, name))
        for argument, options in [*arguments, ("--course", COURSE)]:
            step.add_argument(argument, **options)
    return made


def main(arguments: list[str] | None = None) -> int:
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
