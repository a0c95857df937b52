"""The sections that docstrings name, by the titles that stand in the chapters' sources."""

from types import SimpleNamespace

import pytest
from docutils import nodes

from extensions.pages.library_pages import sections_by_title


def contents(*titles):
    return nodes.bullet_list(
        "", *(nodes.reference("", title, anchorname=f"#at-{place}") for place, title in enumerate(titles))
    )


@pytest.mark.parametrize(
    ("shown", "named"),
    [
        ("1.B When no line separates", "When no line separates"),  # an excursion
        ("5.A Bochner’s theorem", "Bochner's theorem"),
        ("The dual", "The dual"),
        ("2.5 billion weights", "2.5 billion weights"),  # no letter
    ],
)
def test_a_section_is_found_by_its_title_without_the_name_of_an_excursion(shown, named):
    env = SimpleNamespace(tocs={"chapters/01_x": contents("SVM duality", shown)})
    assert sections_by_title(env) == {"SVM duality": ("chapters/01_x", {named: "at-1"})}
