"""The page of a chapter, run once for the tests of its words."""

import pytest

from margins_book.chapters import chapters
from margins_book.page.quotes import PageText


@pytest.fixture(scope="module")
def page(request):
    """The page of the chapter whose tests these are, run, with what they need of its names."""
    chapter = next(one for one in chapters() if one.folder in request.path.parents)
    return PageText(chapter, [one for one in vars(request.module).values() if hasattr(one, "words")])
