"""Where services open notebooks, and what a notebook calls works: the last names of their authors."""

from types import SimpleNamespace

import pytest
from pybtex.database import Entry, Person

from extensions.coursework.notebook_branch import binder_address, colab_address, jupyterhub_address
from extensions.coursework.notebook_names import authors

HUBS = {"binderhub_url": "https://b.org", "colab_url": "https://c.org/"}


def application(**hubs):
    """What of Sphinx says where the repository and the services are."""
    options = {"repository_url": "https://github.com/owner/name", "launch_buttons": hubs}
    return SimpleNamespace(config=SimpleNamespace(html_theme_options=options))


def test_services_open_the_branch_of_notebooks():
    app = application(**HUBS)
    assert binder_address(app, "a b.ipynb") == (
        "https://b.org/v2/gh/owner/name/notebooks?urlpath=lab%2Ftree%2Fa%2520b.ipynb"
    )
    assert colab_address(app, "a.ipynb") == "https://c.org/github/owner/name/blob/notebooks/a.ipynb"
    assert not jupyterhub_address(app, "a.ipynb")
    assert jupyterhub_address(application(jupyterhub_url="https://h.org/"), "a.ipynb") == (
        "https://h.org/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgithub.com%2Fowner%2Fname"
        "&urlpath=lab%2Ftree%2Fname%2Fa.ipynb&branch=notebooks"
    )


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
