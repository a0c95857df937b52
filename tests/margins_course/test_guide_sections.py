"""The page of the package names files that exist, and for each room sections of the guide that exist."""

import re

from margins_course.book import BOOK

PACKAGE = BOOK / "lib" / "margins_course"


def test_the_page_of_the_package_names_files_and_for_every_room_sections_of_the_guide():
    page, guide = (path.read_text("utf-8") for path in (PACKAGE / "README.md", BOOK / "book" / "teaching.md"))
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", guide, flags=re.M | re.S), re.M)
    rows = re.findall(r"^\| `([a-z]+)/` \|.*\| ([^|]+) \|$", page, re.M)
    assert {room for room, _ in rows} == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {section for _, named in rows for section in named.split("; ")} <= set(headings)
    files = re.findall(r"`((?:[a-z]+/)?[a-z_]+\.(?:py|css|js|html))`", page)
    there = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.*")}
    there |= {name.rpartition("/")[2] for name in there}
    assert set(files) - there == {"test_guide_sections.py"}
