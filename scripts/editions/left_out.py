"""What the lectures leave out of a chapter: excursions, and what only the depth "everything" has open.

An excursion goes as a whole: the signposts in the text name it. Of another fold stays the line that it is
folded to on the site, as a link to the place there.
"""

from urllib.parse import urljoin

from scripts.editions.site import anchor, fragment, home

EXCURSION = "section.excursion"
FOLD = 'details[data-since="everything"]'


def leave_out(article, page):
    """Takes out of an article what the lectures do not have; a page without depths stays as it is."""
    for gone in article.select(EXCURSION):
        gone.decompose()
    for fold in article.select(FOLD):
        if not fold.decomposed:  # with the fold around it
            fold.replace_with(line_of(fold, page))


def line_of(fold, page):
    """The line of a fold, as a link to the fold's place on the site."""
    place = fold if fold.get("id") else fold.find(id=True) or fold.find_previous(is_named)
    name = place["id"].removeprefix(anchor(page))
    address = urljoin(home(), f"{page}?depth=everything#{name}")
    line = fragment(f'<p class="left-out"><a class="elsewhere" href="{address}"></a></p>')
    line.a.extend(list(fold.summary.contents))
    return line


def is_named(element):
    """Whether an address can lead to an element."""
    return element.get("id") and not element.find_parent("svg")
