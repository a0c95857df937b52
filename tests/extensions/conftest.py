"""Of the small site that a module builds, as its fixture `site`: the page of the chapter."""

import pytest


@pytest.fixture(scope="module")
def chapter(site):
    return site.parsed("chapters/06_small")
