"""The pages of the library find the sections that docstrings name."""

import pytest
from docutils import nodes

from extensions.pages.library_pages import plain


@pytest.mark.parametrize(
    ("shown", "named"),
    [
        ("5.A Bochner’s theorem", "Bochner's theorem"),
        ("Fast weights", "Fast weights"),
        ("5. Random features", "5. Random features"),
    ],
)
def test_a_section_is_found_by_its_title_without_the_letter_of_an_excursion(shown, named):
    assert plain(nodes.reference("", shown)) == named
