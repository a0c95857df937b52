"""The page of notation against the chapters: every symbol and every name is used where the page says."""

import functools
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
CHAPTERS = {int(path.name[:2]): path.read_text("utf8") for path in (ROOT / "chapters").glob("*.md")}
LIBRARY = (ROOT / "lib" / "margins").rglob("*.py")
WORDS_OF_THE_LIBRARY = {word for path in LIBRARY for word in re.findall(r"\w+", path.read_text("utf8"))}
HEADING = re.compile(r"##+ (\d+)(?: to (\d+))? ")
SPACING = re.compile(r"\\[,;:! ]|\\[bB]igg?[lr]?(?![a-zA-Z])|\s+")


def rows():
    """The rows under each heading that names chapters: their numbers and the row's columns."""
    found, numbers = [], ()
    for line in (ROOT / "book" / "notation.md").read_text("utf8").splitlines():
        if line.startswith("##"):
            heading = HEADING.match(line)
            numbers = range(int(heading[1]), int(heading[2] or heading[1]) + 1) if heading else ()
        elif line.startswith("| $") and any(number in CHAPTERS for number in numbers):
            found.append((numbers, [column.strip() for column in line.strip("|").split("|")]))
    return found


def squeezed(tex):
    """TeX without what only moves things about."""
    return SPACING.sub("", tex)


@functools.cache
def squeezed_chapters(numbers):
    return squeezed(text_of(numbers))


@functools.cache
def words(numbers):
    return set(re.findall(r"\w+", text_of(numbers)))


def text_of(numbers):
    return "\n".join(CHAPTERS[number] for number in numbers if number in CHAPTERS)


def test_every_symbol_stands_in_a_chapter_that_its_heading_names():
    """As it is written, or the part of it before its definition; each row says what it means."""
    for numbers, columns in rows():
        assert len(columns) == 3 and len(columns[2]) > 5, columns  # noqa: PT018
        text = squeezed_chapters(numbers)
        for symbol in re.findall(r"\$([^$]+)\$", columns[0]):
            assert squeezed(symbol) in text or squeezed(symbol.partition("=")[0]) in text, (columns, symbol)


def test_every_name_in_code_is_used_there_or_in_the_library():
    for numbers, columns in rows():
        for name in re.findall(r"[A-Za-z_]\w*", " ".join(re.findall(r"`([^`]+)`", columns[1]))):
            assert name in words(numbers) or name in WORDS_OF_THE_LIBRARY, (columns, name)
