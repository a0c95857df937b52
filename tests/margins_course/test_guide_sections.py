"""Every module says which section of the guide it serves, so that a reader of the one finds the other."""

import ast
import re

from margins_course.book import BOOK

PACKAGE = BOOK / "lib" / "margins_course"
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py"]
NAMED = re.compile(r"\(book: Teaching with this book(?:, (?P<section>[^()]+))?\)$")


def headings():
    """The guide's title and sections; what a block of code says is none."""
    text = (BOOK / "book" / "teaching.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.findall(r"^#+ (.+)$", prose, re.M)


def test_every_module_names_a_section_of_the_guide():
    known = headings()
    for path in MODULES:
        found = NAMED.search(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
        assert found, f"{path}: expected a docstring that ends with (book: Teaching with this book, SECTION)"
        assert (found["section"] or "Teaching with this book") in known, path


def test_the_page_of_the_package_names_files_that_exist():
    named = re.findall(
        r"`((?:[a-z]+/)?[a-z_]+\.(?:py|css|js|html))`", (PACKAGE / "README.md").read_text("utf-8")
    )
    there = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.*")}
    there |= {name.rpartition("/")[2] for name in there}
    assert len(named) > 20
    assert set(named) - there - {"test_guide_sections.py"} == set()
