"""The rubric that an author writes into a chapter: what an answer must show, and the points for it.

It is an admonition of the class `rubric`, whose body is a list: `- 2 points: the idea is named.`
(book: Teaching with this book, What there is to assign)
"""

import re

from margins_course.assignments.sheet import Line
from margins_course.problems import CourseProblem

OPENING = re.compile(r"(?P<fence>:{3,}|`{3,})\{admonition\} *(?P<title>.*?) *")
OPTION = re.compile(r":([\w-]+): *(.*?) *")
LINE = re.compile(r"- ([0-9]{1,5}(?:\.[0-9]{1,9})?) points?: (.+)")
EXPECTED = "expected lines such as '- 2 points: what the answer must show'"


def split_rubric(text: str, where: str) -> tuple[str, tuple[Line, ...]]:
    """A text without the rubric in it, and the rubric's lines, none if there is no rubric."""
    lines = text.split("\n")
    starts = [number for number in range(len(lines)) if _is_rubric(lines, number)]
    if not starts:
        return text, ()
    if len(starts) > 1:
        raise CourseProblem(f"{where} has a second rubric; write all lines into one")
    start, end = starts[0], _end(lines, starts[0], where)
    body = lines[start + 1 + len(_options(lines, start)) : end]
    return "\n".join(lines[:start] + lines[end + 1 :]), tuple(_read(body, where))


def _is_rubric(lines: list[str], number: int) -> bool:
    opening = OPENING.fullmatch(lines[number])
    if not opening:
        return False
    classes = dict(_options(lines, number)).get("class", "").split()
    return "rubric" in classes or opening["title"].casefold() == "rubric"


def _options(lines: list[str], number: int) -> list[tuple[str, str]]:
    """The options of the directive that opens on a line."""
    found = []
    for line in lines[number + 1 :]:
        option = OPTION.fullmatch(line)
        if not option:
            break
        found.append((option[1], option[2]))
    return found


def _end(lines: list[str], start: int, where: str) -> int:
    """The number of the line that closes the admonition which opens on line `start`."""
    fence = OPENING.fullmatch(lines[start])["fence"]
    closing = re.compile(rf"{fence[0]}{{{len(fence)},}} *")
    for number in range(start + 1, len(lines)):
        if closing.fullmatch(lines[number]):
            return number
    raise CourseProblem(
        f"{where}: the rubric is not closed; end it with a line of {len(fence)} times {fence[0]!r}"
    )


def _read(body: list[str], where: str) -> list[Line]:
    """The lines of a rubric; indented text goes on with the line before."""
    found: list[Line] = []
    for text in filter(str.strip, body):
        line = LINE.fullmatch(text.rstrip())
        if line:
            found.append(Line(line[2].strip(), _points(line[1], text, where)))
        elif text[0] == " " and found:
            found[-1] = Line(f"{found[-1].text} {text.strip()}", found[-1].points)
        else:
            raise CourseProblem(f"{where}: the rubric has the line {text!r}; {EXPECTED}")
    if not found:
        raise CourseProblem(f"{where}: the rubric has no line; {EXPECTED}")
    return found


def _points(number: str, text: str, where: str) -> float:
    if float(number) <= 0:
        raise CourseProblem(f"{where}: the rubric has the line {text!r}; expected more than 0 points")
    return float(number)
