"""What counts how much: names before text, short names before long ones, what repeats chapters last."""

import json
from types import SimpleNamespace

import pytest
from docutils import nodes

from extensions.search.index import EXCURSION, REPEATED, STORY, document, folder, index, rank, weight
from tests.small_book import differences


def section(name, **more):
    return nodes.section("", nodes.title("", name), ids=[name.lower().replace(" ", "-")], **more)


@pytest.mark.parametrize(
    ("page", "name", "counts"),
    [
        ("chapters/03_softmax_kernel", "Why the square root", 1),
        ("chapters/03_softmax_kernel", "Summary", REPEATED),
        ("chapters/03_softmax_kernel", "In the library", REPEATED),
        ("book/how_to_read", "Running", 1),
        ("book/claims", "Chapter 3", REPEATED),
        ("book/library/svm", "Whatever", REPEATED),
        ("stories/03_softmax_kernel", "Why the square root", STORY),
    ],
)
def test_what_repeats_a_chapter_counts_less(page, name, counts):
    assert weight(section(name), page) == counts
    assert weight(section(name, excursion="3.A"), page) == EXCURSION
    assert f'data-pagefind-weight="{counts}"' in document(section(name), "Page", name, "text", page)


@pytest.mark.parametrize(
    ("page", "name", "ranked"),
    [
        ("chapters/02_kernels", "Spectra", "name-1"),
        ("chapters/02_kernels", "The kernels of this book", "name-2"),
        ("chapters/02_kernels", "Theorem 2.1: The kernel trick", "name-2"),
        ("chapters/02_kernels", "What is it?", "name-1"),
        ("chapters/07_local_optima", "Local optima, feasibility and over-parameterisation", "name-4"),
        ("book/library/svm", "margins.svm.smo", "api-3"),
        ("book/library/svm", "Solvers", None),
        ("book/claims", "Chapter 3", None),
    ],
)
def test_the_fewer_words_a_name_has_the_more_each_says(page, name, ranked):
    assert rank(section(name), name, page) == ranked
    told = document(section(name), "Page", name, "text", page)
    assert ("data-pagefind-meta=" in told) == bool(ranked)


def test_text_is_escaped():
    told = document(section("Spectra"), "A & B", "a < b", "c > d", "chapters/02_kernels")
    assert "A &amp; B" in told
    assert "a &lt; b" in told
    assert "c &gt; d" in told


def build(root, pages):
    """A build in which these pages, by their names, have one place each."""
    app = SimpleNamespace(
        outdir=root / "html", doctreedir=root / "doctrees", env=SimpleNamespace(found_docs=pages)
    )
    app.builder = SimpleNamespace(format="html")
    for docname, page in pages.items():
        place = folder(app) / docname / "spectra.html"
        place.parent.mkdir(parents=True)
        place.write_text(document(section("Spectra"), page, "Spectra", "some text", docname), "utf8")
    index(app, None)
    return root / "html"


def test_the_same_places_have_the_same_index(tmp_path):
    pages = {f"chapters/{number:02}": f"Chapter {number} & more" for number in range(8)}
    first, *others = [build(tmp_path / name, pages) for name in "abc"]
    assert [differences(first, other) for other in others] == [[], []]
    assert json.loads((first / "_static/search/pages.json").read_text("utf8")) == pages
