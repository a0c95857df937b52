"""Which exercises an assignment takes: those of the spine, and of excursions those that are asked for.

An assignment is the list of labels in its settings, and nothing else. Exercises that are not taken stand
there behind a #; what is asked for later is switched on there. (book: Teaching with this book, Release)
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from margins_book.page.chapter import Chapter, read_chapter
from margins_course import CourseProblem
from margins_course.assignments.settings import Chosen, Settings, place_of, read_settings
from margins_course.assignments.sheet import Sheet
from margins_course.book import find_chapter
from margins_course.folder import CourseFolder, write


@dataclass(frozen=True)
class Asked:
    """The excursions that are asked for: their names as they were typed, or all of them."""

    names: tuple[str, ...] = ()
    everything: bool = False


SPINE = Asked()


@dataclass(frozen=True)
class Offer:
    """An exercise of a chapter, its points, and the excursions with which it goes."""

    label: str
    heading: str
    points: float
    excursions: tuple[str, ...]


def taken_labels(chapters: Iterable[Chapter], asked: Asked) -> list[str]:
    """The labels of the exercises of the spine and of the excursions that are asked for, without research."""
    chapters = list(chapters)
    names = {_known_name(chapters, typed) for typed in asked.names}
    return [
        text.label
        for chapter in chapters
        for text in chapter.texts
        if chapter.is_homework(text.label)
        and (asked.everything or set(chapter.goes_with(text.label)) <= names)
    ]


def _known_name(chapters: list[Chapter], typed: str) -> str:
    """The name of an excursion as its chapter has it; a refusal of one from which nothing can be taken."""
    titles = {excursion.name: excursion.title for chapter in chapters for excursion in chapter.excursions}
    there = {name for chapter in chapters for offer in offers(chapter) for name in offer.excursions}
    match [name for name in titles if typed.upper() in (name, name.rpartition(".")[2])]:
        case [name] if name in there:
            return name
        case [name]:
            said = f"excursion {name} ({titles[name]}) has no exercise for an assignment"
        case []:
            said = f"there is no excursion {typed!r} in {', '.join(chapter.name for chapter in chapters)}"
        case several:
            said = f"{typed!r} can be {' or '.join(several)}"
    listed = ", ".join(f"{name} ({title})" for name, title in titles.items() if name in there)
    raise CourseProblem(f"{said}; those with exercises: {listed or 'none'}")


def offers(chapter: Chapter) -> list[Offer]:
    """The exercises of a chapter that an assignment can take."""
    return [
        Offer(text.label, text.heading, chapter.points(text.label), chapter.goes_with(text.label))
        for text in chapter.texts
        if chapter.is_homework(text.label)
    ]


def _chapters_of(course: CourseFolder, settings: Settings) -> dict[str, Chapter]:
    """The chapters of an assignment by the names that its settings give them."""
    keys = dict.fromkeys(chosen.chapter for chosen in settings.exercises)
    return {key: read_chapter(find_chapter(key, course.settings(settings.name).parent)) for key in keys}


def taken(course: CourseFolder, name: str, sheet: Sheet | None = None) -> list[Offer]:
    """The exercises of an assignment, with the points of its sheet, or the chapters' before there is one."""
    settings, found = read_settings(course, name), []
    chapters = _chapters_of(course, settings)
    for chosen in settings.exercises:
        chapter, label = chapters[chosen.chapter], chosen.label
        points = sheet.exercise(label).points if sheet else chapter.points(label)
        found.append(Offer(label, chapter.text(label).heading, points, chapter.goes_with(label)))
    return found


def left_out(course: CourseFolder, name: str) -> list[Offer]:
    """The exercises of excursions, from the chapters of an assignment, that it does not take."""
    settings = read_settings(course, name)
    return [offer for _, offer in _left_out(_chapters_of(course, settings), settings)]


def _left_out(chapters: dict[str, Chapter], settings: Settings) -> list[tuple[str, Offer]]:
    """The exercises that `left_out` lists, each behind the name that the settings give its chapter."""
    chosen = {(one.chapter, one.label) for one in settings.exercises}
    return [
        (key, offer)
        for key, chapter in chapters.items()
        for offer in offers(chapter)
        if offer.excursions and (key, offer.label) not in chosen
    ]


def switch_on(course: CourseFolder, name: str, asked: Asked) -> None:
    """Takes the exercises of excursions that are asked for into the settings of an assignment."""
    if asked == SPINE:
        return
    settings = read_settings(course, name)
    chapters = _chapters_of(course, settings)
    labels = set(taken_labels(chapters.values(), asked))
    wanted = [
        Chosen(key, offer.label) for key, offer in _left_out(chapters, settings) if offer.label in labels
    ]
    path = course.settings(name)
    before = path.read_bytes()
    lines = before.decode("utf-8-sig").split("\n")
    for one in wanted:
        _switch_on_line(course, name, one, lines)
    if wanted:
        write(path, "\n".join(lines))
        _require_chosen(course, name, wanted, before)


def _switch_on_line(course: CourseFolder, name: str, wanted: Chosen, lines: list[str]) -> None:
    """Takes away the # before an exercise, which stands there as `new` writes it."""
    line = re.compile(rf"( +)# (- {re.escape(wanted.label)}(?![\w-]).*)", re.S)
    for number, text in enumerate(lines):
        if found := line.fullmatch(text):
            lines[number] = found[1] + found[2]
            return
    place = place_of(course, name, wanted.chapter)
    raise CourseProblem(f"{place}: no line `# - {wanted.label}` is below it; write `- {wanted.label}` there")


def _require_chosen(course: CourseFolder, name: str, wanted: list[Chosen], before: bytes) -> None:
    """Puts the settings back as they were, with a refusal, if they do not take what is wanted."""
    path = course.settings(name)
    try:
        there = {(one.chapter, one.label) for one in read_settings(course, name).exercises}
    except CourseProblem:
        there = set()
    if missing := [one.label for one in wanted if (one.chapter, one.label) not in there]:
        write(path, before)
        raise CourseProblem(
            f"{path} has its exercises in other places than `new` writes them, so nothing was changed; "
            f"write {', '.join(missing)} below their chapter"
        )
