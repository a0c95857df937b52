"""The headings of the book's pages, as docstrings name them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def headings():
    """The sections of every chapter by its title, and of the pages around them."""
    files = [*sorted((ROOT / "chapters").glob("[0-9]*.md")), *sorted((ROOT / "book").glob("*.md"))]
    prose = (CODE_BLOCK.sub("", path.read_text(encoding="utf-8")) for path in files)
    found = [re.findall(r"^#{1,3} (.+)$", text, re.MULTILINE) for text in prose]
    return {title: sections for title, *sections in found}
