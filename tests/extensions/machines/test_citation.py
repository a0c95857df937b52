"""How a chapter is cited: as the file says, in a sentence and in BibTeX, which takes no name apart."""

from extensions.machines.citation import citation

SOURCE = {
    "title": "A small book: with a subtitle",
    "authors": [{"given-names": "A.", "family-names": "One"}, {"name": "The Others"}],
    "version": "1.2.3",
    "date-released": "2026-01-02",
}
ADDRESS = "https://host/chapters/06_small.html"


def test_a_chapter_is_cited_as_a_part_of_the_book():
    made = citation(SOURCE, "chapters/06_small", "A page", ADDRESS)
    assert made["reference"] == (
        f"A. One, The Others (2026). A page. In: A small book: with a subtitle, version 1.2.3. {ADDRESS}"
    )
    assert made["elements"] == [
        ("citation_title", "A page"),
        ("citation_author", "A. One"),
        ("citation_author", "The Others"),
        ("citation_publication_date", "2026/01/02"),
        ("citation_book_title", "A small book: with a subtitle"),
        ("citation_public_url", ADDRESS),
    ]
    assert made["bibtex"].startswith("@incollection{a2026-chapters-06-small,\n")
    assert "author = {{A. One} and {The Others}}" in made["bibtex"]
    assert "booktitle = {{A small book: with a subtitle}}" in made["bibtex"]
