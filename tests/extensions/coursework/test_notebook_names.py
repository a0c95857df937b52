"""What a notebook calls works: the last names of their authors, as people write them."""

import pytest
from pybtex.database import Entry, Person

from extensions.coursework.notebook_names import authors


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ([r"Sch{\"o}lkopf, Bernhard", "Smola, Alexander J."], "Schölkopf and Smola"),
        (["{van der Vaart}, Aad"], "van der Vaart"),
        (["Ataee Tarzanagh, Davoud", "Li, Yingcong", "Thrampoulidis, Christos"], "Ataee Tarzanagh et al."),
    ],
)
def test_authors_are_named_without_marks_of_bibtex(people, said):
    entry = Entry("article", persons={"author": [Person(name) for name in people]})
    assert authors(entry) == said
