"""The course folder, laid out as nbgrader expects it.

source/ release/ submitted/ autograded/ feedback/ and gradebook.db are nbgrader's; assignments/ holds what the
instructor decided, otter/ the export, deliveries/ all files that came, results/ one JSON file per submission,
marks/ the points given by hand, review/ the pages for marking, reports/ the tables.
(book: Teaching with this book, The folder)
"""

import os
import tempfile
from pathlib import Path

from margins_course.problems import CourseProblem


class CourseFolder:
    """Where everything of one course lies."""

    def __init__(self, root: Path | str):
        self.root = Path(root).resolve()

    def notebook(self, step: str, assignment: str, student: str | None = None) -> Path:
        """The notebook of an assignment at a step such as "source" or "submitted"."""
        middle = (step,) if student is None else (step, student)
        return self.root.joinpath(*middle, assignment, f"{assignment}.ipynb")

    def result(self, assignment: str, student: str) -> Path:
        """What the checks found in a student's work."""
        return self.root / "results" / assignment / f"{student}.json"

    def settings(self, assignment: str) -> Path:
        """What the instructor decided about an assignment."""
        return self.root / "assignments" / assignment / "assignment.yml"

    def deliveries(self, assignment: str) -> Path:
        """The folder of all files that came for an assignment, and of their records."""
        return self.root / "deliveries" / assignment

    def hand_marks(self, assignment: str) -> Path:
        """The journal of points and comments given by hand."""
        return self.root / "marks" / f"{assignment}.jsonl"

    def review(self, assignment: str) -> Path:
        """The folder of an assignment's review pages."""
        return self.root / "review" / assignment

    def report(self, name: str) -> Path:
        """A table or a text for the teacher."""
        return self.root / "reports" / name

    @property
    def roster(self) -> Path:
        """The list of the class."""
        return self.root / "roster.csv"

    @property
    def gradebook(self) -> Path:
        """nbgrader's database."""
        return self.root / "gradebook.db"

    @property
    def gradebook_url(self) -> str:
        """The address by which nbgrader opens its database."""
        return f"sqlite:///{self.gradebook}"

    def source(self, assignment: str) -> Path:
        """The instructor's notebook, which must have been released."""
        path = self.notebook("source", assignment)
        if not path.is_file():
            raise CourseProblem(
                f"{assignment} is not released in {self.root}: {path} is missing. "
                f"Run `margins-course release {assignment}` first, or name the folder with --course"
            )
        return path

    def source_text(self, assignment: str) -> str:
        """The text of the instructor's notebook."""
        return self.source(assignment).read_text(encoding="utf-8")


def write(path: Path, content: str | bytes) -> None:
    """A file with `content`, whole or not at all, so that an interruption leaves no half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    with os.fdopen(handle, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
    os.chmod(draft, 0o644)
    os.replace(draft, path)
