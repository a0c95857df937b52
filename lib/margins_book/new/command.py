"""The command line `margins new KIND NAME`: reads what is asked for, writes all files of it or none."""

import argparse
import sys

from margins_book.chapters import ROOT
from margins_book.new import recipes
from margins_book.new.chapter import new_chapter
from margins_book.new.edits import Edits, Refusal
from margins_book.new.names import find_chapter

ABOUT = """\
Write the files of a new part of the book, as a small true example that passes the tests.

  margins new chapter TOPIC              a chapter behind the last: page, figure, exercise, claim, tests
  margins new figure NAME --chapter 3    a figure that moves: figure, drawing, test, line in the page
  margins new exercise LABEL --chapter 3 a coded exercise: cells, both checks, wrong answers, sample
  margins new claim NAME --chapter 3     a claim with the chapter's next number, and its test
  margins new kernel NAME                a kernel of margins.kernels: function, export, row of the tests

Comments that begin with `Replace` say what to put in the place of the example.
"""


def parser() -> argparse.ArgumentParser:
    """The command line with all kinds of parts."""
    made = argparse.ArgumentParser(
        prog="margins", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    new = made.add_subparsers(dest="verb", metavar="new", required=True).add_parser(
        "new", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = new.add_subparsers(dest="kind", metavar="KIND", required=True)
    for kind in ("chapter", "figure", "exercise", "claim", "kernel"):
        kinds.add_parser(kind).add_argument("name", metavar="LABEL" if kind == "exercise" else "NAME")
    for kind in ("figure", "exercise", "claim"):
        words = "the chapter, by its number or topic"
        kinds.choices[kind].add_argument("--chapter", metavar="CHAPTER", required=True, help=words)
    kinds.choices["figure"].add_argument("--section", help="put it at the end of this section")
    kinds.choices["claim"].add_argument("--section", help="the label of the place that treats the claim")
    kinds.choices["chapter"].add_argument("--title", help="the title of the page")
    kinds.choices["chapter"].add_argument("--prefix", help="with what its labels begin: svm, for example")
    return made


def planned(edits: Edits, asked: argparse.Namespace) -> list[str]:
    """The changes that were asked for, in `edits`; the commands to try them."""
    match asked.kind:
        case "chapter":
            return new_chapter(edits, asked.name, asked.title, asked.prefix)
        case "figure":
            return recipes.figure(edits, find_chapter(asked.chapter), asked.name, asked.section)
        case "exercise":
            return recipes.exercise(edits, find_chapter(asked.chapter), asked.name)
        case "claim":
            return recipes.claim(edits, find_chapter(asked.chapter), asked.name, asked.section)
    return recipes.kernel(edits, asked.name)


def main(arguments: list[str] | None = None) -> int:
    """The command; 0 if the files are written, 1 with a sentence if they are not."""
    asked, edits = parser().parse_args(arguments), Edits(ROOT)
    try:
        commands = planned(edits, asked)
    except Refusal as reason:
        print(f"margins new {asked.kind}: {reason}. Nothing was written.", file=sys.stderr)
        return 1
    print("\n".join(edits.write()))
    print("\nReplace the example where its comments say so. To try it:")
    print("\n".join(f"  {command}" for command in commands))
    return 0
