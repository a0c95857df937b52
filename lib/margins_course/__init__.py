"""Coursework: a chapter of the book becomes an assignment, and submissions of any kind become marks.

`margins-course --help` says how to use it; the book's page "Teaching with this book" says it at length.
"""

import sys

from margins_book.page import ChapterProblem

# jsonschema, which nbformat brings, would compile a grammar of web addresses at each start, for 1.5 seconds
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


class CourseProblem(ChapterProblem):
    """Something that cannot go on; the message says what came, what was expected and what to do."""
