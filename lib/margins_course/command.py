"""The command `margins-course`: an assignment from release to marks, one step a word.

(book: Teaching with this book)
"""

import argparse
import sys

from margins_course.folder import CourseFolder
from margins_course.problems import CourseProblem
from margins_course.release import release

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
CHAPTER = "its number, its name, or the path of its .md file"


def parser():
    made = argparse.ArgumentParser(
        prog="margins-course", description=HOW, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = made.add_subparsers(dest="step", metavar="STEP", required=True)
    _release_options(steps)
    for step in steps.choices.values():
        step.add_argument(
            "--course", metavar="DIR", default=".", help="the course folder (default: this one)"
        )
    return made


def _release_options(steps):
    about = "Make an assignment of a chapter: the students' notebook, the instructor's, and Otter's."
    step = steps.add_parser("release", help="make the notebook for students", description=about)
    step.add_argument("chapter", metavar="CHAPTER", help=CHAPTER)
    step.add_argument(
        "--overlay", metavar="DIR", help="folder of your own hidden checks, one <label>.py an exercise"
    )
    step.set_defaults(run=run_release)


def run_release(course, options):
    assigned, files = release(course, options.chapter, options.overlay)
    exercises = sum(cell.kind == "solution" for cell in assigned.cells)
    print(f"{assigned.title}: {exercises} coded exercises, {assigned.points:g} points; the reference passes.")
    uses = ("yours, with solutions: keep it", "give this to students", "for otter assign")
    for path, use in zip(files, uses, strict=True):
        print(f"  {path.relative_to(course.root)}  ({use})")


def main(arguments=None):
    """The command line `arguments`; the exit status."""
    made = parser()
    options = made.parse_args(arguments)
    try:
        options.run(CourseFolder(options.course), options)
    except CourseProblem as problem:
        print(f"margins-course {options.step}: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. What was finished is kept; the same line goes on from there.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
