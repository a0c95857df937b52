"""The page of the package names files that exist, and for each room sections of the guide that exist."""

import re

from margins_course.book import BOOK

PACKAGE = BOOK / "lib" / "margins_course"
PAGE = (PACKAGE / "README.md").read_text(encoding="utf-8")


def headings():
    """The guide's sections; what a block of code says is none."""
    text = (BOOK / "book" / "teaching.md").read_text(encoding="utf-8")
    return re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)


def test_the_page_of_the_package_names_sections_of_the_guide_for_every_room():
    rows = re.findall(r"^\| `([a-z]+)/` \|.*\| ([^|]+) \|$", PAGE, re.M)
    assert {room for room, _ in rows} == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {section for _, named in rows for section in named.split("; ")} <= set(headings())


def test_the_page_of_the_package_names_files_that_exist():
    named = re.findall(r"`((?:[a-z]+/)?[a-z_]+\.(?:py|css|js|html))`", PAGE)
    there = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.*")}
    there |= {name.rpartition("/")[2] for name in there}
    assert len(named) > 20
    assert set(named) - there - {"test_guide_sections.py"} == set()
