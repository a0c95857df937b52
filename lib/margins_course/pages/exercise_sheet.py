"""An assignment's questions as a sheet to hand out, a PDF: no solution, no check; hints stand at the end.

(book: Teaching with this book, Release)
"""

import base64
import re
import tempfile
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from margins_course.assignments.due_dates import date_in_words
from margins_course.assignments.settings import Settings
from margins_course.assignments.sheet import Exercise, Sheet
from margins_course.book import BOOK
from margins_course.pages.finished_pdf import finish
from margins_course.pages.printing import print_address
from margins_course.pages.student_html import ANSWER_CSS, authors_html, authors_line
from margins_course.wording import points_in_words

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
FONTS = BOOK / "book" / "frontend" / "node_modules" / "@fontsource"
MATH_FONT = FONTS / "stix-two-math" / "files" / "stix-two-math-latin-400-normal.woff2"
HINT = re.compile(r"<details><summary><b>(.*?)</b></summary>(.*?)</details><br>\n?", re.S)  # as plain() folds
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
{course}
<h1>{title}</h1>
<p>{facts}</p>
<p>What the text refers to stands in the book: {pages}</p>
</header>
{exercises}
{hints}
</body>
</html>
"""


def print_exercise_sheet(browser: "Browser", sheet: Sheet, settings: Settings, target: Path) -> None:
    """Writes the PDF of an assignment's questions."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "sheet.html")
        page.write_text(sheet_html(sheet, settings), encoding="utf-8")
        target.parent.mkdir(parents=True, exist_ok=True)
        print_address(browser, page.as_uri(), target)
        finish(target)


def sheet_html(sheet: Sheet, settings: Settings) -> str:
    """The sheet as a page to be printed."""
    numbered = list(enumerate(sheet.exercises, 1))
    hints = "".join(_hints(number, exercise) for number, exercise in numbered)
    return PAGE.format(
        title=escape(sheet.title),
        course=f'<p class="course">{escape(settings.course)}</p>' if settings.course else "",
        facts=_facts(sheet, settings),
        pages=", ".join(_pages(sheet)),
        style=_style(),
        exercises="\n".join(_exercise(number, exercise) for number, exercise in numbered),
        hints=f'<section class="hints"><h2>Hints</h2>{hints}</section>' if hints else "",
    )


def _facts(sheet: Sheet, settings: Settings) -> str:
    """Points and due date of the whole, in a line."""
    due = f" · Due {escape(date_in_words(settings.due))}" if settings.due else ""
    return f"{points_in_words(sheet.points)}{due}"


def _pages(sheet: Sheet) -> list[str]:
    """The addresses of the chapters that the exercises are from."""
    addresses = dict.fromkeys(escape(exercise.page.partition("#")[0]) for exercise in sheet.exercises)
    return [f'<a href="{address}">{address}</a>' for address in addresses]


def _exercise(number: int, exercise: Exercise) -> str:
    worth = f'<span class="points">{points_in_words(exercise.points)}</span>' if exercise.points else ""
    return (
        f'<section class="exercise"><h2>{number}. {authors_line(exercise.title)} {worth}</h2>\n'
        f'<div class="answer">{HINT.sub("", authors_html(exercise.statement))}</div></section>'
    )


def _hints(number: int, exercise: Exercise) -> str:
    """What the exercise has folded: its hints."""
    found = HINT.findall(authors_html(exercise.statement))
    return "".join(f'<h3>{title} for {number}</h3><div class="answer">{hint}</div>' for title, hint in found)


@cache
def _style() -> str:
    """The style of the sheet, with the font of formulas where the book has fetched it."""
    style = ANSWER_CSS + (HERE / "exercise_sheet.css").read_text(encoding="utf-8")
    if not MATH_FONT.is_file():
        return style
    font = base64.b64encode(MATH_FONT.read_bytes()).decode()
    return f'@font-face {{ font-family: "STIX Math"; src: url(data:font/woff2;base64,{font}) }}\n{style}'
