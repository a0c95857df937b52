"""Which exercises go with which excursion, and that the book's pages say the same."""

import re

import pytest

from margins_book.page import ChapterProblem
from margins_book.page.chapter import exercise_table, read_chapter
from tests.margins_course.assignments.excursion_chapter import EVEN, TWO_TRACKS
from tests.margins_course.exercises import CHAPTERS

SAID = re.compile(r"((?:\{ref\}`[\w-]+`(?:, | and )?)+) (?:goes |go )?with (?:excursion )?([A-Z])\b")


@pytest.fixture
def chapter(tmp_path):
    def read(text=TWO_TRACKS, name="07_doubling.md"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return read_chapter(tmp_path / name)

    return read


def owners(read):
    return {text.label: read.goes_with(text.label) for text in read.texts}


def test_excursions_are_read_with_their_titles_and_all_that_stands_in_them(chapter):
    assert [(one.name, one.title, one.labels) for one in chapter().excursions] == [
        ("7.A", "More of it", {"more", "more-thm", "ex-two-bars"}),
        ("7.B", "Another thing", {"other", "other-eq"}),
        ("7.C", "Nothing to do", set()),
    ]
    assert [one.name for one in chapter(name="doubling.md").excursions] == ["A", "B", "C"]


def test_exercises_go_with_what_they_refer_to_and_with_what_they_declare(chapter):
    assert owners(chapter()) == {"twice": (), "again": ("7.A",), "even": ("7.B",), "open": ("7.B",)}


@pytest.mark.parametrize(
    "reference",
    [
        "{prf:ref}`more-thm`",
        "{ref}`the section <more>`",
        "{numref}`ex-two-bars`",
        '[the bars](#ex-two-bars "bars")',
        "[the section](more)",
    ],
)
def test_every_kind_of_reference_counts_in_statement_and_hint_but_not_in_the_solution(chapter, reference):
    for before in ("Write `twice(x)`, see", "Add it to itself."):
        read = chapter(TWO_TRACKS.replace(before, f"{before} See {reference}.", 1))
        assert read.goes_with("twice") == ("7.A",)
    assert chapter(TWO_TRACKS.replace("By {prf:ref}`more-thm`.", f"{reference}.")).goes_with("even") == (
        "7.B",
    )


def test_an_exercise_can_need_two_excursions_and_one_that_stands_in_one_goes_with_it(chapter):
    assert chapter(TWO_TRACKS.replace("% uses: other", "% uses: other, more-thm")).goes_with("even") == (
        "7.A",
        "7.B",
    )
    silent = EVEN.replace("% uses: other\n", "")
    moved = TWO_TRACKS.replace(EVEN, "").replace("## Nothing", f"{silent}\n## Nothing")
    assert chapter(moved).goes_with("even") == ("7.B",)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("% uses: other", "% uses: othr", "exercise even: `% uses: othr` names nothing in an excursion"),
        ("% uses: other", "% uses: end", "exercise even: `% uses: end` names nothing in an excursion"),
        ("% uses: other", "% use: other", "expected the line that closes its fence"),
        (":::{solution-start} even\n", ":::{solution-start} even\n% uses: other\n", "closes its fence"),
        ("{excursion} B", "{excursion} A", "line [0-9]+: a second excursion A"),
        ("{excursion} B", "{excursion} Bee", "line [0-9]+: 'Bee' is no letter of an excursion"),
    ],
)
def test_what_names_no_excursion_is_refused_with_its_place(chapter, before, after, words):
    assert TWO_TRACKS.count(before) == 1
    with pytest.raises(ChapterProblem, match=words) as refusal:
        chapter(TWO_TRACKS.replace(before, after))
    assert str(refusal.value).startswith("07_doubling.md")


def test_the_overview_says_with_what_each_goes_and_what_excursions_add(chapter):
    table = exercise_table(chapter())
    assert "(3 points, 6 more with all excursions)" in table
    assert "| Twice | code |  | 2 | 1 | – | spine |" in table
    assert "| Again | code |  | 2 | 1 | – | 7.A |" in table
    assert "| Even | prove | ★ | – | – | 3 | 7.B |" in table


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_a_page_says_of_its_exercises_is_what_the_command_does(path):
    read = read_chapter(path)
    before = (
        path.read_text(encoding="utf-8").partition("\n## Exercises\n")[2].partition("{exercise-start}")[0]
    )
    words = {
        label: (f"{int(path.name[:2])}.{letter}",)
        for labels, letter in SAID.findall(before)
        for label in re.findall(r"`([\w-]+)`", labels)
    }
    if "excursion" in before:
        assert words == {label: names for label, names in owners(read).items() if names}
    for text in read.texts:
        assert set(re.findall(r"excursion (\d+\.[A-Z])", text.statement)) <= set(read.goes_with(text.label))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_all_excursions_of_the_book_are_read(path):
    letters = re.findall(r"^`{3,}\{excursion\} ([A-Z])$", path.read_text(encoding="utf-8"), re.M)
    read = read_chapter(path)
    assert [one.name for one in read.excursions] == [f"{int(path.name[:2])}.{letter}" for letter in letters]
    assert any(not names for names in owners(read).values())
