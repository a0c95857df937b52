"""The last comparison of a test of a claim is kept in its report, from where the ledger's page shows it."""

import pytest

from margins_book.chapters import chapters
from margins_book.page.holding import Held
from tests.measured import PROPERTY, comparison


def pytest_assertion_pass(item, lineno, orig, expl):
    if item.path.name.startswith("test_claims") and (compared := comparison(expl)):
        item.user_properties[:] = [(PROPERTY, compared)]


@pytest.fixture(scope="module")
def page(request):
    """The page of the chapter whose tests these are, run, with what they need of its names."""
    chapter = next(one for one in chapters() if one.folder in request.path.parents)
    return Held(chapter, [one for one in vars(request.module).values() if hasattr(one, "words")])
