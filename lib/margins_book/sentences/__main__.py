"""Lists the sentences of chapters that data could deny: `make sentences CHAPTER=05 UNHELD=1`.

(book: How to read and run this book, Reading)
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from margins_book.chapters import ROOT, Chapter, chapters
from margins_book.sentences.holds import Listed, listed_sentences, read_page


def main(arguments: Sequence[str] | None = None) -> None:
    """The list of the chapters that are asked for, then a table of counts."""
    asked = parsed(arguments)
    tables = {}
    for chapter in chosen(asked.chapter):
        found = listed_sentences(read_page(chapter.page, chapter.sentences))
        tables[chapter.page.stem] = found
        for one in found:
            if not (asked.unheld and one.held):
                print(line_of(chapter, one), end="\n\n")
    print(counts(tables))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make sentences", description=__doc__.partition(":")[0])
    parser.add_argument("--chapter", default="", help="the number of one chapter; all without it")
    parser.add_argument("--unheld", action="store_true", help="only sentences that nothing holds")
    return parser.parse_args(arguments)


def chosen(number: str) -> list[Chapter]:
    """The chapter with this number, or all."""
    found = [one for one in chapters() if not number or (number.isdigit() and one.number == int(number))]
    if not found:
        known = ", ".join(f"{one.number:02}" for one in chapters())
        sys.exit(f"there is no chapter {number!r}; expected one of {known}")
    return found


def line_of(chapter: Chapter, one: Listed) -> str:
    """A sentence with its place, what could be denied in it, and what holds it."""
    place = f"{chapter.page.relative_to(ROOT)}:{one.line}"
    held = f"held by {one.held}" if one.held else "UNHELD"
    return f"{place}: {one.kind}, {held}; words: {', '.join(one.triggers)}\n    {one.words}"


def counts(tables: dict[str, list[Listed]]) -> str:
    """A table: for each chapter and kind of place how many sentences are unheld, of how many listed."""
    kinds = list(dict.fromkeys(one.kind for found in tables.values() for one in found))
    rows = [["unheld of listed", *kinds, "all"]]
    for name, found in tables.items():
        listed, unheld = (
            Counter(one.kind for one in found),
            Counter(one.kind for one in found if not one.held),
        )
        rows.append(
            [name, *(f"{unheld[k]} of {listed[k]}" for k in kinds), f"{unheld.total()} of {listed.total()}"]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )


if __name__ == "__main__":
    main()
