"""The sheet of exercises: every question with its points and formulas, no solution, no check."""

import re
import unicodedata
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from margins_course.assignments.settings import LateRule, Settings
from margins_course.pages.exercise_sheet import print_exercise_sheet, sheet_html
from tests.margins_course.exercises import CHAPTERS, assigned

BERLIN = ZoneInfo("Europe/Berlin")
SETTINGS = Settings("hw", "Homework", (), None, BERLIN, LateRule(), {}, True, None)
NO_PROSE = re.compile(
    r"\$\$.*?\$\$|\$.*?\$|```.*?```|`.*?`|\[[^\]]*\]\([^)]*\)|<[^>]*>|\*+|\n\n|^- |^> ", re.S | re.M
)


def pieces(markdown):
    """The words of a text between its formulas, code and links, without spaces."""
    found = ("".join(piece.split()) for piece in NO_PROSE.split(markdown))
    return [piece for piece in found if len(piece) > 14]


def text_of(path):
    """The text of a PDF without spaces and ligatures."""
    text = "".join(page.extract_text() for page in PdfReader(path).pages)
    return "".join(unicodedata.normalize("NFKC", text).split())


@pytest.fixture(scope="module")
def sheets(browser, tmp_path_factory):
    """The sheets of two chapters with the texts of their PDFs."""
    found = []
    for chapter in (CHAPTERS[0], CHAPTERS[5]):
        target = tmp_path_factory.mktemp("sheet") / "sheet.pdf"
        sheet = assigned(chapter).sheet
        print_exercise_sheet(browser, sheet, SETTINGS, target)
        found.append((sheet, target, text_of(target)))
    return found


def test_the_sheet_holds_every_question_with_its_points(sheets):
    for sheet, _, text in sheets:
        assert len(sheet.exercises) > 5
        for number, exercise in enumerate(sheet.exercises, 1):
            assert re.search(rf"{number}\.{''.join(exercise.title.split())}", text), exercise.title
            assert f"{exercise.points:g}point" in text or not exercise.points
            for piece in pieces(exercise.statement):
                assert piece in text, (exercise.label, piece)


def test_the_sheet_holds_no_solution_and_no_check(sheets):
    for sheet, _, text in sheets:
        questions = "".join("".join(exercise.statement.split()) for exercise in sheet.exercises)
        solutions = [piece for exercise in sheet.exercises for piece in pieces(exercise.solution)]
        code = [
            line for exercise in sheet.exercises for line in exercise.solution.split("\n") if " = " in line
        ]
        kept_back = [*solutions, *("".join(line.split()) for line in code)]
        kept_back = [piece for piece in kept_back if piece not in questions]
        assert len(kept_back) > 20
        assert [piece for piece in kept_back if piece in text] == []
        assert "assert" not in text


def test_formulas_are_set_in_the_font_of_formulas(sheets):
    for sheet, target, text in sheets:
        page = BeautifulSoup(sheet_html(sheet, SETTINGS), "html.parser")
        assert len(page.select("math")) > 20
        assert not page.select("code.tex")
        assert "\\" not in text
        fonts = {str(font) for page in PdfReader(target).pages for font in fonts_of(page)}
        assert any("STIXTwoMath" in font for font in fonts)


def fonts_of(page):
    return [font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].values()]


def test_the_sheet_is_tagged_has_a_title_and_is_the_same_twice(sheets, browser, tmp_path):
    sheet, target, _ = sheets[0]
    reader = PdfReader(target)
    assert reader.metadata.title == sheet.title
    assert reader.trailer["/Root"]["/Lang"] == "en"
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    print_exercise_sheet(browser, sheet, SETTINGS, tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == target.read_bytes()


def test_course_and_due_date_stand_at_the_head_if_they_are_known():
    sheet = assigned(CHAPTERS[0]).sheet
    due = datetime(2026, 10, 1, 23, 59, tzinfo=BERLIN)
    head = BeautifulSoup(
        sheet_html(sheet, replace(SETTINGS, course="Learning <1>", due=due)), "html.parser"
    ).header
    assert head.select_one(".course").text == "Learning <1>"
    assert "Due Thursday, 1 October 2026, 23:59 (Europe/Berlin)" in head.text
    bare = BeautifulSoup(sheet_html(sheet, SETTINGS), "html.parser").header
    assert "Due" not in bare.text
    assert not bare.select(".course")


def test_hints_stand_at_the_end_under_the_number_of_their_exercise():
    page = BeautifulSoup(sheet_html(assigned(CHAPTERS[0]).sheet, SETTINGS), "html.parser")
    last = page.select("section")[-1]
    assert last["class"] == ["hints"]
    assert [heading.text for heading in last.select("h3")][:2] == ["Hint for 1", "Hint for 2"]
    assert not page.select("details")
