"""The options that verbs share: the chapters (`05`, several numbers, or all), and what a record needs."""

import argparse

from margins_book.chapters import Chapter, chapters


def add_chapters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="its number, as 05 (default: all)")


def add_what(parser: argparse.ArgumentParser) -> None:
    """Options of a verb that keeps a record: what it tries, and whether it writes."""
    parser.add_argument("--all", action="store_true", help="try again what has not changed since the record")
    parser.add_argument("--dry-run", action="store_true", help="print only, record nothing")


def chosen(parser: argparse.ArgumentParser, options: argparse.Namespace) -> list[Chapter]:
    """The chapters with the numbers in the options; an error lists those that exist."""
    by_number = {chapter.number: chapter for chapter in chapters()}
    numbers = [int(number) if number.isdigit() else number for number in options.chapters]
    if unknown := [str(number) for number in numbers if number not in by_number]:
        known = ", ".join(f"{number:02}" for number in by_number)
        parser.error(f"no chapter {', '.join(unknown)}; expected numbers of {known}")
    return [by_number[number] for number in numbers] or list(by_number.values())
