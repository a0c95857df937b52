"""The one exception for whatever the person at the keyboard can mend.

(book: Teaching with this book, When something goes wrong)
"""


class CourseProblem(Exception):  # noqa: N818 - its message is printed as it stands
    """Something that cannot go on; the message says what came, what was expected and what to do."""
