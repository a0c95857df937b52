"""The page of a chapter, or of its story, run once for the tests of its words."""

import pytest

from margins_book.chapters import chapters
from margins_book.page.quotes import PageText


@pytest.fixture(scope="module")
def page(request):
    """The page whose tests these are, run, with what they need of its names."""
    chapter = next(one for one in chapters() if one.folder in request.path.parents)
    source = chapter.story if request.path.name == "test_story.py" else chapter.page
    return PageText(
        source, chapter.folder, [one for one in vars(request.module).values() if hasattr(one, "words")]
    )
