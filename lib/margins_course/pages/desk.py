"""What the server answers with: pages, answers and marks of one assignment, as the files are now.

(book: Teaching with this book, Review)
"""

from margins_course.folder import CourseFolder, write
from margins_course.grading.hand_marks import HandMark, read_hand_marks
from margins_course.grading.results import Work, read_result
from margins_course.pages.exchange import SentMark, as_wire, enter
from margins_course.pages.review import HandedIn, page, read_class


class Desk:
    """The pages and answers of one assignment, read anew when a file of the course has changed."""

    def __init__(self, course: CourseFolder, name: str):
        self.course, self.name = course, name
        self._seen: frozenset = frozenset()
        self._now: HandedIn | None = None

    def now(self) -> HandedIn:
        """The class as the files are now."""
        seen = self._files()
        if self._now is None or seen != self._seen:
            self._now, self._seen = read_class(self.course, self.name), seen
        return self._now

    def _files(self):
        """What identifies the state of all files that the pages are made from."""
        course, name = self.course, self.name
        folders = (course.settings(name).parent, course.result(name, "x").parent, course.deliveries(name))
        files = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
        files += [course.hand_marks(name), course.source(name), course.roster]
        return frozenset((f, s.st_mtime_ns, s.st_size) for f in files if f.is_file() and (s := f.stat()))

    def page(self, file: str) -> str | None:
        """The text of a page with the marks as they are, written to disk too; None if there is none such."""
        text = page(self.now(), file)
        if text is not None:
            write(self.course.review(self.name) / file, text)
        return text

    def marks(self, exercise: str) -> dict:
        """The marks of an exercise as the journal has them, by student."""
        marks = read_hand_marks(self.course, self.name)
        return {student: as_wire(mark) for (student, label), mark in marks.items() if label == exercise}

    def fingerprint(self, student: str, exercise: str) -> str | None:
        """What identifies an answer now, None if there is none such."""
        handed_in = self._now or self.now()
        if student not in handed_in.results or exercise not in [e.label for e in handed_in.sheet.exercises]:
            return None
        result = read_result(self.course.result(self.name, student))
        return result.work.get(exercise, Work()).fingerprint

    def enter(self, sent: SentMark) -> HandMark:
        """The mark as the journal has it after it was entered."""
        return enter(self.course, self.name, sent, self.now().sheet)
