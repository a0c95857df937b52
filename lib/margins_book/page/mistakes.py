"""The known wrong answers of an exercise, `LABEL/wrong.py`: functions under lines `# wrong: what is wrong`.

Coursework tries every check on them; plans of sessions tell them, and tests run what is told.
(book: Teaching with this book, A plan for ninety minutes)
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from margins_book.chapters import chapters
from margins_book.page import ChapterProblem
from margins_book.page.solutions import functions_of


def read_mistakes(path: Path) -> dict[str, str]:
    """Code by what is wrong with it, from a file `wrong.py`."""
    first, *rest = re.split("^# wrong: ", path.read_text(encoding="utf-8"), flags=re.M)
    if not rest:
        raise ChapterProblem(
            f"{path}: no line begins with '# wrong: '; expected one before each known mistake"
        )
    return {title.strip(): f"{first}{code}" for title, _, code in (part.partition("\n") for part in rest)}


def mistake(label: str, title: str) -> Callable[..., Any]:
    """The wrong answer to an exercise of the book, ready to be called."""
    folders = (chapter.exercises / label for chapter in chapters())
    code = read_mistakes(next(filter(Path.is_dir, folders)) / "wrong.py")[title]
    names: dict[str, Any] = {}
    exec(code, names)
    found: Callable[..., Any] = names[functions_of(code)[-1]]
    return found
