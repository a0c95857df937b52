"""The landing page, or that of a chapter, its story or its session, run once for the tests of its words."""

import pytest

from margins_book.chapters import LANDING, chapters
from margins_book.page.quotes import PageText


@pytest.fixture(scope="module")
def page(request):
    """The page whose tests these are, run, with what they need of its names."""
    chapter = next(one for one in (LANDING, *chapters()) if one.folder in request.path.parents)
    pages = {"test_story.py": chapter.story, "test_session.py": chapter.session}
    source = pages.get(request.path.name, chapter.page)
    tests = [one for one in vars(request.module).values() if hasattr(one, "words")]
    told = chapter.story.read_text("utf8") if chapter.story.is_file() else ""
    return PageText(source, chapter.folder, tests, told)
